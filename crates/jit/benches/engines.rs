//! Speed of the engines on the loops of `capvec_sim::testing::loops`: retired guest instructions per host second
//! ("elem/s").
//!
//! `cargo bench -p capvec-jit`; results of record are in `records/`.

use capvec_jit::Options;
use capvec_sim::testing::loops::{branchy, calls, hart, mixed};
use capvec_sim::timing::Ideal;
use capvec_sim::{Engine, Interpreter};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Instructions of a measured run.
const RUN: u64 = 10_000_000;

fn engines(c: &mut Criterion) {
    let jit =
        || capvec_jit::engine(Options::default(), None).expect("a host that has a translator");
    let interp = || -> Box<dyn Engine> { Box::new(Interpreter::new(Ideal, false)) };
    for (name, code) in [("mixed", mixed()), ("branchy", branchy()), ("calls", calls())] {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(RUN)).sample_size(10);
        for (engine, mut e) in [("interp", interp()), ("jit", jit())] {
            let mut h = hart(&code);
            group.bench_function(engine, |b| b.iter(|| e.run(&mut h, RUN)));
        }
        group.finish();
    }
}

criterion_group!(benches, engines);
criterion_main!(benches);
