//! Ticks that are counted where code leaves a trace.

use super::ticks::add_ticks;
use crate::timed::Timed;
use crate::x64::asm::{Asm, Reg, Rm, at};
use iced_x86::Code;

/// Ticks of a trace's blocks that are counted where code leaves the trace. There are none without a core model.
#[derive(Clone, Copy)]
pub struct Deferred<'a> {
    pub timed: Option<&'a Timed>,
    pub ticks: u64,
}

impl<'a> Deferred<'a> {
    /// Maximum number of ticks: they must fit in an instruction's immediate, together with those of one more block.
    pub const MAX: u64 = 1 << 29;

    /// Counts them. Clobbers RCX.
    pub fn count(&self, a: &mut Asm) {
        if let Some(timed) = self.timed {
            add_ticks(a, timed.inline_state().ticks, self.ticks, Reg::RCX);
        }
    }

    /// RAX = the hart's cycles in ticks, including these. Clobbers RDX. Returns false, without emitting code, if there is no
    /// core model.
    pub fn load_ticks(&self, a: &mut Asm) -> bool {
        let Some(timed) = self.timed else { return false };
        let inline = timed.inline_state();
        let since = inline.since.wrapping_sub(inline.ticks) as i64;
        a.mov_address(Reg::RDX, inline.ticks);
        a.mov(Reg::RAX, Rm::M(at(Reg::RDX, 0)));
        a.op2(Code::Add_r64_rm64, Reg::RAX, Rm::M(at(Reg::RDX, since)));
        if self.ticks > 0 {
            a.imm(Code::Add_rm64_imm32, Rm::R(Reg::RAX), self.ticks as i32);
        }
        true
    }

    /// Counts them, so that none are left. Clobbers RCX.
    pub fn flush(&mut self, a: &mut Asm) {
        self.count(a);
        self.ticks = 0;
    }
}
