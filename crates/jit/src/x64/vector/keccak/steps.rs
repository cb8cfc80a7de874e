//! What the two arrangements of a state share.

use crate::x64::asm::vector::{V, Wide};
use crate::x64::asm::{Asm, Reg};
use crate::x64::emit::Vectors;
use iced_x86::Code;

/// Points to the round's constant, and past the last one at the end.
pub const CONSTANT: Reg = Reg::RAX;

/// Ternary operations: the XOR of three sources, and a ^ !b & c.
pub const XOR3: u32 = 0x96;
pub const CHI: u32 = 0xd2;

/// How states are held in host registers.
pub trait State {
    fn load(&self, t: &mut Vectors<'_, '_>);
    /// Before the first round.
    fn prepare(&self, _: &mut Asm) {}
    /// With the round constant at CONSTANT.
    fn round(&self, a: &mut Asm);
    fn store(&self, t: &mut Vectors<'_, '_>);
}

/// The lanes in the order of FIPS 202, algorithm 2: each of the first 24 replaces the next one.
pub const fn walk() -> [(u8, u8); 25] {
    let mut walk = [(1, 0); 25];
    let mut t = 0;
    while t < 24 {
        let (x, y) = walk[t];
        walk[t + 1] = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    walk
}

/// How far lane t of the walk is rotated.
pub const fn rho_offset(t: usize) -> u32 {
    (t as u32 + 1) * (t as u32 + 2) / 2 % 64
}

/// `d` = op(d, a, b).
pub fn ternary(asm: &mut Asm, d: V, a: V, b: V, op: u32) {
    asm.v3i(Code::EVEX_Vpternlogq_xmm_k1z_xmm_xmmm128b64_imm8, Wide::X, d, a, b, op);
}

/// `d` = `s` rotated left.
pub fn rotate(asm: &mut Asm, d: V, s: V, by: u32) {
    asm.v2i(Code::EVEX_Vprolq_xmm_k1z_xmmm128b64_imm8, Wide::X, d, s, by);
}
