//! Applies the rule of an instruction to the shadow.

use crate::amounts;
use crate::bits::result;
use crate::bytes::Table;
use crate::dest::Dest;
use crate::groups;
use crate::lanes::{Lanes, element};
use crate::roles::{Roles, has_flags};
use crate::shadow::{Before, Shadow};
use crate::value::{Value, sign_extend};
use capvec_isa::row::Taint;
use capvec_isa::{Class, Op};
use capvec_sim::Hart;
use capvec_sim::insn::Insn;

impl Shadow {
    /// An instruction that accesses no memory. The hart has its state before it.
    pub(crate) fn registers(&mut self, h: &Hart, i: &Insn, roles: &Roles, before: &Before) {
        let source = self.has_tainted_source(h, i, roles) || self.rounds_by_secret(roles);
        match roles.dest {
            _ if roles.class == Class::Csr => self.csr_access(i, before),
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
            Taint::Scan if roles.v.s2 && roles.dest == Dest::X => {
                Lanes { h, i, roles }.scan_to_x(&self.hart)
            }
            // `vfmv.f.s`: the upper bits, which box a narrower number, are public.
            Taint::Scan if roles.v.s2 => element(&self.hart.v, i.rs2, 0, h.v.vtype.sew),
            _ => self.value(h, i, roles),
        };
        match roles.dest {
            Dest::X => self.set_x(i.rd, taint),
            _ => self.set_f(i.rd, taint),
        }
    }

    /// The taint of a result that depends on values in x registers.
    pub(crate) fn value(&mut self, h: &Hart, i: &Insn, roles: &Roles) -> u64 {
        if roles.is_constant(i) {
            return 0;
        }
        let a = Value { bits: h.x(i.rs1), taint: self.x(i.rs1) };
        let b = match roles.x.s2 {
            true => Value { bits: h.x(i.rs2), taint: self.x(i.rs2) },
            false => Value::public(i.imm as u64),
        };
        let xlen: u32 = h.config.xlen.into();
        match (roles.rule, roles.shift) {
            (Taint::MoveBy, Some(shift)) => {
                let width = if roles.shifts_word { 32 } else { xlen };
                sign_extend(amounts::shifted(shift, a.low(width), b, width), width)
            }
            (Taint::Any | Taint::Scan | Taint::Move | Taint::MoveBy | Taint::Each, _) => u64::MAX,
            (Taint::Bytes, _) => self.table(i, roles).result(a, b),
            (rule, _) => {
                let (shift, used) = roles.prepared;
                let a = a.low(used);
                let a = Value { bits: a.bits << shift, taint: a.taint << shift };
                result(rule, a, b, if roles.word { 32 } else { xlen })
            }
        }
    }

    /// How the bits of the operands go into the result.
    fn table(&mut self, i: &Insn, roles: &Roles) -> &Table {
        let operands = [roles.x.s1, roles.x.s2];
        let hart = &mut self.hart;
        self.tables.entry((i.op(), i.imm)).or_insert_with(|| Table::new(hart, i, operands))
    }

    /// Whether the places to which an instruction moves bits are public.
    pub(crate) fn places_are_public(&self, i: &Insn, roles: &Roles) -> bool {
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
            _ if !lanes.has_widths() => {}
            Taint::Move | Taint::MoveBy => self.moved(h, i, roles, before, span),
            Taint::Reduce => {
                let scalar = roles.f.s1 && self.f(i.rs1) != 0;
                lanes.reduce(&mut self.hart, extra || scalar);
            }
            rule if groups::has(rule) => groups::run(&mut self.hart, h, i, roles),
            Taint::Scan if roles.class == Class::Vmask => lanes.scan(&mut self.hart),
            Taint::Scan if source => self.fill_v(i.rd, span),
            Taint::Scan => {}
            Taint::Any if source || self.v_group(i.rd, span) => self.fill_v(i.rd, span),
            Taint::Any => {}
            rule if roles.masks => lanes.run_masks(&mut self.hart, rule),
            rule => lanes.run(&mut self.hart, rule, extra),
        }
        self.summarise_v(i.rd, span);
    }

    pub(crate) fn fill_v(&mut self, reg: u8, n: u8) {
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
        let lanes = Lanes { h, i, roles };
        match roles.class {
            Class::Valu | Class::Vmove => lanes.run(&mut self.hart, roles.rule, false),
            Class::Vgather if !roles.masks => lanes.gather(&mut self.hart),
            _ if self.reads_tainted_v(h, i, roles) || self.x(i.rs1) != 0 => self.fill_v(i.rd, span),
            _ => {}
        }
    }

    fn csr_access(&mut self, i: &Insn, before: &Before) {
        let csr = i.imm as u16;
        let old = self.csr(csr);
        let (from, operand) = match i.op().row().base {
            Op::Csrrw | Op::Csrrs | Op::Csrrc => (self.x(i.rs1), before.x1),
            _ => (0, u64::from(i.rs1)),
        };
        let new = match i.op().row().base {
            Op::Csrrw | Op::Csrrwi => from,
            // What a public 1 sets or clears is public.
            _ => old & !operand | from,
        };
        self.set_csr(csr, new);
        self.set_x(i.rd, old);
    }
}
