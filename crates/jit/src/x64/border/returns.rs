//! Returns that do not match their frame (`runtime::stack`).

use crate::interface::targets::{MASK, SCALE, SHIFT};
use crate::timed::Timed;
use crate::x64::asm::{Asm, Reg, Rm, Width, at, indexed};
use crate::x64::runtime::convention::{GUEST_SP, hart_field};
use capvec_sim::Hart;
use capvec_sim::timing::Exit;
use iced_x86::Code;
use std::mem::offset_of;

/// Addresses of the code for returns to RCX, with an exit in RAX.
pub struct Returns {
    /// The frame was popped, and is that of a call with another return address.
    pub other_frame: u64,
    /// There was no frame: what is in its place was popped.
    pub no_frame: u64,
    /// The target is to be looked up in the table.
    pub find: u64,
}

/// Emits it. `leave` is the address of the way out, `targets` that of the table.
pub fn emit(a: &mut Asm, timed: Option<&Timed>, targets: u64, leave: u64) -> Returns {
    // What was popped is intact: signal handlers keep 128 bytes below the stack pointer (System V ABI).
    let popped = |bytes: i64| at(Reg::RSP, -bytes);
    let other_frame = a.address();
    let outer = a.label();
    a.op2(Code::Cmp_r64_rm64, GUEST_SP, Rm::M(popped(8)));
    a.jump(Code::Jb_rel32_64, outer);
    // An inner call, from which control has not returned: tries the next frame.
    a.ret();
    // An outer call, from which control has yet to return: keeps its frame. The call that returns now has left none.
    a.bind(outer);
    a.lea(Width::Q, Reg::RSP, popped(8));
    let no_frame = a.address();
    a.lea(Width::Q, Reg::RSP, popped(8));
    let find = a.address();
    let miss = a.label();
    a.imm(Code::And_rm64_imm8, Rm::R(Reg::RCX), -2);
    a.store(popped(8), Reg::RAX);
    a.op2(Code::Mov_r32_rm32, Reg::RDX, Rm::R(Reg::RCX));
    a.imm(Code::And_rm32_imm32, Rm::R(Reg::RDX), (MASK << SHIFT) as i32);
    a.mov_address(Reg::RAX, targets);
    a.op2_to(Code::Cmp_rm64_r64, Rm::M(indexed(Reg::RAX, Reg::RDX, SCALE, 0)), Reg::RCX);
    a.jump(Code::Jne_rel32_64, miss);
    a.op1_rm(Code::Jmp_rm64, Rm::M(indexed(Reg::RAX, Reg::RDX, SCALE, 8)));
    a.bind(miss);
    // The return has counted the redirection, as the run loop is going to.
    if let Some(timed) = timed {
        let ticks = timed.redirect_ticks(Exit::Return);
        a.mov_address(Reg::RDX, timed.inline_state().ticks);
        a.imm(Code::Add_rm64_imm32, Rm::M(at(Reg::RDX, 0)), -(ticks as i32));
    }
    a.store(hart_field(offset_of!(Hart, pc)), Reg::RCX);
    a.mov(Reg::RAX, Rm::M(popped(8)));
    a.jump_to(Code::Jmp_rel32_64, leave);
    Returns { other_frame, no_frame, find }
}
