//! Applies the rule of an instruction to the shadow.

use crate::bits::{Value, result};
use crate::groups;
use crate::lanes::Lanes;
use crate::memory;
use crate::roles::{Dest, Roles, is_vector_memory};
use crate::shadow::{Before, Shadow, has_flags};
use capvec_isa::row::Taint;
use capvec_isa::{Class, Op};
use capvec_sim::Hart;
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;

impl Shadow {
    /// An instruction that accesses no memory. The hart has its state before it.
    pub(crate) fn registers(&mut self, h: &Hart, i: &Insn, roles: &Roles, before: &Before) {
        let source = self.has_tainted_source(h, i, roles) || self.rounds_by_secret(roles);
        match roles.dest {
            _ if roles.class == Class::Csr => self.csr_access(i),
            Dest::V | Dest::Mask => self.vector(h, i, roles, before, source),
            Dest::X | Dest::F => self.scalar(h, i, roles, before, source),
            Dest::None => {}
        }
        if source && has_flags(roles.class) {
            self.hart.fflags = 31;
        }
        if source && roles.rule == Taint::Fixed {
            self.hart.v.vxsat = true;
        }
    }

    fn scalar(&mut self, h: &Hart, i: &Insn, roles: &Roles, before: &Before, source: bool) {
        let taint = match roles.rule {
            _ if !source => 0,
            Taint::Clean => 0,
            Taint::Move | Taint::MoveBy if self.places_are_public(i, roles) => {
                return self.run_on_masks(i, roles, before);
            }
            _ => {
                let a = Value { bits: h.x(i.rs1), taint: self.x(i.rs1) };
                let b = match roles.x.s2 {
                    true => Value { bits: h.x(i.rs2), taint: self.x(i.rs2) },
                    false => Value::public(i.imm as u64),
                };
                match roles.rule {
                    Taint::Any | Taint::Scan | Taint::Move | Taint::MoveBy | Taint::Each => {
                        u64::MAX
                    }
                    rule => result(rule, a, b, h.config.xlen.into()),
                }
            }
        };
        match roles.dest {
            Dest::X => self.set_x(i.rd, taint),
            _ => self.set_f(i.rd, taint),
        }
    }

    /// Whether the places to which an instruction moves bits are public.
    fn places_are_public(&self, i: &Insn, roles: &Roles) -> bool {
        let amount = roles.rule == Taint::MoveBy && roles.x.s2 && self.x(i.rs2) != 0;
        !amount && !self.mask_is_tainted(i, roles)
    }

    fn vector(&mut self, h: &Hart, i: &Insn, roles: &Roles, before: &Before, source: bool) {
        let (t, vlenb) = (h.v.vtype, h.v.vlenb());
        let span = roles.dest_span(i, t, vlenb);
        let lanes = Lanes { h, i, roles };
        let extra = (has_flags(roles.class) && self.hart.frm != 0) || self.rounds_by_secret(roles);
        match roles.rule {
            Taint::Clean => {}
            Taint::Move | Taint::MoveBy => self.moved(h, i, roles, before, span),
            Taint::Reduce => {
                let scalar = roles.f.s1 && self.f(i.rs1) != 0;
                lanes.reduce(&mut self.hart, extra || scalar);
            }
            Taint::Group
            | Taint::NewGroup
            | Taint::AesEm
            | Taint::AesEf
            | Taint::AesDm
            | Taint::AesDf
            | Taint::AesZ => groups::run(&mut self.hart, h, i, roles),
            Taint::Scan if source => self.fill_v(i.rd, span),
            Taint::Scan => {}
            Taint::Any if source || self.v_group(i.rd, span) => self.fill_v(i.rd, span),
            Taint::Any => {}
            rule if roles.masks => lanes.run_masks(&mut self.hart, rule),
            rule => lanes.run(&mut self.hart, rule, extra),
        }
        self.summarise_v(i.rd, span);
    }

    fn fill_v(&mut self, reg: u8, n: u8) {
        let len = n as usize * self.hart.v.vlenb();
        self.hart.v.bytes_mut(reg)[..len].fill(0xff);
    }

    /// An instruction that moves bits between vector registers.
    fn moved(&mut self, h: &Hart, i: &Insn, roles: &Roles, before: &Before, span: u8) {
        let by = roles.rule == Taint::MoveBy;
        let span1 = roles.span1(i, h.v.vtype, h.v.vlenb());
        let places = by && roles.v.s1;
        let secret_places = (places && self.v_group(i.rs1, span1))
            || (by && roles.x.s1 && self.x(i.rs1) != 0)
            || self.mask_is_tainted(i, roles);
        // The places would be overwritten by masks while they are in use.
        let overlap = places && i.rs1 < i.rd + span && i.rd < i.rs1 + span1;
        if !secret_places && !overlap {
            return self.run_on_masks(i, roles, before);
        }
        match roles.class {
            Class::Valu | Class::Vmove => {
                Lanes { h, i, roles }.run(&mut self.hart, Taint::Each, false);
            }
            _ if self.reads_tainted_v(h, i, roles) || self.x(i.rs1) != 0 => self.fill_v(i.rd, span),
            _ => {}
        }
    }

