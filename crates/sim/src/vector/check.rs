//! Checks and policies shared by vector instructions.
//!
//! Overlap and alignment: Unprivileged ISA manual, "Vector Operands"; masks: "Vector Masking"; tails:
//! "Vector Tail Agnostic and Vector Mask Agnostic".

use super::Elem;
use crate::hart::{Agnostic, Hart};
use crate::insn::{Exec, Insn};
use capvec_isa::Ext;

/// A register group as an operand: first register, EEW in bits, log2 of EMUL.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// First register.
    pub reg: u8,
    /// Effective element width in bits; 1 for a mask.
    pub eew: u32,
    /// Binary logarithm of EMUL.
    pub emul: i8,
    /// Tail and masked-off elements are agnostic whatever vtype says, because the destination overlaps a source of
    /// another EEW.
    pub agnostic: bool,
}

impl Group {
    /// Number of registers of the group; 1 if EMUL is a fraction.
    #[inline(always)]
    pub fn registers(self) -> u8 {
        1 << self.emul.max(0)
    }

    /// Whether both groups share a register.
    #[inline(always)]
    pub fn overlaps(self, other: Group) -> bool {
        self.reg < other.reg + other.registers() && other.reg < self.reg + self.registers()
    }

    /// Whether both groups share a register with different EEWs.
    #[inline(always)]
    pub fn clashes(self, other: Group) -> bool {
        self.eew != other.eew && self.overlaps(other)
    }
}

impl Hart {
    /// The widest element that the extensions provide, in bits: 64, or 32 with Zve32x and Zve32f alone.
    pub fn elen(&self) -> u32 {
        if self.has(Ext::Zve64x) { 64 } else { 32 }
    }

    /// Traps unless the vector state is usable. Every instruction that depends on vtype checks this first.
    pub fn v_ready(&mut self) -> Exec {
        if self.v.vtype.vill {
            return self.illegal("vtype is illegal (vill)");
        }
        Ok(())
    }

    /// The group of `reg` at EEW = SEW·2^by: EMUL is scaled likewise and must lie in 1/8..=8, and the
    /// register must be aligned to it.
    #[inline(always)]
    pub fn v_group(&mut self, reg: u8, by: i8) -> Exec<Group> {
        let t = self.v.vtype;
        if by == 0 {
            // A legal vtype implies a legal EEW and EMUL.
            return self.v_aligned(Group { reg, eew: t.sew, emul: t.lmul, agnostic: false });
        }
        let eew = if by >= 0 { t.sew << by } else { t.sew >> -by };
        self.v_group_at(reg, eew, t.lmul + by)
    }

    /// log2 of EMUL = EEW/SEW·LMUL for an EEW in bits.
    pub fn v_emul(&self, eew: u32) -> i8 {
        let t = self.v.vtype;
        t.lmul + (eew.trailing_zeros() as i8 - t.sew.trailing_zeros() as i8)
    }

    /// The group of `reg` with this EEW (bits) and EMUL (log2).
    pub fn v_group_at(&mut self, reg: u8, eew: u32, emul: i8) -> Exec<Group> {
        if !(-3..=3).contains(&emul) {
            return self.illegal("EMUL out of range");
        }
        if !(8..=self.elen()).contains(&eew) {
            return self.illegal("EEW out of range");
        }
        self.v_aligned(Group { reg, eew, emul, agnostic: false })
    }

    #[inline(always)]
    fn v_aligned(&mut self, g: Group) -> Exec<Group> {
        if g.reg & (g.registers() - 1) != 0 {
            return self.illegal("register not aligned to its group");
        }
        Ok(g)
    }

    /// Traps unless vstart is 0: for instructions that cannot be resumed.
    pub fn v_from_start(&mut self) -> Exec {
        if self.v.vstart != 0 {
            return self.illegal("vstart is not zero");
        }
        Ok(())
    }

    /// A mask operand: one register, EEW 1.
    pub fn v_mask(&self, reg: u8) -> Group {
        Group { reg, eew: 1, emul: 0, agnostic: false }
    }

    /// Checks the overlap of a destination with a source. It is legal with equal EEWs; when narrowing, in the lowest
    /// part of the source; when widening from EMUL ≥ 1, in the highest part of the destination. Returns the
    /// destination, marked agnostic if they overlap with different EEWs.
    #[inline(always)]
    pub fn v_overlap(&mut self, dst: Group, src: Group) -> Exec<Group> {
        if !dst.clashes(src) {
            return Ok(dst);
        }
        let legal = if dst.eew < src.eew {
            dst.reg == src.reg
        } else {
            src.emul >= 0 && src.reg + src.registers() == dst.reg + dst.registers()
        };
        if !legal {
            return self.illegal("destination overlaps a source of another width");
        }
        Ok(Group { agnostic: true, ..dst })
    }

    /// Checks that a destination does not overlap a source.
    pub fn v_disjoint(&mut self, dst: Group, src: Group) -> Exec {
        if dst.overlaps(src) {
            return self.illegal("destination overlaps a source");
        }
        Ok(())
    }

