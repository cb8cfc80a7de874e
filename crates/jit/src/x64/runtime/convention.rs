//! Which host registers hold what while generated code runs, and where it finds the hart's state in memory.
//!
//! Nine host registers hold guest registers, and the other guest registers are in `Hart::x`. At the entry and the exits
//! of a trace, each of the nine holds a fixed guest register, whose *home* it is, so that linked traces need no moves.
//! Within a trace, `emit::scalar_allocation` allocates the nine anew.

use crate::x64::asm::{Mem, Reg, at};
use capvec_sim::Hart;
use std::mem::offset_of;

/// Points `BIAS` bytes past x0 in the hart, so that displacements of x0..x31 fit in a byte.
pub const HART: Reg = Reg::RBP;
/// See `HART`.
pub const BIAS: i64 = 128;
/// Host address of the guest's address space.
pub const BASE: Reg = Reg::R15;
/// Instructions left in the budget, signed.
pub const LEFT: Reg = Reg::R14;
/// The home of the guest's stack pointer.
pub const GUEST_SP: Reg = Reg::RBX;

/// Number of host registers that hold guest registers.
pub const ALLOCATABLE: usize = 9;

/// Guest registers and their homes: the x registers that compressed instructions can name, and sp.
pub const HOMES: [(u8, Reg); ALLOCATABLE] = [
    (2, GUEST_SP),
    (8, Reg::R12),
    (9, Reg::R13),
    (10, Reg::RDI),
    (11, Reg::RSI),
    (12, Reg::R8),
    (13, Reg::R9),
    (14, Reg::R10),
    (15, Reg::R11),
];

/// Whether a call preserves host register `k` of the nine (System V ABI).
pub fn survives_calls(k: usize) -> bool {
    [Reg::RBX, Reg::R12, Reg::R13].contains(&HOMES[k].1)
}

/// Whether `x` is an x register other than x0.
pub fn is_x(x: u8) -> bool {
    (1..32).contains(&x)
}

/// Whether the host register is one of the nine.
pub fn holds_guest(r: Reg) -> bool {
    HOMES.iter().any(|(_, home)| *home == r)
}

/// Whether the guest register has a home, where exits must leave it.
pub fn has_home(x: u8) -> bool {
    HOMES.iter().any(|(g, _)| *g == x)
}

/// The memory operand of x register `x` in the hart.
pub fn x_slot(x: u8) -> Mem {
    at(HART, x as i64 * 8 - BIAS)
}

/// The memory operand of f register `f` in the hart.
pub fn f_slot(f: u8) -> Mem {
    hart_field(offset_of!(Hart, f) + f as usize * 8)
}

/// The memory operand of the hart's field at `offset`.
pub fn hart_field(offset: usize) -> Mem {
    at(HART, offset as i64 - Hart::X_OFFSET as i64 - BIAS)
}

/// The arguments of generated code, and its results.
#[repr(C)]
pub struct Arguments {
    /// Instructions left in the budget.
    pub left: i64,
    /// Initial value of `HART`.
    pub hart: u64,
    /// Initial value of `BASE`.
    pub base: u64,
    /// MXCSR: see `float_flags`.
    pub mxcsr: u32,
}
