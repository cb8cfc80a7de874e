//! Branches and jumps.

use super::translator::Translator;
use crate::x64::asm::{Reg, Rm, Width, at, indexed};
use crate::x64::cycles::edge::opposite;
use crate::x64::emit::{Emitter, set_pc_from};
use crate::x64::runtime::exit::Exit;
use crate::x64::runtime::targets::{MASK, SHIFT};
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
            link(&mut t.insns.out, i, t.insns.at.step.block.end);
            if t.follow.is_none() {
                t.edge(Code::Jmp_rel32_64, i.imm as u64);
            }
        }
        // The trace continues at the jump's target.
        Op::Jalr if t.follow.is_some() => link(&mut t.insns.out, i, t.insns.at.step.block.end),
        Op::Jalr => jalr(t, i),
        _ => {
            let Some(code) = condition(op) else { return false };
            compare(&mut t.insns.out, i);
            match t.follow {
                Some(next) if next.block.start == t.insns.at.step.block.end => {
                    t.side_exit(code, i.imm as u64)
                }
                Some(_) => t.side_exit(opposite(code), t.insns.at.step.block.end),
                None => {
                    t.edge(code, i.imm as u64);
                    t.edge(Code::Jmp_rel32_64, t.insns.at.step.block.end);
                }
            }
        }
    }
    true
}

fn compare(t: &mut Emitter<'_>, i: &Insn) {
    // Sign-extended words compare as their low halves do, signed or unsigned.
    let (w, code, zero) = if t.regs.has_word(i.rs1) && t.regs.has_word(i.rs2) {
        (Width::D, Code::Cmp_r32_rm32, Code::Test_rm32_r32)
    } else {
        (Width::Q, Code::Cmp_r64_rm64, Code::Test_rm64_r64)
    };
    let a = t.x_at(w, i.rs1);
    let a = t.in_register(a, Reg::RAX);
    if i.rs2 == 0 {
        t.a.op2_to(zero, Rm::R(a), a);
        return;
    }
    let b = t.x_at(w, i.rs2);
    t.a.op2(code, a, b);
}

/// rd = the return address.
fn link(t: &mut Emitter<'_>, i: &Insn, to: u64) {
    if i.rd_is_x0() {
        return;
    }
    let d = t.target(i.rd, Reg::RCX);
    t.a.mov_imm(d, to);
    t.regs.write(&mut t.a, i.rd, d);
}

/// Jumps through the table of targets.
fn jalr(t: &mut Translator<'_>, i: &Insn) {
    let base = t.insns.out.regs.read_in(&mut t.insns.out.a, i.rs1, Reg::RAX);
    if i.imm != 0 {
        t.insns.out.a.lea(Width::Q, Reg::RAX, at(base, i.imm));
    } else {
        t.insns.out.a.mov(Reg::RAX, Rm::R(base));
    }
    t.insns.out.a.imm(Code::And_rm64_imm8, Rm::R(Reg::RAX), -2);
    link(&mut t.insns.out, i, t.insns.at.step.block.end);
    t.restore_homes();
    let end = t.block_end();
    end.report(
        &mut t.insns.out.a,
        &mut t.insns.out.regs,
        &mut t.insns.exits,
        None,
        Transfer::of(i),
    );
    let miss = t.insns.out.a.label();
    t.insns.cycles.check_jump(&mut t.insns.out.a, t.insns.at.step, miss);
    // A table entry takes 16 bytes.
    const SCALE: u32 = 16 >> SHIFT;
    t.insns.out.a.op2(Code::Mov_r32_rm32, Reg::RCX, Rm::R(Reg::RAX));
    t.insns.out.a.imm(Code::And_rm32_imm32, Rm::R(Reg::RCX), (MASK << SHIFT) as i32);
    t.insns.out.a.mov_address(Reg::RDX, t.runtime.targets);
    let entry = indexed(Reg::RDX, Reg::RCX, SCALE, 0);
    t.insns.out.a.op2_to(Code::Cmp_rm64_r64, Rm::M(entry), Reg::RAX);
    t.insns.out.a.jump(Code::Jne_rel32_64, miss);
    t.insns.cycles.count_jump(&mut t.insns.out.a, t.insns.at.step);
    t.insns.out.a.op1_rm(Code::Jmp_rm64, Rm::M(indexed(Reg::RDX, Reg::RCX, SCALE, 8)));
    t.insns.out.a.bind(miss);
    set_pc_from(&mut t.insns.out.a, Reg::RAX);
    t.insns.exits.leave(&mut t.insns.out.a, Exit::Next { block: t.insns.at.step.number });
}
