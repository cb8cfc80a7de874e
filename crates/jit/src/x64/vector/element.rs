//! Element-wise operations.

use super::brev8;
use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::asm::{Reg, Rm, Width, at};
use crate::x64::emit::Vectors;
use crate::x64::runtime::constant;
use crate::x64::vector_plan::Operation;
use crate::x64::vector_plan::kind::{Second, Shape};
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// The second operand after preparation, or a part of the result.
const PREPARED: u8 = 0;
/// The second operand, if it is the same for all elements.
const SCALAR: u8 = 1;
/// A constant of the operation.
const CONSTANT: u8 = 2;
/// The result before masking.
const RESULT: u8 = 3;

/// An operation on one piece.
#[derive(Clone, Copy)]
struct Work<'a> {
    i: &'a Insn,
    shape: Shape,
    sew: u32,
    /// Byte offset of the piece in the group.
    at: u32,
    w: Wide,
}

/// Translates an element-wise operation.
pub fn emit(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, shape: Shape, second: Second) {
    let sew = op.state.vtype.sew;
    prepare(t, i, shape, second, sew, op.widest());
    for (at, w) in op.pieces() {
        t.unlock();
        let work = Work { i, shape, sew, at, w };
        let b = match second {
            Second::V => t.read(t.piece(i.rs1, at, w)),
            _ => V(SCALAR),
        };
        let a = match shape {
            Shape::Copy | Shape::Index => V(SCALAR),
            _ => t.read(t.piece(i.rs2, at, w)),
        };
        let elements = op.cut(at, w).map(|bytes| bytes * 8 / sew);
        if !op.masked && elements.is_none() {
            let d = t.write(t.piece(i.rd, at, w));
            work.compute(t, d, a, b);
            continue;
        }
        let r = t.temporary(RESULT, w);
        work.compute(t, r, a, b);
        let d = t.modify(t.piece(i.rd, at, w));
        work.update(t, (d, r), op.masked, elements);
    }
}

/// Loads into temporary registers what is the same for all pieces.
fn prepare(t: &mut Vectors<'_, '_>, i: &Insn, shape: Shape, second: Second, sew: u32, w: Wide) {
    let amount = matches!(shape, Shape::Shift(_));
    let from = match second {
        Second::X => {
            t.out.x_to(i.rs1, Reg::RAX);
            if amount {
                t.out.a.imm(Code::And_rm32_imm32, Rm::R(Reg::RAX), sew as i32 - 1);
            }
            true
        }
        Second::I => {
            let imm = if amount { i.imm & (sew as i64 - 1) } else { i.imm };
            t.out.a.mov_imm(Reg::RAX, imm as u64);
            true
        }
        Second::V if amount => {
            t.out.a.mov_imm(Reg::RAX, sew as u64 - 1);
            let d = t.temporary(CONSTANT, w);
            broadcast(t, w, d, sew);
            false
        }
        _ => false,
    };
    if from {
        let d = t.temporary(SCALAR, w);
        broadcast(t, w, d, sew);
    }
    if shape == Shape::Brev8 {
        brev8::prepare(t, CONSTANT, w);
    }
}

/// Broadcasts RAX to every element of `d`.
fn broadcast(t: &mut Vectors<'_, '_>, w: Wide, d: V, sew: u32) {
    let (code, from) = match sew {
        8 => (Code::EVEX_Vpbroadcastb_xmm_k1z_r32, Width::D),
        16 => (Code::EVEX_Vpbroadcastw_xmm_k1z_r32, Width::D),
        32 => (Code::EVEX_Vpbroadcastd_xmm_k1z_r32, Width::D),
        _ => (Code::EVEX_Vpbroadcastq_xmm_k1z_r64, Width::Q),
    };
    t.out.a.v_broadcast(code, w, d, Reg::RAX, from);
}

fn masked_move(sew: u32) -> Code {
    match sew {
        8 => Code::EVEX_Vmovdqu8_xmm_k1z_xmmm128,
        16 => Code::EVEX_Vmovdqu16_xmm_k1z_xmmm128,
        32 => Code::EVEX_Vmovdqu32_xmm_k1z_xmmm128,
        _ => Code::EVEX_Vmovdqu64_xmm_k1z_xmmm128,
    }
}

