//! The shadow of a hart: for each bit of its state, whether it is tainted.

use crate::bytes::Table;
use crate::dest::Dest;
use crate::roles::{Roles, has_flags};
use crate::shadow_files::Shares;
use capvec_isa::row::Taint;
use capvec_isa::{Class, Op};
use capvec_sim::hart::{Access, Agnostic, Config, MustAlign};
use capvec_sim::insn::Insn;
use capvec_sim::mem::OutOfMemory;
use capvec_sim::vector::VType;
use capvec_sim::{Hart, Memory};
use std::collections::HashMap;
use std::sync::Arc;

/// What an instruction needs of the hart's state before it: it may overwrite its own operands.
pub struct Before {
    pub(crate) x1: u64,
    pub(crate) x2: u64,
    /// The vector registers, if any decides places.
    pub(crate) v: Vec<u8>,
    /// Bytes of a vector register.
    pub(crate) vlenb: usize,
    pub(crate) vl: u64,
    pub(crate) vtype: VType,
    pub(crate) vstart: u64,
    /// What the rule has replaced, in case the instruction traps.
    undo: Option<Undo>,
}

impl Before {
    /// The same with this vl.
    pub(crate) fn with_vl(&self, vl: u64) -> Before {
        Before { vl, v: self.v.clone(), undo: None, ..*self }
    }
}

enum Undo {
    X(u8, u64),
    F(u8, u64),
    /// The registers from the first one on.
    V(u8, Vec<u8>),
}

/// The taint of a hart and of the memory that it sees.
///
/// It is a hart itself, whose registers and memory hold masks: 1 for each tainted bit. An instruction that only moves bits
/// has its own semantics as its rule, applied to the masks.
pub struct Shadow {
    pub(crate) hart: Hart,
    roles: Vec<Option<Roles>>,
    /// Tables of instructions whose rule needs one, by their immediates.
    pub(crate) tables: HashMap<(Op, i64), Table>,
    pub(crate) spaces: HashMap<u64, Memory>,
    /// The address space of the hart that is followed.
    pub(crate) space: u64,
    /// The pages that each shadow has.
    pub(crate) pages: HashMap<u64, Vec<u64>>,
    pub(crate) touched: bool,
    pub(crate) shares: Shares,
    /// Registers that may be tainted, one bit each.
    pub(crate) x: u32,
    pub(crate) f: u32,
    pub(crate) v: u32,
}

impl Shadow {
    /// The shadow of a hart without secrets.
    ///
    /// # Errors
    /// The host has no memory for an address space.
    pub fn new(config: &Config) -> Result<Shadow, OutOfMemory> {
        // An agnostic element may keep its value, so it keeps its taint. The hart itself decides what traps.
        let (agnostic, must_align) = (Agnostic::Undisturbed, MustAlign::default());
        let config = Config { agnostic, must_align, ..config.clone() };
        let mem = Memory::new()?;
        Ok(Shadow {
            hart: Hart::new(Arc::new(config), mem.clone()),
            roles: vec![None; Op::COUNT],
            tables: HashMap::new(),
            spaces: HashMap::from([(u64::MAX, mem)]),
            space: u64::MAX,
            pages: HashMap::new(),
            touched: false,
            shares: Shares::default(),
            x: 0,
            f: 0,
            v: 0,
        })
    }

    /// Follows a hart on this address space.
    ///
    /// # Errors
    /// The host has no memory for its shadow.
    pub fn enter(&mut self, space: u64) -> Result<(), OutOfMemory> {
        if space != self.space {
            let known = self.spaces.get(&space).cloned();
            let mem = known.map_or_else(Memory::new, Ok)?;
            self.hart.mem = mem.clone();
            self.spaces.insert(space, mem);
            self.space = space;
        }
        Ok(())
    }

