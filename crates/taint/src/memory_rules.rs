//! Rules of instructions that access memory.

use crate::bits::result;
use crate::dest::Dest;
use crate::memory;
use crate::roles::Roles;
use crate::shadow::{Before, Shadow};
use crate::value::{Value, sign_extend};
use capvec_isa::row::Taint;
use capvec_isa::{Class, Op};
use capvec_sim::Hart;
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;

impl Shadow {
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
        self.touched |= touched;
        let address = self.address_is_tainted(h, i, roles);
        match roles.rule {
            // Except for `amoswap`.
            Taint::Move if roles.class != Class::Amo || !stores => {}
            Taint::Any => return self.unknown_access(h, i, roles, accesses),
            rule => return self.amo(h, i, rule, before, accesses),
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
    pub(crate) fn address_is_tainted(&self, h: &Hart, i: &Insn, roles: &Roles) -> bool {
        let mask = roles.vector_memory && self.mask_is_tainted(i, roles);
        mask || self.place_is_tainted(h, i, roles)
    }

    /// Whether a base, a stride or an index depends on a secret.
    pub fn place_is_tainted(&self, h: &Hart, i: &Insn, roles: &Roles) -> bool {
        let eew = roles.index.unwrap_or(h.v.vtype.sew);
        let indexed = roles.v.s2 && self.v_elements(i.rs2, h.v.vl, eew);
        let stride = roles.vector_memory && roles.x.s2 && self.x(i.rs2) != 0;
        roles.memory && ((roles.x.s1 && self.x(i.rs1) != 0) || stride || indexed)
    }

    fn move_memory(
        &mut self,
        h: &Hart,
        i: &Insn,
        roles: &Roles,
        before: &Before,
        accesses: &[Access],
    ) {
        let mapped = accesses.iter().all(|a| self.map(a.addr, a.size.into()));
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

    /// An atomic operation has read its operand from memory into rd, and written the result.
    fn amo(&mut self, h: &Hart, i: &Insn, rule: Taint, before: &Before, accesses: &[Access]) {
        let Some(access) = accesses.iter().find(|a| a.store) else { return };
        let size = access.size.min(8) as usize;
        let width = 8 * size as u32;
        let mut masks = [0; 8];
        self.read_memory(access.addr, &mut masks[..size]);
        let old = Value { bits: h.x(i.rd), taint: u64::from_le_bytes(masks) };
        let operand = Value { bits: before.x2, taint: self.x(i.rs2) };
        let taint = match self.x(i.rs1) {
            0 if rule == Taint::Move => operand.low(width).taint,
            0 => result(rule, old, operand, width),
            _ => u64::MAX,
        };
        if taint != 0 || old.taint != 0 {
            self.set_memory(access.addr, &taint.to_le_bytes()[..size]);
        }
        let loaded = if self.x(i.rs1) != 0 { u64::MAX } else { sign_extend(old.taint, width) };
        self.set_x(i.rd, loaded);
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
}
