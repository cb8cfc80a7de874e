//! SHA-256, and the message schedule of SHA-512 with AVX-512.

use crate::x64::asm::Reg;
use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::emit::Vectors;
use crate::x64::vector_plan::Operation;
use capvec_sim::crypto::sha2::Word;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// Instructions of the SHA extension can name only the first sixteen registers.
const SHA: [V; 3] = [V(0), V(1), V(2)];

/// Two rounds on the state vd, vs2 with words of vs1, which SHA256RNDS2 takes from register 0.
pub fn rounds256(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, high: bool) {
    let [words, cdgh, abef] = SHA;
    for at in (0..op.bytes).step_by(16) {
        t.unlock();
        let [pw, pa, pd] = [i.rs1, i.rs2, i.rd].map(|reg| t.piece(reg, at, Wide::X));
        let w = t.read(pw);
        if high {
            // Moves elements 2 and 3 to the bottom.
            t.out.a.v2i(Code::EVEX_Vpshufd_xmm_k1z_xmmm128b32_imm8, Wide::X, words, w, 0b1110);
        } else {
            t.out.a.v_mov(Wide::X, words, Vm::R(w));
        }
        let a = t.operand(pa);
        t.out.a.v_mov(Wide::X, abef, a);
        let d = t.modify(pd);
        t.out.a.v_mov(Wide::X, cdgh, Vm::R(d));
        t.out.a.sha_rounds(cdgh, abef);
        t.out.a.v_mov(Wide::X, d, Vm::R(cdgh));
    }
}

/// W16..W19 from vd = W0..W3, vs2 = {W4, W9, W10, W11}, vs1 = {W12, –, W14, W15}.
pub fn schedule256(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) {
    let [sum, other, late] = SHA;
    for at in (0..op.bytes).step_by(16) {
        t.unlock();
        let [p1, p2, pd] = [i.rs1, i.rs2, i.rd].map(|reg| t.piece(reg, at, Wide::X));
        let (v1, v2) = (t.read(p1), t.read(p2));
        let d = t.modify(pd);
        t.out.a.v_mov(Wide::X, sum, Vm::R(d));
        t.out.a.v_mov(Wide::X, other, Vm::R(v2));
        t.out.a.v_mov(Wide::X, late, Vm::R(v1));
        t.out.a.sha(Code::Sha256msg1_xmm_xmmm128, sum, other);
        // {W9, W10, W11, W12}.
        t.out.a.v_align(Wide::X, other, v1, v2, 1);
        t.out.a.v3(Code::EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32, Wide::X, sum, sum, Vm::R(other));
        t.out.a.sha(Code::Sha256msg2_xmm_xmmm128, sum, late);
        t.out.a.v_mov(Wide::X, d, Vm::R(sum));
    }
}

/// W16..W19 of SHA-512, with operands as for `schedule256`.
pub fn schedule512(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) {
    const ALIGN: Code = Code::EVEX_Valignq_xmm_k1z_xmm_xmmm128b64_imm8;
    const ADD: Code = Code::EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64;
    const W: Wide = Wide::Y;
    for at in (0..op.bytes).step_by(32) {
        t.unlock();
        let [p1, p2, pd] = [i.rs1, i.rs2, i.rd].map(|reg| t.piece(reg, at, W));
        let (v1, v2) = (t.read(p1), t.read(p2));
        let d = t.modify(pd);
        let [x, u, v] = [0, 1, 2].map(|n| t.temporary(n, W));
        // σ0 of {W1, .., W4}, and {W9, .., W12}.
        t.out.a.v3i(ALIGN, W, x, v2, d, 1);
        sigma(t, x, u, v, <u64 as Word>::SIG0);
        t.out.a.v3(ADD, W, d, d, Vm::R(x));
        t.out.a.v3i(ALIGN, W, x, v1, v2, 1);
        t.out.a.v3(ADD, W, d, d, Vm::R(x));
        // σ1 of W14 and W15, then of W16 and W17, which are complete by then.
        for (s, elements) in [(v1, 0b0011), (d, 0b1100)] {
            t.out.a.v3i(ALIGN, W, x, s, s, 2);
            sigma(t, x, u, v, <u64 as Word>::SIG1);
            t.out.a.mov_imm(Reg::RAX, elements);
            t.out.a.mask_set(Reg::RAX);
            t.out.a.v3_masked(ADD, W, d, d, x);
        }
    }
}

/// `x` = XOR of `x` rotated by `a`, rotated by `b`, and shifted right. Clobbers `u` and `v`.
fn sigma(t: &mut Vectors<'_, '_>, x: V, u: V, v: V, [a, b, shift]: [u32; 3]) {
    const W: Wide = Wide::Y;
    t.out.a.v2i(Code::EVEX_Vprorq_xmm_k1z_xmmm128b64_imm8, W, u, x, a);
    t.out.a.v2i(Code::EVEX_Vprorq_xmm_k1z_xmmm128b64_imm8, W, v, x, b);
    t.out.a.v2i(Code::EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8, W, x, x, shift);
    // The truth table of a three-way XOR.
    t.out.a.v3i(Code::EVEX_Vpternlogq_xmm_k1z_xmm_xmmm128b64_imm8, W, x, u, v, 0x96);
}
