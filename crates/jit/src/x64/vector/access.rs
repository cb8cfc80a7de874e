//! The data of unit-stride and constant-stride loads and stores, whose addresses have been checked.

use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::asm::{Mem, Reg, Rm, Width, at, indexed_at};
use crate::x64::emit::Vectors;
use crate::x64::runtime::constant;
use crate::x64::runtime::convention::BASE;
use crate::x64::vector_plan::Operation;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// The first register of the data.
fn data(i: &Insn, store: bool) -> u8 {
    if store { i.rs3 } else { i.rd }
}

/// A unit-stride load or store at the guest address in `base`.
pub fn unit(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, base: Reg, store: bool) {
    for (at, w) in op.pieces() {
        t.unlock();
        let memory = indexed_at(BASE, base, at as i64);
        let piece = t.piece(data(i, store), at, w);
        match (store, op.cut(at, w)) {
            (true, None) => {
                let v = t.read(piece);
                t.out.a.v_store(w, memory, v);
            }
            (store, Some(len)) if t.out.a.avx2 => {
                let v = if store { t.read(piece) } else { t.modify(piece) };
                words(t, v, memory, len / 4, store);
            }
            (true, Some(len)) => {
                let v = t.read(piece);
                t.out.a.mask_first(Reg::RCX, len);
                t.out.a.v_store_masked(w, memory, v);
            }
            (false, None) => {
                let v = t.write(piece);
                t.out.a.v_mov(w, v, Vm::M(memory));
            }
            (false, Some(len)) => {
                let v = t.modify(piece);
                t.out.a.mask_first(Reg::RCX, len);
                t.out.a.v_load_masked(w, v, memory);
            }
        }
    }
}

/// Loads or stores the first words of a register, with AVX2.
fn words(t: &mut Vectors<'_, '_>, v: V, memory: Mem, n: u32, store: bool) {
    for k in 0..n {
        let word = Mem { displ: memory.displ + 4 * i64::from(k), ..memory };
        match store {
            true => t.out.a.v_store_word(word, v, k),
            false => t.out.a.v_replace_word(v, word, k),
        }
    }
}

const STRIDE: u8 = 0;
const INDEX: u8 = 1;

/// A constant-stride load or store of segments: `fields` elements of `size` bytes each. RAX holds the host address of the
/// first.
pub fn strided(
    t: &mut Vectors<'_, '_>,
    i: &Insn,
    op: &Operation,
    (size, fields): (u32, u32),
    store: bool,
) {
    if t.out.a.avx2 {
        return by_elements(t, i, op, (size, fields), store);
    }
    let widest = op.widest();
    let stride = t.temporary(STRIDE, widest);
    t.out.x_to(i.rs2, Reg::RCX);
    let (broadcast, from, add, mul) = match size {
        4 => (
            Code::EVEX_Vpbroadcastd_xmm_k1z_r32,
            Width::D,
            Code::EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32,
            Code::EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32,
        ),
        _ => (
            Code::EVEX_Vpbroadcastq_xmm_k1z_r64,
            Width::Q,
            Code::EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64,
            Code::EVEX_Vpmullq_xmm_k1z_xmm_xmmm128b64,
        ),
    };
    t.out.a.v_broadcast(broadcast, widest, stride, Reg::RCX, from);
    let registers = field_registers(op, size);
    let all = (0..fields).flat_map(|f| op.pieces().map(move |(at, w)| (f, at, w)));
    for (field, offset, w) in all {
        t.unlock();
        let first = data(i, store) + (field * registers) as u8;
        let piece = t.piece(first, offset, w);
        // Element offsets: index times stride.
        let index = t.temporary(INDEX, w);
        t.out.a.mov_imm(Reg::RCX, (offset / size) as u64);
        t.out.a.v_broadcast(broadcast, w, index, Reg::RCX, from);
        t.out
            .a
            .mov_address(Reg::RCX, constant::INDICES[size.trailing_zeros() as usize - 1].address());
        t.out.a.v3(add, w, index, index, Vm::M(at(Reg::RCX, 0)));
        t.out.a.v3(mul, w, index, index, Vm::R(stride));
        let cut = op.cut(offset, w);
        let v = match (store, cut) {
            (true, _) => t.read(piece),
            (false, None) => t.write(piece),
            (false, Some(_)) => t.modify(piece),
        };
        t.out.a.mask_first(Reg::RCX, cut.unwrap_or(w.bytes()) / size);
        let memory = at(Reg::RAX, (field * size) as i64);
        if store {
            t.out.a.v_scatter(8 * size, w, memory, index, v);
        } else {
            t.out.a.v_gather(8 * size, w, v, memory, index);
        }
    }
}

/// Registers of a field's group: EMUL = EEW / SEW · LMUL, at least one. `size` is EEW in bytes.
fn field_registers(op: &Operation, size: u32) -> u32 {
    let vtype = op.state.vtype;
    let emul = vtype.lmul + (8 * size).trailing_zeros() as i8 - vtype.sew.trailing_zeros() as i8;
    1 << emul.max(0)
}

/// `strided` for hosts without scatter: copies one word after the other in memory, from RAX on.
fn by_elements(
    t: &mut Vectors<'_, '_>,
    i: &Insn,
    op: &Operation,
    (size, fields): (u32, u32),
    store: bool,
) {
    let distance = field_registers(op, size) * t.vlenb;
    let start = data(i, store) as u32 * t.vlenb;
    for field in 0..fields {
        let at = start + field * distance;
        if store {
            t.sync(at, op.bytes);
        } else {
            t.overwrite(at, op.bytes);
        }
    }
    t.out.x_to(i.rs2, Reg::RCX);
    let word = t.temporary(STRIDE, Wide::X);
    for element in 0..op.bytes / size {
        for field in 0..fields {
            let memory = at(Reg::RAX, (field * size) as i64);
            let place = t.memory(start + field * distance + element * size);
            let (from, to) = if store { (place, memory) } else { (memory, place) };
            t.out.a.v_word(size, word, from, to);
        }
        t.out.a.op2(Code::Add_r64_rm64, Reg::RAX, Rm::R(Reg::RCX));
    }
}