    /// An instruction that has accessed memory.
    pub(crate) fn memory_access(
        &mut self,
        h: &Hart,
        i: &Insn,
        roles: &Roles,
        before: &Before,
        accesses: &[Access],
    ) {
        let stores = accesses.iter().any(|a| a.store);
        let data = roles.v.s3 && self.v_group(i.rs3, 8.min(32 - i.rs3))
            || (!roles.class.is_vector() && roles.x.s2 && self.x(i.rs2) != 0)
            || (roles.f.s2 && self.f(i.rs2) != 0);
        let pages = |a: &Access| memory::may_be_tainted(&self.hart.mem, a.addr, a.size.into());
        let touched = accesses.iter().any(pages);
        let address = self.address_is_tainted(h, i, roles);
        if roles.rule != Taint::Move {
            return self.unknown_access(h, i, roles, accesses);
        }
        let span = roles.dest_span(i, before.vtype, h.v.vlenb());
        match stores {
            true if !data && !touched => {}
            true if address => self.store_all(accesses, data),
            true => self.move_memory(h, i, roles, before, accesses),
            // Which data is loaded depends on the secret.
            false if address => self.taint_dest(i, roles, span),
            false if !touched && roles.dest != Dest::V => self.clean_dest(i, roles),
            false if !touched && !self.v_group(i.rd, span) => {}
            false => self.move_memory(h, i, roles, before, accesses),
        }
    }

    /// Whether an address depends on a secret: a base, a stride, an index, or the mask that selects elements.
    pub fn address_is_tainted(&self, h: &Hart, i: &Insn, roles: &Roles) -> bool {
        let indexed = roles.v.s2 && self.v_group(i.rs2, roles.span_index(i, h.v.vtype));
        let stride = is_vector_memory(roles.class) && roles.x.s2 && self.x(i.rs2) != 0;
        let mask = is_vector_memory(roles.class) && self.mask_is_tainted(i, roles);
        roles.memory && ((roles.x.s1 && self.x(i.rs1) != 0) || stride || indexed || mask)
    }

    fn move_memory(
        &mut self,
        h: &Hart,
        i: &Insn,
        roles: &Roles,
        before: &Before,
        accesses: &[Access],
    ) {
        let mapped =
            accesses.iter().all(|a| memory::map(&self.hart.mem, a.addr, u64::from(a.size)));
        let span = roles.dest_span(i, before.vtype, h.v.vlenb());
        let indices = roles.v.s2.then(|| roles.span_index(i, before.vtype));
        let overlap = indices
            .is_some_and(|n| roles.dest == Dest::V && i.rs2 < i.rd + span && i.rd < i.rs2 + n);
        if !mapped || overlap {
            return self.unknown_access(h, i, roles, accesses);
        }
        // A fault-only-first load may have shortened vl.
        let ended = before.with_vl(h.v.vl);
        self.run_on_masks(i, roles, &ended);
        if roles.dest == Dest::V {
            self.summarise_v(i.rd, span);
        }
    }

    /// An instruction without a rule for memory: everything that it writes depends on everything that it reads.
    fn unknown_access(&mut self, h: &Hart, i: &Insn, roles: &Roles, accesses: &[Access]) {
        let loads = accesses.iter().filter(|a| !a.store || roles.class == Class::Amo);
        let loaded = loads.clone().any(|a| self.memory(a.addr, a.size.into()));
        let span = roles.dest_span(i, h.v.vtype, h.v.vlenb());
        let old = roles.dest == Dest::V && self.v_group(i.rd, span);
        let data = self.has_tainted_source(h, i, roles) || loaded || old;
        self.store_all(accesses, data);
        // Whether a store-conditional succeeds does not depend on data.
        let conditional = matches!(i.op(), Op::ScW | Op::ScD);
        match data && !conditional {
            true => self.taint_dest(i, roles, span),
            false if roles.dest != Dest::V => self.clean_dest(i, roles),
            false => {}
        }
    }

    fn store_all(&mut self, accesses: &[Access], tainted: bool) {
        for a in accesses.iter().filter(|a| a.store) {
            self.fill(a.addr, a.size.into(), tainted);
        }
    }

    /// A vector load or store that has trapped after some elements.
    pub(crate) fn partial_access(&mut self, i: &Insn, roles: &Roles, accesses: &[Access]) {
        let loaded = accesses.iter().any(|a| !a.store && self.memory(a.addr, a.size.into()));
        if loaded {
            self.taint_dest(i, roles, 8.min(32 - (i.rd & 31)));
        }
        if roles.v.s3 && self.v_group(i.rs3, 8.min(32 - i.rs3)) {
            self.store_all(accesses, true);
        }
    }

    pub(crate) fn taint_dest(&mut self, i: &Insn, roles: &Roles, span: u8) {
        match roles.dest {
            Dest::X => self.set_x(i.rd, u64::MAX),
            Dest::F => self.set_f(i.rd, u64::MAX),
            Dest::V | Dest::Mask => {
                self.fill_v(i.rd, span);
                self.summarise_v(i.rd, span);
            }
            Dest::None => {}
        }
    }

    fn clean_dest(&mut self, i: &Insn, roles: &Roles) {
        match roles.dest {
            Dest::X => self.set_x(i.rd, 0),
            Dest::F => self.set_f(i.rd, 0),
            _ => {}
        }
    }

    fn csr_access(&mut self, i: &Insn) {
        let csr = i.imm as u16;
        let old = self.csr(csr);
        let from = match i.op().row().base {
            Op::Csrrw | Op::Csrrs | Op::Csrrc => self.x(i.rs1),
            _ => 0,
        };
        let new = match i.op().row().base {
            Op::Csrrw | Op::Csrrwi => from,
            _ => old | from,
        };
        self.set_csr(csr, new);
        self.set_x(i.rd, old);
    }
}
