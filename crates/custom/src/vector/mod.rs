//! Vector instructions, by element or by element group.

mod elements;
mod lanes;
mod once;

use crate::operand::{Operand, Port, Width, register};
use crate::scalar::unboxed;
use crate::variant::Variant;
use capvec_isa::Ext;
use capvec_sim::Hart;
use capvec_sim::hart::Agnostic;
use capvec_sim::insn::{Exec, Insn};
use capvec_sim::vector::Group;
use elements::put;

/// Programs by SEW: 8, 16, 32 and 64.
pub type Variants = [Option<Variant>; 4];

/// A vector instruction.
pub struct Vector {
    /// The operands that the program sees, in the order of its ports.
    pub ports: Vec<Port>,
    /// Elements that the program sees at a time: 1, or those of an element group.
    pub egs: u64,
    /// What an f operand needs.
    pub float: Option<Ext>,
    /// The programs.
    pub variants: Variants,
    /// Those for RV32 if the program depends on XLEN, as addresses and results in x registers do.
    pub variants32: Option<Variants>,
    /// Whether x operands have XLEN bits, rather than SEW.
    pub by_xlen: bool,
    /// Whether it accesses memory, which happens in the order of elements.
    pub in_order: bool,
    /// The port that is the number of the element, if there is one.
    pub element: Option<usize>,
    /// The result in an x or f register, if it has one: its port, and its value before the first element.
    pub result: Option<(usize, u64)>,
}

/// The vector registers that an instruction writes: at most vd, or vs2, or both.
#[derive(Clone, Copy, Default)]
struct Written([Option<Group>; 2]);

impl Written {
    fn add(&mut self, group: Group) {
        let [first, second] = &mut self.0;
        *if first.is_none() { first } else { second } = Some(group);
    }

    fn groups(self) -> impl Iterator<Item = Group> {
        self.0.into_iter().flatten()
    }
}

/// A vector operand of one instruction: its port, its first register, its element width.
#[derive(Clone, Copy)]
struct Move {
    port: usize,
    reg: u8,
    eew: u32,
}

/// Vector operands: vd, vs1, vs2, vs3 and v0, of which an encoding has room for four.
struct Moves {
    list: [Move; 5],
    count: usize,
}

impl Moves {
    fn all(&self) -> impl Iterator<Item = Move> {
        self.list[..self.count].iter().copied()
    }
}

impl Vector {
    /// The vector operands of a kind.
    #[inline]
    fn moves(&self, i: &Insn, sew: u32, of: fn(&Port) -> bool) -> Moves {
        let mut moves = Moves { list: [Move { port: 0, reg: 0, eew: 0 }; 5], count: 0 };
        for (k, port) in self.ports.iter().enumerate().filter(|(_, p)| of(p)) {
            let reg = match port.operand {
                Operand::V(slot) => register(i, slot),
                Operand::V0 => 0,
                _ => continue,
            };
            moves.list[moves.count] = Move { port: k, reg, eew: port.width.bits(sew) };
            moves.count += 1;
        }
        moves
    }

    /// Executes the instruction.
    pub fn execute(&self, h: &mut Hart, i: &Insn, observe: bool) -> Exec {
        h.v_ready()?;
        let sew = h.v.vtype.sew;
        let variants = match &self.variants32 {
            Some(variants) if h.config.xlen == 32 => variants,
            _ => &self.variants,
        };
        let Some(variant) = &variants[sew.trailing_zeros() as usize - 3] else {
            return h.illegal("SEW is not one that the instruction has");
        };
        if self.float.is_some_and(|ext| !h.has(ext)) {
            return h.illegal("the hart has no such f registers");
        }
        if self.egs > 1 {
            h.v_whole_groups(self.egs)?;
        }
        if self.result.is_some() {
            h.v_from_start()?;
        }
        let written = self.check(h, i)?;
        let groups = (h.v.vl / self.egs).saturating_sub(h.v.vstart / self.egs);
        // A single run is faster without lanes.
        let in_lanes = groups > 1 && !self.in_order;
        match self.result {
            Some(result) if in_lanes && variant.computes() => {
                variant.lanes(|m| self.pass_through_lanes(h, i, m, result));
            }
            None if in_lanes => variant.lanes(|m| self.run_lanes(h, i, m, written))?,
            _ => self.run_once(h, i, variant, written, observe)?,
        }
        Self::finish(h, written);
        Ok(())
    }

