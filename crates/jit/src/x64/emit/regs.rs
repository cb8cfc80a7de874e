//! Register allocation: which host registers hold guest registers while generated code runs.
//!
//! Nine host registers hold guest registers. At a trace's entry and exits each holds a fixed guest register, its
//! home's owner, so that linked traces need no moves; the other guest registers are in `Hart::x`. Within a trace the
//! nine are reallocated: a register that is read soon evicts one that is read later. `Hart::x` is brought up to date
//! before a handler is called and at exits with a trap.
//!
//! Most values of 32-bit code are sign-extended words of which only the low half is read. So 32-bit results are
//! sign-extended lazily: a host register's upper half may be undefined until it is read.

use crate::x64::analysis::uses::{NEVER, Uses};
use crate::x64::asm::{Asm, Mem, Reg, Rm, at};
use iced_x86::Code;

/// Points `BIAS` bytes past x0 in the hart, so that displacements of x0..x31 fit in a byte.
pub const HART: Reg = Reg::RBP;
/// See `HART`.
pub const BIAS: i64 = 128;
/// Host address of the guest's address space.
pub const BASE: Reg = Reg::R15;
/// Instructions left in the budget, signed.
pub const LEFT: Reg = Reg::R14;

const ALLOCATABLE: usize = 9;

/// Homes and their owners: the x registers that compressed instructions can name, and sp.
pub const HOMES: [(u8, Reg); ALLOCATABLE] = [
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

/// A value must be read at least so many instructions sooner than the value that is spilled for it.
const SPILL_MARGIN: u32 = 8;

/// Whether a call preserves the host register (System V ABI).
fn survives_calls(k: usize) -> bool {
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

/// The memory operand of x register `x` in the hart.
pub fn x_slot(x: u8) -> Mem {
    at(HART, x as i64 * 8 - BIAS)
}

/// Whether the guest register has a home, where exits must leave it.
pub fn has_home(x: u8) -> bool {
    HOMES.iter().any(|(g, _)| *g == x)
}

/// The contents of a host register.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// The guest register that it holds.
    holds: Option<u8>,
    /// `Hart::x` is stale.
    dirty: bool,
    /// The value is sign-extended lazily: the upper half is undefined.
    lazy: bool,
    /// The current instruction uses it.
    locked: bool,
}

/// The contents of the nine where several paths meet: guest registers, and whether `Hart::x` may be stale for each.
#[derive(Clone, Copy)]
pub struct Arrangement([(Option<u8>, bool); ALLOCATABLE]);

impl Arrangement {
    /// At entries and exits.
    const HOME: Arrangement = {
        let mut all = [(None, true); ALLOCATABLE];
        let mut k = 0;
        while k < ALLOCATABLE {
            all[k].0 = Some(HOMES[k].0);
            k += 1;
        }
        Arrangement(all)
    };

    /// At the start of a loop.
    pub fn of_loop(uses: &Uses) -> Arrangement {
        let mut wanted = uses.wanted();
        wanted.truncate(ALLOCATABLE);
        let mut all = HOMES.map(|(x, _)| (wanted.contains(&x).then_some(x), true));
        let mut others = wanted.into_iter().filter(|x| !has_home(*x));
        for slot in all.iter_mut().filter(|s| s.0.is_none()) {
            let x = others.next();
            *slot = (x, x.is_some_and(|x| uses.writes(x)));
        }
        Arrangement(all)
    }

    fn has(&self, x: u8) -> bool {
        self.0.iter().any(|(g, _)| *g == Some(x))
    }
}

/// The contents of the nine at the current position.
#[derive(Clone, Copy)]
pub struct Regs<'a> {
    uses: &'a Uses,
    /// Position after the current instruction.
    next: usize,
    slots: [Slot; ALLOCATABLE],
    /// Guest registers known to hold sign-extended words, one bit each.
    words: u32,
}