    /// Checks that no register is read with two EEWs, where the mask is a source of EEW 1. `sources` are all vector
    /// sources except v0, including store data and a destination that is also read. Reserved by the manual ("Vector
    /// Operands", norm:vreg_source_eew_rsv), but QEMU 7.2 and Spike execute such encodings.
    pub fn v_sources(&mut self, i: &Insn, sources: &[Group]) -> Exec {
        let mask = self.v_mask(0);
        for (n, &a) in sources.iter().enumerate() {
            let masked = !i.vm() && a.clashes(mask);
            if masked || sources[..n].iter().any(|&b| a.clashes(b)) {
                return self.illegal("a register is read with two element widths");
            }
        }
        Ok(())
    }

    /// Checks that a masked instruction does not write v0. Not for instructions that write a mask or a scalar.
    pub fn v_not_v0(&mut self, i: &Insn, dst: Group) -> Exec {
        if !i.vm() && dst.reg == 0 {
            return self.illegal("masked destination overlaps v0");
        }
        Ok(())
    }

    /// Whether element `k` is active: unmasked, or its bit in v0 is set.
    #[inline(always)]
    pub fn v_active(&self, i: &Insn, k: u64) -> bool {
        i.vm() || self.v.mask_bit(0, k)
    }

    /// Whether inactive elements of a destination become all ones.
    #[inline(always)]
    pub fn v_ones_if_inactive(&self) -> bool {
        self.v.vtype.vma && self.config.agnostic == Agnostic::Ones
    }

    /// `v_ones_if_inactive` for a destination that may be agnostic by overlap.
    #[inline(always)]
    fn v_ones_if_inactive_in(&self, dst: Group) -> bool {
        (self.v.vtype.vma || dst.agnostic) && self.config.agnostic == Agnostic::Ones
    }

    /// Runs `f(hart, k)` for the active body elements vstart..vl and applies the mask policy of element
    /// type `T` in `vd` to the others.
    #[inline(always)]
    pub fn v_body<T: Elem>(&mut self, i: &Insn, vd: u8, f: impl FnMut(&mut Hart, u64)) {
        self.v_body_from::<T>(i, vd, self.v.vstart, f);
    }

    /// `v_body` without the elements below `start`.
    #[inline(always)]
    pub fn v_body_from<T: Elem>(
        &mut self,
        i: &Insn,
        vd: u8,
        start: u64,
        f: impl FnMut(&mut Hart, u64),
    ) {
        self.v_elements::<T>(i, vd, start, self.v_ones_if_inactive(), f);
    }

    /// `v_body` for a destination that may be agnostic by overlap.
    #[inline(always)]
    pub fn v_body_of<T: Elem>(&mut self, i: &Insn, dst: Group, f: impl FnMut(&mut Hart, u64)) {
        let ones = self.v_ones_if_inactive_in(dst);
        self.v_elements::<T>(i, dst.reg, self.v.vstart, ones, f);
    }

    #[inline(always)]
    fn v_elements<T: Elem>(
        &mut self,
        i: &Insn,
        vd: u8,
        start: u64,
        ones: bool,
        mut f: impl FnMut(&mut Hart, u64),
    ) {
        for k in start..self.v.vl {
            if self.v_active(i, k) {
                f(self, k);
            } else if ones {
                self.v.set(vd, k, T::from_u64(u64::MAX));
            }
        }
    }

    /// `v_body` for an instruction that writes mask bits: active ones become `f(hart, k)`.
    #[inline(always)]
    pub fn v_body_mask(&mut self, i: &Insn, dst: Group, mut f: impl FnMut(&mut Hart, u64) -> bool) {
        let ones = self.v_ones_if_inactive_in(dst);
        for k in self.v.vstart..self.v.vl {
            if self.v_active(i, k) {
                let bit = f(self, k);
                self.v.set_mask_bit(dst.reg, k, bit);
            } else if ones {
                self.v.set_mask_bit(dst.reg, k, true);
            }
        }
    }

    /// Applies the tail policy to elements from vl on of the destination, unless vstart ≥ vl, and resets vstart. The
    /// last step of an instruction with a vector destination.
    pub fn v_finish(&mut self, dst: Group) {
        let from = self.v.vl as usize * dst.eew as usize / 8;
        self.v_finish_bytes(dst, from);
    }

    /// `v_finish` with a tail that begins `from` bytes into the group.
    pub fn v_finish_bytes(&mut self, dst: Group, from: usize) {
        let agnostic = self.v.vtype.vta || dst.agnostic;
        if self.v.vstart < self.v.vl && agnostic {
            self.v_agnostic_from(dst, from);
        }
        self.v.vstart = 0;
    }

    /// Applies the agnostic policy to a group from byte `from` on.
    pub fn v_agnostic_from(&mut self, dst: Group, from: usize) {
        if self.config.agnostic == Agnostic::Ones {
            let end = dst.registers() as usize * self.v.vlenb();
            self.v.bytes_mut(dst.reg)[from.min(end)..end].fill(0xff);
        }
    }

    /// `v_finish` for an instruction that writes only element 0.
    pub fn v_finish_scalar(&mut self, dst: Group) {
        self.v_finish_bytes(dst, dst.eew as usize / 8);
    }

    /// `v_finish` for a mask destination, whose tail, bits from vl on, is always agnostic.
    pub fn v_finish_mask(&mut self, vd: u8) {
        if self.v.vstart < self.v.vl && self.config.agnostic == Agnostic::Ones {
            for k in self.v.vl..self.v.vlen() {
                self.v.set_mask_bit(vd, k, true);
            }
        }
        self.v.vstart = 0;
    }
}
