//! Vector instructions under a core model are counted late, by one call with a list of them: before anything else
//! whose cost is dynamic is counted, and at the end of the block.

use super::lines::{self, LINE, SET, Side};
use super::state::Cycles;
use super::ticks::{add_ticks, correction};
use super::uncounted::{CatchUp, END, Uncounted};
use crate::interface::state::State;
use crate::timed::Timed;
use crate::x64::asm::{Asm, Reg, Rm, Width, at};
use crate::x64::emit::{Emitter, Exits, VectorRegs};
use crate::x64::runtime::convention::BASE;
use capvec_sim::block::Block;
use capvec_sim::insn::Insn;
use capvec_timing::Tags;
use capvec_timing::batch::Item;
use capvec_timing::inline::InlineState;
use capvec_timing::static_cost::ExtraBeat;
use iced_x86::Code;

/// A vector instruction in a known state.
#[derive(Clone, Copy)]
pub struct VectorInsn<'a> {
    /// Its block.
    pub block: &'a Block,
    /// Its number in the block.
    pub k: usize,
    /// The instruction.
    pub insn: &'a Insn,
    /// vtype and vl.
    pub state: State,
}

impl VectorInsn<'_> {
    /// Describes it, with its access (bytes, store).
    fn item(&self, timed: &Timed, access: Option<(u32, bool)>) -> Option<Item> {
        let d = self.block.plan.costs.dynamic_at(self.k)?;
        let correction = correction(timed.inline_state(), self.block, d);
        let State { vtype, vl } = self.state;
        Some(Item { index: self.k as u8, insn: *self.insn, vl, vtype, correction, access })
    }
}

/// Probes the lines of `len` bytes from the address in `base`, by calling the function at this address. Clobbers RCX and RDX.
fn span(a: &mut Asm, base: Reg, len: u32, function: u64) {
    a.mov(LINE, Rm::R(base));
    a.lea(Width::Q, SET, at(base, len as i64 - 1));
    a.jump_to(Code::Call_rel32_64, function);
}

/// Counts one more beat if the access at `base` needs it. Clobbers RCX.
fn extra_beat(a: &mut Asm, exits: &mut Exits<'_>, beat: &ExtraBeat, base: Reg, n: &InlineState) {
    let (from, back) = (a.label(), a.label());
    a.mov(Reg::RCX, Rm::R(base));
    a.imm(Code::And_rm32_imm32, Rm::R(Reg::RCX), beat.mask as i32);
    a.imm(Code::Cmp_rm64_imm32, Rm::R(Reg::RCX), beat.max_offset as i32);
    a.jump(Code::Ja_rel32_64, from);
    a.bind(back);
    let (count, ticks) = (n.ticks, beat.ticks);
    exits.out_of_line(move |a, _| {
        a.bind(from);
        add_ticks(a, count, ticks, Reg::RCX);
        a.jump(Code::Jmp_rel32_64, back);
    });
}

impl<'a> Cycles<'a> {
    /// At the entry of a block with vector operations: nothing of its batch has been counted. Clobbers RAX.
    pub fn begin_batch(&self, a: &mut Asm) {
        if let Some(timed) = self.timed().filter(|timed| !timed.inline_state().vector_static) {
            a.mov_address(Reg::RAX, timed.inline_state().caught_up);
            a.imm(Code::Mov_rm64_imm32, Rm::M(at(Reg::RAX, 0)), 0);
        }
    }

    /// Counts the address-dependent part of a vector instruction's unit-stride access at `base`, or records the address
    /// for later. Clobbers RCX and RDX.
    pub fn vector_access(
        &self,
        a: &mut Asm,
        exits: &mut Exits<'a>,
        v: &VectorInsn<'_>,
        (len, store): (u32, bool),
        base: Reg,
    ) {
        let Some(timed) = self.timed() else { return };
        let n = timed.inline_state();
        let item = v.item(timed, Some((len, store)));
        let Some(cost) = item.and_then(|item| timed.static_cost(&item)) else {
            a.mov_address(Reg::RCX, n.addresses + v.k as u64 * 8);
            return a.store(at(Reg::RCX, 0), base);
        };
        if let Some(beat) = cost.extra_beat.filter(|beat| beat.mask > 0 && beat.ticks > 0) {
            extra_beat(a, exits, &beat, base, n);
        }
        let side = Side::of(store);
        if let Some(tags) = side.tags(n).filter(|_| cost.lines) {
            self.access_lines(a, exits, n, (side, &tags), (base, len));
        }
    }

