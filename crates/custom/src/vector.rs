//! Vector instructions, by element or by element group. All vector operands have SEW.

use crate::operand::{Operand, Port, register};
use crate::variant::{Variant, reason};
use capvec_semantics::Machine;
use capvec_sim::Hart;
use capvec_sim::insn::{Exec, Insn};
use capvec_sim::vector::{Group, Vector as Registers};

/// A vector instruction.
pub struct Vector {
    /// The operands that the program sees, in the order of its ports.
    pub ports: Vec<Port>,
    /// Elements that the program sees at a time: 1, or those of an element group.
    pub egs: u64,
    /// By SEW: 8, 16, 32 and 64.
    pub variants: [Option<Variant>; 4],
}

impl Vector {
    /// Executes the instruction.
    pub fn execute(&self, h: &mut Hart, i: &Insn) -> Exec {
        h.v_ready()?;
        let sew = h.v.vtype.sew;
        let Some(variant) = &self.variants[sew.trailing_zeros() as usize - 3] else {
            return h.illegal("SEW is not one that the instruction has");
        };
        if self.egs > 1 {
            h.v_whole_groups(self.egs)?;
        }
        let written = self.check(h, i)?;
        let ran = variant.with(|m| {
            self.set_scalars(h, i, m);
            self.run(h, i, m, &written)
        });
        if let Err((group, why)) = ran {
            h.v.vstart = group * self.egs;
            return h.illegal(why);
        }
        self.finish(h, &written);
        Ok(())
    }

    /// Checks alignment and overlap; returns the destinations.
    fn check(&self, h: &mut Hart, i: &Insn) -> Exec<Vec<Group>> {
        let (mut written, mut read) = (Vec::new(), Vec::new());
        for port in &self.ports {
            let Operand::V(slot) = port.operand else { continue };
            let group = h.v_group(register(i, slot), 0)?;
            if port.is_written() {
                h.v_not_v0(i, group)?;
                written.push(group);
            }
            if port.is_read() {
                read.push(group);
            }
        }
        if let [one, two] = written[..] {
            h.v_disjoint(one, two)?;
        }
        h.v_sources(i, &read)?;
        Ok(written)
    }

    /// The inputs that are the same for all elements, truncated to SEW like those of `vadd.vx` and `vadd.vi`.
    fn set_scalars(&self, h: &Hart, i: &Insn, m: &mut Machine) {
        let mask = u64::MAX >> (64 - h.v.vtype.sew);
        for (k, port) in self.ports.iter().enumerate() {
            match port.operand {
                Operand::X(slot) => m.input(k)[0] = h.x(register(i, slot)) & mask,
                Operand::Imm(_) => m.input(k)[0] = i.imm as u64 & mask,
                Operand::V(_) | Operand::Mask => {}
            }
        }
    }

    /// Runs the program for every group from vstart on, and applies the mask policy. The error: in which group the
    /// program found the instruction illegal, and why.
    fn run(
        &self,
        h: &mut Hart,
        i: &Insn,
        m: &mut Machine,
        written: &[Group],
    ) -> Result<(), (u64, &'static str)> {
        let sew = h.v.vtype.sew;
        for group in h.v.vstart / self.egs..h.v.vl / self.egs {
            // A group has no mask.
            if !h.v_active(i, group) {
                if h.v_ones_if_inactive() {
                    for g in written {
                        put(&mut h.v, g.reg, group, sew, u64::MAX);
                    }
                }
                continue;
            }
            self.execute_group(&mut h.v, i, m, group * self.egs).map_err(|why| (group, why))?;
        }
        Ok(())
    }

    fn execute_group(
        &self,
        v: &mut Registers,
        i: &Insn,
        m: &mut Machine,
        first: u64,
    ) -> Result<(), &'static str> {
        let sew = v.vtype.sew;
        for (k, port) in self.ports.iter().enumerate().filter(|(_, p)| p.is_read()) {
            if let Operand::V(slot) = port.operand {
                let reg = register(i, slot);
                for (word, n) in m.input(k).iter_mut().zip(first..) {
                    *word = get(v, reg, n, sew);
                }
            }
        }
        m.run().map_err(|e| reason(&e))?;
        for (k, port) in self.ports.iter().enumerate().filter(|(_, p)| p.is_written()) {
            let reg = register(i, port.operand.slot());
            for (word, n) in m.output(k).iter().zip(first..) {
                put(v, reg, n, sew, *word);
            }
        }
        Ok(())
    }

    /// Applies the tail policy to every destination.
    fn finish(&self, h: &mut Hart, written: &[Group]) {
        let start = h.v.vstart;
        for group in written {
            h.v.vstart = start;
            h.v_finish(*group);
        }
        h.v.vstart = 0;
    }
}

fn get(v: &Registers, reg: u8, n: u64, sew: u32) -> u64 {
    match sew {
        8 => v.get::<u8>(reg, n).into(),
        16 => v.get::<u16>(reg, n).into(),
        32 => v.get::<u32>(reg, n).into(),
        _ => v.get(reg, n),
    }
}

fn put(v: &mut Registers, reg: u8, n: u64, sew: u32, value: u64) {
    match sew {
        8 => v.set(reg, n, value as u8),
        16 => v.set(reg, n, value as u16),
        32 => v.set(reg, n, value as u32),
        _ => v.set(reg, n, value),
    }
}
