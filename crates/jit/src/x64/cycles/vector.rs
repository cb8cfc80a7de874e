//! Vector instructions under a core model are counted late, by one call with a list of them: before anything else
//! whose cost is dynamic is counted, and at the end of the block.

use crate::timed::Timed;
use crate::x64::asm::{Asm, Label, Reg, Rm, Width, at};
use crate::x64::cycles::access as access_timing;
use crate::x64::cycles::lines::{self, LINE, SET, Side};
use crate::x64::emit::regs::BASE;
use crate::x64::translate::{Cold, Translator};
use capvec_sim::insn::Insn;
use capvec_sim::vector::VType;
use capvec_timing::Tags;
use capvec_timing::batch::Item;
use capvec_timing::native::Native;
use capvec_timing::static_cost::StaticCost;
use iced_x86::Code;

/// An index after all instructions of a block.
pub const END: u8 = u8::MAX;

/// A call that counts a batch's instructions before instruction `end`. Clobbers RCX, RDX and the host's vector
/// registers.
#[derive(Clone, Copy)]
pub struct CatchUp {
    batch: u64,
    end: u8,
    function: u64,
}

impl CatchUp {
    /// Emits the call.
    pub fn emit(self, a: &mut Asm) {
        a.mov_imm(Reg::RCX, self.batch);
        a.mov_imm(Reg::RDX, self.end as u64);
        a.jump_to(Code::Call_rel32_64, self.function);
    }
}

/// Ticks of vector instructions whose cost does not depend on when they are counted. Never negative.
#[derive(Clone, Copy, Debug, Default)]
pub struct StaticTicks {
    /// Total.
    all: u64,
    /// How many of them can overlap fetching, at most.
    hidden: u64,
}

impl StaticTicks {
    fn add(&mut self, f: &StaticCost, n: &Native) {
        self.all += f.stall + f.memory;
        self.hidden += f.stall.min(n.front.buffer);
    }

