//! Branches and jumps.

use super::asm::{Reg, Rm, Width, at, indexed};
use super::calls;
use super::edge::opposite;
use super::exit::Exit;
use super::targets::MASK;
use super::translate::Translator;
use capvec_isa::Op;
use capvec_sim::calls::Transfer;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// The condition under which a branch is taken, after comparing rs1 with rs2.
fn condition(op: Op) -> Option<Code> {
    Some(match op {
        Op::Beq => Code::Je_rel32_64,
        Op::Bne => Code::Jne_rel32_64,
        Op::Blt => Code::Jl_rel32_64,
        Op::Bge => Code::Jge_rel32_64,
        Op::Bltu => Code::Jb_rel32_64,
        Op::Bgeu => Code::Jae_rel32_64,
        _ => return None,
    })
}

/// Translates a branch or jump, which ends the block. Control then follows the trace, if the block is not its last.
pub fn emit(t: &mut Translator<'_>, op: Op, i: &Insn) -> bool {
    match op {
        Op::Jal => {
            link(t, i);
            if t.follow.is_none() {
                t.edge(Code::Jmp_rel32_64, i.imm as u64);
            }
        }
        // The trace continues at the jump's target.
        Op::Jalr if t.follow.is_some() => link(t, i),
        Op::Jalr => jalr(t, i),
        _ => {
            let Some(code) = condition(op) else { return false };
            compare(t, i);
            match t.follow {
                Some(next) if next.block.start == t.block.end => t.side(code, i.imm as u64),
                Some(_) => t.side(opposite(code), t.block.end),
                None => {
                    t.edge(code, i.imm as u64);
                    t.edge(Code::Jmp_rel32_64, t.block.end);
                }
            }
        }
    }
    true
}

fn compare(t: &mut Translator<'_>, i: &Insn) {
    // Sign-extended words compare as their low halves do, signed or unsigned.
    let (w, code, zero) = if t.out.regs.has_word(i.rs1) && t.out.regs.has_word(i.rs2) {
        (Width::D, Code::Cmp_r32_rm32, Code::Test_rm32_r32)
    } else {
        (Width::Q, Code::Cmp_r64_rm64, Code::Test_rm64_r64)
    };
    let a = t.out.x_at(w, i.rs1);
    let a = t.out.in_register(a, Reg::RAX);
    if i.rs2 == 0 {
        t.out.a.op2_to(zero, Rm::R(a), a);
        return;
    }
    let b = t.out.x_at(w, i.rs2);
    t.out.a.op2(code, a, b);
}

fn link(t: &mut Translator<'_>, i: &Insn) {
    if i.rd_is_x0() {
        return;
    }
    let d = t.out.target(i.rd, Reg::RCX);
    t.out.a.mov_imm(d, t.block.end);
    t.out.regs.write(&mut t.out.a, i.rd, d);
}

/// Jumps through the table of targets.
fn jalr(t: &mut Translator<'_>, i: &Insn) {
    let base = t.out.regs.read_in(&mut t.out.a, i.rs1, Reg::RAX);
    if i.imm != 0 {
        t.out.a.lea(Width::Q, Reg::RAX, at(base, i.imm));
    } else {
        t.out.a.mov(Reg::RAX, Rm::R(base));
    }
    t.out.a.imm(Code::And_rm64_imm8, Rm::R(Reg::RAX), -2);
    link(t, i);
    t.restore_homes();
    calls::emit(t, None, Transfer::of(i));
    let miss = t.out.a.label();
    t.timed_jump(miss);
    // A table entry takes 16 bytes, and addresses are even.
    t.out.a.op2(Code::Mov_r32_rm32, Reg::RCX, Rm::R(Reg::RAX));
    t.out.a.imm(Code::And_rm32_imm32, Rm::R(Reg::RCX), (MASK << 1) as i32);
    t.out.a.mov_imm(Reg::RDX, t.runtime.targets);
    let entry = indexed(Reg::RDX, Reg::RCX, 8, 0);
    t.out.a.op2_to(Code::Cmp_rm64_r64, Rm::M(entry), Reg::RAX);
    t.out.a.jump(Code::Jne_rel32_64, miss);
    t.count_jump();
    t.out.a.op1_rm(Code::Jmp_rm64, Rm::M(indexed(Reg::RDX, Reg::RCX, 8, 8)));
    t.out.a.bind(miss);
    t.set_pc_from(Reg::RAX);
    t.leave(Exit::Next { block: t.number });
}
