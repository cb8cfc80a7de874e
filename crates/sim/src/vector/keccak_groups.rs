//! Element groups that hold Keccak states, the operands of `vkeccak.vi` in every draft: EGW 2048, EGS 32, SEW 64.

use crate::crypto::keccak::{State, permute};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use std::ops::Range;

/// Elements of a group. The last seven keep their values.
const EGS: u64 = 32;

/// Bits of a group.
const EGW: u64 = 2048;

impl Hart {
    /// Permutes the groups vstart/32 .. vl/32 of vd.
    pub fn v_keccak_groups(&mut self, i: &Insn, rounds: Range<usize>) -> Exec {
        let vd = self.v_group_destination::<u64>(i.rd, EGS)?;
        for group in self.v.vstart / EGS..self.v.vl / EGS {
            self.v_keccak(i.rd, group, rounds.clone());
        }
        self.v_finish(vd);
        Ok(())
    }

    /// Permutes the one group in the registers from vd on, whatever vl and LMUL are. vd must be a multiple of the number
    /// of registers that a group takes, and vstart zero.
    pub fn v_keccak_fixed(&mut self, i: &Insn, rounds: Range<usize>) -> Exec {
        self.v_ready()?;
        self.v_from_start()?;
        if self.v.vtype.sew != 64 {
            return self.illegal("SEW is not 64");
        }
        let registers = EGW.div_ceil(self.v.vlen()) as u8;
        if !i.rd.is_multiple_of(registers) {
            return self.illegal("register not aligned to its element group");
        }
        self.v_keccak(i.rd, 0, rounds);
        Ok(())
    }

    fn v_keccak(&mut self, reg: u8, group: u64, rounds: Range<usize>) {
        let first = group * EGS;
        let state: State = std::array::from_fn(|k| self.v.get(reg, first + k as u64));
        for (k, lane) in permute(state, rounds).into_iter().enumerate() {
            self.v.set(reg, first + k as u64, lane);
        }
    }
}