    /// A new address space has the contents of another.
    ///
    /// # Errors
    /// The host has no memory for its shadow.
    pub fn copy_space(&mut self, from: u64, to: u64) -> Result<(), OutOfMemory> {
        let Some(parent) = self.spaces.get(&from).cloned() else { return Ok(()) };
        let child = Memory::new()?;
        for (range, perm) in parent.mapped() {
            let len = range.end - range.start;
            child.map(range.start, len, perm)?;
            parent.copy_pages_to(&child, range.start, len, || true)?;
        }
        self.spaces.insert(to, child);
        let pages = self.pages.get(&from).cloned().unwrap_or_default();
        self.pages.insert(to, pages);
        Ok(())
    }

    /// The space that was copied under the number `from` is the space `to`; its copy is dropped if `to` is known, as when a
    /// process shares its parent's memory.
    pub fn rename_space(&mut self, from: u64, to: u64) {
        if let Some(mem) = self.spaces.remove(&from) {
            self.spaces.entry(to).or_insert(mem);
            let pages = self.pages.remove(&from).unwrap_or_default();
            self.pages.entry(to).or_insert(pages);
        }
    }

    /// The address space no longer exists.
    pub fn forget(&mut self, space: u64) {
        self.spaces.remove(&space);
        self.pages.remove(&space);
    }

    /// Whether nothing is tainted that the followed hart can reach.
    pub fn is_clean(&self) -> bool {
        self.has_clean_registers() && !self.has_memory()
    }

    pub(crate) fn has_memory(&self) -> bool {
        self.hart.mem.mapped_bytes() != 0
    }

    pub(crate) fn flags(&self) -> u8 {
        self.hart.fflags | self.hart.frm | self.hart.v.vxrm | u8::from(self.hart.v.vxsat)
    }

    /// The operands of the instruction.
    pub fn roles(&mut self, i: &Insn) -> Roles {
        *self.roles_of(i.op())
    }

    /// What a row says about operands and taint. Tests make it wrong on purpose.
    pub fn roles_of(&mut self, op: Op) -> &mut Roles {
        self.roles[op as usize].get_or_insert_with(|| Roles::of(op))
    }

    /// Whether one of the operands in registers is tainted.
    pub fn has_tainted_source(&self, h: &Hart, i: &Insn, roles: &Roles) -> bool {
        self.reads_tainted_x(i, roles)
            || self.reads_tainted_v(h, i, roles)
            || self.reads_tainted_f(i, roles)
    }

    pub(crate) fn reads_tainted_x(&self, i: &Insn, roles: &Roles) -> bool {
        self.x != 0 && roles.x.registers(i).any(|r| self.x >> (r & 31) & 1 != 0)
    }

    fn reads_tainted_f(&self, i: &Insn, roles: &Roles) -> bool {
        let rounds = has_flags(roles.class) && self.hart.frm != 0;
        rounds || (self.f != 0 && roles.f.registers(i).any(|r| self.f >> (r & 31) & 1 != 0))
    }

    pub(crate) fn reads_tainted_v(&self, h: &Hart, i: &Insn, roles: &Roles) -> bool {
        if self.v == 0 {
            return false;
        }
        let (t, vlenb) = (h.v.vtype, h.v.vlenb());
        let v = roles.v;
        (v.s1 && self.v_group(i.rs1, roles.span1(i, t, vlenb)))
            || (v.s2 && self.v_group(i.rs2, roles.span2(i, t, vlenb)))
            || (v.s3 && self.v_group(i.rs3, 8.min(32 - i.rs3)))
            || self.mask_is_tainted(i, roles)
            || (roles.adds && self.v_group(i.rd, roles.dest_span(i, t, vlenb)))
    }

    /// Whether v0 is used, as a mask or an operand, and tainted.
    pub(crate) fn mask_is_tainted(&self, i: &Insn, roles: &Roles) -> bool {
        self.v & 1 != 0 && (roles.v0 || (roles.class.is_vector() && !i.vm()))
    }

    /// Whether the destination may be tainted now.
    fn dest_is_tainted(&self, h: &Hart, i: &Insn, roles: &Roles) -> bool {
        match roles.dest {
            Dest::None => false,
            Dest::X => self.x >> (i.rd & 31) & 1 != 0,
            Dest::F => self.f >> (i.rd & 31) & 1 != 0,
            Dest::V | Dest::Mask => self.v_group(i.rd, roles.dest_span(i, h.v.vtype, h.v.vlenb())),
        }
    }

