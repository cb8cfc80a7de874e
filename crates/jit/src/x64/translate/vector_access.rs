//! Unit-stride and constant-stride loads and stores.

use crate::x64::asm::vector::{Vm, Wide};
use crate::x64::asm::{Reg, Rm, Width, at, indexed_at};
use crate::x64::emit::file::Piece;
use crate::x64::emit::regs::BASE;
use crate::x64::runtime::constant;
use crate::x64::translate::Translator;
use crate::x64::translate::memory;
use crate::x64::vector::cut;
use crate::x64::vector_plan::Operation;
use capvec_sim::insn::Insn;
use capvec_sim::mem::PAGE;
use iced_x86::Code;

/// Translates instruction `k`, a unit-stride load or store.
pub fn emit(t: &mut Translator<'_>, k: usize, i: &Insn, op: &Operation, store: bool) {
    let base = t.out.x_in(i.rs1, Reg::RAX);
    memory::check_span(t, k, i.rs1, base, op.bytes, store);
    t.count_access(k, i, (op.state.vtype, op.state.vl), (op.bytes, store), base);
    let first = if store { i.rs3 } else { i.rd } as u32 * t.plan.vlenb;
    for (at, w) in op.pieces() {
        t.file.unlock();
        let memory = indexed_at(BASE, base, at as i64);
        let piece = Piece { at: first + at, w };
        if store {
            let v = t.file.read(&mut t.out.a, piece);
            match cut(op.bytes, at, w) {
                None => t.out.a.v_store(w, memory, v),
                Some(len) => {
                    t.out.a.mask_first(Reg::RCX, len);
                    t.out.a.v_store_masked(w, memory, v);
                }
            }
        } else {
            if let Some(len) = cut(op.bytes, at, w) {
                let v = t.file.modify(&mut t.out.a, piece);
                t.out.a.mask_first(Reg::RCX, len);
                t.out.a.v_load_masked(w, v, memory);
            } else {
                let v = t.file.write(&mut t.out.a, piece);
                t.out.a.v_mov(w, v, Vm::M(memory));
            }
        }
    }
}

const STRIDE: u8 = 0;
const INDEX: u8 = 1;

