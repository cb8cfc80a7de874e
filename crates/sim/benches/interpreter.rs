//! Speed of the reference interpreter: retired guest instructions per host second ("elem/s").
//!
//! `cargo bench -p capvec-sim`; results of record are in `records/`.

use capvec_sim::testing::loops::{branchy, calls, hart, mixed};
use capvec_sim::timing::Ideal;
use capvec_sim::{Engine, Interpreter};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Instructions of a measured run.
const RUN: u64 = 10_000_000;

fn interpreter(c: &mut Criterion) {
    let mut group = c.benchmark_group("interpreter");
    group.throughput(Throughput::Elements(RUN)).sample_size(10);
    for (name, code) in [("mixed", mixed()), ("branchy", branchy()), ("calls", calls())] {
        let mut h = hart(&code);
        let mut engine = Interpreter::new(Ideal, false);
        group.bench_function(name, |b| b.iter(|| engine.run(&mut h, RUN)));
    }
    group.finish();
}

criterion_group!(benches, interpreter);
criterion_main!(benches);
