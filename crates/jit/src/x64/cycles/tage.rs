//! Branches that tagged tables predict: functions that do what `Tage::predict` does.
//!
//! Hosts mispredict which table has the branch, and whether the entry predicts well. So all tables are looked up at once, and the
//! one test of the usual path is whether something has to change.

use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::asm::{Asm, Mem, Reg, Rm, Width, at, indexed};
use crate::x64::runtime::constant::MULTIPLIERS;
use capvec_timing::inline::InlineState;
use capvec_timing::inline::tage::{
    CHANGES, COUNTER_SHIFT, FOLD, Lanes, POINT, QUIET, Quiet, STATE, TABLES, TAKEN, TageCells,
    USEFUL, first,
};
use iced_x86::Code;
use std::mem::{offset_of, size_of};

/// The hash of the branch.
pub const BRANCH: Reg = Reg::RCX;
/// Host address of its two-bit counter.
pub const COUNTER: Reg = Reg::RDX;
/// Whether it was mispredicted.
pub const MISPREDICTED: Reg = Reg::RAX;

const X: Wide = Wide::X;
const Y: Wide = Wide::Y;
const XOR: Code = Code::VEX_Vpxor_xmm_xmm_xmmm128;
const AND: Code = Code::VEX_Vpand_xmm_xmm_xmmm128;
const OR: Code = Code::VEX_Vpor_xmm_xmm_xmmm128;
const ADD: Code = Code::VEX_Vpaddq_xmm_xmm_xmmm128;
const EQUAL: Code = Code::VEX_Vpcmpeqd_xmm_xmm_xmmm128;
const RIGHT: Code = Code::VEX_Vpsrlq_xmm_xmm_imm8;
const LEFT: Code = Code::VEX_Vpsllq_xmm_xmm_imm8;
const PRODUCT: Code = Code::VEX_Vpmuludq_xmm_xmm_xmmm128;

/// The branch's tag in each table.
const TAGS: V = V(0);
/// The entry in each table.
const ENTRIES: V = V(1);
const OTHER: V = V(2);

/// Host address of the `Lanes`.
const LANES: Reg = Reg::RDX;
/// Host address of the entries; preserved for the caller.
const TABLE: Reg = Reg::RDI;

// The arguments are kept below the stack pointer, where nothing else is while the function runs.
const KEPT_COUNTER: Mem = at(Reg::RSP, -8);
const KEPT_BRANCH: Mem = at(Reg::RSP, -16);

fn lanes(field: usize) -> Mem {
    at(LANES, field as i64)
}

/// Emits a function for a branch that was taken, or not. It returns `MISPREDICTED`; it changes its arguments, flags and scratch
/// registers.
pub fn function(a: &mut Asm, n: &InlineState, taken: bool) {
    let Some(cells) = n.front.tage else { return };
    let slow = a.label();
    a.op1(Code::Push_r64, TABLE);
    look_up(a, &cells);
    match_tags(a, taken);
    a.jump(Code::Je_rel32_64, slow);
    add_outcome(a, taken);
    a.mov_imm(MISPREDICTED, 0);
    a.op1(Code::Pop_r64, TABLE);
    a.ret();
    a.bind(slow);
    change(a, &cells, taken);
    a.op1(Code::Push_r64, MISPREDICTED);
    add_outcome(a, taken);
    a.op1(Code::Pop_r64, MISPREDICTED);
    a.op1(Code::Pop_r64, TABLE);
    a.ret();
}

/// Loads TAGS, with garbage after the tags, and ENTRIES. Keeps the arguments; sets LANES and TABLE. Clobbers RAX and OTHER.
fn look_up(a: &mut Asm, cells: &TageCells) {
    a.store(KEPT_COUNTER, COUNTER);
    a.store(KEPT_BRANCH, BRANCH);
    a.v_broadcast(Code::EVEX_Vpbroadcastq_xmm_k1z_r64, Y, TAGS, BRANCH, Width::Q);
    a.mov_address(LANES, cells.lanes);
    a.mov_address(TABLE, cells.entries);
    a.v3(ADD, Y, TAGS, TAGS, Vm::M(lanes(offset_of!(Lanes, hashed))));
    a.v2i(RIGHT, Y, TAGS, TAGS, u32::BITS - cells.bits);
    a.v_halves(TAGS, OTHER);
    for lane in 0..TABLES {
        a.mov(Reg::RAX, Rm::R(BRANCH));
        index(a, cells, lane);
        a.v_insert_word(ENTRIES, entry(cells, lane), lane as u32);
    }
}

/// RAX = the index of an entry in the table of a lane; before, it is the branch's hash.
fn index(a: &mut Asm, cells: &TageCells, lane: usize) {
    let hashed = offset_of!(Lanes, hashed) + lane * size_of::<u64>();
    a.op2(Code::Add_r64_rm64, Reg::RAX, Rm::M(lanes(hashed)));
    a.imm(Code::Shr_rm64_imm8, Rm::R(Reg::RAX), (u64::BITS - cells.bits) as i32);
}

