//! M: multiplication and division.

use super::alu::two;
use crate::a64::asm::{
    Cond, Op3, OpSelect, Shift, Width, ZR, madd, msub, op3, op3_shifted, select,
};
use crate::a64::emitter::Emitter;
use crate::a64::registers::{T0, T1, T2};
use capvec_isa::Op;
use capvec_sim::insn::Insn;

const W: Width = Width::W;
const X: Width = Width::X;

/// Translates the instruction if it is one of these.
pub fn emit(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    product(t, op, i) || quotient(t, op, i)
}

fn product(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    match op {
        Op::Mul | Op::Mulw => {
            let w = if op == Op::Mul { X } else { W };
            let (a, b) = (t.x_at(w, i.rs1, T0), t.x_at(w, i.rs2, T1));
            let d = t.target(i.rd, T0);
            t.a.put(madd(w, d, a, b, ZR));
            t.wrote_at(w, i.rd, d);
        }
        Op::Mulh => two(t, Op3::Smulh, X, i),
        Op::Mulhu => two(t, Op3::Umulh, X, i),
        Op::Mulhsu => {
            let (a, b, d) = (t.x(i.rs1, T0), t.x(i.rs2, T1), t.target(i.rd, T0));
            // A negative factor is less by 2^64 than the same bits without sign.
            t.a.put(op3(Op3::Umulh, X, T2, a, b));
            t.a.put(op3_shifted(Op3::And, X, T1, b, (a, Shift::Asr, 63)));
            t.a.put(op3(Op3::Sub, X, d, T2, T1));
            t.wrote(i.rd, d);
        }
        _ => return false,
    }
    true
}

/// Quotients that overflow are the same on both architectures. A quotient by zero is 0 on AArch64; on RISC-V it has all bits set, and
/// the remainder is the dividend (unprivileged manual, "M", "Division Operations").
fn quotient(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    let (w, code, remainder) = match op {
        Op::Div => (X, Op3::Sdiv, false),
        Op::Divu => (X, Op3::Udiv, false),
        Op::Rem => (X, Op3::Sdiv, true),
        Op::Remu => (X, Op3::Udiv, true),
        Op::Divw => (W, Op3::Sdiv, false),
        Op::Divuw => (W, Op3::Udiv, false),
        Op::Remw => (W, Op3::Sdiv, true),
        Op::Remuw => (W, Op3::Udiv, true),
        _ => return false,
    };
    let (a, b) = (t.x_at(w, i.rs1, T0), t.x_at(w, i.rs2, T1));
    let d = t.target(i.rd, T0);
    t.a.put(op3(code, w, T2, a, b));
    if remainder {
        t.a.put(msub(w, d, T2, b, a));
    } else {
        t.a.put(op3(Op3::Subs, w, ZR, b, ZR));
        t.a.put(select(OpSelect::Csinv, w, d, T2, ZR, Cond::Ne));
    }
    t.wrote_at(w, i.rd, d);
    true
}
