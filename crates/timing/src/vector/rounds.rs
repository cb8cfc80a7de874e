//! How many rounds an instruction does on each element group.

use capvec_isa::{Class, Op};
use capvec_sim::insn::Insn;

/// Rounds of an instruction whose class may be priced by the round.
pub fn rounds(insn: &Insn) -> u64 {
    use Op::*;
    match insn.op() {
        VkeccakViZvkk0p2024 => insn.imm as u64,
        VkeccakViZvknhk0p1 | VkeccakViZvknhk0p2 if insn.imm == 1 => 12,
        VkeccakViZvknhk0p1 | VkeccakViZvknhk0p2 => 24,
        Vaese128Vv | Vaese128Vs | Vaesd128Vv | Vaesd128Vs | Vaes128k10V => 10,
        _ if insn.op().row().class == Class::Vkeccak => 24,
        _ => 14,
    }
}
