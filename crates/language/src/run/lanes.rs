//! Executes a program for several lanes, such as elements of a vector, at a time: each instruction for all of them before
//! the next one, so that its interpretation is paid for once.
//!
//! Lanes may take different branches. Code runs forward only, so it is enough to know, for each lane, from where on it
//! continues; the instructions before leave its values as they are.

use super::Illegal;
use super::operation::{One, Operands, narrow};
use crate::code::alloc::Final;
use crate::code::eval::eval;
use crate::code::{Code, Insn};
use crate::{Placed, Program};
use std::array::from_fn;
use std::cell::Cell;

/// The most lanes of a run.
pub const LANES: usize = 16;

/// A word of each lane.
type Words = [u64; LANES];

/// A program with memory for its ports and intermediate values in every lane. It does not access memory of the caller.
#[derive(Debug)]
pub struct Lanes {
    program: Program,
    slots: Vec<Words>,
}

impl Lanes {
    pub(crate) fn new(program: Program) -> Lanes {
        let mut slots = vec![[0; LANES]; program.code.slots];
        for (slot, value) in &program.code.initial {
            slots[usize::from(*slot)] = [*value; LANES];
        }
        Lanes { program, slots }
    }

    /// The words of an input in all lanes; see [`Machine::input`](super::Machine::input).
    #[inline]
    pub fn input(&mut self, port: usize) -> &mut [[u64; LANES]] {
        let range = self.program.ports.get(port).map_or(0..0, |p| p.input.clone());
        &mut self.slots[range]
    }

    /// The words of an output in all lanes. Those of lanes that did not run mean nothing.
    #[inline]
    pub fn output(&self, port: usize) -> &[[u64; LANES]] {
        let range = self.program.ports.get(port).map_or(0..0, |p| p.output.clone());
        &self.slots[range]
    }

    /// Runs the program in the first `lanes` of the [`LANES`].
    ///
    /// # Errors
    /// The first lane that executes `illegal`; those before it have their outputs.
    pub fn run(&mut self, lanes: usize) -> Result<(), (usize, Illegal)> {
        match execute(&self.program.code, &mut self.slots, lanes.min(LANES)) {
            None => Ok(()),
            Some((lane, reason)) => {
                let why = self.program.code.reasons.get(reason).map_or("", |w| w);
                Err((lane, Illegal { why: why.into() }))
            }
        }
    }

    /// Runs the program in the first `lanes`, in their order. The port has one word, and is read and written: in the first lane
    /// it holds `value`, and in every other lane the result of the lane before. Returns the result of the last lane. For programs
    /// that only compute ([`Program::computes`]).
    pub fn pass_on(&mut self, port: usize, lanes: usize, mut value: u64) -> u64 {
        let Some(Placed { input, output, .. }) = self.program.ports.get(port) else { return value };
        let Final { code, alike, .. } = &*self.program.code;
        let (first, rest) = code.split_at(*alike);
        first.iter().for_each(|i| operation(i, &mut self.slots));
        for lane in 0..lanes.min(LANES) {
            self.slots[input.start][lane] = value;
            for i in rest {
                let operands = [i.a, i.b, i.c].map(|slot| self.slots[usize::from(slot)][lane]);
                self.slots[usize::from(i.d)][lane] = narrow(i, One(operands));
            }
            value = self.slots[output.start][lane];
        }
        value
    }
}

/// Which lanes execute the current instruction.
struct Active {
    /// Lanes that run at all.
    lanes: usize,
    /// Where each lane continues.
    from: [usize; LANES],
    /// All ones in the lanes that execute.
    on: Words,
    /// Whether all lanes do.
    all: bool,
    /// Where that changes.
    until: usize,
}

impl Active {
    fn new(lanes: usize) -> Active {
        let (from, on) = ([0; LANES], [u64::MAX; LANES]);
        Active { lanes, from, on, all: true, until: usize::MAX }
    }

    fn is_on(&self, lane: usize) -> bool {
        self.on[lane] != 0
    }

