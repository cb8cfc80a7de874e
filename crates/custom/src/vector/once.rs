//! One element or element group after the other: instructions that access memory, or that have a result in an x or f register.

use super::elements::{Elements, get, put};
use super::{Move, Vector, Written};
use crate::hart_memory::{Framed, Runs};
use crate::operand::{Operand, Port};
use crate::variant::Variant;
use capvec_sim::Hart;
use capvec_sim::fp::{F32, Float};
use capvec_sim::insn::{Exec, Insn};
use capvec_sim::mode::{Plain32, Plain64};

impl Vector {
    /// Runs the program for every active group from vstart on. If the program finds the instruction illegal, or an access
    /// faults, vstart becomes the number of that group's first element, unless the instruction has a result that would be lost.
    pub(super) fn run_once(
        &self,
        h: &mut Hart,
        i: &Insn,
        variant: &Variant,
        written: Written,
        observe: bool,
    ) -> Exec {
        match &variant.short {
            Some(short) => {
                self.groups_once(h, i, (variant, &mut Framed::new(short)), written, observe)
            }
            None => variant.once(|m| self.groups_once(h, i, (variant, m), written, observe)),
        }
    }

    fn groups_once(
        &self,
        h: &mut Hart,
        i: &Insn,
        (variant, m): (&Variant, &mut impl Runs),
        written: Written,
        observe: bool,
    ) -> Exec {
        let sew = h.v.vtype.sew;
        for (k, value) in self.scalars(h, i) {
            *m.word(variant.places(k)[0]) = value;
        }
        let result = self.result.map(|(k, _)| variant.places(k));
        if let (Some([input, _]), Some((_, start))) = (result, self.result) {
            *m.word(input) = start;
        }
        let (reads, writes) =
            (self.moves(i, sew, Port::is_read), self.moves(i, sew, Port::is_written));
        let (start, end) = (h.v.vstart / self.egs, h.v.vl / self.egs);
        for group in start..end {
            // An element group is always active, because it has no mask.
            if !h.v_active(i, group) {
                Self::inactive(h, i, written, group..group + 1);
                continue;
            }
            let first = group * self.egs;
            if let Some(k) = self.element {
                *m.word(variant.places(k)[0]) = first;
            }
            for Move { port, reg, eew } in reads.all() {
                let [place, _] = variant.places(port);
                if self.egs == 1 {
                    *m.word(place) = get(&h.v, reg, first, eew);
                } else {
                    let words = m.words(place, self.egs as usize);
                    Elements { reg, eew, first, step: 1 }.read(&h.v, words);
                }
            }
            if let Err(raised) = m.run(h, observe) {
                h.v.vstart = if result.is_some() { 0 } else { first };
                return Err(raised);
            }
            for Move { port, reg, eew } in writes.all() {
                let [_, place] = variant.places(port);
                if self.egs == 1 {
                    put(&mut h.v, reg, first, eew, *m.word(place));
                } else {
                    let words = m.words(place, self.egs as usize);
                    Elements { reg, eew, first, step: 1 }.write(&mut h.v, words);
                }
            }
            if let Some([input, output]) = result {
                *m.word(input) = *m.word(output);
            }
        }
        if let Some([input, _]) = result {
            self.take_result(h, i, *m.word(input));
        }
        Ok(())
    }

    /// The result in an x or f register, which is written even if there is no active element.
    pub(super) fn take_result(&self, h: &mut Hart, i: &Insn, value: u64) {
        match self.ports[0].operand {
            Operand::F(_) if h.v.vtype.sew == 32 => {
                h.f[usize::from(i.rd)] = F32(value as u32).nan_box();
            }
            Operand::F(_) => h.f[usize::from(i.rd)] = value,
            _ if h.config.xlen == 64 => h.set_x::<Plain64>(i.rd, value),
            _ => h.set_x::<Plain32>(i.rd, value),
        }
    }
}
