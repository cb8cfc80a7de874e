//! Register allocation: which host registers hold guest registers at each instruction of a trace.
//!
//! A value that is read soon evicts one that is read later. `Hart::x` is brought up to date before a handler is called
//! and at exits with a trap. `runtime::convention` says what the registers hold between traces.
//!
//! Most values of 32-bit code are sign-extended words of which only the low half is read. So 32-bit results are
//! sign-extended lazily: a host register's upper half may be undefined until it is read.

use crate::x64::analysis::uses::{NEVER, Uses};
use crate::x64::asm::{Asm, Reg, Rm};
use crate::x64::runtime::convention::{ALLOCATABLE, HOMES, is_x, survives_calls, x_slot};
use iced_x86::Code;

/// A value evicts one that has to be spilled only if it is read at least this many instructions sooner.
const SPILL_MARGIN: u32 = 8;

/// The contents of a host register.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot {
    /// The guest register that it holds.
    pub(super) holds: Option<u8>,
    /// `Hart::x` is stale.
    pub(super) dirty: bool,
    /// The value is sign-extended lazily: the upper half is undefined.
    lazy: bool,
    /// The current instruction uses it.
    locked: bool,
}

/// The contents of the nine host registers that hold guest registers, at the current position.
#[derive(Clone, Copy)]
pub struct Regs<'a> {
    uses: &'a Uses,
    /// Position after the current instruction.
    next: usize,
    pub(super) slots: [Slot; ALLOCATABLE],
    /// Guest registers known to hold sign-extended words, one bit each.
    pub(super) words: u32,
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

    /// Allocates a host register for guest register `x` if it is read sooner than one that is held. If that one has to
    /// be spilled, `x` must be read sooner by a margin, unless `x` is being written (`reads` is false): without a host
    /// register, its value would have to be stored instead.
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
    pub(super) fn sign_extend(&mut self, a: &mut Asm, k: usize) {
        if std::mem::take(&mut self.slots[k].lazy) {
            let r = HOMES[k].1;
            a.op2(Code::Movsxd_r64_rm32, r, Rm::R(r));
        }
    }

    /// Writes host register `k` back to the hart if it is dirty.
    pub(super) fn write_back(&mut self, a: &mut Asm, k: usize) {
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

    /// Marks the value just written to x register `x` as a sign-extended word. `lazy`: its upper half is still
    /// undefined.
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
}