    /// Before the instruction executes: applies its rule to registers. `None`: there is nothing to do after it either.
    pub fn before(&mut self, h: &Hart, i: &Insn, roles: &Roles) -> Option<Before> {
        let memory = roles.memory && self.has_memory();
        let csr = roles.class == Class::Csr && self.flags() != 0;
        if !memory
            && !csr
            && !self.has_tainted_source(h, i, roles)
            && !self.dest_is_tainted(h, i, roles)
            && !self.rounds_by_secret(roles)
        {
            return None;
        }
        let masked = roles.class.is_vector() && (!i.vm() || roles.v0);
        let indexed = (roles.rule == Taint::MoveBy && roles.v.s1) || (roles.memory && roles.v.s2);
        let v = if masked || indexed { h.v.bytes(0).to_vec() } else { Vec::new() };
        let mut before = Before {
            vlenb: h.v.vlenb().max(16),
            x1: h.x(i.rs1),
            x2: h.x(i.rs2),
            v,
            vl: h.v.vl,
            vtype: h.v.vtype,
            vstart: h.v.vstart,
            undo: None,
        };
        if !roles.memory {
            before.undo = match roles.dest {
                Dest::X => Some(Undo::X(i.rd, self.x(i.rd & 31))),
                Dest::F => Some(Undo::F(i.rd, self.f(i.rd))),
                Dest::V | Dest::Mask => {
                    let span = roles.dest_span(i, h.v.vtype, h.v.vlenb());
                    let bytes = &self.hart.v.bytes(i.rd)[..span as usize * h.v.vlenb()];
                    Some(Undo::V(i.rd, bytes.to_vec()))
                }
                Dest::None => None,
            };
            self.registers(h, i, roles, &before);
        }
        Some(before)
    }

    pub(crate) fn rounds_by_secret(&self, roles: &Roles) -> bool {
        roles.rule == Taint::Fixed && self.hart.v.vxrm != 0
    }

    /// After the instruction has retired, with its memory accesses.
    pub fn after(
        &mut self,
        h: &Hart,
        i: &Insn,
        roles: &Roles,
        before: Before,
        accesses: &[Access],
    ) {
        if roles.memory {
            self.memory_access(h, i, roles, &before, accesses);
        }
    }

    /// The instruction has trapped: undoes what `before` did. A vector load may have written some elements, a store some bytes.
    pub fn trapped(&mut self, i: &Insn, roles: &Roles, before: Before, accesses: &[Access]) {
        match before.undo {
            Some(Undo::X(r, taint)) => self.set_x(r, taint),
            Some(Undo::F(r, taint)) => self.set_f(r, taint),
            Some(Undo::V(reg, bytes)) => {
                self.hart.v.bytes_mut(reg)[..bytes.len()].copy_from_slice(&bytes);
                self.summarise_v(reg, (bytes.len() / self.hart.v.vlenb()) as u8);
            }
            None if roles.vector_memory => self.partial_access(i, roles, accesses),
            None => {}
        }
    }

    pub(crate) fn summarise(&mut self) {
        let h = &self.hart;
        let any = |tainted: &dyn Fn(u8) -> bool| {
            (0..32u8).fold(0, |sum, r| sum | u32::from(tainted(r)) << r)
        };
        self.x = any(&|r| h.x(r) != 0);
        self.f = any(&|r| h.f[r as usize] != 0);
        let bytes = h.v.vlenb();
        self.v = any(&|r| h.v.bytes(r)[..bytes].iter().any(|b| *b != 0));
    }

    pub(crate) fn summarise_v(&mut self, reg: u8, n: u8) {
        let bytes = self.hart.v.vlenb();
        for r in reg..(reg + n).min(32) {
            let tainted = self.hart.v.bytes(r)[..bytes].iter().any(|b| *b != 0);
            self.v = self.v & !(1 << r) | u32::from(tainted) << r;
        }
    }
}
