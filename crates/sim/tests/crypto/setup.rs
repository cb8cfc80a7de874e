//! Element-group tests on the rig: instructions by operands, vtype set directly.

use capvec_isa::{Decoded, Ext, Op, encode};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, config};
use capvec_sim::vector::VType;
use capvec_sim::{Cause, Trap};

/// A hart with these extensions.
pub fn machine(exts: &[Ext], vlen: u32, agnostic: Agnostic) -> Rig {
    Rig::new(config(exts, vlen, agnostic))
}

/// An instruction with registers vd/rd, vs2/rs2, vs1/rs1 and an immediate, unmasked.
pub fn insn(op: Op, rd: u8, rs2: u8, rs1: u8, imm: i64) -> Decoded {
    Decoded { rd, rs2, rs1, imm, ..Decoded::new(op) }
}

/// Its instruction word.
pub fn encoded(d: &Decoded) -> u32 {
    encode(d).unwrap_or_else(|| panic!("no encoding for {d:?}"))
}

/// Executes instructions; returns the first trap.
pub fn run(m: &mut Rig, program: &[Decoded]) -> Result<(), Trap> {
    let trap = m.run(&program.iter().map(encoded).collect::<Vec<_>>());
    if trap.cause == Cause::Breakpoint { Ok(()) } else { Err(trap) }
}

/// Sets SEW (bits), log2 LMUL and vl, with undisturbed tail and mask; vstart 0.
pub fn configure(m: &mut Rig, sew: u32, lmul: i8, vl: u64) {
    let v = &mut m.h.v;
    v.vtype = VType { vill: false, sew, lmul, vta: false, vma: false };
    (v.vl, v.vstart) = (vl, 0);
    assert!(vl <= v.vlmax());
}
