//! Where guest registers are while generated code runs.
//!
//! Nine host registers hold guest registers. At a block's entry and exits they hold nine fixed ones, their
//! homes' owners, so that blocks can follow each other without a word; the others stand in `Hart::x`. Within
//! a block the nine go to whom they help most: a register that is read again takes the place of one that is
//! read less. `Hart::x` is brought up to date before handlers are called and where traps leave.

use super::asm::{Asm, Reg, Rm, at};
use super::uses::Uses;
use iced_x86::MemoryOperand;

/// Points `BIAS` bytes behind x0 in the hart, so that distances to x0..x31 fit in a byte.
pub const HART: Reg = Reg::RBP;
/// See `HART`.
pub const BIAS: i64 = 128;
/// Host address of the guest's space.
pub const BASE: Reg = Reg::R15;
/// Instructions left of the budget, signed.
pub const LEFT: Reg = Reg::R14;

const NINE: usize = 9;

/// Homes and their owners: the x registers that compressed instructions name, and sp.
pub const HOMES: [(u8, Reg); NINE] = [
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

/// Whether a call keeps the host register (System V ABI).
fn survives_calls(k: usize) -> bool {
    [Reg::RBX, Reg::R12, Reg::R13].contains(&HOMES[k].1)
}

/// Whether `x` is an x register that can hold anything.
pub fn is_x(x: u8) -> bool {
    (1..32).contains(&x)
}

/// Whether the host register is one of the nine.
pub fn holds_guest(r: Reg) -> bool {
    HOMES.iter().any(|(_, home)| *home == r)
}

/// Where x register `x` stands in the hart.
pub fn place(x: u8) -> MemoryOperand {
    at(HART, x as i64 * 8 - BIAS)
}

/// Whether the register has a home: then it has to be there at the exits.
fn has_home(x: u8) -> bool {
    HOMES.iter().any(|(g, _)| *g == x)
}

/// What the nine hold.
#[derive(Clone, Copy)]
pub struct Regs<'a> {
    uses: &'a Uses,
    /// Present instruction.
    now: usize,
    /// Guest registers.
    held: [Option<u8>; NINE],
    /// Whether the value in the hart is older.
    dirty: [bool; NINE],
    /// The present instruction needs them.
    locked: [bool; NINE],
}

impl<'a> Regs<'a> {
    /// At a block's entry.
    pub fn entry(uses: &'a Uses) -> Regs<'a> {
        let held = HOMES.map(|(x, _)| Some(x));
        Regs { uses, now: 0, held, dirty: [true; NINE], locked: [false; NINE] }
    }

    /// Instruction `k` begins.
    pub fn begin(&mut self, k: usize) {
        (self.now, self.locked) = (k, [false; NINE]);
    }

    fn find(&self, x: u8) -> Option<usize> {
        self.held.iter().position(|h| *h == Some(x))
    }

    /// What taking host register `k` from its holder costs, in accesses to the hart.
    fn cost(&self, k: usize) -> u32 {
        // Without one, a home has to be filled again only if its owner is elsewhere: which has been paid.
        let Some(x) = self.held[k] else { return 0 };
        // One that the present instruction overwrites is not among those that it reads: see `uses`.
        let again = self.uses.after(x, self.now);
        again + if has_home(x) { 2 } else { 0 }
    }

    /// Takes a host register for a guest register that is read `gain` times more, if that is worth it.
    fn take(&mut self, a: &mut Asm, gain: u32) -> Option<usize> {
        let free = (0..NINE).filter(|k| !self.locked[*k]);
        let (cost, k) = free.map(|k| (self.cost(k), k)).min()?;
        if gain <= cost {
            return None;
        }
        self.clean(a, k);
        self.held[k] = None;
        self.locked[k] = true;
        Some(k)
    }

    /// Brings the hart up to date for host register `k`.
    fn clean(&mut self, a: &mut Asm, k: usize) {
        if let (Some(x), true) = (self.held[k], self.dirty[k]) {
            a.store(place(x), HOMES[k].1);
        }
        self.dirty[k] = false;
    }

    /// x register `x` as an operand.
    pub fn read(&mut self, a: &mut Asm, x: u8) -> Rm {
        if !is_x(x) {
            return Rm::M(place(x));
        }
        if let Some(k) = self.find(x) {
            self.locked[k] = true;
            return Rm::R(HOMES[k].1);
        }
        match self.take(a, self.uses.after(x, self.now)) {
            None => Rm::M(place(x)),
            Some(k) => {
                a.mov(HOMES[k].1, Rm::M(place(x)));
                self.held[k] = Some(x);
                Rm::R(HOMES[k].1)
            }
        }
    }

    /// x register `x` in a host register: one of the nine, else `scratch`.
    pub fn read_in(&mut self, a: &mut Asm, x: u8, scratch: Reg) -> Reg {
        match self.read(a, x) {
            Rm::R(r) => r,
            m => {
                a.mov(scratch, m);
                scratch
            }
        }
    }

    /// Where to compute a value for x register `x`: one of the nine, else `scratch`. `write` has to follow,
    /// and what `x` held can be read until then.
    pub fn target(&mut self, a: &mut Asm, x: u8, scratch: Reg) -> Reg {
        if !is_x(x) {
            return scratch;
        }
        match self.find(x).or_else(|| self.take(a, self.uses.after(x, self.now))) {
            Some(k) => {
                self.locked[k] = true;
                HOMES[k].1
            }
            None => scratch,
        }
    }

    /// x register `x` gets the value in `from`: what `target` gave, or a scratch register.
    pub fn write(&mut self, a: &mut Asm, x: u8, from: Reg) {
        if !is_x(x) {
            return;
        }
        let given = HOMES.iter().position(|(_, r)| *r == from);
        match given.or_else(|| self.find(x)) {
            Some(k) => {
                a.mov(HOMES[k].1, Rm::R(from));
                (self.held[k], self.dirty[k]) = (Some(x), true);
            }
            None => a.store(place(x), from),
        }
    }

    /// Brings `Hart::x` up to date.
    pub fn spill(&mut self, a: &mut Asm) {
        (0..NINE).for_each(|k| self.clean(a, k));
    }

    /// Brings `Hart::x` up to date, and leaves all nine to the present instruction.
    pub fn evict(&mut self, a: &mut Asm) {
        self.spill(a);
        self.held = [None; NINE];
    }

    /// A call has happened, after `spill`, that may have changed x register `changed` in the hart.
    pub fn called(&mut self, changed: u8) {
        for (k, held) in self.held.iter_mut().enumerate() {
            if !survives_calls(k) || *held == Some(changed) {
                *held = None;
            }
        }
    }

    /// Brings everything where it is at entries and exits, without touching flags.
    pub fn settle(&mut self, a: &mut Asm) {
        for (k, (owner, _)) in HOMES.into_iter().enumerate() {
            if self.held[k] != Some(owner) {
                self.clean(a, k);
            }
        }
        for (k, (owner, host)) in HOMES.into_iter().enumerate() {
            if self.held[k] != Some(owner) {
                a.mov(host, Rm::M(place(owner)));
                self.held[k] = Some(owner);
            }
        }
    }
}
