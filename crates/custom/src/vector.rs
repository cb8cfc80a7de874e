//! Vector instructions, by element or by element group. Vector operands have SEW, or are masks.

use crate::memory;
use crate::operand::{Operand, Port, register};
use crate::scalar::unboxed;
use crate::variant::Variant;
use capvec_isa::Ext;
use capvec_semantics::Machine;
use capvec_sim::Hart;
use capvec_sim::hart::Agnostic;
use capvec_sim::insn::{Exec, Insn};
use capvec_sim::vector::{Group, Vector as Registers};

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
    /// Those for RV32 if the instruction accesses memory, since addresses have XLEN bits.
    pub memory32: Option<Variants>,
    /// Whether it accesses memory.
    pub memory: bool,
}

impl Vector {
    /// Executes the instruction.
    pub fn execute(&self, h: &mut Hart, i: &Insn, observe: bool) -> Exec {
        h.v_ready()?;
        let sew = h.v.vtype.sew;
        let variants = match &self.memory32 {
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
        let written = self.check(h, i)?;
        variant.with(|m| {
            self.set_scalars(h, i, m);
            self.run(h, i, m, &written, observe)
        })?;
        self.finish(h, &written);
        Ok(())
    }

    /// Checks alignment and overlap; returns the destinations.
    fn check(&self, h: &mut Hart, i: &Insn) -> Exec<Vec<Group>> {
        let (mut written, mut read) = (Vec::new(), Vec::new());
        for port in &self.ports {
            let group = match port.operand {
                Operand::V0 => h.v_mask(0),
                Operand::V(slot) if port.mask => h.v_mask(register(i, slot)),
                Operand::V(slot) => h.v_group(register(i, slot), 0)?,
                _ => continue,
            };
            if port.is_written() {
                if !port.mask {
                    h.v_not_v0(i, group)?;
                }
                written.push(group);
            }
            if port.is_read() {
                read.push(group);
            }
        }
        if let [one, two] = written[..] {
            h.v_disjoint(one, two)?;
        }
        for group in &mut written {
            for source in &read {
                // A mask that is read would be overwritten before its last bits are.
                *group = match group.eew {
                    1 => h.v_overlap(*group, *source)?,
                    eew if eew == source.eew => *group,
                    _ => h.v_disjoint(*group, *source).map(|()| *group)?,
                };
            }
        }
        h.v_sources(i, &read)?;
        Ok(written)
    }

    /// The inputs that are the same for all elements. If the instruction computes, they are truncated to SEW like those of
    /// `vadd.vx` and `vadd.vi`; addresses have XLEN bits.
    fn set_scalars(&self, h: &Hart, i: &Insn, m: &mut Machine) {
        let sew = h.v.vtype.sew;
        let width = if self.memory { h.config.xlen.into() } else { sew };
        let mask = u64::MAX >> (64 - width);
        for (k, port) in self.ports.iter().enumerate() {
            match port.operand {
                Operand::X(slot) => m.input(k)[0] = h.x(register(i, slot)) & mask,
                Operand::F(slot) => m.input(k)[0] = unboxed(h, register(i, slot), sew),
                Operand::Imm(_) => m.input(k)[0] = i.imm as u64 & mask,
                _ => {}
            }
        }
    }

    /// Runs the program for every group from vstart on, and applies the mask policy. If the program finds the
    /// instruction illegal, or an access faults, vstart becomes the group in question.
    fn run(
        &self,
        h: &mut Hart,
        i: &Insn,
        m: &mut Machine,
        written: &[Group],
        observe: bool,
    ) -> Exec {
        for group in h.v.vstart / self.egs..h.v.vl / self.egs {
            // A group has no mask.
            if !h.v_active(i, group) {
                let (ones, vma) = (h.config.agnostic == Agnostic::Ones, h.v.vtype.vma);
                for g in written.iter().filter(|g| ones && (vma || g.agnostic)) {
                    put(&mut h.v, g.reg, group, g.eew, u64::MAX);
                }
                continue;
            }
            let first = group * self.egs;
            self.set_elements(&h.v, i, m, first);
            if let Err(raised) = memory::run(m, h, observe) {
                h.v.vstart = first;
                return Err(raised);
            }
            self.take_elements(&mut h.v, i, m, first);
        }
        Ok(())
    }

    fn set_elements(&self, v: &Registers, i: &Insn, m: &mut Machine, first: u64) {
        for (k, port) in self.ports.iter().enumerate().filter(|(_, p)| p.is_read()) {
            let reg = match port.operand {
                Operand::V(slot) => register(i, slot),
                Operand::V0 => 0,
                Operand::Element => {
                    m.input(k)[0] = first;
                    continue;
                }
                _ => continue,
            };
            let eew = if port.mask { 1 } else { v.vtype.sew };
            for (word, n) in m.input(k).iter_mut().zip(first..) {
                *word = get(v, reg, n, eew);
            }
        }
    }

    fn take_elements(&self, v: &mut Registers, i: &Insn, m: &Machine, first: u64) {
        for (k, port) in self.ports.iter().enumerate().filter(|(_, p)| p.is_written()) {
            let Operand::V(slot) = port.operand else { continue };
            let reg = register(i, slot);
            let eew = if port.mask { 1 } else { v.vtype.sew };
            for (word, n) in m.output(k).iter().zip(first..) {
                put(v, reg, n, eew, *word);
            }
        }
    }

    /// Applies the tail policy to every destination.
    fn finish(&self, h: &mut Hart, written: &[Group]) {
        let start = h.v.vstart;
        for group in written {
            h.v.vstart = start;
            match group.eew {
                1 => h.v_finish_mask(group.reg),
                _ => h.v_finish(*group),
            }
        }
        h.v.vstart = 0;
    }
}

fn get(v: &Registers, reg: u8, n: u64, eew: u32) -> u64 {
    match eew {
        1 => v.mask_bit(reg, n).into(),
        8 => v.get::<u8>(reg, n).into(),
        16 => v.get::<u16>(reg, n).into(),
        32 => v.get::<u32>(reg, n).into(),
        _ => v.get(reg, n),
    }
}

fn put(v: &mut Registers, reg: u8, n: u64, eew: u32, value: u64) {
    match eew {
        1 => v.set_mask_bit(reg, n, value & 1 == 1),
        8 => v.set(reg, n, value as u8),
        16 => v.set(reg, n, value as u16),
        32 => v.set(reg, n, value as u32),
        _ => v.set(reg, n, value),
    }
}
