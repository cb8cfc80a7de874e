//! Rounds for which the host has no vector instructions: SHA-512, SM3 and SM4, in general-purpose registers, with the
//! state in memory. This file has what they share.

pub mod sha512;
pub mod sm3;
pub mod sm4;

use crate::x64::asm::{Asm, Mem, Reg, Rm, Width};
use crate::x64::emit::Vectors;
use crate::x64::runtime::convention::HOMES;
use crate::x64::vector_plan::Operation;
use iced_x86::Code;

pub const Q: Width = Width::Q;
pub const D: Width = Width::D;
pub const RAX: Reg = Reg::RAX;
pub const RCX: Reg = Reg::RCX;

/// An element group in memory.
pub struct Group {
    at: u32,
    size: u32,
}

impl Group {
    /// Group `n` of register `reg`; a group has `bytes` bytes in elements of `size` bytes.
    pub fn new(t: &Vectors<'_, '_>, reg: u8, n: u32, bytes: u32, size: u32) -> Group {
        Group { at: reg as u32 * t.vlenb + n * bytes, size }
    }

    pub fn element(&self, t: &mut Vectors<'_, '_>, k: usize) -> Mem {
        t.memory(self.at + k as u32 * self.size)
    }
}

/// Spills all guest registers, which frees all nine host registers. Brings the sources up to date in memory, where
/// the destination will be written.
pub fn begin(t: &mut Vectors<'_, '_>, op: &Operation, sources: &[u8], rd: u8) -> [Reg; 9] {
    t.out.regs.evict(&mut t.out.a);
    let vlenb = t.vlenb;
    for reg in sources {
        t.sync(*reg as u32 * vlenb, op.bytes);
    }
    t.overwrite(rd as u32 * vlenb, op.bytes);
    HOMES.map(|(_, r)| r)
}

/// `d` = element `k` of the group.
pub fn load(t: &mut Vectors<'_, '_>, w: Width, d: Reg, g: &Group, k: usize) {
    let m = g.element(t, k);
    let code = if w == Q { Code::Mov_r64_rm64 } else { Code::Mov_r32_rm32 };
    t.out.a.op2(code, d, Rm::M(m));
}

/// Element `k` of the group = `s`.
pub fn store(t: &mut Vectors<'_, '_>, w: Width, g: &Group, k: usize, s: Reg) {
    let m = g.element(t, k);
    let code = if w == Q { Code::Mov_rm64_r64 } else { Code::Mov_rm32_r32 };
    t.out.a.op2_to(code, Rm::M(m), s);
}

/// Operations on general-purpose registers at a width.
pub struct On<'a>(pub &'a mut Asm, pub Width);

impl On<'_> {
    pub fn op(&mut self, q: Code, d32: Code, d: Reg, s: Rm) {
        self.0.op2(if self.1 == Q { q } else { d32 }, d, s);
    }

    pub fn mov(&mut self, d: Reg, s: Reg) {
        self.op(Code::Mov_r64_rm64, Code::Mov_r32_rm32, d, Rm::R(s));
    }

    pub fn add(&mut self, d: Reg, s: Rm) {
        self.op(Code::Add_r64_rm64, Code::Add_r32_rm32, d, s);
    }

    pub fn xor(&mut self, d: Reg, s: Rm) {
        self.op(Code::Xor_r64_rm64, Code::Xor_r32_rm32, d, s);
    }

    pub fn and(&mut self, d: Reg, s: Reg) {
        self.op(Code::And_r64_rm64, Code::And_r32_rm32, d, Rm::R(s));
    }

    pub fn or(&mut self, d: Reg, s: Reg) {
        self.op(Code::Or_r64_rm64, Code::Or_r32_rm32, d, Rm::R(s));
    }

    /// `d = !a & b`.
    pub fn andn(&mut self, d: Reg, a: Reg, b: Reg) {
        let (q, w) = (Code::VEX_Andn_r64_r64_rm64, Code::VEX_Andn_r32_r32_rm32);
        self.0.vex(if self.1 == Q { q } else { w }, d, a, Rm::R(b));
    }

    /// `d` = `s` rotated right.
    pub fn ror(&mut self, d: Reg, s: Reg, by: u32) {
        let (q, w) = (Code::VEX_Rorx_r64_rm64_imm8, Code::VEX_Rorx_r32_rm32_imm8);
        self.0.op2_imm(if self.1 == Q { q } else { w }, d, Rm::R(s), by as i32);
    }

    /// `d` = `s` rotated left, 32 bits.
    pub fn rol(&mut self, d: Reg, s: Reg, by: u32) {
        self.ror(d, s, 32 - by);
    }

    /// `d` ^= `s` rotated by each amount. Clobbers `u`.
    pub fn xor_rotated(&mut self, d: Reg, s: Reg, u: Reg, by: &[u32]) {
        for by in by {
            self.ror(u, s, *by);
            self.xor(d, Rm::R(u));
        }
    }

    pub fn swap(&mut self, d: Reg) {
        self.0.op1(Code::Bswap_r32, d);
    }
}