    /// Counts the lines of a vector instruction's constant-stride elements, given their number and the bytes of each.
    /// RAX holds the host address of the first.
    pub fn strided_access(
        &self,
        out: &mut Emitter<'_>,
        v: &VectorInsn<'_>,
        (elements, bytes): (u32, u32),
        store: bool,
    ) {
        let Some(timed) = self.timed() else { return };
        let (n, side) = (timed.inline_state(), Side::of(store));
        let cost = v.item(timed, None).and_then(|item| timed.static_cost(&item));
        if side.tags(n).is_some() && cost.is_some_and(|f| f.lines) {
            out.a.mov(LINE, Rm::R(Reg::RAX));
            out.a.op2(Code::Sub_r64_rm64, LINE, Rm::R(BASE));
            out.x_to(v.insn.rs2, SET);
            out.a.op1(Code::Push_r64, Reg::RAX);
            out.a.mov_imm(Reg::RAX, lines::pack_elements(elements, bytes));
            out.a.jump_to(Code::Call_rel32_64, self.runtime.strided[side as usize]);
            out.a.op1(Code::Pop_r64, Reg::RAX);
        }
    }

    /// Probes the lines of `len` bytes from the address in `base`. Clobbers RCX and RDX.
    fn access_lines(
        &self,
        a: &mut Asm,
        exits: &mut Exits<'a>,
        n: &InlineState,
        (side, tags): (Side, &Tags),
        (base, len): (Reg, u32),
    ) {
        let (line, function) = (1 << tags.line_shift, self.runtime.spans[side as usize]);
        if len > line {
            return span(a, base, len, function);
        }
        let (from, back) = (a.label(), a.label());
        a.mov(Reg::RCX, Rm::R(base));
        a.imm(Code::And_rm32_imm32, Rm::R(Reg::RCX), line as i32 - 1);
        a.imm(Code::Cmp_rm64_imm32, Rm::R(Reg::RCX), (line - len) as i32);
        a.jump(Code::Ja_rel32_64, from);
        lines::probe(a, n, (side, tags), ((base, 0), 0), from);
        a.bind(back);
        exits.out_of_line(move |a, _| {
            a.bind(from);
            span(a, base, len, function);
            a.jump(Code::Jmp_rel32_64, back);
        });
    }

    /// A vector instruction has been generated, with this access (bytes, store): counts it, or adds it to the batch.
    pub fn count_vector(
        &mut self,
        a: &mut Asm,
        vregs: &mut VectorRegs,
        v: &VectorInsn<'_>,
        access: Option<(u32, bool)>,
    ) {
        let Some(timed) = self.timed() else { return };
        let Some(item) = v.item(timed, access) else { return };
        if let Some(cost) = timed.static_cost(&item) {
            return self.vector.due.add(&cost, timed.inline_state());
        }
        timed.add(&mut self.vector.batch, item);
        self.vector.pending = true;
        if access.is_some() && timed.inline_state().vector_cached {
            // The access changes the cache's lines.
            let call = self.catch_up_to(v.k as u8 + 1);
            vregs.around_call(a, |a| call.emit(a));
            self.vector.pending = false;
        }
    }

    /// A call that counts the batch before instruction `end`.
    fn catch_up_to(&self, end: u8) -> CatchUp {
        CatchUp { batch: self.vector.address, end, function: self.runtime.catch_up }
    }

    /// A call that counts the batch before instruction `k`, if something may be pending.
    pub fn pending_before(&self, k: usize) -> Option<CatchUp> {
        self.vector.pending.then(|| self.catch_up_to(k as u8))
    }

    /// Everything uncounted before instruction `k`, for an exit.
    pub fn uncounted_before(&self, k: usize) -> Uncounted<'a> {
        let (batch, due) = (self.pending_before(k), self.vector.due);
        Uncounted { batch, due, deferred: self.deferred }
    }

    /// Counts everything at the end of a block.
    pub fn finish_batch(&mut self, a: &mut Asm, vregs: &mut VectorRegs) {
        if self.vector.pending {
            vregs.release(a);
            self.catch_up(a, END);
        }
        let due = std::mem::take(&mut self.vector.due);
        if let Some(timed) = self.timed().filter(|_| !due.is_none()) {
            due.emit(a, timed.inline_state(), self.fetching.fetch_wait);
        }
    }

    /// Counts the batch before instruction `end`, if something is pending. No host register may hold guest vectors.
    pub fn catch_up(&mut self, a: &mut Asm, end: u8) {
        if std::mem::take(&mut self.vector.pending) {
            self.catch_up_to(end).emit(a);
        }
    }
}
