//! Slides by a constant number of words.

use crate::x64::asm::Reg;
use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::emit::Vectors;
use crate::x64::vector_plan::Operation;
use capvec_sim::insn::Insn;
use iced_x86::Code;

const ZERO: V = V(0);
const RESULT: u8 = 1;

/// The widest vector that VALIGND, or its AVX2 substitute, shifts as a whole.
fn slides(t: &Vectors<'_, '_>) -> Wide {
    if t.out.a.avx2 { Wide::X } else { Wide::Z }
}

/// Bytes to slide by, bytes of the group, and the width of pieces that never cross the group's end.
fn geometry(t: &Vectors<'_, '_>, i: &Insn, op: &Operation) -> (u32, u32, Wide) {
    let vtype = op.state.vtype;
    let group = (vtype.vlmax(t.vlenb as u64 * 8) * vtype.sew as u64 / 8) as u32;
    // The lowest set bit of both.
    let common = (op.bytes | group) & (op.bytes | group).wrapping_neg();
    (i.imm as u32 * vtype.sew / 8, group, Wide::within(common).min(slides(t)))
}

/// vd\[k\] = vs2\[k + imm\], or 0 past the group's end.
pub fn down(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) {
    let (by, group, w) = geometry(t, i, op);
    let len = w.bytes();
    let zero = t.temporary(ZERO.0, w);
    t.out.a.v3(Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64, w, zero, zero, Vm::R(zero));
    for at in (0..op.bytes).step_by(len as usize) {
        t.unlock();
        let low_at = at + by / len * len;
        let (low, high) = (source(t, i, low_at, group, w), source(t, i, low_at + len, group, w));
        let d = destination(t, i, at, w);
        t.out.a.v_align(w, d, high, low, by % len / 4);
    }
}

fn source(t: &mut Vectors<'_, '_>, i: &Insn, at: u32, group: u32, w: Wide) -> V {
    if at >= group {
        return ZERO;
    }
    t.read(t.piece(i.rs2, at, w))
}

fn destination(t: &mut Vectors<'_, '_>, i: &Insn, at: u32, w: Wide) -> V {
    t.write(t.piece(i.rd, at, w))
}

/// vd\[k\] = vs2\[k - imm\]; the first elements are unchanged.
pub fn up(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) {
    let (by, group, w) = geometry(t, i, op);
    let len = w.bytes();
    for at in (0..op.bytes).step_by(len as usize).skip((by / len) as usize) {
        t.unlock();
        let high_at = at - by / len * len;
        let high = source(t, i, high_at, group, w);
        if by % len == 0 {
            let d = destination(t, i, at, w);
            t.out.a.v_mov(w, d, Vm::R(high));
            continue;
        }
        // Elements of the piece below the first moved one are unchanged, so it does not matter what is shifted in.
        let low = if high_at == 0 { high } else { source(t, i, high_at - len, group, w) };
        if at >= by {
            let d = destination(t, i, at, w);
            t.out.a.v_align(w, d, high, low, (len - by % len) / 4);
        } else {
            let r = t.temporary(RESULT, w);
            t.out.a.v_align(w, r, high, low, (len - by % len) / 4);
            let d = t.modify(t.piece(i.rd, at, w));
            if t.out.a.avx2 {
                let code = Code::VEX_Vpblendd_xmm_xmm_xmmm128_imm8;
                t.out.a.v3i(code, w, d, d, r, 15 << (by % len / 4) & 15);
                continue;
            }
            t.out.a.mov_imm(Reg::RAX, u64::MAX << (by % len / 4));
            t.out.a.mask_set(Reg::RAX);
            t.out.a.v2_masked(Code::EVEX_Vmovdqu32_xmm_k1z_xmmm128, w, d, r);
        }
    }
}