/// The entry whose index is RAX in the table of a lane.
fn entry(cells: &TageCells, lane: usize) -> Mem {
    indexed(TABLE, Reg::RAX, 4, 4 * first(lane, cells.bits) as i64)
}

/// RAX = the bit of what predicts the branch: the first lane that has its tag, or else the counter. Sets the zero flag if
/// that has to change. Clobbers RCX, TABLE and vectors, TAGS excepted, which has only the tags then.
fn match_tags(a: &mut Asm, taken: bool) {
    let quiet = |field: usize| Vm::M(at(TABLE, field as i64));
    a.mov(TABLE, Rm::M(KEPT_COUNTER));
    a.op2(Code::Movzx_r32_rm8, TABLE, Rm::M(at(TABLE, 0)));
    a.imm(Code::Shl_rm32_imm8, Rm::R(TABLE), size_of::<Quiet>().ilog2() as i32);
    a.mov_address(Reg::RCX, QUIET[taken as usize].as_ptr() as u64);
    a.lea(Width::Q, TABLE, indexed(Reg::RCX, TABLE, 1, 0));
    a.v3(AND, X, TAGS, TAGS, quiet(offset_of!(Quiet, tag)));
    a.v3(AND, X, OTHER, ENTRIES, quiet(offset_of!(Quiet, tag)));
    a.v3(EQUAL, X, OTHER, OTHER, Vm::R(TAGS));
    a.v_signs(Reg::RAX, OTHER);
    a.v3(OR, X, OTHER, TAGS, quiet(offset_of!(Quiet, state)));
    a.v3(AND, X, ENTRIES, ENTRIES, quiet(offset_of!(Quiet, mask)));
    a.v3(EQUAL, X, OTHER, OTHER, Vm::R(ENTRIES));
    a.v_signs(Reg::RCX, OTHER);
    a.op2(Code::Or_r32_rm32, Reg::RCX, Rm::M(at(TABLE, offset_of!(Quiet, counter) as i64)));
    a.imm(Code::Or_rm32_imm32, Rm::R(Reg::RAX), 1 << TABLES);
    a.vex(Code::VEX_Blsi_r32_rm32, Reg::RAX, Reg::RAX, Rm::R(Reg::RAX));
    a.op2_to(Code::Test_rm32_r32, Rm::R(Reg::RAX), Reg::RCX);
}

/// Adds the outcome to the history. Clobbers RAX and vectors.
fn add_outcome(a: &mut Asm, taken: bool) {
    let history = lanes(offset_of!(Lanes, history));
    let (hash, other) = (TAGS, ENTRIES);
    a.mov(Reg::RAX, Rm::M(history));
    a.lea(Width::Q, Reg::RAX, indexed(Reg::RAX, Reg::RAX, 1, taken as i64));
    a.store(history, Reg::RAX);
    a.v_broadcast(Code::EVEX_Vpbroadcastq_xmm_k1z_r64, Y, hash, Reg::RAX, Width::Q);
    a.mov_address(Reg::RAX, MULTIPLIERS.address());
    let shifts = Vm::M(lanes(offset_of!(Lanes, shifts)));
    a.v3(Code::VEX_Vpsllvq_xmm_xmm_xmmm128, Y, hash, hash, shifts);
    a.v2i(RIGHT, Y, other, hash, FOLD);
    a.v3(XOR, Y, hash, hash, Vm::R(other));
    multiply(a);
    a.v_store(Y, lanes(offset_of!(Lanes, hashed)), hash);
    a.v_zero_upper();
}

/// The hash, in the place of TAGS, times the constant at RAX. Clobbers ENTRIES and OTHER.
fn multiply(a: &mut Asm) {
    let [whole, high] = [0, 32].map(|offset| Vm::M(at(Reg::RAX, offset)));
    let (hash, other, product) = (TAGS, ENTRIES, OTHER);
    if !a.avx2 {
        return a.v3(Code::EVEX_Vpmullq_xmm_k1z_xmm_xmmm128b64, Y, hash, hash, whole);
    }
    // The low half times each half of the multiplier, the high half times its low half.
    a.v2i(RIGHT, Y, other, hash, 32);
    a.v3(PRODUCT, Y, other, other, whole);
    a.v3(PRODUCT, Y, product, hash, high);
    a.v3(ADD, Y, other, other, Vm::R(product));
    a.v2i(LEFT, Y, other, other, 32);
    a.v3(PRODUCT, Y, hash, hash, whole);
    a.v3(ADD, Y, hash, hash, Vm::R(other));
}

