//! Tests whether addresses are aligned, on harts where misaligned accesses trap or misaligned vector accesses are emulated: the
//! interpreter executes these.

use super::insn_translator::InsnTranslator;
use crate::x64::asm::{Reg, Rm, Width, at};
use iced_x86::Code;

/// The address, where it is in no register.
const ADDRESS: Reg = Reg::RCX;

/// Leaves to the interpreter if scalar instruction `k`, which accesses `size` bytes at `base` plus `offset`, would trap. A
/// misaligned access that the core model emulates does not leave, and is counted like any other. Clobbers RCX.
pub fn scalar(t: &mut InsnTranslator<'_>, k: usize, (base, offset): (Reg, i64), size: i64) {
    if t.must_align.scalar {
        check(t, k, (base, offset), size);
    }
}

/// Leaves to the interpreter if the elements of vector instruction `k` at `base`, of `size` bytes each, are misaligned.
pub fn vector(t: &mut InsnTranslator<'_>, k: usize, base: Reg, size: u32) {
    if t.must_align.vector {
        check(t, k, (base, 0), size.into());
    }
}

fn check(t: &mut InsnTranslator<'_>, k: usize, (base, offset): (Reg, i64), size: i64) {
    if size == 1 {
        return;
    }
    let misaligned = t.bailout(k);
    let address = if offset % size == 0 { base } else { ADDRESS };
    if address != base {
        t.out.a.lea(Width::D, ADDRESS, at(base, offset));
    }
    t.out.a.imm(Code::Test_rm8_imm8, Rm::R(address), size as i32 - 1);
    t.out.a.jump(Code::Jne_rel32_64, misaligned);
}
