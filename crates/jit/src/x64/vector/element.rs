//! Operations element by element.

use super::asm::{V, Vm, Wide};
use super::file::Piece;
use super::kind::{Second, Shape};
use super::plan::Operation;
use super::{constant, pieces};
use crate::x64::asm::{Reg, Rm, Width, at};
use crate::x64::translate::Translator;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// The second operand, if it is the same for all elements.
const SCALAR: u8 = 0;
/// A constant of the operation.
const CONSTANT: u8 = 1;
/// The second operand, prepared; or a result that is masked.
const PREPARED: u8 = 2;
const RESULT: u8 = 3;

/// Translates one.
pub fn emit(t: &mut Translator<'_>, i: &Insn, op: &Operation, shape: Shape, second: Second) {
    let sew = op.state.vtype.sew;
    let widest = Wide::within(op.bytes);
    prepare(t, i, shape, second, sew, widest);
    let vlenb = t.plan.vlenb;
    for (at, w) in pieces(op.bytes) {
        t.file.unlock();
        let piece = |reg: u8| Piece { at: reg as u32 * vlenb + at, w };
        let b = match second {
            Second::V => Some(t.file.read(&mut t.a, piece(i.rs1))),
            Second::X | Second::I => Some(V(SCALAR)),
            Second::No => None,
        };
        let reads_vs2 = !matches!(shape, Shape::Copy | Shape::Index);
        let a = reads_vs2.then(|| t.file.read(&mut t.a, piece(i.rs2)));
        let merges = matches!(shape, Shape::Merge(_));
        if !i.vm() || merges {
            load_mask(t, at, w, sew);
        }
        if i.vm() || merges {
            let d = t.file.write(&mut t.a, piece(i.rd));
            compute(t, shape, at, w, sew, d, (a, b), i);
        } else {
            let r = t.file.temporary(RESULT, w);
            compute(t, shape, at, w, sew, r, (a, b), i);
            let d = t.file.modify(&mut t.a, piece(i.rd));
            t.a.v2_masked(masked_move(sew), w, d, r);
        }
    }
}

/// Puts what is the same for all pieces into temporary registers.
fn prepare(t: &mut Translator<'_>, i: &Insn, shape: Shape, second: Second, sew: u32, w: Wide) {
    let amount = matches!(shape, Shape::Shift(_));
    let from = match second {
        Second::X => {
            t.x_to(i.rs1, Reg::RAX);
            if amount {
                t.a.imm(Code::And_rm32_imm32, Width::D, Rm::R(Reg::RAX), sew as i32 - 1);
            }
            true
        }
        Second::I => {
            let imm = if amount { i.imm & (sew as i64 - 1) } else { i.imm };
            t.a.mov_imm(Reg::RAX, imm as u64);
            true
        }
        Second::V if amount => {
            t.a.mov_imm(Reg::RAX, sew as u64 - 1);
            let d = t.file.temporary(CONSTANT, w);
            broadcast(t, w, d, sew);
            false
        }
        _ => false,
    };
    if from {
        let d = t.file.temporary(SCALAR, w);
        broadcast(t, w, d, sew);
    }
    if shape == Shape::Brev8 {
        t.a.mov_imm(Reg::RAX, constant::BREV8);
        let d = t.file.temporary(CONSTANT, w);
        broadcast(t, w, d, 64);
    }
}

/// RAX in every element of `d`.
fn broadcast(t: &mut Translator<'_>, w: Wide, d: V, sew: u32) {
    let (code, from) = match sew {
        8 => (Code::EVEX_Vpbroadcastb_xmm_k1z_r32, Width::D),
        16 => (Code::EVEX_Vpbroadcastw_xmm_k1z_r32, Width::D),
        32 => (Code::EVEX_Vpbroadcastd_xmm_k1z_r32, Width::D),
        _ => (Code::EVEX_Vpbroadcastq_xmm_k1z_r64, Width::Q),
    };
    t.a.v_broadcast(code, w, d, Reg::RAX, from);
}

