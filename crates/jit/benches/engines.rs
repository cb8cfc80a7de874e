//! Speed of the engines on the loops of `capvec_sim::testing::loops`: retired guest instructions per host second
//! ("elem/s").
//!
//! `cargo bench -p capvec-jit`; results of record are in `records/`.

use capvec_isa::Ext;
use capvec_jit::Options;
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::config;
use capvec_sim::testing::loops::{branchy, calls, hart, hart_with, keccak, mixed};
use capvec_sim::timing::Ideal;
use capvec_sim::{Engine, Interpreter};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Instructions of a measured run.
const RUN: u64 = 10_000_000;

/// The interpreter and the translating engine.
fn both() -> [(&'static str, Box<dyn Engine>); 2] {
    let jit = capvec_jit::engine(Options::default(), None).expect("a host that has a translator");
    [("interp", Box::new(Interpreter::new(Ideal, false))), ("jit", jit)]
}

fn engines(c: &mut Criterion) {
    for (name, code) in [("mixed", mixed()), ("branchy", branchy()), ("calls", calls())] {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(RUN)).sample_size(10);
        for (engine, mut e) in both() {
            let mut h = hart(&code);
            group.bench_function(engine, |b| b.iter(|| e.run(&mut h, RUN)));
        }
        group.finish();
    }
}

/// Permutations of Keccak-f[1600] per second, two with a VLEN of 512.
fn permutations(c: &mut Criterion) {
    for vlen in [128, 256, 512, 2048] {
        let groups = (vlen as u64 * 8 / 2048).max(1);
        let mut group = c.benchmark_group(format!("vkeccak {vlen}"));
        group.throughput(Throughput::Elements(RUN / 100 * groups)).sample_size(10);
        for (engine, mut e) in both() {
            let exts = [Ext::M, Ext::V, Ext::Zvknhk0p2];
            let mut h = hart_with(config(&exts, vlen, Agnostic::Undisturbed), &keccak());
            // Three instructions for each vkeccak.vi.
            group.bench_function(engine, |b| b.iter(|| e.run(&mut h, 3 * RUN / 100)));
        }
        group.finish();
    }
}

criterion_group!(benches, engines, permutations);
criterion_main!(benches);
