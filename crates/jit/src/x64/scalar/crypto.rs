//! Scalar cryptography: Zbkb, Zbkx, Zbc, Zkn and Zks.

use crate::interface::three_terms::{Terms, Third, terms};
use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::asm::{Reg, Rm, Width, indexed};
use crate::x64::emit::Emitter;
use crate::x64::runtime::constant::{self, SM4_KEYS, SM4_ROUNDS};
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use iced_x86::Code;

const Q: Width = Width::Q;
const D: Width = Width::D;
const RAX: Reg = Reg::RAX;
const RCX: Reg = Reg::RCX;
const RDX: Reg = Reg::RDX;
/// Scratch registers: no value lives in them across instructions.
const A: V = V(0);
const B: V = V(1);

/// Translates the instruction if it is one of these and the host supports it.
pub fn emit(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let host = t.host;
    sha(t, op, i)
        || sm4(t, op, i)
        || pack(t, op, i)
        || (host.vaes || host.avx2) && aes(t, op, i)
        || host.gfni && op == Op::Brev8 && brev8(t, i)
        || (host.vpclmulqdq || host.avx2) && clmul(t, op, i)
        || (host.avx512 || host.avx2) && op == Op::Xperm8 && xperm8(t, i)
}

/// SHA-2 and SM3: the exclusive or of three rotated or shifted copies.
fn sha(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let Some(Terms { wide, rotated: [a, b], third }) = terms(op) else { return false };
    let w = if wide { Q } else { D };
    let rotate = if w == Q { Code::VEX_Rorx_r64_rm64_imm8 } else { Code::VEX_Rorx_r32_rm32_imm8 };
    let xor = if w == Q { Code::Xor_r64_rm64 } else { Code::Xor_r32_rm32 };
    let s = t.x_in(i.rs1, RDX);
    t.a.op2_imm(rotate, RAX, Rm::R(s), a as i32);
    t.a.op2_imm(rotate, RCX, Rm::R(s), b as i32);
    t.a.op2(xor, RAX, Rm::R(RCX));
    match third {
        Third::Rotated(c) => t.a.op2_imm(rotate, RCX, Rm::R(s), c as i32),
        Third::Shifted(c) => {
            let (mov, shift) = match w {
                Q => (Code::Mov_r64_rm64, Code::Shr_rm64_imm8),
                _ => (Code::Mov_r32_rm32, Code::Shr_rm32_imm8),
            };
            t.a.op2(mov, RCX, Rm::R(s));
            t.a.imm(shift, Rm::R(RCX), c as i32);
        }
        Third::Itself => t.a.mov(RCX, Rm::R(s)),
    }
    t.a.op2(xor, RAX, Rm::R(RCX));
    t.result_at(w, i, RAX);
    true
}

/// XORs rs1 with one byte of rs2 after S-box and linear transform.
fn sm4(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let table = match op {
        Op::Sm4ed => SM4_ROUNDS.as_ptr(),
        Op::Sm4ks => SM4_KEYS.as_ptr(),
        _ => return false,
    };
    let bs = i.imm as u32 & 3;
    t.x_to(i.rs2, RAX);
    t.a.imm(Code::Shr_rm32_imm8, Rm::R(RAX), 8 * bs as i32);
    t.a.op2(Code::Movzx_r32_rm8, RAX, Rm::R(RAX));
    t.a.mov_address(RCX, table as u64);
    t.a.op2(Code::Mov_r32_rm32, RAX, Rm::M(indexed(RCX, RAX, 4, 0)));
    t.a.op2_imm(Code::VEX_Rorx_r32_rm32_imm8, RAX, Rm::R(RAX), (32 - 8 * bs as i32) % 32);
    let a = t.x(i.rs1);
    t.a.op2(Code::Xor_r32_rm32, RAX, a);
    t.result_w(i, RAX);
    true
}

/// Concatenates the low parts of both.
fn pack(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let (code, width) = match op {
        Op::Pack => (Code::INVALID, 32),
        Op::Packh => (Code::Movzx_r32_rm8, 8),
        Op::Packw => (Code::Movzx_r32_rm16, 16),
        _ => return false,
    };
    t.x_to(i.rs1, RAX);
    t.x_to(i.rs2, RCX);
    if code == Code::INVALID {
        t.a.op2(Code::Mov_r32_rm32, RAX, Rm::R(RAX));
    } else {
        t.a.op2(code, RAX, Rm::R(RAX));
        t.a.op2(code, RCX, Rm::R(RCX));
    }
    t.a.imm(Code::Shl_rm64_imm8, Rm::R(RCX), width);
    t.a.op2(Code::Or_r64_rm64, RAX, Rm::R(RCX));
    t.result_at(if op == Op::Packw { D } else { Q }, i, RAX);
    true
}

/// The result is the low half of A.
fn result(t: &mut Emitter<'_>, i: &Insn) {
    t.a.v_to(RAX, A);
    t.result(i, RAX);
}