/// MASK = v0's bits for the elements of a piece.
fn load_mask(t: &mut Translator<'_>, at_byte: u32, w: Wide, sew: u32) {
    let (first, count) = (at_byte * 8 / sew, w.bytes() * 8 / sew);
    let bytes = count.div_ceil(8);
    t.file.sync(&mut t.a, first / 8, bytes);
    let place = t.file.place(&mut t.a, first / 8);
    let code = match bytes {
        1 => Code::VEX_Kmovb_kr_km8,
        2 => Code::VEX_Kmovw_kr_km16,
        4 => Code::VEX_Kmovd_kr_km32,
        _ => Code::VEX_Kmovq_kr_km64,
    };
    t.a.mask_load(code, place);
    if first % 8 != 0 {
        t.a.mask_shift(first % 8);
    }
}

fn masked_move(sew: u32) -> Code {
    match sew {
        8 => Code::EVEX_Vmovdqu8_xmm_k1z_xmmm128,
        16 => Code::EVEX_Vmovdqu16_xmm_k1z_xmmm128,
        32 => Code::EVEX_Vmovdqu32_xmm_k1z_xmmm128,
        _ => Code::EVEX_Vmovdqu64_xmm_k1z_xmmm128,
    }
}

/// `d` = the shape of vs2's and the second operand's elements.
#[expect(clippy::too_many_arguments, reason = "an instruction's operands, and where it works")]
fn compute(
    t: &mut Translator<'_>,
    shape: Shape,
    at_byte: u32,
    w: Wide,
    sew: u32,
    d: V,
    (a, b): (Option<V>, Option<V>),
    i: &Insn,
) {
    // Which are there follows from the shape.
    let (a, b) = (a.unwrap_or(V(SCALAR)), b.unwrap_or(V(SCALAR)));
    match shape {
        Shape::Plain(code) => t.a.v3(code, w, d, a, Vm::R(b)),
        Shape::Swapped(code) => t.a.v3(code, w, d, b, Vm::R(a)),
        Shape::Shift(code) => {
            let by = if b == V(SCALAR) { b } else { t.file.temporary(PREPARED, w) };
            if by != b {
                let and = Code::EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64;
                t.a.v3(and, w, by, b, Vm::R(V(CONSTANT)));
            }
            t.a.v3(code, w, d, a, Vm::R(by));
        }
        Shape::Immediate(code) => t.a.v2i(code, w, d, a, i.imm as u32 & (sew - 1)),
        Shape::Shuffle(n) => {
            t.a.mov_imm(Reg::RAX, constant::SHUFFLES[n].address());
            let by = Vm::M(at(Reg::RAX, 0));
            t.a.v3(Code::EVEX_Vpshufb_xmm_k1z_xmm_xmmm128, w, d, a, by);
        }
        Shape::Brev8 => {
            let code = Code::EVEX_Vgf2p8affineqb_xmm_k1z_xmm_xmmm128b64_imm8;
            t.a.v3i(code, w, d, a, V(CONSTANT), 0);
        }
        Shape::Copy => t.a.v_mov(w, d, Vm::R(b)),
        Shape::Merge(code) => t.a.v3_masked(code, w, d, a, b),
        Shape::Index => index(t, at_byte, w, sew, d),
    }
}

/// `d` = the elements' numbers.
fn index(t: &mut Translator<'_>, at_byte: u32, w: Wide, sew: u32, d: V) {
    let n = sew.trailing_zeros() as usize - 4;
    let first = at_byte * 8 / sew;
    let base = t.file.temporary(PREPARED, w);
    t.a.mov_imm(Reg::RAX, first as u64);
    broadcast(t, w, base, sew);
    t.a.mov_imm(Reg::RAX, constant::INDICES[n].address());
    let add = [
        Code::EVEX_Vpaddw_xmm_k1z_xmm_xmmm128,
        Code::EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32,
        Code::EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64,
    ];
    t.a.v3(add[n], w, d, base, Vm::M(at(Reg::RAX, 0)));
}
