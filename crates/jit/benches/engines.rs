//! Speed of the engines on the loops of crates/sim/benches: retired guest instructions per host second
//! ("elem/s").
//!
//! `cargo bench -p capvec-jit`; results of record are in `records/`.

use capvec_isa::{Decoded, Ext, ExtSet, Op, encode};
use capvec_jit::Options;
use capvec_sim::hart::Agnostic;
use capvec_sim::mem::Perm;
use capvec_sim::testing::config;
use capvec_sim::timing::Ideal;
use capvec_sim::{Config, Engine, Hart, Interpreter, Memory};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::sync::Arc;

const CODE: u64 = 0x10000;
const DATA: u64 = 0x20000;
/// Instructions of a measured run.
const RUN: u64 = 10_000_000;

fn word(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i64) -> u32 {
    encode(&Decoded { rd, rs1, rs2, imm, ..Decoded::new(op) })
        .expect("operands of the benchmark fit")
}

/// What software crypto does: loads, shifts, exclusive ors, additions, a store, a backward branch.
fn mixed() -> Vec<u32> {
    vec![
        word(Op::Lw, 5, 10, 0, 0),
        word(Op::Addi, 5, 5, 0, 3),
        word(Op::Xor, 6, 6, 5, 0),
        word(Op::Slli, 7, 6, 0, 13),
        word(Op::Srli, 8, 6, 0, 5),
        word(Op::Or, 7, 7, 8, 0),
        word(Op::Sw, 0, 10, 7, 4),
        word(Op::Addi, 11, 11, 0, -1),
        word(Op::Bne, 0, 11, 0, -32),
        word(Op::Jal, 0, 0, 0, -36),
    ]
}

/// Blocks of two instructions, half of the branches taken.
fn branchy() -> Vec<u32> {
    vec![
        word(Op::Addi, 5, 5, 0, 1),
        word(Op::Andi, 6, 5, 0, 1),
        word(Op::Beq, 0, 6, 0, 8),
        word(Op::Addi, 7, 7, 0, 1),
        word(Op::Andi, 6, 5, 0, 2),
        word(Op::Bne, 0, 6, 0, 8),
        word(Op::Addi, 8, 8, 0, 1),
        word(Op::Jal, 0, 0, 0, -28),
    ]
}

/// A call and a return, through registers.
fn calls() -> Vec<u32> {
    vec![
        word(Op::Auipc, 6, 0, 0, 0),
        word(Op::Addi, 12, 12, 0, 1),
        word(Op::Jalr, 1, 6, 0, 16),
        word(Op::Jal, 0, 0, 0, -8),
        word(Op::Xor, 13, 13, 12, 0),
        word(Op::Jalr, 0, 1, 0, 0),
    ]
}

fn hart(code: &[u32]) -> Hart {
    let mem = Memory::new().expect("an address space");
    mem.map(CODE, 0x1000, Perm(7)).expect("pages");
    mem.map(DATA, 0x1000, Perm::RW).expect("pages");
    let bytes: Vec<u8> = code.iter().flat_map(|w| w.to_le_bytes()).collect();
    mem.write(CODE, &bytes).expect("the code fits");
    let exts = ExtSet::of(&[Ext::I, Ext::M]).closed();
    let config = Config { exts, ..config(&[], 128, Agnostic::Undisturbed) };
    let mut h = Hart::new(Arc::new(config), mem);
    h.pc = CODE;
    h.write_x(10, DATA);
    h
}

fn engines(c: &mut Criterion) {
    let jit = || capvec_jit::engine(Options::default()).expect("a host that has a translator");
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