/// Translates instruction `k`, a constant-stride load or store whose elements span at most a page's length.
pub fn strided(t: &mut Translator<'_>, k: usize, i: &Insn, op: &Operation, eew: u32, store: bool) {
    let size = eew / 8;
    let fields = i.aux() as u32 + 1;
    check_strided(t, k, i, op.bytes / size, (size, fields), store);
    let state = (op.state.vtype, op.state.vl);
    t.count_strided(k, i, state, (op.bytes / size, size * fields), store);
    if t.out.a.avx2 {
        return by_elements(t, i, op, (size, fields), store);
    }
    let widest = op.widest();
    let stride = t.file.temporary(STRIDE, widest);
    t.out.x_to(i.rs2, Reg::RCX);
    let (broadcast, from, add, mul) = match eew {
        32 => (
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
    let first = if store { i.rs3 } else { i.rd } as u32;
    let registers = field_registers(op, size);
    let all = (0..fields).flat_map(|f| op.pieces().map(move |(at, w)| (f, at, w)));
    for (field, offset, w) in all {
        t.file.unlock();
        let at_byte = (first + field * registers) * t.plan.vlenb + offset;
        let piece = Piece { at: at_byte, w };
        let displ = field * size;
        // Element offsets: index times stride.
        let index = t.file.temporary(INDEX, w);
        t.out.a.mov_imm(Reg::RCX, (offset / size) as u64);
        t.out.a.v_broadcast(broadcast, w, index, Reg::RCX, from);
        t.out.a.mov_imm(Reg::RCX, constant::INDICES[size.trailing_zeros() as usize - 1].address());
        t.out.a.v3(add, w, index, index, Vm::M(at(Reg::RCX, 0)));
        t.out.a.v3(mul, w, index, index, Vm::R(stride));
        let whole = cut(op.bytes, offset, w);
        let v = match (store, whole) {
            (true, _) => t.file.read(&mut t.out.a, piece),
            (false, None) => t.file.write(&mut t.out.a, piece),
            (false, Some(_)) => t.file.modify(&mut t.out.a, piece),
        };
        t.out.a.mask_first(Reg::RCX, whole.unwrap_or(w.bytes()) / size);
        if store {
            t.out.a.v_scatter(eew, w, at(Reg::RAX, displ as i64), index, v);
        } else {
            t.out.a.v_gather(eew, w, v, at(Reg::RAX, displ as i64), index);
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
    t: &mut Translator<'_>,
    i: &Insn,
    op: &Operation,
    (size, fields): (u32, u32),
    store: bool,
) {
    let first = if store { i.rs3 } else { i.rd } as u32;
    let distance = field_registers(op, size) * t.plan.vlenb;
    let start = first * t.plan.vlenb;
    for field in 0..fields {
        let at = start + field * distance;
        if store {
            t.file.sync(&mut t.out.a, at, op.bytes);
        } else {
            t.file.overwrite(&mut t.out.a, at, op.bytes);
        }
    }
    t.out.x_to(i.rs2, Reg::RCX);
    let word = t.file.temporary(STRIDE, Wide::X);
    for element in 0..op.bytes / size {
        for field in 0..fields {
            let memory = at(Reg::RAX, (field * size) as i64);
            let place = t.file.memory(&mut t.out.a, start + field * distance + element * size);
            let (from, to) = if store { (place, memory) } else { (memory, place) };
            t.out.a.v_word(size, word, from, to);
        }
        t.out.a.op2(Code::Add_r64_rm64, Reg::RAX, Rm::R(Reg::RCX));
    }
}

/// RAX = host address of the first of `n` segments. Leaves to the interpreter unless all of them span at most a
/// page's length and are permitted, and stored segments do not overlap, for then their order would matter.
fn check_strided(
    t: &mut Translator<'_>,
    k: usize,
    i: &Insn,
    n: u32,
    (size, fields): (u32, u32),
    store: bool,
) {
    let segment = (size * fields) as i32;
    const LOW: Reg = Reg::RDX;
    let page = PAGE as i32;
    t.out.x_to(i.rs1, Reg::RAX);
    t.out.x_to(i.rs2, Reg::RCX);
    let rest = t.bailout(k);
    let within = |t: &mut Translator<'_>, limit: i32| {
        t.out.a.lea(Width::Q, LOW, at(Reg::RCX, limit as i64));
        t.out.a.imm(Code::Cmp_rm64_imm32, Rm::R(LOW), 2 * limit);
        t.out.a.jump(Code::Ja_rel32_64, rest);
    };
    // The stride first, so that the product cannot overflow.
    within(t, page);
    if store && fields > 1 {
        t.out.a.lea(Width::Q, LOW, at(Reg::RCX, segment as i64 - 1));
        t.out.a.imm(Code::Cmp_rm64_imm32, Rm::R(LOW), 2 * segment - 2);
        t.out.a.jump(Code::Jbe_rel32_64, rest);
    }
    t.out.a.op2_imm(Code::Imul_r64_rm64_imm32, Reg::RCX, Rm::R(Reg::RCX), n as i32 - 1);
    within(t, page - segment);
    // The lowest address is that of the first or of the last element.
    t.out.a.mov_imm(LOW, 0);
    t.out.a.op2_to(Code::Test_rm64_r64, Rm::R(Reg::RCX), Reg::RCX);
    t.out.a.op2(Code::Cmovs_r64_rm64, LOW, Rm::R(Reg::RCX));
    t.out.a.op2(Code::Add_r64_rm64, LOW, Rm::R(Reg::RAX));
    memory::check_page(t, LOW, store, rest);
    t.out.a.op2(Code::Add_r64_rm64, Reg::RAX, Rm::R(BASE));
}