/// What the bit in RAX stands for predicts the branch, and has to change. Sets MISPREDICTED. Clobbers RCX and TABLE.
fn change(a: &mut Asm, cells: &TageCells, taken: bool) {
    let (done, wrong) = (a.label(), a.label());
    for lane in 0..TABLES {
        let next = a.label();
        a.imm(Code::Test_rm8_imm8, Rm::R(Reg::RAX), 1 << lane);
        a.jump(Code::Je_rel32_64, next);
        a.mov(Reg::RAX, Rm::M(KEPT_BRANCH));
        index(a, cells, lane);
        a.mov_address(TABLE, cells.entries);
        a.lea(Width::Q, TABLE, entry(cells, lane));
        learn(a, taken);
        if lane > 0 {
            a.jump(Code::Je_rel32_64, done);
            a.mov_imm(Reg::RCX, lane as u64);
        }
        a.jump(Code::Jmp_rel32_64, if lane > 0 { wrong } else { done });
        a.bind(next);
    }
    count(a, taken);
    a.jump(Code::Je_rel32_64, done);
    a.mov_imm(Reg::RCX, TABLES as u64);
    a.bind(wrong);
    allocate(a, cells, taken);
    a.mov_imm(MISPREDICTED, 1);
    a.bind(done);
}

/// Changes the entry at TABLE as `CHANGES` says. Sets MISPREDICTED, and the zero flag if it is 0. Clobbers RCX.
fn learn(a: &mut Asm, taken: bool) {
    let entry = Rm::M(at(TABLE, 0));
    a.mov(Reg::RCX, Rm::M(KEPT_COUNTER));
    a.op2(Code::Movzx_r32_rm8, Reg::RCX, Rm::M(at(Reg::RCX, 0)));
    a.imm(Code::Shl_rm32_imm8, Rm::R(Reg::RCX), COUNTER_SHIFT as i32);
    a.op2(Code::Mov_r32_rm32, Reg::RAX, entry);
    a.imm(Code::And_rm32_imm32, Rm::R(Reg::RAX), (1 << STATE) - 1);
    a.op2(Code::Or_r32_rm32, Reg::RCX, Rm::R(Reg::RAX));
    a.mov_address(Reg::RAX, CHANGES[taken as usize].as_ptr() as u64);
    a.op2(Code::Movzx_r32_rm16, Reg::RAX, Rm::M(indexed(Reg::RAX, Reg::RCX, 2, 0)));
    a.op2(Code::Movzx_r32_rm8, Reg::RCX, Rm::R(Reg::RAX));
    // All of it: hosts wait when a load reads more than the store before it wrote.
    a.op2(Code::Xor_r32_rm32, Reg::RCX, entry);
    a.op2_to(Code::Mov_rm32_r32, entry, Reg::RCX);
    a.imm(Code::Shr_rm32_imm8, Rm::R(Reg::RAX), 8);
}

/// The two-bit counter predicts, and has to change. Sets MISPREDICTED, and the zero flag if it is 0. Clobbers RCX.
fn count(a: &mut Asm, taken: bool) {
    let cell = Rm::M(at(Reg::RCX, 0));
    a.mov(Reg::RCX, Rm::M(KEPT_COUNTER));
    a.op2(Code::Movzx_r32_rm8, MISPREDICTED, cell);
    a.op1_rm(if taken { Code::Inc_rm8 } else { Code::Dec_rm8 }, cell);
    // 1 is wrong if it was taken, and 2 is right; the other way around if not.
    a.imm(Code::Shr_rm32_imm8, Rm::R(MISPREDICTED), 1);
    if taken {
        a.imm(Code::Xor_rm32_imm32, Rm::R(MISPREDICTED), 1);
    }
}

/// Gives the branch an entry, as `Tage::allocate` does, in one of the first RCX lanes. Clobbers RAX and TABLE.
fn allocate(a: &mut Asm, cells: &TageCells, taken: bool) {
    let done = a.label();
    let weak = if taken { TAKEN } else { TAKEN - 1 };
    a.mov_address(TABLE, cells.entries);
    for lane in (0..TABLES).rev() {
        let (useful, next) = (a.label(), a.label());
        let entry = Rm::M(entry(cells, lane));
        a.imm(Code::Cmp_rm32_imm32, Rm::R(Reg::RCX), lane as i32);
        a.jump(Code::Jbe_rel32_64, next);
        a.mov(Reg::RAX, Rm::M(KEPT_BRANCH));
        index(a, cells, lane);
        a.imm(Code::Test_rm8_imm8, entry, USEFUL as i32);
        a.jump(Code::Jne_rel32_64, useful);
        a.v_word_to(Reg::RCX, TAGS, lane as u32);
        a.imm(Code::Or_rm32_imm32, Rm::R(Reg::RCX), weak as i32);
        a.op2_to(Code::Mov_rm32_r32, entry, Reg::RCX);
        a.jump(Code::Jmp_rel32_64, done);
        a.bind(useful);
        a.imm(Code::Add_rm32_imm32, entry, -(POINT as i32));
        a.bind(next);
    }
    a.bind(done);
}
