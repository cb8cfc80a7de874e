//! One element or element group after the other: instructions that access memory, or that have a result in an x or f register.

use super::elements::{get, put};
use super::{Vector, Written};
use crate::memory;
use crate::operand::{Operand, register};
use capvec_semantics::Machine;
use capvec_sim::Hart;
use capvec_sim::fp::{F32, Float};
use capvec_sim::insn::{Exec, Insn};
use capvec_sim::mode::{Plain32, Plain64};
use capvec_sim::vector::Vector as Registers;

impl Vector {
    /// Runs the program for every active group from vstart on. If the program finds the instruction illegal, or an access
    /// faults, vstart becomes the group in question, unless the instruction has a result that would be lost.
    pub(super) fn run_once(
        &self,
        h: &mut Hart,
        i: &Insn,
        m: &mut Machine,
        written: Written,
        observe: bool,
    ) -> Exec {
        for (k, value) in self.scalars(h, i) {
            m.input(k)[0] = value;
        }
        if let Some((k, start)) = self.result {
            m.input(k)[0] = start;
        }
        let (start, end) = (h.v.vstart / self.egs, h.v.vl / self.egs);
        for group in start..end {
            // A group has no mask.
            if !h.v_active(i, group) {
                Self::inactive(h, i, written, group..group + 1);
                continue;
            }
            let first = group * self.egs;
            self.set_elements(&h.v, i, m, first);
            if let Err(raised) = memory::run(m, h, observe) {
                h.v.vstart = if self.result.is_some() { 0 } else { first };
                return Err(raised);
            }
            self.take_elements(&mut h.v, i, m, first);
            if let Some((k, _)) = self.result {
                m.input(k)[0] = m.output(k)[0];
            }
        }
        self.take_result(h, i, m);
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
            let eew = port.width.bits(v.vtype.sew);
            for (word, n) in m.input(k).iter_mut().zip(first..) {
                *word = get(v, reg, n, eew);
            }
        }
    }

    fn take_elements(&self, v: &mut Registers, i: &Insn, m: &Machine, first: u64) {
        for (k, port) in self.ports.iter().enumerate().filter(|(_, p)| p.is_written()) {
            let Operand::V(slot) = port.operand else { continue };
            let reg = register(i, slot);
            let eew = port.width.bits(v.vtype.sew);
            for (word, n) in m.output(k).iter().zip(first..) {
                put(v, reg, n, eew, *word);
            }
        }
    }

    /// The result in an x or f register, which is written even if there is no active element.
    fn take_result(&self, h: &mut Hart, i: &Insn, m: &mut Machine) {
        let Some((k, _)) = self.result else { return };
        let value = m.input(k)[0];
        match self.ports[k].operand {
            Operand::F(_) if h.v.vtype.sew == 32 => {
                h.f[usize::from(i.rd)] = F32(value as u32).nan_box();
            }
            Operand::F(_) => h.f[usize::from(i.rd)] = value,
            _ if h.config.xlen == 64 => h.set_x::<Plain64>(i.rd, value),
            _ => h.set_x::<Plain32>(i.rd, value),
        }
    }
}