    /// Finds the next instruction from `pc` on that any lane executes, and the lanes that execute it; returns its index.
    fn update(&mut self, pc: usize) -> usize {
        let from = &self.from[..self.lanes];
        let pc = from.iter().copied().min().unwrap_or(usize::MAX).max(pc);
        self.until = from.iter().copied().filter(|f| *f > pc).min().unwrap_or(usize::MAX);
        self.all = self.until == usize::MAX;
        self.on = from_fn(|lane| if self.from[lane] <= pc { u64::MAX } else { 0 });
        pc
    }

    /// Those of the executing lanes that a condition selects continue at `target`.
    fn branch(&mut self, pc: usize, target: usize, goes: impl Fn(usize) -> bool) -> usize {
        let leave = |lane: &usize| self.is_on(*lane) && goes(*lane);
        match (0..self.lanes).filter(leave).count() {
            0 => return pc,
            n if n == self.lanes => return target,
            _ => {}
        }
        for lane in 0..self.lanes {
            if self.is_on(lane) && goes(lane) {
                self.from[lane] = target;
            }
        }
        self.update(pc)
    }
}

/// The lane that executes `illegal`, and the number of its reason.
fn execute(program: &Final, slots: &mut [Words], lanes: usize) -> Option<(usize, usize)> {
    let (mut active, mut ended) = (Active::new(lanes), None);
    let mut pc = 0;
    while active.lanes > 0 {
        if pc >= active.until {
            pc = active.update(pc);
        }
        let Some(i) = program.code.get(pc) else { break };
        pc += 1;
        if i.code < Code::Load {
            if i.wide != 0 {
                wide(i, slots, &active);
            } else if active.all {
                operation(i, slots);
            } else {
                let before = slots[usize::from(i.d)];
                operation(i, slots);
                put(slots, i.d, before, &active);
            }
            continue;
        }
        let target = usize::from(i.b) << 16 | usize::from(i.c);
        match i.code {
            Code::Load => {
                copy(i, slots, &active, |at, n| (i.d.wrapping_add(n), i.b.wrapping_add(at + n)));
            }
            Code::Store => {
                copy(i, slots, &active, |at, n| (i.d.wrapping_add(at + n), i.b.wrapping_add(n)));
            }
            Code::Fetch => slots[usize::from(i.d)] = [0; LANES],
            Code::Put => {}
            Code::Jump => pc = active.branch(pc, target, |_| true),
            Code::JumpIfZero => {
                let condition = slots[usize::from(i.a)];
                pc = active.branch(pc, target, |lane| condition[lane] == 0);
            }
            _ => {
                // The lanes from this one on do not count any more; those before it continue.
                let lane = (0..active.lanes).find(|lane| active.is_on(*lane)).unwrap_or(0);
                ended = Some((lane, usize::from(i.c)));
                active.lanes = lane;
                pc = active.update(pc);
            }
        }
    }
    ended
}

/// Lanes that are computed together: as many as the host's registers hold.
const PART: usize = 4;

/// A slot of all lanes.
type Slot<'s> = &'s [Cell<u64>; LANES];

/// The operands of the lanes, and where the results go. The result may replace an operand.
struct Each<'s> {
    operands: [Slot<'s>; 3],
    result: Slot<'s>,
}

impl Operands for Each<'_> {
    type Result = ();

    #[inline(always)]
    fn each(self, f: impl Fn(u64, u64, u64) -> u64) {
        let [a, b, c] = self.operands.map(|slot| slot.as_chunks::<PART>().0);
        let results = self.result.as_chunks::<PART>().0;
        for (((a, b), c), results) in a.iter().zip(b).zip(c).zip(results) {
            let part: [u64; PART] = from_fn(|n| f(a[n].get(), b[n].get(), c[n].get()));
            results.iter().zip(part).for_each(|(to, result)| to.set(result));
        }
    }
}

