//! Several active elements or element groups at a time, each in a lane of the program.

use super::elements::{Elements, get, put};
use super::{Move, Moves, Vector, Written};
use crate::operand::Port;
use crate::variant::reason;
use capvec_language::{LANES, Lanes};
use capvec_sim::Hart;
use capvec_sim::insn::{Exec, Insn};
use capvec_sim::vector::Vector as Registers;

/// The groups of a run: one in each lane.
struct Batch {
    groups: [u64; LANES],
    count: usize,
    /// They follow each other without a gap.
    dense: bool,
}

impl Batch {
    /// The first active groups of a range; the second result is where the next batch begins.
    fn next(h: &Hart, i: &Insn, from: u64, end: u64) -> (Batch, u64) {
        let mut batch = Batch { groups: [0; LANES], count: 0, dense: true };
        if i.vm() {
            batch.count = (end - from).min(LANES as u64) as usize;
            batch.groups = std::array::from_fn(|lane| from + lane as u64);
            let next = from + batch.count as u64;
            return (batch, next);
        }
        let mut group = from;
        while group < end && batch.count < LANES {
            if h.v_active(i, group) {
                batch.groups[batch.count] = group;
                batch.count += 1;
            }
            group += 1;
        }
        batch.dense =
            batch.groups[batch.count.saturating_sub(1)] + 1 == batch.groups[0] + batch.count as u64;
        (batch, group)
    }
}

impl Vector {
    /// Runs the program for every active group from vstart on, and applies the mask policy. If the program finds the
    /// instruction illegal, vstart becomes the number of that group's first element.
    ///
    /// A batch writes its destinations after all of its sources have been read. This is the same as one element after the other,
    /// because the overlaps that are allowed let an element overwrite no source of a later one.
    pub(super) fn run_lanes(
        &self,
        h: &mut Hart,
        i: &Insn,
        m: &mut Lanes,
        written: Written,
    ) -> Exec {
        for (k, value) in self.scalars(h, i) {
            m.input(k)[0] = [value; LANES];
        }
        let sew = h.v.vtype.sew;
        let (reads, writes) =
            (self.moves(i, sew, Port::is_read), self.moves(i, sew, Port::is_written));
        let (mut from, end) = (h.v.vstart / self.egs, h.v.vl / self.egs);
        while from < end {
            let (mut batch, next) = Batch::next(h, i, from, end);
            set_batch(&h.v, &reads, self.egs, m, &batch);
            let run = m.run(batch.count);
            if let Err((lane, illegal)) = run {
                let group = batch.groups[lane];
                batch.count = lane;
                take_batch(&mut h.v, &writes, self.egs, m, &batch);
                Self::inactive(h, i, written, from..group);
                h.v.vstart = group * self.egs;
                return h.illegal(reason(&illegal));
            }
            take_batch(&mut h.v, &writes, self.egs, m, &batch);
            Self::inactive(h, i, written, from..next);
            from = next;
        }
        Ok(())
    }
}

impl Vector {
    /// Runs a program that only computes for every active group, where each passes the result on to the next one.
    pub(super) fn pass_through_lanes(
        &self,
        h: &mut Hart,
        i: &Insn,
        m: &mut Lanes,
        (port, start): (usize, u64),
    ) {
        for (k, value) in self.scalars(h, i) {
            m.input(k)[0] = [value; LANES];
        }
        let reads = self.moves(i, h.v.vtype.sew, Port::is_read);
        let (mut from, end) = (0, h.v.vl / self.egs);
        let mut value = start;
        while from < end {
            let (batch, next) = Batch::next(h, i, from, end);
            set_batch(&h.v, &reads, self.egs, m, &batch);
            if let Some(element) = self.element {
                m.input(element)[0] = batch.groups.map(|group| group * self.egs);
            }
            value = m.pass_on(port, batch.count, value);
            from = next;
        }
        self.take_result(h, i, value);
    }
}

fn set_batch(v: &Registers, reads: &Moves, egs: u64, m: &mut Lanes, batch: &Batch) {
    for Move { port, reg, eew } in reads.all() {
        for (words, n) in m.input(port).iter_mut().zip(0..) {
            let words = &mut words[..batch.count];
            if batch.dense {
                Elements { reg, eew, first: batch.groups[0] * egs + n, step: egs }.read(v, words);
            } else {
                for (word, group) in words.iter_mut().zip(batch.groups) {
                    *word = get(v, reg, group * egs + n, eew);
                }
            }
        }
    }
}

fn take_batch(v: &mut Registers, writes: &Moves, egs: u64, m: &Lanes, batch: &Batch) {
    for Move { port, reg, eew } in writes.all() {
        for (words, n) in m.output(port).iter().zip(0..) {
            let words = &words[..batch.count];
            if batch.dense {
                Elements { reg, eew, first: batch.groups[0] * egs + n, step: egs }.write(v, words);
            } else {
                for (word, group) in words.iter().zip(batch.groups) {
                    put(v, reg, group * egs + n, eew, *word);
                }
            }
        }
    }
}
