//! Speed of custom instructions compared with built-in ones that do the same or comparable work: instructions per second ("elem/s")
//! of a loop that consists of one instruction, in the interpreter.
//!
//! `cargo bench -p capvec-custom`; results are in `records/custom.md`.

use capvec_isa::{Decoded, Ext, Op};
use capvec_sim::hart::Agnostic;
use capvec_sim::mem::{Memory, PAGE, Perm};
use capvec_sim::testing::{CODE, DATA, config, word};
use capvec_sim::timing::Ideal;
use capvec_sim::{Engine, Hart, Interpreter};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::path::Path;
use std::sync::Arc;

/// Copies of the instruction in the loop.
const COPIES: usize = 64;

fn registered(name: &str) -> (Ext, Vec<Op>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/instructions");
    let file = folder.join(name).with_extension("toml");
    let extension = capvec_custom::read(&file).unwrap_or_else(|e| panic!("{e}"));
    extension.register().unwrap_or_else(|e| panic!("{e}"))
}

/// A hart with x11 and x12 as operands, vl at its maximum for this vtype, and a loop of the instruction.
fn hart(exts: &[Ext], vtype: i64, op: Op, set: impl Fn(&mut Decoded)) -> Hart {
    let mut words = vec![word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 13, vtype))];
    words.extend([word(op, set); COPIES]);
    let back = -4 * COPIES as i64;
    words.push(word(Op::Jal, |d| d.imm = back));
    let mem = Memory::new().expect("address space");
    mem.map(CODE, PAGE, Perm::R.union(Perm::X)).expect("code page");
    mem.map(DATA, PAGE, Perm::RW).expect("data page");
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    mem.write_as(CODE, &bytes, Perm::NONE).expect("the words fit in a page");
    let mut h = Hart::new(Arc::new(config(exts, 256, Agnostic::Undisturbed)), mem);
    h.pc = CODE;
    for (r, value) in [(11, DATA), (12, 3), (13, 1 << 20)] {
        h.write_x(r, value);
    }
    h
}

fn handlers(c: &mut Criterion) {
    let (rotate, butterfly, keccak, reach) = (
        registered("xrotxor"),
        registered("xbutterfly"),
        registered("xkeccak"),
        registered("xreach"),
    );
    let exts = [rotate.0, butterfly.0, keccak.0, reach.0, Ext::V, Ext::Zbb, Ext::Zvknhk0p2];
    let named = |name: &str| reach.1.iter().copied().find(|op| op.name() == name);
    let reach = |name: &str| named(name).expect("an instruction of the example");
    let scalar = |d: &mut Decoded| (d.rd, d.rs1, d.rs2) = (10, 11, 12);
    let vector = |d: &mut Decoded| (d.rd, d.rs1, d.rs2) = (8, 16, 12);
    let (e16_m2, e64_m8) = (1 << 3 | 1, 3 << 3 | 3);
    let both = |op| hart(&exts, e16_m2, op, vector);
    let rows = [
        ("rotxor", hart(&exts, e16_m2, rotate.1[0], scalar)),
        ("ror (built in)", hart(&exts, e16_m2, Op::Ror, scalar)),
        ("vbfly.vv", both(butterfly.1[0])),
        ("vremu.vv (built in)", both(Op::VremuVv)),
        ("xkeccak.v", hart(&exts, e64_m8, keccak.1[0], |d| d.rd = 8)),
        ("vkeccak.vi (built in)", hart(&exts, e64_m8, Op::VkeccakViZvknhk0p2, |d| d.rd = 8)),
        ("ldrev", hart(&exts, e16_m2, reach("ldrev"), |d| (d.rd, d.rs1) = (10, 11))),
        ("ld (built in)", hart(&exts, e16_m2, Op::Ld, |d| (d.rd, d.rs1) = (10, 11))),
    ];
    let mut group = c.benchmark_group("handlers");
    group.sample_size(10);
    for (name, mut h) in rows {
        let run = if name.contains("keccak") { 10_000 } else { 1_000_000 };
        let mut engine = Interpreter::new(Ideal, false);
        group.throughput(Throughput::Elements(run));
        group.bench_function(name, |b| b.iter(|| engine.run(&mut h, run)));
    }
    group.finish();
}

criterion_group!(benches, handlers);
criterion_main!(benches);
