//! Branches that tagged tables predict: functions that do what `Tage::predict` does.

use crate::x64::asm::{Asm, Label, Reg, Rm, Width, at, indexed};
use capvec_timing::inline::InlineState;
use capvec_timing::inline::tage::{
    CHANGES, COUNTER_SHIFT, FOLD, MULTIPLIER, POINT, TABLES, TAG as TAG_BITS, TAG_SHIFT, TAKEN,
    TageCells, USEFUL, WRONG,
};
use iced_x86::Code;

/// The address after the branch, divided by two.
pub const BRANCH: Reg = Reg::RCX;
/// Host address of its two-bit counter.
pub const COUNTER: Reg = Reg::RDX;
/// Whether it was mispredicted.
pub const MISPREDICTED: Reg = Reg::RAX;

/// Host address of an entry, and the branch's tag in its table.
const ENTRY: Reg = Reg::RDI;
const TAG: Reg = Reg::RSI;
const HISTORY: Reg = Reg::R8;
/// The first table in which the branch may get an entry.
const LONGER: Reg = Reg::R9;

const fn entry() -> Rm {
    Rm::M(at(ENTRY, 0))
}

/// Emits a function for a branch that was taken, or not. It returns `MISPREDICTED`, and preserves all registers but those of
/// its arguments and flags.
pub fn function(a: &mut Asm, n: &InlineState, taken: bool) {
    let Some(cells) = n.front.tage else { return };
    let saved = [ENTRY, TAG, HISTORY, LONGER];
    saved.iter().for_each(|r| a.op1(Code::Push_r64, *r));
    a.mov_address(HISTORY, cells.history);
    a.mov(HISTORY, Rm::M(at(HISTORY, 0)));
    let (found, right, wrong) = (a.label(), a.label(), a.label());
    let (allocated, done) = (a.label(), a.label());
    for table in (0..TABLES).rev() {
        locate(a, &cells, table);
        a.mov_imm(LONGER, table as u64 + 1);
        a.op2(Code::Mov_r32_rm32, Reg::RAX, entry());
        a.imm(Code::Shr_rm32_imm8, Rm::R(Reg::RAX), TAG_SHIFT as i32);
        a.op2(Code::Cmp_r32_rm32, Reg::RAX, Rm::R(TAG));
        a.jump(Code::Je_rel32_64, found);
    }
    a.mov_imm(LONGER, 0);
    count(a, taken, right, wrong);
    a.bind(found);
    learn(a, taken, right);
    a.bind(wrong);
    allocate(a, &cells, taken, allocated);
    a.bind(right);
    a.mov_imm(MISPREDICTED, 0);
    a.jump(Code::Jmp_rel32_64, done);
    a.bind(allocated);
    a.mov_imm(MISPREDICTED, 1);
    a.bind(done);
    a.lea(Width::Q, HISTORY, indexed(HISTORY, HISTORY, 1, taken as i64));
    a.mov_address(TAG, cells.history);
    a.store(at(TAG, 0), HISTORY);
    saved.iter().rev().for_each(|r| a.op1(Code::Pop_r64, *r));
    a.ret();
}

/// ENTRY = the address of the branch's entry in a table; TAG = its tag there. Clobbers RAX.
fn locate(a: &mut Asm, cells: &TageCells, table: usize) {
    let (bits, length) = (cells.shape.bits, cells.shape.lengths[table]);
    a.mov(ENTRY, Rm::R(HISTORY));
    a.imm(Code::Shl_rm64_imm8, Rm::R(ENTRY), 64 - length as i32);
    a.mov(Reg::RAX, Rm::R(ENTRY));
    a.imm(Code::Shr_rm64_imm8, Rm::R(Reg::RAX), FOLD as i32);
    a.op2(Code::Xor_r64_rm64, ENTRY, Rm::R(Reg::RAX));
    a.op2(Code::Add_r64_rm64, ENTRY, Rm::R(BRANCH));
    a.mov_imm(Reg::RAX, MULTIPLIER);
    a.op2(Code::Imul_r64_rm64, ENTRY, Rm::R(Reg::RAX));
    a.imm(Code::Shr_rm64_imm8, Rm::R(ENTRY), (64 - TAG_BITS - bits) as i32);
    a.mov(TAG, Rm::R(ENTRY));
    a.imm(Code::And_rm32_imm32, Rm::R(TAG), (1 << TAG_BITS) - 1);
    a.imm(Code::Shr_rm64_imm8, Rm::R(ENTRY), TAG_BITS as i32);
    a.mov_address(Reg::RAX, cells.tables[table]);
    a.lea(Width::Q, ENTRY, indexed(Reg::RAX, ENTRY, 4, 0));
}

