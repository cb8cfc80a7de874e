//! GHASH.

use super::brev8;
use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::asm::{Reg, Width};
use crate::x64::emit::Vectors;
use crate::x64::vector_plan::Operation;
use capvec_sim::insn::Insn;
use iced_x86::Code;

const XOR: Code = Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64;

/// vd = (vd ^ vs1) · vs2, or vd · vs2, modulo x^128 + x^7 + x^2 + x + 1. Reversing the bits of each byte puts the
/// coefficients into natural order.
pub fn step(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, add: bool) {
    const POLY: u8 = 1;
    let widest = op.widest();
    brev8::prepare(t, BREV8, widest);
    let poly = t.temporary(POLY, widest);
    t.out.a.mov_imm(Reg::RAX, 0x87);
    t.out.a.v_broadcast(Code::EVEX_Vpbroadcastq_xmm_k1z_r64, widest, poly, Reg::RAX, Width::Q);
    for (at, w) in op.pieces() {
        t.unlock();
        let (ph, pd) = (t.piece(i.rs2, at, w), t.piece(i.rd, at, w));
        let h = t.read(ph);
        let d = t.modify(pd);
        // vd may be vs2, which is still to be read.
        let [x, y, z, u] = [2, 3, 4, 5].map(|n| t.temporary(n, w));
        brev8::emit(t, w, (y, h), BREV8, [z, u]);
        if add {
            let p = t.piece(i.rs1, at, w);
            let b = t.operand(p);
            t.out.a.v3(XOR, w, d, d, b);
        }
        brev8::emit(t, w, (x, d), BREV8, [z, u]);
        multiply(t, w, [x, y, z, u], poly);
        brev8::emit(t, w, (d, x), BREV8, [z, u]);
    }
}

/// Temporary register of `brev8::prepare`.
const BREV8: u8 = 0;

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