#[inline(always)]
fn operation(i: &Insn<u16>, slots: &mut [Words]) {
    let slots = Cell::from_mut(slots).as_slice_of_cells();
    let slot = |n: u16| {
        let lanes: &Cell<[u64]> = &slots[usize::from(n)];
        lanes
            .as_slice_of_cells()
            .first_chunk()
            .unwrap_or_else(|| unreachable!("its length is known"))
    };
    let each = Each { operands: [i.a, i.b, i.c].map(slot), result: slot(i.d) };
    if matches!(i.code, Code::Div | Code::Rem) {
        let [dividends, divisors, _] = each.operands;
        let divisor = divisors[0].get();
        let same = || divisors.iter().fold(0, |all, d| all | d.get() ^ divisor) == 0;
        if divisor != 0 && (i.y == 1 || same()) {
            let all = || dividends.iter().fold(divisor, |all, d| all | d.get());
            let small = i.x <= 32 || all() >> 32 == 0;
            return divide(each, divisor, small, i.code == Code::Rem);
        }
    }
    narrow(i, each);
}

/// Division by the same number in all lanes: one division, and multiplications by its result. With numbers of n bits, the
/// reciprocal r is (2^n - 1)/d rounded down, so r·a/2^n is at most a/d, and more than a/d - 1; rounded down, it is the quotient or
/// one less.
#[inline(always)]
fn divide(each: Each<'_>, divisor: u64, small: bool, remainder: bool) {
    let last = |quotient: u64, left: u64| {
        let more = u64::from(left >= divisor);
        if remainder { left - (more * divisor) } else { quotient + more }
    };
    if small {
        let reciprocal = u64::from(u32::MAX) / divisor;
        return each.each(|a, _, _| {
            // The host multiplies 32 bits of several lanes at once.
            let quotient = (reciprocal & 0xffff_ffff) * (a & 0xffff_ffff) >> 32;
            let left = a - (quotient & 0xffff_ffff) * (divisor & 0xffff_ffff);
            // 1 if there is more to subtract; both are below 2^33, so the difference has a sign.
            let below = left.wrapping_sub(divisor) >> 63;
            match remainder {
                true => left - (divisor & below.wrapping_sub(1)),
                false => quotient + 1 - below,
            }
        });
    }
    let reciprocal = u128::from(u64::MAX / divisor);
    each.each(|a, _, _| {
        let quotient = (reciprocal * u128::from(a) >> 64) as u64;
        last(quotient, a - quotient * divisor)
    });
}

/// Restores the previous value in the lanes that do not execute.
fn put(slots: &mut [Words], d: u16, before: Words, active: &Active) {
    let to = &mut slots[usize::from(d)];
    *to = from_fn(|lane| before[lane] & !active.on[lane] | to[lane] & active.on[lane]);
}

/// An operation with operands or a result of more than 64 bits.
#[inline(never)]
fn wide(i: &Insn<u16>, slots: &mut [Words], active: &Active) {
    for lane in (0..active.lanes).filter(|lane| active.is_on(*lane)) {
        let mut n = 0;
        let operands = [i.a, i.b, i.c].map(|slot| {
            n += 1;
            let low = u128::from(slots[usize::from(slot)][lane]);
            let high = || u128::from(slots[usize::from(slot) + 1][lane]);
            if i.wide >> n & 1 == 1 { low | high() << 64 } else { low }
        });
        let result = eval(i.code, i.x, i.y, operands);
        slots[usize::from(i.d)][lane] = result as u64;
        if i.wide & 1 == 1 {
            slots[usize::from(i.d) + 1][lane] = (result >> 64) as u64;
        }
    }
}

/// Copies an element; the number of its first word is the index times the words of an element.
#[inline(never)]
fn copy(
    i: &Insn<u16>,
    slots: &mut [Words],
    active: &Active,
    place: impl Fn(u16, u16) -> (u16, u16),
) {
    for lane in (0..active.lanes).filter(|lane| active.is_on(*lane)) {
        let at = (slots[usize::from(i.a)][lane] as u16).wrapping_mul(i.y.into());
        for n in 0..u16::from(i.y) {
            let (to, from) = place(at, n);
            slots[usize::from(to)][lane] = slots[usize::from(from)][lane];
        }
    }
}