/// The two-bit counter predicts. Jumps to `right` or `wrong`.
fn count(a: &mut Asm, taken: bool, right: Label, wrong: Label) {
    let (cell, mispredicted) = (Rm::M(at(COUNTER, 0)), a.label());
    a.imm(Code::Cmp_rm8_imm8, Rm::M(at(COUNTER, 0)), 2);
    a.jump(if taken { Code::Jb_rel32_64 } else { Code::Jae_rel32_64 }, mispredicted);
    a.imm(Code::Mov_rm8_imm8, cell, if taken { 3 } else { 0 });
    a.jump(Code::Jmp_rel32_64, right);
    a.bind(mispredicted);
    a.op1_rm(if taken { Code::Inc_rm8 } else { Code::Dec_rm8 }, cell);
    a.jump(Code::Jmp_rel32_64, wrong);
}

/// ENTRY predicts: changes it as `CHANGES` says. Jumps to `right`, or goes on if it predicted wrongly. Clobbers RAX and TAG.
fn learn(a: &mut Asm, taken: bool, right: Label) {
    a.op2(Code::Movzx_r32_rm8, TAG, Rm::M(at(COUNTER, 0)));
    a.imm(Code::Shl_rm32_imm8, Rm::R(TAG), COUNTER_SHIFT as i32);
    a.op2(Code::Mov_r32_rm32, Reg::RAX, entry());
    a.imm(Code::And_rm32_imm32, Rm::R(Reg::RAX), (1 << TAG_SHIFT) - 1);
    a.op2(Code::Or_r32_rm32, TAG, Rm::R(Reg::RAX));
    a.mov_address(Reg::RAX, CHANGES[taken as usize].as_ptr() as u64);
    a.op2(Code::Movzx_r32_rm8, Reg::RAX, Rm::M(indexed(Reg::RAX, TAG, 1, 0)));
    a.mov(TAG, Rm::R(Reg::RAX));
    a.imm(Code::And_rm32_imm32, Rm::R(TAG), (1 << TAG_SHIFT) - 1);
    a.op2(Code::Xor_r32_rm32, TAG, entry());
    a.op2_to(Code::Mov_rm32_r32, entry(), TAG);
    a.imm(Code::Test_rm8_imm8, Rm::R(Reg::RAX), i32::from(WRONG as i8));
    a.jump(Code::Je_rel32_64, right);
}

/// Gives the branch an entry, as `Tage::allocate` does, and jumps to `end`.
fn allocate(a: &mut Asm, cells: &TageCells, taken: bool, end: Label) {
    for table in 0..TABLES {
        let (useful, next) = (a.label(), a.label());
        a.imm(Code::Cmp_rm32_imm32, Rm::R(LONGER), table as i32);
        a.jump(Code::Ja_rel32_64, next);
        locate(a, cells, table);
        a.imm(Code::Test_rm8_imm8, entry(), USEFUL as i32);
        a.jump(Code::Jne_rel32_64, useful);
        a.imm(Code::Shl_rm32_imm8, Rm::R(TAG), TAG_SHIFT as i32);
        let weak = if taken { TAKEN } else { TAKEN - 1 };
        a.imm(Code::Add_rm32_imm32, Rm::R(TAG), weak as i32);
        a.op2_to(Code::Mov_rm32_r32, entry(), TAG);
        a.jump(Code::Jmp_rel32_64, end);
        a.bind(useful);
        a.imm(Code::Add_rm32_imm32, entry(), -(POINT as i32));
        a.bind(next);
    }
    a.jump(Code::Jmp_rel32_64, end);
}
