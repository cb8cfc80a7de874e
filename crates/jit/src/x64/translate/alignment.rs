//! Tests whether addresses are aligned, on harts where misaligned accesses trap or misaligned vector accesses are emulated: the
//! interpreter executes these. What is known about addresses relative to the stack pointer.

use super::bounds::Multiple;
use super::insn_translator::InsnTranslator;
use crate::access::SP;
use crate::timed::Timed;
use crate::x64::asm::{Label, Reg};
use crate::x64::cycles::access::At;

/// Whether instruction `k` accesses an aligned address. If it would have to be tested, and is relative to the stack pointer, that is
/// tested instead, once for all accesses relative to it, and where it is not aligned, the interpreter executes what is left of the
/// block. Calling conventions do not allow that; code that uses the register for something else is seen while it is interpreted.
pub fn is_known(t: &mut InsnTranslator<'_>, k: usize, x: u8, at: At, exit: Option<Label>) -> bool {
    let Some(place) = t.at.trace.addresses[t.at.insn] else { return false };
    let ((base, offset), size) = (at.address, at.access.size);
    if t.aligned.know(&place, size) {
        return true;
    }
    let only = |timed: &Timed| at.tests_only_alignment(timed.inline_state());
    let tests = t.cycles.timed().is_some_and(only);
    let of_stack = x == SP && place.anchor.0 == SP && t.at.step.seen.stack_is_aligned;
    if !tests || !of_stack || offset % size != 0 {
        return false;
    }
    let exit = exit.unwrap_or_else(|| t.bailout(k));
    t.out.a.jump_unless_aligned((base, 0), size, exit);
    // The stack pointer is the root plus this.
    t.aligned.add(Multiple { root: place.root, offset: place.anchor.1, size });
    t.aligned.know(&place, size)
}

/// Leaves to the interpreter if scalar instruction `k`, which accesses `size` bytes at `base` plus `offset`, would trap. A
/// misaligned access that the core model emulates does not leave, and is counted like any other. Clobbers RCX.
pub fn scalar(t: &mut InsnTranslator<'_>, k: usize, address: (Reg, i64), size: i64) {
    if t.must_align.scalar {
        check(t, k, address, size);
    }
}

/// Leaves to the interpreter if the elements of vector instruction `k` at `base`, of `size` bytes each, are misaligned.
pub fn vector(t: &mut InsnTranslator<'_>, k: usize, base: Reg, size: u32) {
    if t.must_align.vector {
        check(t, k, (base, 0), size.into());
    }
}

fn check(t: &mut InsnTranslator<'_>, k: usize, address: (Reg, i64), size: i64) {
    if size > 1 {
        let misaligned = t.bailout(k);
        t.out.a.jump_unless_aligned(address, size, misaligned);
    }
}