fn aes(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let round = match op {
        Op::Aes64es => Code::VEX_Vaesenclast_xmm_xmm_xmmm128,
        Op::Aes64esm => Code::VEX_Vaesenc_xmm_xmm_xmmm128,
        Op::Aes64ds => Code::VEX_Vaesdeclast_xmm_xmm_xmmm128,
        Op::Aes64dsm => Code::VEX_Vaesdec_xmm_xmm_xmmm128,
        Op::Aes64im => {
            let a = t.x(i.rs1);
            t.a.v_from(A, a);
            t.a.v2(Code::VEX_Vaesimc_xmm_xmmm128, Wide::X, A, Vm::R(A));
            result(t, i);
            return true;
        }
        Op::Aes64ks1i => return key_word(t, i),
        Op::Aes64ks2 => {
            // The words are rs1's upper one, then rs2's, each XORed with those before it.
            t.x_to(i.rs1, RAX);
            t.a.imm(Code::Shr_rm64_imm8, Rm::R(RAX), 32);
            let b = t.x(i.rs2);
            t.a.op2(Code::Xor_r64_rm64, RAX, b);
            t.a.mov(RCX, Rm::R(RAX));
            t.a.imm(Code::Shl_rm64_imm8, Rm::R(RCX), 32);
            t.a.op2(Code::Xor_r64_rm64, RAX, Rm::R(RCX));
            t.result(i, RAX);
            return true;
        }
        _ => return false,
    };
    let a = t.x(i.rs1);
    t.a.v_from(A, a);
    let b = t.x(i.rs2);
    t.a.v_insert_high(A, b);
    // No round key.
    t.a.v3(Code::VEX_Vpxor_xmm_xmm_xmmm128, Wide::X, B, B, Vm::R(B));
    t.a.v3(round, Wide::X, A, A, Vm::R(B));
    result(t, i);
    true
}

/// SubWord of rs1's upper word; every round but round 10 adds rotation and round constant.
fn key_word(t: &mut Emitter<'_>, i: &Insn) -> bool {
    let round = i.imm as u32;
    let (constant, word) = match round {
        // Round r's constant is x^r in GF(2^8).
        0..=9 => ([1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36][round as usize], 1),
        10 => (0, 0),
        _ => return false,
    };
    let a = t.x(i.rs1);
    t.a.v_from(A, a);
    // AESKEYGENASSIST: element 0 is SubWord of element 1, and element 1 is that, rotated, with the round constant.
    t.a.v2i(Code::VEX_Vaeskeygenassist_xmm_xmmm128_imm8, Wide::X, A, A, constant);
    t.a.v2i(Code::VEX_Vpshufd_xmm_xmmm128_imm8, Wide::X, A, A, word * 0b0101);
    result(t, i);
    true
}

fn brev8(t: &mut Emitter<'_>, i: &Insn) -> bool {
    let a = t.x(i.rs1);
    t.a.v_from(A, a);
    t.a.mov_imm(RAX, constant::BREV8);
    t.a.v_from(B, Rm::R(RAX));
    t.a.v3i(Code::VEX_Vgf2p8affineqb_xmm_xmm_xmmm128_imm8, Wide::X, A, A, B, 0);
    result(t, i);
    true
}

fn clmul(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    if !matches!(op, Op::Clmul | Op::Clmulh | Op::Clmulr) {
        return false;
    }
    let a = t.x(i.rs1);
    t.a.v_from(A, a);
    let b = t.x(i.rs2);
    t.a.v_from(B, b);
    t.a.v3i(Code::VEX_Vpclmulqdq_xmm_xmm_xmmm128_imm8, Wide::X, A, A, B, 0);
    if op == Op::Clmul {
        result(t, i);
        return true;
    }
    t.a.v_high_to(RAX, A);
    if op == Op::Clmulr {
        // The product's bits 63 to 126.
        t.a.v_to(RCX, A);
        t.a.imm(Code::Shr_rm64_imm8, Rm::R(RCX), 63);
        t.a.op2(Code::Add_r64_rm64, RAX, Rm::R(RAX));
        t.a.op2(Code::Or_r64_rm64, RAX, Rm::R(RCX));
    }
    t.result(i, RAX);
    true
}

fn xperm8(t: &mut Emitter<'_>, i: &Insn) -> bool {
    // PSHUFB gives 0 where bit 7 of an index is set and ignores bits 4 to 6, so indices from 16 on must get bit 7.
    // Bytes 8 to 15 of the table are 0.
    t.a.mov_imm(RAX, 0x7070_7070_7070_7070);
    t.a.v_from(A, Rm::R(RAX));
    let b = t.x(i.rs2);
    t.a.v_from(B, b);
    t.a.v3(Code::VEX_Vpaddusb_xmm_xmm_xmmm128, Wide::X, B, B, Vm::R(A));
    let a = t.x(i.rs1);
    t.a.v_from(A, a);
    t.a.v3(Code::VEX_Vpshufb_xmm_xmm_xmmm128, Wide::X, A, A, Vm::R(B));
    result(t, i);
    true
}
