//! Executes instructions on the masks: the rule of what only moves bits.

use crate::dest::Dest;
use crate::roles::Roles;
use crate::shadow::{Before, Shadow};
use crate::value::ones;
use capvec_isa::row::Taint;
use capvec_sim::Hart;
use capvec_sim::insn::{Insn, SINK};
use capvec_sim::mode::Plain64;

/// Registers that hold values instead of masks while an instruction executes, because they decide places.
#[derive(Default)]
struct Lent {
    x: [Option<(u8, u64)>; 2],
    v: Vec<(usize, Vec<u8>)>,
}

impl Lent {
    fn lend_x(&mut self, s: &mut Hart, r: u8, value: u64) {
        let free = self.x.iter_mut().find(|lent| lent.is_none()).expect("two sources at most");
        *free = Some((r, s.x(r)));
        s.write_x(r, value);
    }

    fn lend_v(&mut self, s: &mut Hart, reg: u8, n: u8, before: &Before) {
        let (at, len) = (reg as usize * s.v.vlenb(), n as usize * s.v.vlenb());
        let range = at..(at + len).min(before.v.len());
        let bytes = &mut s.v.bytes_mut(0)[range.clone()];
        self.v.push((at, bytes.to_vec()));
        bytes.copy_from_slice(&before.v[range]);
    }

    /// Puts the masks back, except where the instruction has written.
    fn put_back(self, s: &mut Hart, written: Option<u8>) {
        for (at, bytes) in self.v.into_iter().rev() {
            s.v.bytes_mut(0)[at..at + bytes.len()].copy_from_slice(&bytes);
        }
        for (r, taint) in self.x.into_iter().rev().flatten().filter(|(r, _)| Some(*r) != written) {
            s.write_x(r, taint);
        }
    }
}

impl Shadow {
    /// Executes the instruction on the masks; what decides places keeps its value.
    pub(crate) fn run_on_masks(&mut self, i: &Insn, roles: &Roles, before: &Before) {
        let s = &mut self.hart;
        let (vector, memory) = (roles.class.is_vector(), roles.memory);
        let by = roles.rule == Taint::MoveBy;
        (s.v.vl, s.v.vtype, s.v.vstart) = (before.vl, before.vtype, before.vstart);
        let mut insn = *i;
        if vector && !by && !memory {
            // The immediate is data, and public.
            insn.imm = 0;
        }
        let mut lent = Lent::default();
        if memory && !vector && roles.x.s2 && i.rs2 == i.rs1 {
            // The instruction stores the register that also holds the address.
            s.set_x::<Plain64>(SINK, s.x(i.rs2));
            insn.rs2 = SINK;
        }
        if (memory || (by && vector)) && roles.x.s1 {
            lent.lend_x(s, i.rs1, before.x1);
        }
        if (by || (memory && vector)) && roles.x.s2 && i.rs2 != i.rs1 {
            lent.lend_x(s, i.rs2, before.x2);
        }
        if vector && (!i.vm() || roles.v0) {
            lent.lend_v(s, 0, 1, before);
        }
        if by && roles.v.s1 {
            lent.lend_v(s, i.rs1, roles.span1(i, before.vtype, s.v.vlenb()), before);
        }
        if memory && roles.v.s2 {
            lent.lend_v(s, i.rs2, roles.span_index(i, before.vtype), before);
        }
        let done = (insn.exec)(s, &insn);
        s.accesses.clear();
        lent.put_back(s, roles.rd_x(i));
        match done {
            Ok(()) => self.note_written(i, roles),
            // The instruction itself traps, too, and `trapped` undoes this.
            Err(_) => self.taint_dest(i, roles, roles.dest_span(i, before.vtype, before.vlenb)),
        }
    }

    pub(crate) fn note_written(&mut self, i: &Insn, roles: &Roles) {
        match roles.dest {
            Dest::X => self.set_x(i.rd, if i.rd < SINK { self.hart.x(i.rd) } else { 0 }),
            Dest::F => {
                // On the masks, too, the instruction has set the bits that box a number.
                let moved = roles.boxed.map_or(u64::MAX, ones);
                self.set_f(i.rd, self.f(i.rd) & moved);
            }
            _ => {}
        }
    }
}
