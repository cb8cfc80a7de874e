//! What has not been counted at an exit in the middle of a block, and how the exit counts it.

use super::deferred::Deferred;
use crate::x64::asm::{Asm, Reg, Rm, at};
use capvec_timing::inline::InlineState;
use capvec_timing::static_cost::StaticCost;
use iced_x86::Code;

/// An index after all instructions of a block.
pub const END: u8 = u8::MAX;

/// A call that counts a batch's instructions before instruction `end`. Clobbers RCX, RDX and the host's vector
/// registers.
#[derive(Clone, Copy)]
pub struct CatchUp {
    /// Address of the batch.
    pub batch: u64,
    /// The instruction before which it ends, or `END`.
    pub end: u8,
    /// Address of the function that counts.
    pub function: u64,
}

impl CatchUp {
    /// Emits the call.
    pub fn emit(self, a: &mut Asm) {
        a.mov_address(Reg::RCX, self.batch);
        a.mov_imm(Reg::RDX, self.end as u64);
        a.jump_to(Code::Call_rel32_64, self.function);
    }
}

/// Ticks of vector instructions whose cost does not depend on when they are counted. Never negative.
#[derive(Clone, Copy, Debug, Default)]
pub struct StaticTicks {
    /// Total.
    all: u64,
    /// The most of them that can overlap fetching.
    hidden: u64,
}

impl StaticTicks {
    pub fn add(&mut self, f: &StaticCost, n: &InlineState) {
        self.all += f.stall + f.memory;
        self.hidden += f.stall.min(n.front.buffer);
    }

    /// Counts them in a block that has waited `fetch_wait` ticks for fetching, if that is known. Clobbers RCX and RDX.
    pub fn emit(self, a: &mut Asm, n: &InlineState, fetch_wait: Option<u64>) {
        let (cell, ticks) = (Reg::RDX, Reg::RCX);
        match fetch_wait {
            Some(fetch_wait) => a.mov_imm(ticks, self.all - self.hidden.min(fetch_wait)),
            None => {
                a.mov_address(cell, n.front.fetch_wait);
                a.mov_imm(ticks, self.hidden);
                let fetch_wait = Rm::M(at(cell, 0));
                a.op2(Code::Cmp_r64_rm64, ticks, fetch_wait);
                a.op2(Code::Cmova_r64_rm64, ticks, fetch_wait);
                a.op2_to(Code::Sub_rm64_r64, fetch_wait, ticks);
                a.op1(Code::Neg_rm64, ticks);
                a.mov_imm(cell, self.all);
                a.op2(Code::Add_r64_rm64, ticks, Rm::R(cell));
            }
        }
        a.mov_address(cell, n.ticks);
        a.op2_to(Code::Add_rm64_r64, Rm::M(at(cell, 0)), ticks);
    }

    pub fn is_none(&self) -> bool {
        self.all == 0 && self.hidden == 0
    }
}

/// Everything not yet counted at an exit in the middle of a block.
pub struct Uncounted<'a> {
    pub batch: Option<CatchUp>,
    pub due: StaticTicks,
    pub deferred: Deferred<'a>,
}

impl Uncounted<'_> {
    /// Counts it. Clobbers RCX, RDX and the host's vector registers.
    pub fn emit(&self, a: &mut Asm) {
        self.deferred.count(a);
        self.batch.iter().for_each(|call| call.emit(a));
        if let Some(timed) = self.deferred.timed.filter(|_| !self.due.is_none()) {
            self.due.emit(a, timed.inline_state(), None);
        }
    }
}