impl Work<'_> {
    /// Number of the first element.
    fn first(&self) -> u32 {
        self.at * 8 / self.sew
    }

    /// Elements of `d` = those of `r`: where v0 has ones, if it masks them; the first `n`, if a number is given.
    fn update(&self, t: &mut Vectors<'_, '_>, (d, r): (V, V), masked: bool, n: Option<u32>) {
        match n {
            Some(n) if t.out.a.avx2 && !masked => {
                return t.out.a.v_choose_first(d, r, n * self.sew / 32);
            }
            _ if t.out.a.avx2 => return self.choose(t, d, (d, r), n),
            None => self.load_mask(t),
            Some(n) if masked => self.load_mask_first(t, n),
            Some(n) => t.out.a.mask_first(Reg::RAX, n),
        }
        t.out.a.v2_masked(masked_move(self.sew), self.w, d, r);
    }

    /// MASK = v0's bits for the elements.
    fn load_mask(&self, t: &mut Vectors<'_, '_>) {
        let bytes = (self.w.bytes() * 8 / self.sew).div_ceil(8);
        t.sync(self.first() / 8, bytes);
        let place = t.memory(self.first() / 8);
        let code = match bytes {
            1 => Code::VEX_Kmovb_kr_km8,
            2 => Code::VEX_Kmovw_kr_km16,
            4 => Code::VEX_Kmovd_kr_km32,
            _ => Code::VEX_Kmovq_kr_km64,
        };
        t.out.a.mask_load(code, place);
        if !self.first().is_multiple_of(8) {
            t.out.a.mask_shift(self.first() % 8);
        }
    }

    /// MASK = v0's bits for the first `n` elements, fewer than 16.
    fn load_mask_first(&self, t: &mut Vectors<'_, '_>, n: u32) {
        t.sync(self.first() / 8, 2);
        let place = t.memory(self.first() / 8);
        t.out.a.op2(Code::Movzx_r32_rm16, Reg::RAX, Rm::M(place));
        t.out.a.imm(Code::Shr_rm32_imm8, Rm::R(Reg::RAX), (self.first() % 8) as i32);
        t.out.a.imm(Code::And_rm32_imm32, Rm::R(Reg::RAX), (1 << n) - 1);
        t.out.a.mask_set(Reg::RAX);
    }

    /// `d` = the shape applied to `a`, elements of vs2, and `b`, the second operand.
    fn compute(&self, t: &mut Vectors<'_, '_>, d: V, a: V, b: V) {
        let (w, sew) = (self.w, self.sew);
        match self.shape {
            Shape::Plain(code) => t.out.a.v3(code, w, d, a, Vm::R(b)),
            Shape::Swapped(code) => t.out.a.v3(code, w, d, b, Vm::R(a)),
            Shape::Shift(code) => {
                let by = if b == V(SCALAR) { b } else { t.temporary(PREPARED, w) };
                if by != b {
                    let and = Code::EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64;
                    t.out.a.v3(and, w, by, b, Vm::R(V(CONSTANT)));
                }
                t.out.a.v3(code, w, d, a, Vm::R(by));
            }
            Shape::Immediate(_) if t.out.a.avx2 => self.rotate(t, d, a),
            Shape::Immediate(code) => {
                t.out.a.v2i(code, w, d, a, self.i.imm as u32 & (sew - 1));
            }
            Shape::Shuffle(n) => {
                t.out.a.mov_address(Reg::RAX, constant::SHUFFLES[n].address());
                let by = Vm::M(at(Reg::RAX, 0));
                t.out.a.v3(Code::EVEX_Vpshufb_xmm_k1z_xmm_xmmm128, w, d, a, by);
            }
            Shape::Brev8 => {
                let clobbered = [SCALAR, PREPARED].map(|n| t.temporary(n, w));
                brev8::emit(t, w, (d, a), CONSTANT, clobbered);
            }
            Shape::Copy => t.out.a.v_mov(w, d, Vm::R(b)),
            Shape::Merge(_) if t.out.a.avx2 => self.choose(t, d, (a, b), None),
            Shape::Merge(code) => {
                self.load_mask(t);
                t.out.a.v3_masked(code, w, d, a, b);
            }
            Shape::Index => self.index(t, d),
        }
    }

    /// `d` = `a` rotated right by the immediate, with AVX2.
    fn rotate(&self, t: &mut Vectors<'_, '_>, d: V, a: V) {
        let by = self.i.imm as u32 & (self.sew - 1);
        if by.is_multiple_of(8) {
            let from = constant::ROTATIONS[self.sew as usize / 64][by as usize / 8].address();
            t.out.a.mov_address(Reg::RAX, from);
            let from = Vm::M(at(Reg::RAX, 0));
            return t.out.a.v3(Code::EVEX_Vpshufb_xmm_k1z_xmm_xmmm128, self.w, d, a, from);
        }
        let (left, right) = match self.sew {
            32 => (
                Code::EVEX_Vpslld_xmm_k1z_xmmm128b32_imm8,
                Code::EVEX_Vpsrld_xmm_k1z_xmmm128b32_imm8,
            ),
            _ => (
                Code::EVEX_Vpsllq_xmm_k1z_xmmm128b64_imm8,
                Code::EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8,
            ),
        };
        // A shift by the full width gives 0.
        let low = t.temporary(PREPARED, self.w);
        t.out.a.v2i(right, self.w, low, a, by);
        t.out.a.v2i(left, self.w, d, a, self.sew - by);
        t.out.a.v3(Code::EVEX_Vporq_xmm_k1z_xmm_xmmm128b64, self.w, d, d, Vm::R(low));
    }

    /// `d` = `b` where v0 has ones, otherwise `a`, with AVX2; of the first `n` elements only, if a number is given. Elements have 4 or
    /// 8 bytes, so at most eight bits matter.
    fn choose(&self, t: &mut Vectors<'_, '_>, d: V, (a, b): (V, V), n: Option<u32>) {
        let size = self.sew.trailing_zeros() as usize - 5;
        t.sync(self.first() / 8, 1);
        let place = t.memory(self.first() / 8);
        t.out.a.op2(Code::Movzx_r32_rm8, Reg::RAX, Rm::M(place));
        t.out.a.imm(Code::Shr_rm32_imm8, Rm::R(Reg::RAX), (self.first() % 8) as i32);
        if let Some(n) = n {
            t.out.a.imm(Code::And_rm32_imm32, Rm::R(Reg::RAX), (1 << n) - 1);
        }
        let choice = t.temporary(PREPARED, self.w);
        broadcast(t, self.w, choice, self.sew);
        t.out.a.mov_address(Reg::RAX, constant::BITS[size].address());
        let bits = Vm::M(at(Reg::RAX, 0));
        let equal = [Code::VEX_Vpcmpeqd_xmm_xmm_xmmm128, Code::VEX_Vpcmpeqq_xmm_xmm_xmmm128];
        t.out.a.v3(Code::EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64, self.w, choice, choice, bits);
        t.out.a.v3(equal[size], self.w, choice, choice, bits);
        t.out.a.v_choose(self.w, d, a, b, choice);
    }

    /// `d` = the element numbers.
    fn index(&self, t: &mut Vectors<'_, '_>, d: V) {
        let n = self.sew.trailing_zeros() as usize - 4;
        let base = t.temporary(PREPARED, self.w);
        t.out.a.mov_imm(Reg::RAX, self.first() as u64);
        broadcast(t, self.w, base, self.sew);
        t.out.a.mov_address(Reg::RAX, constant::INDICES[n].address());
        let add = [
            Code::EVEX_Vpaddw_xmm_k1z_xmm_xmmm128,
            Code::EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32,
            Code::EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64,
        ];
        t.out.a.v3(add[n], self.w, d, base, Vm::M(at(Reg::RAX, 0)));
    }
}
