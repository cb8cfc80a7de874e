//! Code for instructions that `fuse` has combined.

use crate::x64::analysis::fuse::Form;
use crate::x64::analysis::trace::Trace;
use crate::x64::asm::{Asm, Reg, Rm, Width, indexed};
use crate::x64::emit::Emitter;
use crate::x64::runtime::convention::x_slot;
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use iced_x86::Code;

const Q: Width = Width::Q;
const D: Width = Width::D;
const RAX: Reg = Reg::RAX;

/// Translates an instruction of this form if it is fused.
pub fn emit(t: &mut Emitter<'_>, form: Form, i: &Insn) -> bool {
    match form {
        Form::Plain => return false,
        Form::Deferred => {}
        Form::Rotate { word: true, x, by } => {
            let (a, d) = (t.x_low(x), t.target(i.rd, RAX));
            t.a.op2_imm(Code::VEX_Rorx_r32_rm32_imm8, d, a, by as i32);
            t.result_w(i, d);
        }
        Form::Rotate { word: false, x, by } => {
            let (a, d) = (t.x(x), t.target(i.rd, RAX));
            t.a.op2_imm(Code::VEX_Rorx_r64_rm64_imm8, d, a, by as i32);
            t.result(i, d);
        }
        Form::ZeroExtend { x, bits, shift } => {
            let (a, d) = (t.x_low(x), t.target(i.rd, RAX));
            let code = match bits {
                8 => Code::Movzx_r32_rm8,
                16 => Code::Movzx_r32_rm16,
                _ => Code::Mov_r32_rm32,
            };
            t.a.op2(code, d, a);
            if shift > 0 {
                t.a.imm(Code::Shl_rm64_imm8, Rm::R(d), shift as i32);
            }
            t.result(i, d);
            if bits + shift < 32 {
                t.regs.mark_word(i.rd, false);
            }
        }
        Form::Field { word, x, by, mask } => {
            let w = if word { D } else { Q };
            let code =
                if word { Code::VEX_Rorx_r32_rm32_imm8 } else { Code::VEX_Rorx_r64_rm64_imm8 };
            let (a, d) = (t.x_at(w, x), t.target(i.rd, RAX));
            t.a.op2_imm(code, d, a, by as i32);
            match mask {
                0xff => t.a.op2(Code::Movzx_r32_rm8, d, Rm::R(d)),
                _ => t.a.imm(Code::And_rm32_imm32, Rm::R(d), mask),
            }
            t.result(i, d);
            t.regs.mark_word(i.rd, false);
        }
        Form::Scaled { index, base, shift } => {
            let (a, b) = (t.x_in(index, RAX), t.x_in(base, Reg::RCX));
            let d = t.target(i.rd, RAX);
            t.a.lea(Q, d, indexed(b, a, 1 << shift, 0));
            t.result(i, d);
        }
    }
    true
}

/// Materialises in the hart the shifts that were deferred before the instruction at `position`. The hart is otherwise
/// up to date. Clobbers RAX.
pub fn materialize(a: &mut Asm, trace: &Trace<'_>, position: usize) {
    for at in trace.fused.live_at(position) {
        let i = trace.insns[at];
        let (w, code) = match i.op().row().base {
            Op::Slli => (Q, Code::Shl_rm64_imm8),
            Op::Srli => (Q, Code::Shr_rm64_imm8),
            Op::Slliw => (D, Code::Shl_rm32_imm8),
            _ => (D, Code::Shr_rm32_imm8),
        };
        a.mov(RAX, Rm::M(x_slot(i.rs1)));
        a.imm(code, Rm::R(RAX), i.imm as i32);
        if w == D {
            a.op2(Code::Movsxd_r64_rm32, RAX, Rm::R(RAX));
        }
        a.store(x_slot(i.rd), RAX);
    }
}
