//! Where guest registers are while generated code runs.
//!
//! Nine have a home in a host register across blocks; the others stand in `Hart::x`. Within a block it is
//! known for each of the nine whether its home holds the value, and whether `Hart::x` does: so runs of
//! calls of handlers spill and reload once. At a block's entry and exits all homes hold values.

use super::asm::{Asm, Reg, Rm, at};
use iced_x86::MemoryOperand;

/// Points `BIAS` bytes behind x0 in the hart, so that distances to x0..x31 fit in a byte.
pub const HART: Reg = Reg::RBP;
/// See `HART`.
pub const BIAS: i64 = 128;
/// Host address of the guest's space.
pub const BASE: Reg = Reg::R15;
/// Instructions left of the budget, signed.
pub const LEFT: Reg = Reg::R14;

/// x registers with a home: those that compressed instructions name, and sp.
pub const HOMES: [(u8, Reg); 9] = [
    (2, Reg::RBX),
    (8, Reg::R12),
    (9, Reg::R13),
    (10, Reg::RDI),
    (11, Reg::RSI),
    (12, Reg::R8),
    (13, Reg::R9),
    (14, Reg::R10),
    (15, Reg::R11),
];

/// Whether a call keeps it (System V ABI).
fn survives_calls(home: Reg) -> bool {
    [Reg::RBX, Reg::R12, Reg::R13].contains(&home)
}

fn slot(x: u8) -> Option<usize> {
    HOMES.iter().position(|(g, _)| *g == x)
}

/// Where x register `x` stands in the hart.
pub fn place(x: u8) -> MemoryOperand {
    at(HART, x as i64 * 8 - BIAS)
}

/// What is known of the nine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regs {
    home: [bool; 9],
    hart: [bool; 9],
}

impl Regs {
    /// At a block's entry.
    pub fn entry() -> Regs {
        Regs { home: [true; 9], hart: [false; 9] }
    }

    /// x register `x` as an operand.
    pub fn read(&mut self, a: &mut Asm, x: u8) -> Rm {
        let Some(k) = slot(x) else { return Rm::M(place(x)) };
        let home = HOMES[k].1;
        if !self.home[k] {
            a.mov(home, Rm::M(place(x)));
            self.home[k] = true;
        }
        Rm::R(home)
    }

    /// x register `x` in a host register: its home, else `scratch`.
    pub fn read_in(&mut self, a: &mut Asm, x: u8, scratch: Reg) -> Reg {
        match self.read(a, x) {
            Rm::R(r) => r,
            m => {
                a.mov(scratch, m);
                scratch
            }
        }
    }

    /// Where to compute a value for x register `x`: its home, else `scratch`.
    pub fn target(x: u8, scratch: Reg) -> Reg {
        slot(x).map_or(scratch, |k| HOMES[k].1)
    }

    /// x register `x` has the value in `from`.
    pub fn write(&mut self, a: &mut Asm, x: u8, from: Reg) {
        match slot(x) {
            Some(k) => {
                a.mov(HOMES[k].1, Rm::R(from));
                (self.home[k], self.hart[k]) = (true, false);
            }
            None => a.store(place(x), from),
        }
    }

    /// Brings `Hart::x` up to date.
    pub fn spill(&mut self, a: &mut Asm) {
        for (k, (x, home)) in HOMES.into_iter().enumerate() {
            if !self.hart[k] {
                a.store(place(x), home);
                self.hart[k] = true;
            }
        }
    }

    /// A call has happened, after `spill`, that may have changed x register `changed` in the hart.
    pub fn called(&mut self, changed: Option<u8>) {
        for (k, (x, home)) in HOMES.into_iter().enumerate() {
            self.home[k] &= survives_calls(home) && changed != Some(x);
        }
    }

    /// Loads the homes that hold values in `wanted` and not here.
    pub fn restore(&mut self, a: &mut Asm, wanted: &Regs) {
        for (k, (x, home)) in HOMES.into_iter().enumerate() {
            if wanted.home[k] && !self.home[k] {
                a.mov(home, Rm::M(place(x)));
                self.home[k] = true;
            }
        }
    }
}
