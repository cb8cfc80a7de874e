//! Where a trace reads and writes each x register: the input of register allocation.

use super::fuse::Fused;
use super::operands::Operands;
use crate::x64::runtime::convention::{has_home, is_x};

/// A position after all others: the value is dead.
pub const NEVER: u32 = u32::MAX;

/// A position at which a register is used.
#[derive(Clone, Copy, Debug)]
struct Event {
    at: u32,
    /// A read, possibly before a write by the same instruction.
    read: bool,
}

/// The positions at which each register is used.
pub struct Uses {
    /// By register, then in order.
    events: Vec<Event>,
    /// The index of each register's first event, and the end.
    first: [u32; 33],
    /// Registers that any instruction writes, one bit each.
    written: u32,
    calls: Vec<u32>,
    len: u32,
    loops: bool,
}

/// Calls `f` with the registers of an instruction with these operands, and whether it reads them. A register that it
/// reads and writes occurs only once.
fn each_event(o: &Operands, mut f: impl FnMut(u8, bool)) {
    let both = if o.reads[0] == o.reads[1] { &o.reads[..1] } else { &o.reads[..] };
    both.iter().filter(|x| **x > 0).for_each(|x| f(*x, true));
    if o.write > 0 && !o.reads.contains(&o.write) {
        f(o.write, false);
    }
}

impl Uses {
    /// The uses in these instructions; in a loop, control goes from the end to the first.
    pub fn new(operands: &[Operands], fused: &Fused, loops: bool) -> Uses {
        let all = || operands.iter().enumerate().map(|(at, o)| (at, fused.operands(at, *o)));
        let (mut first, mut written, mut calls) = ([0_u32; 33], 0, Vec::new());
        for (at, o) in all() {
            each_event(&o, |x, _| first[x as usize + 1] += 1);
            if o.call {
                calls.push(at as u32);
            }
            if o.write > 0 {
                written |= 1 << o.write;
            }
        }
        (1..first.len()).for_each(|x| first[x] += first[x - 1]);
        let mut events = vec![Event { at: 0, read: false }; first[32] as usize];
        let mut next = first;
        for (at, o) in all() {
            each_event(&o, |x, read| {
                events[next[x as usize] as usize] = Event { at: at as u32, read };
                next[x as usize] += 1;
            });
        }
        Uses { events, first, written, calls, len: operands.len() as u32, loops }
    }

    /// The events of x register `x`, in order.
    fn of(&self, x: u8) -> &[Event] {
        &self.events[self.first[x as usize] as usize..self.first[x as usize + 1] as usize]
    }

    /// The position, from `from` on, at which the current value of `x` is read next, before any call. After the end
    /// come the reads of homes at the exit, or the loop's first instructions again.
    pub fn next_read(&self, x: u8, from: usize) -> u32 {
        if !is_x(x) {
            return NEVER;
        }
        let (events, from) = (self.of(x), from as u32);
        let next = events.partition_point(|e| e.at < from);
        let at = match (events.get(next), self.loops) {
            (Some(e), _) if e.read => e.at,
            (Some(_), _) => return NEVER,
            (None, true) => match events.first() {
                Some(e) if e.read => self.len + e.at,
                _ => return NEVER,
            },
            (None, false) if has_home(x) => self.len,
            (None, false) => return NEVER,
        };
        let call = self.calls.partition_point(|c| *c < from);
        match self.calls.get(call) {
            Some(c) if *c < at => NEVER,
            _ => at,
        }
    }

    /// Whether the trace is a loop.
    pub fn loops(&self) -> bool {
        self.loops
    }

    /// Whether any instruction writes `x`.
    pub fn writes(&self, x: u8) -> bool {
        self.written >> (x & 31) & 1 == 1
    }

    /// Registers whose values at the start are read, the most-read first.
    pub fn wanted(&self) -> Vec<u8> {
        let read = |x: &u8| self.next_read(*x, 0) != NEVER;
        let mut all: Vec<u8> = (1..32).filter(read).collect();
        let count = |x: u8| self.of(x).iter().filter(|e| e.read).count();
        all.sort_by_key(|x| std::cmp::Reverse(count(*x)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{Fused, NEVER, Operands, Uses};

    fn uses(loops: bool) -> Uses {
        let o = |write, reads, call| Operands { reads, write, call };
        let insns = [
            o(5, [6, 7], false),
            o(6, [5, 5], false),
            o(5, [5, 6], false),
            o(7, [5, 6], false),
            o(0, [0, 0], true),
            o(7, [6, 6], false),
        ];
        Uses::new(&insns, &Fused::none(insns.len()), loops)
    }

    #[test]
    fn the_next_read_ends_at_an_overwrite_or_a_call() {
        let u = uses(false);
        assert_eq!(u.next_read(5, 0), NEVER, "overwritten first");
        assert_eq!(u.next_read(5, 2), 2, "by the instruction that overwrites it");
        assert_eq!(u.next_read(6, 4), NEVER, "not after the call");
        assert_eq!(u.next_read(6, 5), 5);
        assert_eq!(u.next_read(10, 5), 6, "written back at the end");
        assert_eq!(u.next_read(32, 0), NEVER);
    }

    #[test]
    fn a_loop_reads_again() {
        let u = uses(true);
        assert_eq!(u.next_read(6, 6), 6);
        assert_eq!(u.next_read(5, 6), NEVER, "overwritten first");
        assert_eq!(u.next_read(10, 5), NEVER);
        assert_eq!(u.wanted(), [6, 7]);
    }
}
