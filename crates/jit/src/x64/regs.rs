//! Where guest registers are while generated code runs.
//!
//! Nine host registers hold guest registers. At a trace's entry and exits they hold nine fixed ones, their
//! homes' owners, so that traces can follow each other without a word; the others stand in `Hart::x`. Within
//! a trace the nine go to whom they help most: a register that is read soon takes the place of one that is
//! read later. `Hart::x` is brought up to date before handlers are called and where traps leave.
//!
//! Most values of 32-bit code are words that are sign-extended, and most of what reads them looks at the low half
//! only. So a host register may be lazy: its upper half is anything until it is needed.

use super::asm::{Asm, Reg, Rm, Width, at};
use super::uses::{NEVER, Uses};
use iced_x86::{Code, MemoryOperand};

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

/// By how many instructions sooner a value has to be read than that of a register that has to be saved for it.
const SOONER: u32 = 8;

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
pub fn has_home(x: u8) -> bool {
    HOMES.iter().any(|(g, _)| *g == x)
}

/// What a host register holds.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// A guest register.
    holds: Option<u8>,
    /// The value in the hart is older.
    dirty: bool,
    /// The upper half is to be the sign of the lower one, but is not.
    lazy: bool,
    /// The present instruction needs it.
    locked: bool,
}

/// What the nine are to hold at a place that is reached in several ways: guest registers, and whether their values in
/// the hart may be older.
#[derive(Clone, Copy)]
pub struct Shape([(Option<u8>, bool); NINE]);

impl Shape {
    /// At entries and exits.
    const HOME: Shape = {
        let mut all = [(None, true); NINE];
        let mut k = 0;
        while k < NINE {
            all[k].0 = Some(HOMES[k].0);
            k += 1;
        }
        Shape(all)
    };

    /// At the start of a loop.
    pub fn of_loop(uses: &Uses) -> Shape {
        let mut wanted = uses.wanted();
        wanted.truncate(NINE);
        let mut all = HOMES.map(|(x, _)| (wanted.contains(&x).then_some(x), true));
        let mut others = wanted.into_iter().filter(|x| !has_home(*x));
        for slot in all.iter_mut().filter(|s| s.0.is_none()) {
            let x = others.next();
            *slot = (x, x.is_some_and(|x| uses.writes(x)));
        }
        Shape(all)
    }

    fn has(&self, x: u8) -> bool {
        self.0.iter().any(|(g, _)| *g == Some(x))
    }
}

/// What the nine hold.
#[derive(Clone, Copy)]
pub struct Regs<'a> {
    uses: &'a Uses,
    /// Position behind the present instruction.
    next: usize,
    slots: [Slot; NINE],
    /// Guest registers that are known to hold sign-extended words: a bit for each.
    words: u32,
}

