//! Branches and jumps.

use super::translator::Translator;
use crate::interface::exit::Exit;
use crate::interface::frames::returns;
use crate::interface::targets::{MASK, SCALE, SHIFT};
use crate::x64::asm::{Label, Reg, Rm, Width, at, indexed};
use crate::x64::cycles::edge::opposite;
use crate::x64::emit::{Emitter, set_pc_from};
use crate::x64::runtime::convention::GUEST_SP;
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
            match t.follow {
                Some(_) => t.call_within(),
                None => t.call(i.imm as u64),
            }
        }
        // The trace continues at the jump's target.
        Op::Jalr if t.follow.is_some() => {
            link(&mut t.insns.out, i, t.insns.at.step.block.end);
            t.call_within();
        }
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

/// Jumps to an address in a register.
fn jalr(t: &mut Translator<'_>, i: &Insn) {
    if returns(i) && i.imm == 0 && t.calls.is_none() && t.insns.cycles.timed().is_none() {
        let out = &mut t.insns.out;
        // Bit 0 is cleared only if the target fails the landing pad's test.
        out.x_to(i.rs1, Reg::RCX);
        t.restore_homes();
        return ret(t);
    }
    let miss = t.insns.out.a.label();
    to_register(t, i, miss);
    if returns(i) {
        let a = &mut t.insns.out.a;
        a.mov(Reg::RCX, Rm::R(Reg::RAX));
        t.insns.cycles.count_jump(a, t.insns.at.step);
        ret(t);
    } else {
        through_table(t, miss);
    }
    let (a, exits) = (&mut t.insns.out.a, &mut t.insns.exits);
    a.bind(miss);
    set_pc_from(a, Reg::RAX);
    exits.leave(a, Exit::Next { block: t.insns.at.step.number });
}

/// Returns to RCX.
fn ret(t: &mut Translator<'_>) {
    let exit = Exit::Next { block: t.insns.at.step.number };
    t.insns.exits.ret(&mut t.insns.out.a, exit);
}

/// RAX = the target. Everything is counted and reported but the redirection. Goes to `miss` if the run loop has to.
fn to_register(t: &mut Translator<'_>, i: &Insn, miss: Label) {
    let base = t.insns.out.regs.read_in(&mut t.insns.out.a, i.rs1, Reg::RAX);
    if i.imm != 0 {
        t.insns.out.a.lea(Width::Q, Reg::RAX, at(base, i.imm));
    } else {
        t.insns.out.a.mov(Reg::RAX, Rm::R(base));
    }
    t.insns.out.a.imm(Code::And_rm64_imm8, Rm::R(Reg::RAX), -2);
    link(&mut t.insns.out, i, t.insns.at.step.block.end);
    t.restore_homes();
    let (end, out, exits) = (t.block_end(), &mut t.insns.out, &mut t.insns.exits);
    end.report(&mut out.a, &mut out.regs, exits, None, Transfer::of(i));
    t.insns.cycles.check_jump(&mut out.a, t.insns.at.step, miss);
}

/// Jumps to RAX through the table of targets, or calls the code there. Goes to `miss` if the table does not have it.
fn through_table(t: &mut Translator<'_>, miss: Label) {
    let (a, step) = (&mut t.insns.out.a, t.insns.at.step);
    a.op2(Code::Mov_r32_rm32, Reg::RCX, Rm::R(Reg::RAX));
    a.imm(Code::And_rm32_imm32, Rm::R(Reg::RCX), (MASK << SHIFT) as i32);
    a.mov_address(Reg::RDX, t.runtime.targets);
    let entry = indexed(Reg::RDX, Reg::RCX, SCALE, 0);
    a.op2_to(Code::Cmp_rm64_r64, Rm::M(entry), Reg::RAX);
    a.jump(Code::Jne_rel32_64, miss);
    t.insns.cycles.count_jump(a, step);
    let code = Rm::M(indexed(Reg::RDX, Reg::RCX, SCALE, 8));
    match t.frames.pushed {
        Some(to) => {
            a.op1(Code::Push_r64, GUEST_SP);
            a.op1_rm(Code::Call_rm64, code);
            t.insns.exits.pad(a, step.number, to);
        }
        None => a.op1_rm(Code::Jmp_rm64, code),
    }
}
