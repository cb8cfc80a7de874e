//! AES, GHASH, SHA-256, and the message schedule of SHA-512.

use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::asm::{Reg, Width, at};
use crate::x64::emit::Vectors;
use crate::x64::runtime::constant;
use crate::x64::vector_plan::Operation;
use crate::x64::vector_plan::kind::Round;
use capvec_sim::crypto::sha2::Word;
use capvec_sim::insn::Insn;
use iced_x86::Code;

const XOR: Code = Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64;
const ENCLAST: Code = Code::EVEX_Vaesenclast_xmm_xmm_xmmm128;
const DEC: Code = Code::EVEX_Vaesdec_xmm_xmm_xmmm128;

/// `d` = InvMixColumns(`s`): AESENCLAST with a zero key is ShiftRows and SubBytes, which AESDEC undoes. `zero` is
/// zero.
fn inv_mix_columns(t: &mut Vectors<'_, '_>, w: Wide, d: V, s: V, zero: V) {
    t.out.a.v3(ENCLAST, w, d, s, Vm::R(zero));
    t.out.a.v3(DEC, w, d, d, Vm::R(zero));
}

/// An AES round: state vd, key vs2 or its first lane.
pub fn aes(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, round: Round, lane: bool) {
    const KEY: u8 = 0;
    const ZERO: u8 = 1;
    let widest = op.widest();
    if round == Round::DecryptMiddle {
        let zero = t.temporary(ZERO, widest);
        t.out.a.v3(XOR, widest, zero, zero, Vm::R(zero));
    }
    if lane {
        let p = t.piece(i.rs2, 0, Wide::X);
        let from = t.operand(p);
        let key = t.temporary(KEY, widest);
        t.out.a.v_lanes(widest, key, from);
        if round == Round::DecryptMiddle {
            inv_mix_columns(t, widest, key, key, V(ZERO));
        }
    }
    for (at, w) in op.pieces() {
        t.unlock();
        let key = if lane {
            V(KEY)
        } else {
            let p = t.piece(i.rs2, at, w);
            t.read(p)
        };
        let p = t.piece(i.rd, at, w);
        let s = t.modify(p);
        match round {
            Round::Host(code) => t.out.a.v3(code, w, s, s, Vm::R(key)),
            Round::Zero => t.out.a.v3(XOR, w, s, s, Vm::R(key)),
            Round::DecryptMiddle => {
                // InvMixColumns is linear, so the key can be transformed as well and XORed after it.
                let key = if lane {
                    key
                } else {
                    let k = t.temporary(KEY, w);
                    inv_mix_columns(t, w, k, key, V(ZERO));
                    k
                };
                t.out.a.v3(DEC, w, s, s, Vm::R(key));
            }
        }
    }
}

/// vd = (vd ^ vs1) · vs2, or vd · vs2, modulo x^128 + x^7 + x^2 + x + 1. Reversing the bits of each byte puts the
/// coefficients into natural order.
pub fn ghash(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, add: bool) {
    const POLY: u8 = 1;
    let widest = op.widest();
    for (n, value) in [(BREV8, constant::BREV8), (POLY, 0x87)] {
        let d = t.temporary(n, widest);
        t.out.a.mov_imm(Reg::RAX, value);
        t.out.a.v_broadcast(Code::EVEX_Vpbroadcastq_xmm_k1z_r64, widest, d, Reg::RAX, Width::Q);
    }
    for (at, w) in op.pieces() {
        t.unlock();
        let (ph, pd) = (t.piece(i.rs2, at, w), t.piece(i.rd, at, w));
        let h = t.read(ph);
        let d = t.modify(pd);
        // vd may be vs2, which is still to be read.
        let [x, y, z, u] = [2, 3, 4, 5].map(|n| t.temporary(n, w));
        brev8(t, w, y, h, [z, u]);
        if add {
            let p = t.piece(i.rs1, at, w);
            let b = t.operand(p);
            t.out.a.v3(XOR, w, d, d, b);
        }
        brev8(t, w, x, d, [z, u]);
        multiply(t, w, [x, y, z, u], V(POLY));
        brev8(t, w, d, x, [z, u]);
    }
}

