//! Reversing the bits of each byte.

use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::asm::{Reg, Width, at};
use crate::x64::emit::Vectors;
use crate::x64::runtime::constant;
use iced_x86::Code;

/// Loads what `emit` needs into temporary register `n`.
pub fn prepare(t: &mut Vectors<'_, '_>, n: u8, w: Wide) {
    if t.out.host.gfni {
        t.out.a.mov_imm(Reg::RAX, constant::BREV8);
        let d = t.temporary(n, w);
        t.out.a.v_broadcast(Code::EVEX_Vpbroadcastq_xmm_k1z_r64, w, d, Reg::RAX, Width::Q);
    }
}

/// `d` = the bits of each byte of `s` reversed; `prepared` is the register of `prepare`. Without GFNI, by nibble tables, which clobbers
/// `z` and `u`.
pub fn emit(t: &mut Vectors<'_, '_>, w: Wide, (d, s): (V, V), prepared: u8, [z, u]: [V; 2]) {
    if t.out.host.gfni {
        let code = Code::EVEX_Vgf2p8affineqb_xmm_k1z_xmm_xmmm128b64_imm8;
        return t.out.a.v3i(code, w, d, s, V(prepared), 0);
    }
    const AND: Code = Code::EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64;
    const SHUFFLE: Code = Code::EVEX_Vpshufb_xmm_k1z_xmm_xmmm128;
    let [low, high, nibble] = constant::REVERSED.each_ref().map(|c| c.address());
    let constant = |t: &mut Vectors<'_, '_>, address| {
        t.out.a.mov_address(Reg::RAX, address);
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
    t.out.a.v3(Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64, w, d, d, Vm::R(z));
}