impl<'a> Regs<'a> {
    /// At a trace's entry.
    pub fn entry(uses: &'a Uses) -> Regs<'a> {
        let slot = |(x, _)| Slot { holds: Some(x), dirty: true, ..Slot::default() };
        Regs { uses, next: 0, slots: HOMES.map(slot), words: 1 }
    }

    /// The instruction at this position begins.
    pub fn begin(&mut self, position: usize) {
        self.next = position + 1;
        self.slots.iter_mut().for_each(|s| s.locked = false);
    }

    fn find(&self, x: u8) -> Option<usize> {
        self.slots.iter().position(|s| s.holds == Some(x))
    }

    /// Takes a host register for a guest register, if it is read before another that is held. That may be no good if
    /// the other has to be saved, unless the value has to be stored anyway.
    fn take(&mut self, a: &mut Asm, x: u8, reads: bool) -> Option<usize> {
        let read = self.uses.next_read(x, self.next);
        if read == NEVER {
            return None;
        }
        let later = |k: &usize| match self.slots[*k] {
            Slot { holds: None, .. } => (NEVER, true),
            // One that the present instruction overwrites is not among those that it reads: see `uses`.
            Slot { holds: Some(y), dirty, .. } => (self.uses.next_read(y, self.next), !dirty),
        };
        let k = (0..NINE).filter(|k| !self.slots[*k].locked).max_by_key(later)?;
        let (last, free) = later(&k);
        let margin = if reads && !free && last != NEVER { SOONER } else { 0 };
        if last != NEVER && last <= read + margin {
            return None;
        }
        self.clean(a, k);
        self.slots[k] = Slot { locked: true, ..Slot::default() };
        Some(k)
    }

    /// The upper half is what it is to be. Flags stay.
    fn complete(&mut self, a: &mut Asm, k: usize) {
        if std::mem::take(&mut self.slots[k].lazy) {
            let r = HOMES[k].1;
            a.mixed(Code::Movsxd_r64_rm32, Width::Q, r, Width::D, Rm::R(r));
        }
    }

    /// Brings the hart up to date for host register `k`.
    fn clean(&mut self, a: &mut Asm, k: usize) {
        if let Slot { holds: Some(x), dirty: true, .. } = self.slots[k] {
            self.complete(a, k);
            a.store(place(x), HOMES[k].1);
        }
        self.slots[k].dirty = false;
    }

    /// x register `x` as an operand.
    pub fn read(&mut self, a: &mut Asm, x: u8) -> Rm {
        if let Some(k) = self.find(x) {
            self.complete(a, k);
        }
        self.read_low(a, x)
    }

    /// x register `x` as an operand of which only the low half counts.
    pub fn read_low(&mut self, a: &mut Asm, x: u8) -> Rm {
        if !is_x(x) {
            return Rm::M(place(x));
        }
        if let Some(k) = self.find(x) {
            self.slots[k].locked = true;
            return Rm::R(HOMES[k].1);
        }
        match self.take(a, x, true) {
            None => Rm::M(place(x)),
            Some(k) => {
                a.mov(HOMES[k].1, Rm::M(place(x)));
                self.slots[k].holds = Some(x);
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
        match self.find(x).or_else(|| self.take(a, x, false)) {
            Some(k) => {
                self.slots[k].locked = true;
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
        self.words &= !(1 << x);
        let given = HOMES.iter().position(|(_, r)| *r == from);
        match given.or_else(|| self.find(x)) {
            Some(k) => {
                a.mov(HOMES[k].1, Rm::R(from));
                self.slots[k] = Slot { holds: Some(x), dirty: true, lazy: false, locked: true };
            }
            None => a.store(place(x), from),
        }
    }

    /// What x register `x` has just got is a sign-extended word. Its upper half may not be there yet in a host
    /// register.
    pub fn is_word(&mut self, x: u8, lazy: bool) {
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

    /// Whether the upper half of x register `x` is not there.
    pub fn is_lazy(&self, x: u8) -> bool {
        self.find(x).is_some_and(|k| self.slots[k].lazy)
    }

    /// Brings `Hart::x` up to date.
    pub fn spill(&mut self, a: &mut Asm) {
        (0..NINE).for_each(|k| self.clean(a, k));
    }

    /// Brings `Hart::x` up to date, and leaves all nine to the present instruction.
    pub fn evict(&mut self, a: &mut Asm) {
        self.spill(a);
        self.slots = [Slot::default(); NINE];
    }

    /// A call has happened, after `spill`, that may have changed x register `changed` in the hart.
    pub fn called(&mut self, changed: u8) {
        for (k, s) in self.slots.iter_mut().enumerate() {
            if !survives_calls(k) || s.holds == Some(changed) {
                *s = Slot::default();
            }
        }
        // Bit 0 stands for x0.
        self.words &= !(1 << (changed & 31)) | 1;
    }

    /// Brings everything where it is at entries and exits, without touching flags.
    pub fn settle(&mut self, a: &mut Asm) {
        self.assume(a, &Shape::HOME);
    }

    /// Brings everything where it is in a shape, without touching flags.
    pub fn assume(&mut self, a: &mut Asm, shape: &Shape) {
        for k in 0..NINE {
            self.complete(a, k);
            if self.slots[k].holds.is_some_and(|x| !shape.has(x)) {
                self.clean(a, k);
                self.slots[k] = Slot::default();
            }
        }
        self.exchange(a, shape);
        for (k, (x, dirty)) in shape.0.into_iter().enumerate() {
            if let (Some(x), None) = (x, self.slots[k].holds) {
                a.mov(HOMES[k].1, Rm::M(place(x)));
                self.slots[k].holds = Some(x);
            }
            if dirty {
                self.slots[k].dirty = true;
            } else {
                self.clean(a, k);
            }
        }
        self.words = 1;
    }

    /// Moves what stands in another host register than the shape says. Of a circle, one goes to the hart.
    fn exchange(&mut self, a: &mut Asm, shape: &Shape) {
        loop {
            let place = |k: usize| shape.0.iter().position(|(x, _)| *x == self.slots[k].holds);
            let displaced = |k: &usize| self.slots[*k].holds.is_some() && place(*k) != Some(*k);
            let all: Vec<usize> = (0..NINE).filter(displaced).collect();
            let Some(first) = all.first() else { return };
            let free = |k: &&usize| place(**k).is_some_and(|to| self.slots[to].holds.is_none());
            match all.iter().find(free).and_then(|k| Some((*k, place(*k)?))) {
                Some((k, to)) => {
                    a.mov(HOMES[to].1, Rm::R(HOMES[k].1));
                    self.slots[to] = std::mem::take(&mut self.slots[k]);
                }
                None => {
                    self.clean(a, *first);
                    self.slots[*first] = Slot::default();
                }
            }
        }
    }
}