/// Temporary that holds the matrix for `brev8`.
const BREV8: u8 = 0;

/// `d` = the bits of each byte of `s` reversed; without GFNI, by nibble tables, which clobbers `z` and `u`.
fn brev8(t: &mut Vectors<'_, '_>, w: Wide, d: V, s: V, [z, u]: [V; 2]) {
    if t.out.host.gfni {
        let code = Code::EVEX_Vgf2p8affineqb_xmm_k1z_xmm_xmmm128b64_imm8;
        return t.out.a.v3i(code, w, d, s, V(BREV8), 0);
    }
    const AND: Code = Code::EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64;
    const SHUFFLE: Code = Code::EVEX_Vpshufb_xmm_k1z_xmm_xmmm128;
    let [low, high, nibble] = constant::REVERSED.each_ref().map(|c| c.address());
    let constant = |t: &mut Vectors<'_, '_>, address| {
        t.out.a.mov_imm(Reg::RAX, address);
        Vm::M(at(Reg::RAX, 0))
    };
    t.out.a.v2i(Code::EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8, w, u, s, 4);
    let mask = constant(t, nibble);
    t.out.a.v3(AND, w, u, u, mask);
    t.out.a.v3(AND, w, z, s, mask);
    let table = constant(t, low);
    t.out.a.v_mov(w, d, table);
    t.out.a.v3(SHUFFLE, w, d, d, Vm::R(z));
    let table = constant(t, high);
    t.out.a.v_mov(w, z, table);
    t.out.a.v3(SHUFFLE, w, z, z, Vm::R(u));
    t.out.a.v3(XOR, w, d, d, Vm::R(z));
}

/// `x` *= `y` in each lane, clobbering `z` and `u`; the low half of `poly` is x^7 + x^2 + x + 1.
fn multiply(t: &mut Vectors<'_, '_>, w: Wide, [x, y, z, u]: [V; 4], poly: V) {
    const MUL: Code = Code::EVEX_Vpclmulqdq_xmm_xmm_xmmm128_imm8;
    const LEFT: Code = Code::EVEX_Vpslldq_xmm_xmmm128_imm8;
    const RIGHT: Code = Code::EVEX_Vpsrldq_xmm_xmmm128_imm8;
    // Both middle products; bits 0 and 4 select the halves.
    t.out.a.v3i(MUL, w, z, x, y, 0x01);
    t.out.a.v3i(MUL, w, u, x, y, 0x10);
    t.out.a.v3(XOR, w, z, z, Vm::R(u));
    t.out.a.v3i(MUL, w, u, x, y, 0x11);
    t.out.a.v3i(MUL, w, x, x, y, 0x00);
    // The product is u:x with z in the middle.
    t.out.a.v2i(LEFT, w, y, z, 8);
    t.out.a.v3(XOR, w, x, x, Vm::R(y));
    t.out.a.v2i(RIGHT, w, z, z, 8);
    t.out.a.v3(XOR, w, u, u, Vm::R(z));
    // Reduces the upper quarter: down by 128 bits, times the polynomial. Then the rest of the upper half.
    t.out.a.v3i(MUL, w, z, u, poly, 0x01);
    t.out.a.v2i(LEFT, w, y, z, 8);
    t.out.a.v3(XOR, w, x, x, Vm::R(y));
    t.out.a.v2i(RIGHT, w, z, z, 8);
    t.out.a.v3(XOR, w, u, u, Vm::R(z));
    t.out.a.v3i(MUL, w, z, u, poly, 0x00);
    t.out.a.v3(XOR, w, x, x, Vm::R(z));
}

/// Instructions of the SHA extension can name only the first sixteen registers.
const SHA: [V; 3] = [V(0), V(1), V(2)];

/// Two rounds on the state vd, vs2 with words of vs1, which SHA256RNDS2 takes from register 0.
pub fn sha256(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, high: bool) {
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