    /// Checks alignment and overlap; returns the destinations.
    fn check(&self, h: &mut Hart, i: &Insn) -> Exec<Written> {
        let mut written = Written::default();
        let mut read = [h.v_mask(0); 5];
        let mut count = 0;
        for port in &self.ports {
            let group = match (port.operand, port.width) {
                (Operand::V0, _) => h.v_mask(0),
                (Operand::V(slot), Width::Bit) => h.v_mask(register(i, slot)),
                (Operand::V(slot), Width::Sew) => h.v_group(register(i, slot), 0)?,
                (Operand::V(slot), Width::Double) => h.v_group(register(i, slot), 1)?,
                _ => continue,
            };
            if port.is_written() {
                if port.width != Width::Bit {
                    h.v_not_v0(i, group)?;
                }
                written.add(group);
            }
            if port.is_read() {
                read[count] = group;
                count += 1;
            }
        }
        if let [Some(one), Some(two)] = written.0 {
            h.v_disjoint(one, two)?;
        }
        let read = &read[..count];
        for group in written.0.iter_mut().flatten() {
            for source in read {
                // A source mask would be overwritten before its last bits are read.
                if source.eew == 1 && group.eew != 1 {
                    h.v_disjoint(*group, *source)?;
                } else {
                    *group = h.v_overlap(*group, *source)?;
                }
            }
        }
        h.v_sources(i, read)?;
        Ok(written)
    }

    /// The inputs that are the same for all elements, each with its port. Numbers are truncated to SEW like those of
    /// `vadd.vx` and `vadd.vi`; addresses, and the operands of what has a result in an x register, have XLEN bits.
    fn scalars(&self, h: &Hart, i: &Insn) -> impl Iterator<Item = (usize, u64)> {
        let sew = h.v.vtype.sew;
        let width = if self.by_xlen { h.config.xlen.into() } else { sew };
        let mask = u64::MAX >> (64 - width);
        let read = self.ports.iter().enumerate().filter(|(_, p)| p.is_read());
        read.filter_map(move |(k, port)| {
            let value = match port.operand {
                // The result, which begins with a constant.
                operand if operand.is_scalar_destination() => return None,
                Operand::X(slot) => h.x(register(i, slot)) & mask,
                Operand::F(slot) => unboxed(h, register(i, slot), sew),
                Operand::Imm(_) => i.imm as u64 & mask,
                _ => return None,
            };
            Some((k, value))
        })
    }

    /// Applies the mask policy to the inactive elements of a range.
    fn inactive(h: &mut Hart, i: &Insn, written: Written, groups: std::ops::Range<u64>) {
        // Instructions on element groups have no mask, so each group here is one element.
        if i.vm() || h.config.agnostic != Agnostic::Ones {
            return;
        }
        let vma = h.v.vtype.vma;
        for g in written.groups().filter(|g| vma || g.agnostic) {
            for k in groups.clone() {
                if !h.v_active(i, k) {
                    put(&mut h.v, g.reg, k, g.eew, u64::MAX);
                }
            }
        }
    }

    /// Applies the tail policy to every destination.
    fn finish(h: &mut Hart, written: Written) {
        let start = h.v.vstart;
        for group in written.groups() {
            h.v.vstart = start;
            match group.eew {
                1 => h.v_finish_mask(group.reg),
                _ => h.v_finish(group),
            }
        }
        h.v.vstart = 0;
    }
}
