//! Writing the guest's registers back where a trace is rarely left: by a function of the border, whose argument says which host register
//! holds which guest register. Most traces have several such exits, and stores take four bytes each.

use super::scalar_allocation::{Regs, Slot};
use crate::x64::asm::{Asm, Reg, Rm, indexed};
use crate::x64::runtime::convention::{BIAS, HART, HOMES};
use capvec_sim::insn::SINK;
use iced_x86::Code;

/// The guest registers in the order of `HOMES`, six bits each. One that need not be written back counts as the slot of writes to x0.
const LIST: Reg = Reg::RCX;
/// A guest register.
const NUMBER: Reg = Reg::RDX;
/// See `LIST`.
const BITS: u32 = 6;

/// With this many stores or fewer, the call would take more bytes.
const FEW: usize = 3;

/// Writes all dirty registers back to `Hart::x`; `function` is the border's. Clobbers RCX and RDX.
pub fn out_of_line(a: &mut Asm, regs: &mut Regs<'_>, function: u64) {
    let dirty = |slot: &&Slot| slot.dirty && slot.holds.is_some();
    if regs.slots.iter().filter(dirty).count() <= FEW {
        return regs.spill(a);
    }
    let mut list = 0;
    for k in (0..HOMES.len()).rev() {
        let x = match regs.slots[k] {
            Slot { holds: Some(x), dirty: true, .. } => x,
            _ => SINK,
        };
        if x != SINK {
            regs.sign_extend(a, k);
        }
        regs.slots[k].dirty = false;
        list = list << BITS | u64::from(x);
    }
    a.mov_imm(LIST, list);
    a.jump_to(Code::Call_rel32_64, function);
}

/// Emits the function. Clobbers its argument and RDX.
pub fn function(a: &mut Asm) {
    for (_, home) in HOMES {
        a.op2(Code::Mov_r32_rm32, NUMBER, Rm::R(LIST));
        a.imm(Code::And_rm32_imm32, Rm::R(NUMBER), (1 << BITS) - 1);
        a.store(indexed(HART, NUMBER, 8, -BIAS), home);
        a.imm(Code::Shr_rm64_imm8, Rm::R(LIST), BITS as i32);
    }
    a.ret();
}
