//! Vector instructions under a core model: they are counted later, by a call that has a list of them. Its time comes
//! before anything else is counted that depends on data, and at the end of the block.

use super::asm::{Asm, Reg, Rm, Width, at};
use super::data;
use super::translate::Translator;
use capvec_sim::insn::Insn;
use capvec_sim::vector::VType;
use capvec_timing::batch::Item;
use iced_x86::Code;

/// Number behind all instructions of a block.
pub const END: u8 = u8::MAX;

/// A call that counts a batch's instructions before one. Loses RCX and RDX, and the host's vector registers.
#[derive(Clone, Copy)]
pub struct CatchUp {
    batch: u64,
    end: u8,
    function: u64,
}

impl CatchUp {
    /// Generates it.
    pub fn emit(self, a: &mut Asm) {
        a.mov_imm(Reg::RCX, self.batch);
        a.mov_imm(Reg::RDX, self.end as u64);
        a.jump_to(Code::Call_rel32_64, self.function);
    }
}

impl Translator<'_> {
    /// Nothing of the block's batch has been counted. Loses RAX.
    pub fn begin_batch(&mut self) {
        if let (Some(timed), true) = (self.timed, self.plan.has_operations()) {
            self.a.mov_imm(Reg::RAX, timed.native().caught_up);
            self.a.imm(Code::Mov_rm64_imm32, Width::Q, Rm::M(at(Reg::RAX, 0)), 0);
        }
    }

    /// Notes the address in `base` that vector instruction `k` accesses. Loses RCX.
    pub fn note_address(&mut self, k: usize, base: Reg) {
        if let Some(timed) = self.timed {
            self.a.mov_imm(Reg::RCX, timed.native().addresses + k as u64 * 8);
            self.a.store(at(Reg::RCX, 0), base);
        }
    }

    /// Vector instruction `k` has been generated, under this state, with an access of so many bytes.
    pub fn count_later(
        &mut self,
        k: usize,
        i: &Insn,
        state: (VType, u64),
        access: Option<(u32, bool)>,
    ) {
        let Some(timed) = self.timed else { return };
        let Some(d) = self.block.plan.dynamic.iter().find(|d| d.index as usize == k) else {
            return;
        };
        let correction = data::correction(timed.native(), self.block, *d);
        let (vtype, vl) = state;
        let item = Item { index: k as u8, insn: *i, vl, vtype, correction, access };
        timed.add(&mut self.batch, item);
        self.pending = true;
        if access.is_some() && timed.native().vector_cached {
            // Which lines are there changes.
            let call = self.catch_up_to(k as u8 + 1);
            self.file.across(&mut self.a, |a| call.emit(a));
            self.pending = false;
        }
    }

    /// A call that counts what stands before instruction `end`.
    fn catch_up_to(&self, end: u8) -> CatchUp {
        CatchUp { batch: self.batch_address, end, function: self.fixed.catch_up }
    }

    /// A call that counts what stands before instruction `k`, if anything may.
    pub fn pending_before(&self, k: usize) -> Option<CatchUp> {
        self.pending.then(|| self.catch_up_to(k as u8))
    }

    /// Counts all, as the block ends.
    pub fn finish_batch(&mut self) {
        if self.pending {
            self.release();
            self.catch_up(END);
        }
    }

    /// Counts what stands before instruction `end`, if anything does; no host register holds vectors.
    pub fn catch_up(&mut self, end: u8) {
        if std::mem::take(&mut self.pending) {
            self.catch_up_to(end).emit(&mut self.a);
        }
    }
}
