//! Scalar floating point on both engines: random programs on values at which the rules for rounding, overflow, underflow
//! and NaNs matter. The interpreter's results come from SoftFloat.
#![cfg(translates)]

use crate::common::campaign::campaign;
use crate::common::{CODE, EAGER, Pair, cores, specials};
use capvec_isa::op::OPS;
use capvec_isa::{Class, Decoded, Op, encode};
use capvec_jit::{Host, Options};
use capvec_sim::testing::{Rng, all_exts, word};
use capvec_timing::Core;

/// Number of instructions of a program.
const LENGTH: usize = 60;

/// The CSRs `fflags`, `frm` and `fcsr`.
const CSRS: [i64; 3] = [1, 2, 3];

/// The scalar floating-point instructions.
fn ops() -> Vec<Op> {
    let float = |op: &Op| {
        let row = op.row();
        let class = matches!(row.class, Class::Fp | Class::Fma | Class::Fdiv | Class::Fmove);
        class && row.len == 4 && row.xlen != 32 && row.exts.iter().all(|e| all_exts().contains(&e))
    };
    OPS.iter().copied().filter(float).collect()
}

/// An endless program. Its values are in f0 to f7, so that most operands are results.
fn program(rng: &mut Rng, ops: &[Op]) -> Vec<u8> {
    let mut code: Vec<u8> = Vec::new();
    while code.len() < LENGTH * 4 {
        code.extend_from_slice(&instruction(rng, ops).to_le_bytes());
    }
    let back = -(code.len() as i64);
    code.extend_from_slice(&word(Op::Jal, |d| d.imm = back).to_le_bytes());
    code
}

fn instruction(rng: &mut Rng, ops: &[Op]) -> u32 {
    loop {
        let mut d = Decoded::new(rng.pick(ops));
        (d.rd, d.rs1) = (rng.below(8) as u8, rng.below(8) as u8);
        (d.rs2, d.rs3) = (rng.below(8) as u8, rng.below(8) as u8);
        match rng.below(16) {
            0 | 1 => {
                d.op = rng.pick(&[Op::Fld, Op::Flw, Op::Fsd, Op::Fsw]);
                (d.rs1, d.imm) = (rng.pick(&[10, 20]), rng.below(8) as i64 * 4);
            }
            2 => {
                d.op = rng.pick(&[Op::Csrrw, Op::Csrrs, Op::Csrrc, Op::Csrrwi, Op::Csrrsi]);
                (d.rd, d.imm) = (11, rng.pick(&CSRS));
                // `frm` is round to nearest most of the time.
                d.rs1 = if rng.one_in(4) { d.rs1 } else { 0 };
            }
            3 => {
                d = Decoded::new(Op::Beq);
                (d.rs1, d.rs2, d.imm) = (11, rng.below(8) as u8, 8);
            }
            // `rm`, in the instructions that have it.
            _ => d.aux = rng.pick(&[0, 7, 7, 7, 7, 1, 2, 3, 4]),
        }
        if let Some(word) = encode(&d) {
            return word;
        }
    }
}

#[test]
fn special_values() {
    let ops = ops();
    assert!(ops.len() > 60, "{}", ops.len());
    for (name, host) in
        [("all", Host::ALL), ("avx2", Host { avx512: false, ..Host::ALL }), ("none", Host::NONE)]
    {
        for hot_threshold in [0, 2] {
            let pair = Pair::new(128, Options { hot_threshold, host, ..EAGER });
            let name = format!("special_values {name} {hot_threshold}");
            campaign(&name, pair, 400, |rng| program(rng, &ops));
        }
    }
}

#[test]
fn on_cores() {
    let ops = ops();
    for core in Core::names() {
        let pair = Pair::on(core, 128, Options { count: true, ..EAGER });
        campaign(&format!("float on_cores {core}"), pair, 150, |rng| program(rng, &ops));
    }
    let mut rng = Rng::new("float on random cores");
    for n in 0..30 {
        let core = Core { vlen: 128, ..cores::random(&mut rng) };
        campaign(&format!("float {n}"), Pair::of(&core, EAGER), 8, |rng| program(rng, &ops));
    }
}

/// Every operation on every pair of special values, by itself, so that its flags are seen alone.
#[test]
fn every_operation_on_special_values() {
    let mut pair = Pair::new(128, EAGER);
    let (singles, doubles) = (specials::singles(), specials::doubles());
    for op in ops() {
        let name = op.row().name;
        let values: Vec<u64> = match name.ends_with(".s") || name.ends_with(".s.d") {
            true if !name.starts_with("fcvt.s.d") => singles.clone(),
            _ => doubles.clone(),
        };
        let rms: &[u8] = if op.row().args.contains("rm") { &[0, 1, 7] } else { &[0] };
        for rm in rms {
            let mut d = Decoded::new(op);
            (d.rd, d.rs1, d.rs2, d.rs3, d.aux) = (8, 5, 6, 7, *rm);
            let Some(word) = encode(&d) else { continue };
            pair.load(&[word, 0x0000_0013].map(u32::to_le_bytes).concat());
            for n in 0..values.len() * values.len() {
                let (a, b) = (values[n % values.len()], values[n / values.len()]);
                let c = values[n * 7 / 3 % values.len()];
                pair.both(|h| {
                    (h.f[5], h.f[6], h.f[7], h.fflags) = (a, b, c, 0);
                    h.write_x(5, a);
                    h.pc = CODE;
                });
                pair.run(1);
            }
        }
    }
}
