//! Speed of custom instructions compared with the handlers of built-in ones that do the same or comparable work: the time of an
//! instruction in a loop of copies of it, interpreted and translated, and its ratios to that of the built-in one, interpreted.
//!
//! `cargo bench -p capvec-custom`; results are in `records/custom.md`.

use capvec_isa::{Decoded, Ext, Op};
use capvec_jit::Options;
use capvec_sim::hart::Agnostic;
use capvec_sim::mem::{Memory, PAGE, Perm};
use capvec_sim::testing::{CODE, DATA, config, word};
use capvec_sim::timing::Ideal;
use capvec_sim::{Engine, Hart, Interpreter};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Copies of the instruction in the loop.
const COPIES: usize = 64;

/// How many times each instruction is measured.
const SAMPLES: usize = 40;

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
    // v16 has indices into a table, which are also distinct divisors; v0 is a mask of which about half is set.
    for n in 0..8 * 256 / 32 {
        h.v.set::<u32>(16, n, 4 * n as u32 + 4);
        h.v.set::<u32>(0, n, 0x9e37_79b9u32.wrapping_mul(n as u32 + 1));
    }
    h
}

/// How an instruction is measured: its name, vtype, and its operands.
type Row = (&'static str, i64, fn(&mut Decoded));

/// Each custom instruction with the built-in one that it is compared with.
fn pairs() -> [[Row; 2]; 12] {
    let (e16_m2, e32_m1, e32_m2, e64_m2, e64_m8) = (0o11, 0o20, 0o21, 0o31, 0o33);
    let scalar = |d: &mut Decoded| (d.rd, d.rs1, d.rs2) = (10, 11, 12);
    let load = |d: &mut Decoded| (d.rd, d.rs1) = (10, 11);
    let vv = |d: &mut Decoded| (d.rd, d.rs1, d.rs2) = (8, 16, 12);
    let masked = |d: &mut Decoded| (d.rd, d.rs1, d.rs2, d.vm) = (8, 16, 12, false);
    let vx = |d: &mut Decoded| (d.rd, d.rs1, d.rs2) = (8, 12, 16);
    let indexed = |d: &mut Decoded| (d.rd, d.rs1, d.rs2) = (8, 11, 16);
    let result = |d: &mut Decoded| (d.rd, d.rs2) = (10, 16);
    [
        [("rotxor", e16_m2, scalar), ("ror", e16_m2, scalar)],
        [("ldrev", e16_m2, load), ("ld", e16_m2, load)],
        [("xkeccak.v", e64_m8, |d| d.rd = 8), ("vkeccak.vi", e64_m8, |d| d.rd = 8)],
        [("vbfly.vv", e16_m2, vv), ("vremu.vv", e16_m2, vv)],
        [("vbfly.vv", e16_m2, masked), ("vremu.vv", e16_m2, masked)],
        [("vbfly.vx", e16_m2, vx), ("vremu.vx", e16_m2, vx)],
        [("vpar.v", e32_m2, vv), ("vmseq.vv", e32_m2, vv)],
        [("vlut.v", e32_m2, indexed), ("vluxei32.v", e32_m2, indexed)],
        [("vwclmacc.vv", e32_m1, vv), ("vclmul.vv", e64_m2, vv)],
        [("vnmont.w", e16_m2, vv), ("vnsra.wv", e16_m2, vv)],
        [("vredxor.x", e64_m2, result), ("vredxor.vs", e64_m2, vv)],
        [("vlast.x", e32_m2, result), ("vredmaxu.vs", e32_m2, vv)],
    ]
}

/// Nanoseconds per instruction, from a run of more than two milliseconds.
fn sample(engine: &mut dyn Engine, h: &mut Hart, count: &mut u64) -> f64 {
    loop {
        let start = Instant::now();
        engine.run(h, *count);
        let took = start.elapsed();
        if took > Duration::from_millis(2) {
            return took.as_nanos() as f64 / *count as f64;
        }
        *count *= 2;
    }
}

/// The shortest of many times, taken in turn, so that other work on the machine hits all of them alike.
fn shortest(rows: &mut [(Box<dyn Engine>, Hart, u64, f64)]) {
    for _ in 0..SAMPLES {
        for (engine, h, count, best) in rows.iter_mut() {
            *best = best.min(sample(&mut **engine, h, count));
        }
    }
}

fn main() {
    let files = ["xrotxor", "xbutterfly", "xkeccak", "xreach", "xwiden"].map(registered);
    let mut exts = vec![Ext::V, Ext::Zbb, Ext::Zvbc, Ext::Zvknhk0p2];
    exts.extend(files.iter().map(|(ext, _)| *ext));
    let ops: Vec<Op> = files.into_iter().flat_map(|(_, ops)| ops).collect();
    let op = |name: &str| match name {
        // Three drafts have an instruction of this name.
        "vkeccak.vi" => Op::VkeccakViZvknhk0p2,
        _ => ops.iter().copied().find(|op| op.name() == name).unwrap_or_else(|| built_in(name)),
    };
    println!(
        "{:24} {:>9} {:>9}  {:12} {:>9} {:>7} {:>7}",
        "", "ns", "transl.", "built in", "ns", "ratio", "transl."
    );
    for [own, other] in pairs() {
        let hart = |(name, vtype, set): Row| hart(&exts, vtype, op(name), set);
        let interpreter = || Box::new(Interpreter::new(Ideal, false)) as Box<dyn Engine>;
        let options = Options { hot_threshold: 0, code_bytes: 1 << 20, ..Options::default() };
        let mut rows = vec![
            (interpreter(), hart(own), 64, f64::MAX),
            (interpreter(), hart(other), 64, f64::MAX),
        ];
        if let Ok(engine) = capvec_jit::engine(options, None) {
            rows.push((engine, hart(own), 64, f64::MAX));
        }
        shortest(&mut rows);
        let [interpreted, handler] = [rows[0].3, rows[1].3];
        let translated = rows.get(2).map_or(f64::NAN, |row| row.3);
        let masked = word(op(own.0), own.2) >> 25 & 1 == 0 && own.0.starts_with("vb");
        let name = if masked { format!("{}, v0.t", own.0) } else { own.0.to_string() };
        println!(
            "{name:24} {interpreted:>9.1} {translated:>9.1}  {:12} {handler:>9.1} {:>7.1} {:>7.1}",
            other.0,
            interpreted / handler,
            translated / handler,
        );
    }
}

fn built_in(name: &str) -> Op {
    Op::from_name(name).unwrap_or_else(|| panic!("there is no instruction {name}"))
}
