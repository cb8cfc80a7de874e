//! Which host registers hold what while generated code runs, and where it finds the hart's state in memory.
//!
//! AArch64 has 31 registers, so 23 of the guest's registers have a host register of their own: their *home*, which holds the
//! value wherever generated code runs. The other eight, which compilers use least, are in `Hart::x`. With so few of them, a register
//! allocator would gain little, and fixed homes let blocks follow each other, traces jump to each other, and control leave at any
//! instruction without moves. Number 18, which some systems reserve, is a register like any other on Linux.

use super::asm::{Asm, Pair, Reg, Transfer};
use capvec_sim::Hart;

/// Scratch registers: no value lives in them across instructions. A call of a handler returns in the first.
pub const T0: Reg = Reg(0);
/// See `T0`.
pub const T1: Reg = Reg(1);
/// See `T0`.
pub const T2: Reg = Reg(2);
/// The host's link register, which calls overwrite: another scratch register.
pub const LR: Reg = Reg(30);

/// The table of page permissions.
pub const TABLE: Reg = Reg(25);
/// Instructions left in the budget, signed.
pub const LEFT: Reg = Reg(26);
/// The host address of the guest's address space.
pub const BASE: Reg = Reg(27);
/// Points to x0 in the hart.
pub const HART: Reg = Reg(28);

/// Guest registers and their homes, in pairs of consecutive registers, which are loaded and stored together. First those that a call
/// does not preserve (procedure call standard).
const PAIRS: [[(u8, Reg); 2]; 10] = [
    [(6, Reg(3)), (7, Reg(4))],
    [(10, Reg(5)), (11, Reg(6))],
    [(12, Reg(7)), (13, Reg(8))],
    [(14, Reg(9)), (15, Reg(10))],
    [(16, Reg(11)), (17, Reg(12))],
    [(28, Reg(13)), (29, Reg(14))],
    [(30, Reg(15)), (31, Reg(16))],
    [(8, Reg(19)), (9, Reg(20))],
    [(18, Reg(21)), (19, Reg(22))],
    [(20, Reg(23)), (21, Reg(24))],
];
/// The number of pairs that a call does not preserve.
const VOLATILE_PAIRS: usize = 7;

/// The same for single registers.
const SINGLES: [(u8, Reg); 3] = [(1, Reg(17)), (5, Reg(18)), (2, Reg(29))];
/// The number of single registers that a call does not preserve.
const VOLATILE_SINGLES: usize = 2;

/// The homes of guest registers, by their numbers.
const HOMES: [Option<Reg>; 32] = {
    let mut homes = [None; 32];
    let mut k = 0;
    while k < PAIRS.len() {
        let [(a, first), (b, second)] = PAIRS[k];
        (homes[a as usize], homes[b as usize]) = (Some(first), Some(second));
        k += 1;
    }
    k = 0;
    while k < SINGLES.len() {
        homes[SINGLES[k].0 as usize] = Some(SINGLES[k].1);
        k += 1;
    }
    homes
};

/// The home of a guest register.
pub fn home(x: u8) -> Option<Reg> {
    HOMES.get(x as usize).copied().flatten()
}

/// Whether a call preserves the home of this guest register.
pub fn survives_calls(x: u8) -> bool {
    let preserved = PAIRS[VOLATILE_PAIRS..].iter().flatten().chain(&SINGLES[VOLATILE_SINGLES..]);
    preserved.into_iter().any(|(guest, _)| *guest == x)
}

/// Stores the homes of these guest registers, one bit each, to the hart.
pub fn store_homes(a: &mut Asm, which: u32) {
    let wanted = |x: u8| which >> x & 1 == 1;
    for [(x, first), (y, second)] in PAIRS {
        match (wanted(x), wanted(y)) {
            (true, true) => a.pair(Pair::Stp, [first, second], HART, x_slot(x)),
            (true, false) => a.transfer(Transfer::Str, first, HART, x_slot(x)),
            (false, true) => a.transfer(Transfer::Str, second, HART, x_slot(y)),
            (false, false) => {}
        }
    }
    for (x, r) in SINGLES.into_iter().filter(|(x, _)| wanted(*x)) {
        a.transfer(Transfer::Str, r, HART, x_slot(x));
    }
}

/// Loads homes from the hart: all, or those that a call does not preserve.
pub fn load_homes(a: &mut Asm, all: bool) {
    let (pairs, singles) = match all {
        true => (PAIRS.len(), SINGLES.len()),
        false => (VOLATILE_PAIRS, VOLATILE_SINGLES),
    };
    for [(x, first), (_, second)] in &PAIRS[..pairs] {
        a.pair(Pair::Ldp, [*first, *second], HART, x_slot(*x));
    }
    for (x, r) in &SINGLES[..singles] {
        a.transfer(Transfer::Ldr, *r, HART, x_slot(*x));
    }
}

/// The offset of x register `x` from `HART`.
pub fn x_slot(x: u8) -> i64 {
    x as i64 * 8
}

/// The offset of f register `f` from `HART`.
pub fn f_slot(f: u8) -> i64 {
    hart_field(std::mem::offset_of!(Hart, f) + f as usize * 8)
}

/// The offset of the hart's field at `offset` from `HART`.
pub fn hart_field(offset: usize) -> i64 {
    offset as i64 - Hart::X_OFFSET as i64
}

/// Where the border keeps the address of the arguments, from the stack pointer.
pub const ARGUMENTS_SLOT: i64 = 96;
/// The same for the host address of the vector registers.
pub const FILE_SLOT: i64 = 104;
/// A slot for generated code: the host address of the vector registers if the vector unit is in the state that code expects, or 0.
pub const STATE_SLOT: i64 = 112;
/// Bytes on the stack, a multiple of 16.
pub const FRAME: i64 = 128;

/// The arguments of generated code, and its results.
#[repr(C)]
pub struct Arguments {
    /// Instructions left in the budget.
    pub left: i64,
    /// Initial value of `HART`.
    pub hart: u64,
    /// Initial value of `BASE`.
    pub base: u64,
    /// Initial value of `TABLE`.
    pub table: u64,
    /// The host address of the vector registers.
    pub vectors: u64,
}
