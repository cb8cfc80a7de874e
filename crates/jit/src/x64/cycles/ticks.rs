//! Adding ticks, and how many.

use crate::access::static_ticks as static_accesses;
use crate::x64::asm::{Asm, Reg, Rm};
use capvec_sim::block::Block;
use capvec_sim::timing::Dynamic;
use capvec_timing::inline::{InlineState, TICKS, static_ticks};
use iced_x86::Code;

/// Adds ticks to the count, the cell at address `count`. May clobber `scratch`.
pub fn add_ticks(a: &mut Asm, count: u64, ticks: u64, scratch: Reg) {
    if ticks > 0 {
        let cell = a.cell(count, scratch);
        add_to_cell(a, Rm::M(cell), ticks);
    }
}

/// Adds ticks to a cell. A block's ticks are below 2^31, because each parameter is below 100,000 cycles.
pub fn add_to_cell(a: &mut Asm, cell: Rm, ticks: u64) {
    if ticks > 0 {
        a.imm(Code::Add_rm64_imm32, cell, ticks as i32);
    }
}

/// Ticks to add to the count for the time at which a dynamic instruction issues: the block's entry has already
/// counted all static ticks, including those of later instructions.
pub fn correction(n: &InlineState, b: &Block, d: Dynamic) -> i64 {
    let later = static_accesses(n, &b.insns[d.index as usize..]);
    let all = static_ticks(&b.plan, b.insns.len());
    d.issue as i64 * TICKS as i64 - (all + later) as i64
}
