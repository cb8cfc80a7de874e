//! Encodings that are taken already.

use crate::faults::Faults;
use crate::file::Insn;
use capvec_isa::custom::NewInsn;
use capvec_isa::{Ext, Op};

/// Refuses an encoding that another instruction of the file has, or one of the base ISA, which every hart has. Whether a hart has
/// any other extension is known only when it is chosen.
pub fn overlaps(insn: &Insn, row: &NewInsn, others: &[NewInsn], faults: &mut Faults) {
    let taken = |pattern| row.pattern().overlaps(pattern);
    let base = |op: &Op| op.row().exts.has(Ext::I) && taken(op.row().pattern());
    if let Some(other) = others.iter().find(|other| taken(other.pattern())) {
        let what = format!("{} and {} have a common encoding", row.name, other.name);
        faults.at(&insn.enc, what, "choose another opcode, funct3 or funct7");
    } else if let Some(other) = Op::all().find(base) {
        let other = other.name();
        let what = format!(
            "{} and {other} of the base ISA have a common encoding, and every hart has {other}",
            row.name
        );
        let remedy = "choose an opcode that is free for custom instructions: 0001011, 0101011, 1011011 or 1111011 (custom-0 to custom-3)";
        faults.at(&insn.enc, what, remedy);
    }
}