    /// Counts them in a block that has waited `fetch_wait` ticks for fetching, if that is known. Clobbers RCX and RDX.
    fn emit(self, a: &mut Asm, n: &Native, fetch_wait: Option<u64>) {
        let (cell, ticks) = (Reg::RDX, Reg::RCX);
        match fetch_wait {
            Some(fetch_wait) => a.mov_imm(ticks, self.all - self.hidden.min(fetch_wait)),
            None => {
                a.mov_imm(cell, n.front.fetch_wait);
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
        a.mov_imm(cell, n.ticks);
        a.op2_to(Code::Add_rm64_r64, Rm::M(at(cell, 0)), ticks);
    }

    fn is_none(&self) -> bool {
        self.all == 0 && self.hidden == 0
    }
}

/// Everything not yet counted at an exit in the middle of a block.
pub struct Uncounted {
    batch: Option<CatchUp>,
    due: StaticTicks,
    deferred_ticks: u64,
}

/// An access takes one more beat. Clobbers RCX.
pub fn emit_extra_beat(t: &mut Translator<'_>, from: Label, back: Label, ticks: u64) {
    let Some(timed) = t.timed else { return };
    t.out.a.bind(from);
    t.out.a.mov_imm(Reg::RCX, timed.native().ticks);
    t.count_ticks(Rm::M(at(Reg::RCX, 0)), ticks);
    t.out.a.jump(Code::Jmp_rel32_64, back);
}

/// Probes the lines of `len` bytes from the address in `base`. Clobbers RCX and RDX.
pub fn span(t: &mut Translator<'_>, base: Reg, len: u32, side: Side) {
    t.out.a.mov(LINE, Rm::R(base));
    t.out.a.lea(Width::Q, SET, at(base, len as i64 - 1));
    t.out.a.jump_to(Code::Call_rel32_64, t.runtime.spans[side as usize]);
}

impl Translator<'_> {
    /// At a block's entry: nothing of its batch has been counted. Clobbers RAX.
    pub fn begin_batch(&mut self) {
        if let (Some(timed), true) = (self.timed, self.plan.has_operations())
            && !timed.native().vector_static
        {
            self.out.a.mov_imm(Reg::RAX, timed.native().caught_up);
            self.out.a.imm(Code::Mov_rm64_imm32, Rm::M(at(Reg::RAX, 0)), 0);
        }
    }

    /// Describes vector instruction `k` in this state, with its access (bytes, store).
    fn item(
        &self,
        timed: &Timed,
        k: usize,
        i: &Insn,
        (vtype, vl): (VType, u64),
        access: Option<(u32, bool)>,
    ) -> Option<Item> {
        let d = self.block.plan.dynamic.iter().find(|d| d.index as usize == k)?;
        let correction = access_timing::correction(timed.native(), self.block, *d);
        Some(Item { index: k as u8, insn: *i, vl, vtype, correction, access })
    }

    /// Counts the address-dependent part of vector instruction `k`'s access at `base`, or records the address for
    /// later. Clobbers RCX and RDX.
    pub fn count_access(
        &mut self,
        k: usize,
        i: &Insn,
        state: (VType, u64),
        (len, store): (u32, bool),
        base: Reg,
    ) {
        let Some(timed) = self.timed else { return };
        let n = timed.native();
        let item = self.item(timed, k, i, state, Some((len, store)));
        let Some(cost) = item.and_then(|item| timed.static_cost(&item)) else {
            self.out.a.mov_imm(Reg::RCX, n.addresses + k as u64 * 8);
            return self.out.a.store(at(Reg::RCX, 0), base);
        };
        if let Some(beat) = cost.extra_beat.filter(|beat| beat.mask > 0 && beat.ticks > 0) {
            let (from, back) = (self.out.a.label(), self.out.a.label());
            self.out.a.mov(Reg::RCX, Rm::R(base));
            self.out.a.imm(Code::And_rm32_imm32, Rm::R(Reg::RCX), beat.mask as i32);
            self.out.a.imm(Code::Cmp_rm64_imm32, Rm::R(Reg::RCX), beat.max_offset as i32);
            self.out.a.jump(Code::Ja_rel32_64, from);
            self.out.a.bind(back);
            self.out_of_line(Cold::ExtraBeat { from, back, ticks: beat.ticks });
        }
        let side = Side::of(store);
        if let Some(tags) = side.tags(n).filter(|_| cost.lines) {
            self.count_lines(&tags, base, len, side);
        }
    }

    /// `count_access` for elements with a constant stride: their number and the bytes of each. RAX holds the host
    /// address of the first.
    pub fn count_strided(
        &mut self,
        k: usize,
        i: &Insn,
        state: (VType, u64),
        (elements, bytes): (u32, u32),
        store: bool,
    ) {
        let Some(timed) = self.timed else { return };
        let (n, side) = (timed.native(), Side::of(store));
        let cost = self.item(timed, k, i, state, None).and_then(|item| timed.static_cost(&item));
        if side.tags(n).is_some() && cost.is_some_and(|f| f.lines) {
            self.out.a.mov(LINE, Rm::R(Reg::RAX));
            self.out.a.op2(Code::Sub_r64_rm64, LINE, Rm::R(BASE));
            self.out.x_to(i.rs2, SET);
            self.out.a.op1(Code::Push_r64, Reg::RAX);
            self.out.a.mov_imm(Reg::RAX, lines::pack_elements(elements, bytes));
            self.out.a.jump_to(Code::Call_rel32_64, self.runtime.strided[side as usize]);
            self.out.a.op1(Code::Pop_r64, Reg::RAX);
        }
    }

    /// Probes the lines of `len` bytes from the address in `base`. Clobbers RCX and RDX.
    fn count_lines(&mut self, tags: &Tags, base: Reg, len: u32, side: Side) {
        let line = 1 << tags.line_shift;
        if len > line {
            return span(self, base, len, side);
        }
        let (from, back) = (self.out.a.label(), self.out.a.label());
        self.out.a.mov(Reg::RCX, Rm::R(base));
        self.out.a.imm(Code::And_rm32_imm32, Rm::R(Reg::RCX), line as i32 - 1);
        self.out.a.imm(Code::Cmp_rm64_imm32, Rm::R(Reg::RCX), (line - len) as i32);
        self.out.a.jump(Code::Ja_rel32_64, from);
        access_timing::probe(self, tags, base, (side == Side::Store, 0), from);
        self.out.a.bind(back);
        self.out_of_line(Cold::Span { from, back, base, len, side });
    }

    /// Vector instruction `k` has been generated in this state, with this access (bytes, store): counts it, or adds
    /// it to the batch.
    pub fn count_vector(
        &mut self,
        k: usize,
        i: &Insn,
        state: (VType, u64),
        access: Option<(u32, bool)>,
    ) {
        let Some(timed) = self.timed else { return };
        let Some(item) = self.item(timed, k, i, state, access) else { return };
        if let Some(cost) = timed.static_cost(&item) {
            return self.due.add(&cost, timed.native());
        }
        timed.add(&mut self.batch, item);
        self.pending = true;
        if access.is_some() && timed.native().vector_cached {
            // The access changes the cache's lines.
            let call = self.catch_up_to(k as u8 + 1);
            self.file.around_call(&mut self.out.a, |a| call.emit(a));
            self.pending = false;
        }
    }

    /// A call that counts the batch before instruction `end`.
    fn catch_up_to(&self, end: u8) -> CatchUp {
        CatchUp { batch: self.batch_address, end, function: self.runtime.catch_up }
    }

    /// A call that counts the batch before instruction `k`, if something may be pending.
    pub fn pending_before(&self, k: usize) -> Option<CatchUp> {
        self.pending.then(|| self.catch_up_to(k as u8))
    }

    /// Everything uncounted before instruction `k`, for an exit.
    pub fn uncounted_before(&self, k: usize) -> Uncounted {
        Uncounted {
            batch: self.pending_before(k),
            due: self.due,
            deferred_ticks: self.deferred_ticks,
        }
    }

    /// Counts it. Clobbers RCX, RDX and the host's vector registers.
    pub fn emit_uncounted(&mut self, uncounted: &Uncounted) {
        self.deferred_ticks = uncounted.deferred_ticks;
        self.count_deferred_ticks();
        uncounted.batch.iter().for_each(|call| call.emit(&mut self.out.a));
        if let Some(timed) = self.timed.filter(|_| !uncounted.due.is_none()) {
            uncounted.due.emit(&mut self.out.a, timed.native(), None);
        }
    }

    /// Counts everything at the end of a block.
    pub fn finish_batch(&mut self) {
        if self.pending {
            self.release();
            self.catch_up(END);
        }
        let due = std::mem::take(&mut self.due);
        if let Some(timed) = self.timed.filter(|_| !due.is_none()) {
            due.emit(&mut self.out.a, timed.native(), self.fetching.fetch_wait);
        }
    }

    /// Counts the batch before instruction `end`, if something is pending. No host register may hold guest vectors.
    pub fn catch_up(&mut self, end: u8) {
        if std::mem::take(&mut self.pending) {
            self.catch_up_to(end).emit(&mut self.out.a);
        }
    }
}