impl<'a> Regs<'a> {
    /// The state at a trace's entry.
    pub fn entry(uses: &'a Uses) -> Regs<'a> {
        let slot = |(x, _)| Slot { holds: Some(x), dirty: true, ..Slot::default() };
        Regs { uses, next: 0, slots: HOMES.map(slot), words: 1 }
    }

    /// Starts the instruction at this position.
    pub fn begin(&mut self, position: usize) {
        self.next = position + 1;
        self.slots.iter_mut().for_each(|s| s.locked = false);
    }

    fn find(&self, x: u8) -> Option<usize> {
        self.slots.iter().position(|s| s.holds == Some(x))
    }

    /// Allocates a host register for a guest register if it is read sooner than one that is held. If that one has to
    /// be spilled, it must be read sooner by a margin, unless the value has to be stored in any case.
    fn allocate(&mut self, a: &mut Asm, x: u8, reads: bool) -> Option<usize> {
        let read = self.uses.next_read(x, self.next);
        if read == NEVER {
            return None;
        }
        let later = |k: &usize| match self.slots[*k] {
            Slot { holds: None, .. } => (NEVER, true),
            // The current instruction overwrites it but does not read it: see `uses`.
            Slot { holds: Some(y), dirty, .. } => (self.uses.next_read(y, self.next), !dirty),
        };
        let k = (0..ALLOCATABLE).filter(|k| !self.slots[*k].locked).max_by_key(later)?;
        let (last, free) = later(&k);
        let margin = if reads && !free && last != NEVER { SPILL_MARGIN } else { 0 };
        if last != NEVER && last <= read + margin {
            return None;
        }
        self.write_back(a, k);
        self.slots[k] = Slot { locked: true, ..Slot::default() };
        Some(k)
    }

    /// Sign-extends a lazy value. Keeps flags.
    fn sign_extend(&mut self, a: &mut Asm, k: usize) {
        if std::mem::take(&mut self.slots[k].lazy) {
            let r = HOMES[k].1;
            a.op2(Code::Movsxd_r64_rm32, r, Rm::R(r));
        }
    }

    /// Writes host register `k` back to the hart if it is dirty.
    fn write_back(&mut self, a: &mut Asm, k: usize) {
        if let Slot { holds: Some(x), dirty: true, .. } = self.slots[k] {
            self.sign_extend(a, k);
            a.store(x_slot(x), HOMES[k].1);
        }
        self.slots[k].dirty = false;
    }

    /// x register `x` as an operand.
    pub fn read(&mut self, a: &mut Asm, x: u8) -> Rm {
        if let Some(k) = self.find(x) {
            self.sign_extend(a, k);
        }
        self.read_low(a, x)
    }

    /// x register `x` as an operand of which only the low half is read.
    pub fn read_low(&mut self, a: &mut Asm, x: u8) -> Rm {
        if !is_x(x) {
            return Rm::M(x_slot(x));
        }
        if let Some(k) = self.find(x) {
            self.slots[k].locked = true;
            return Rm::R(HOMES[k].1);
        }
        match self.allocate(a, x, true) {
            None => Rm::M(x_slot(x)),
            Some(k) => {
                a.mov(HOMES[k].1, Rm::M(x_slot(x)));
                self.slots[k].holds = Some(x);
                Rm::R(HOMES[k].1)
            }
        }
    }

    /// x register `x` in a host register: one of the nine, or else `scratch`.
    pub fn read_in(&mut self, a: &mut Asm, x: u8, scratch: Reg) -> Reg {
        match self.read(a, x) {
            Rm::R(r) => r,
            m => {
                a.mov(scratch, m);
                scratch
            }
        }
    }

    /// The host register in which to compute a value for x register `x`: one of the nine, or else `scratch`. `write`
    /// must follow; until then the old value of `x` can still be read.
    pub fn target(&mut self, a: &mut Asm, x: u8, scratch: Reg) -> Reg {
        if !is_x(x) {
            return scratch;
        }
        match self.find(x).or_else(|| self.allocate(a, x, false)) {
            Some(k) => {
                self.slots[k].locked = true;
                HOMES[k].1
            }
            None => scratch,
        }
    }

    /// Writes `from` to x register `x`; `from` is the register from `target`, or a scratch register.
    pub fn write(&mut self, a: &mut Asm, x: u8, from: Reg) {
        if !is_x(x) {
            return;
        }
        self.words &= !(1 << x);
        let given = HOMES.iter().position(|(_, r)| *r == from);
        match given.or_else(|| self.find(x)) {
            Some(k) => {
                a.mov(HOMES[k].1, Rm::R(from));
                self.slots[k] = Slot { holds: Some(x), dirty: true, lazy: false, locked: true };
            }
            None => a.store(x_slot(x), from),
        }
    }

    /// Marks the value just written to x register `x` as a sign-extended word. `lazy`: its upper half is not there
    /// yet.
    pub fn mark_word(&mut self, x: u8, lazy: bool) {
        if is_x(x) {
            self.words |= 1 << x;
            if let Some(k) = self.find(x) {
                self.slots[k].lazy = lazy;
            }
        }
    }

    /// Whether x register `x` is known to hold a sign-extended word.
    pub fn has_word(&self, x: u8) -> bool {
        self.words >> (x & 31) & 1 == 1
    }

    /// Whether x register `x` still has to be sign-extended.
    pub fn is_lazy(&self, x: u8) -> bool {
        self.find(x).is_some_and(|k| self.slots[k].lazy)
    }

    /// Writes all dirty registers back to `Hart::x`.
    pub fn spill(&mut self, a: &mut Asm) {
        (0..ALLOCATABLE).for_each(|k| self.write_back(a, k));
    }

    /// Writes all dirty registers back and frees all nine for the current instruction.
    pub fn evict(&mut self, a: &mut Asm) {
        self.spill(a);
        self.slots = [Slot::default(); ALLOCATABLE];
    }

    /// A call has happened after `spill`; it may have changed x register `changed` in the hart.
    pub fn called(&mut self, changed: u8) {
        for (k, s) in self.slots.iter_mut().enumerate() {
            if !survives_calls(k) || s.holds == Some(changed) {
                *s = Slot::default();
            }
        }
        // Bit 0 is x0, which is always a word.
        self.words &= !(1 << (changed & 31)) | 1;
    }

    /// Moves everything to where entries and exits expect it. Keeps flags.
    pub fn restore_homes(&mut self, a: &mut Asm) {
        self.arrange(a, &Arrangement::HOME);
    }

    /// Moves everything to where `shape` has it. Keeps flags.
    pub fn arrange(&mut self, a: &mut Asm, shape: &Arrangement) {
        for k in 0..ALLOCATABLE {
            self.sign_extend(a, k);
            if self.slots[k].holds.is_some_and(|x| !shape.has(x)) {
                self.write_back(a, k);
                self.slots[k] = Slot::default();
            }
        }
        self.permute(a, shape);
        for (k, (x, dirty)) in shape.0.into_iter().enumerate() {
            if let (Some(x), None) = (x, self.slots[k].holds) {
                a.mov(HOMES[k].1, Rm::M(x_slot(x)));
                self.slots[k].holds = Some(x);
            }
            if dirty {
                self.slots[k].dirty = true;
            } else {
                self.write_back(a, k);
            }
        }
        self.words = 1;
    }

    /// Moves registers to where the shape has them. A cycle is broken by spilling one register.
    fn permute(&mut self, a: &mut Asm, shape: &Arrangement) {
        loop {
            let place = |k: usize| shape.0.iter().position(|(x, _)| *x == self.slots[k].holds);
            let displaced = |k: &usize| self.slots[*k].holds.is_some() && place(*k) != Some(*k);
            let all: Vec<usize> = (0..ALLOCATABLE).filter(displaced).collect();
            let Some(first) = all.first() else { return };
            let free = |k: &&usize| place(**k).is_some_and(|to| self.slots[to].holds.is_none());
            match all.iter().find(free).and_then(|k| Some((*k, place(*k)?))) {
                Some((k, to)) => {
                    a.mov(HOMES[to].1, Rm::R(HOMES[k].1));
                    self.slots[to] = std::mem::take(&mut self.slots[k]);
                }
                None => {
                    self.write_back(a, *first);
                    self.slots[*first] = Slot::default();
                }
            }
        }
    }
}
