//! A block's entries under a core model: one for control that arrives by a redirection, whose cost is static except
//! for the instruction cache, and one for sequential control, where the front end may have a lead. Both count the
//! whole block's static cost.

use super::front_end_state::Fetching;
use super::icache;
use super::lines::Side;
use super::state::Cycles;
use super::ticks::add_to_cell;
use crate::access;
use crate::interface::trace::Step;
use crate::timed::Timed;
use crate::x64::asm::{Asm, Label, Reg, Rm, Width, at};
use crate::x64::emit::Exits;
use capvec_sim::block::Block;
use capvec_timing::inline::{Entry, InlineState, Words};
use iced_x86::Code;

/// Register that points to the tick counter.
const TICKS: Reg = Reg::RAX;

/// The model's cells as operands relative to `TICKS`.
struct Cells {
    ticks: Rm,
    lead: Rm,
    /// Only if the block has stalls that overlap fetching.
    fetch_wait: Option<Rm>,
}

impl Cells {
    fn new(b: &Block, n: &InlineState) -> Cells {
        let near = |cell: u64| Rm::M(at(TICKS, cell.wrapping_sub(n.ticks) as i64));
        let plan = &b.plan;
        let scalar = |k: u8| !b.insns[k as usize].op().row().class.is_vector();
        // On a shared memory path, only stalls other than memory accesses overlap fetching.
        let stalls = plan.costs.dynamic().any(|d| !(n.shared && scalar(d.index)));
        Cells {
            ticks: near(n.ticks),
            lead: near(n.front.lead),
            fetch_wait: stalls.then(|| near(n.front.fetch_wait)),
        }
    }
}

/// The static part of entering the current block.
struct Static {
    cells: Cells,
    entry: Entry,
    /// Ticks of all its instructions.
    static_ticks: u64,
}

impl Static {
    fn new(b: &Block, timed: &Timed) -> Static {
        let n = timed.inline_state();
        let entry = timed.entry(b.start, b.end, &b.plan);
        let static_ticks = entry.issue + access::static_ticks(n, &b.insns);
        Static { cells: Cells::new(b, n), entry, static_ticks }
    }

    /// Entry in sequence, with the prefetch lead `lead` if it is known. Returns the ticks still to be counted; if they are not
    /// `deferred`, there are none where ticks have to be counted anyway.
    fn sequential(&self, a: &mut Asm, n: &InlineState, lead: Option<u64>, deferred: bool) -> u64 {
        let (cells, ahead) = (&self.cells, self.entry.ahead);
        match lead {
            Some(before) => {
                let words = self.entry.after(before);
                self.set_state(a, n, &words, words.lead != before)
            }
            None if ahead >= 0 => {
                a.mov_address(TICKS, n.ticks);
                gain_lead(a, cells, &self.entry);
                self.static_ticks
            }
            None => {
                a.mov_address(TICKS, n.ticks);
                let (now, later) =
                    if deferred { (0, self.static_ticks) } else { (self.static_ticks, 0) };
                use_lead(a, cells, ahead, now);
                later
            }
        }
    }

    /// The state after the block if control entered it in sequence.
    fn after(&self, before: Option<u64>) -> Fetching {
        let after = |before| Fetching::of(&self.entry.after(before));
        // The lead after the block grows with the lead before it, and the wait shrinks; the buffer bounds the lead.
        let (least, most) = (before.unwrap_or(0), before.unwrap_or(self.entry.buffer));
        after(least).join(after(most))
    }

    /// The state after the block if control entered it by a redirection.
    fn after_redirection(&self) -> Fetching {
        Fetching::of(&self.entry.redirected)
    }

    /// What is known about the state after the block, whichever way control entered it.
    fn after_any(&self) -> Fetching {
        self.after(None).join(self.after_redirection())
    }

    /// Entry by a redirection. Returns the ticks still to be counted.
    fn redirected(&self, a: &mut Asm, n: &InlineState) -> u64 {
        self.set_state(a, n, &self.entry.redirected, true)
    }

    /// Sets the known state; `lead` says whether the lead may change. Returns the ticks still to be counted.
    fn set_state(&self, a: &mut Asm, n: &InlineState, words: &Words, lead: bool) -> u64 {
        if lead || self.cells.fetch_wait.is_some() {
            a.mov_address(TICKS, n.ticks);
        }
        if lead {
            set(a, self.cells.lead, words.lead);
        }
        self.cells.fetch_wait.iter().for_each(|fetch_wait| set(a, *fetch_wait, words.fetch_wait));
        self.static_ticks + words.cost
    }
}

impl<'a> Cycles<'a> {
    /// Emits the entries of a trace's first block, the sequential one first. Returns the offset of the entry after a
    /// redirection.
    pub fn enter(&mut self, a: &mut Asm, exits: &mut Exits<'a>, step: Step<'_>) -> usize {
        let Some(timed) = self.timed() else { return a.len() };
        let n = timed.inline_state();
        let entry = Static::new(step.block, timed);
        let common = a.label();
        let left = entry.sequential(a, n, None, false);
        add_to_cell(a, entry.cells.ticks, left);
        a.jump(Code::Jmp_rel32_64, common);
        let redirected = a.len();
        let left = entry.redirected(a, n);
        add_to_cell(a, entry.cells.ticks, left);
        a.bind(common);
        self.fetching = entry.after_any();
        self.probe_fetch(a, exits, timed, step, None);
        redirected
    }

    /// At the start of a loop that begins with block `b`: keeps only what is known about the front end in every iteration.
    pub fn enter_loop(&mut self, b: &Block) {
        if let Some(timed) = self.timed() {
            self.fetching = Static::new(b, timed).after_any();
        }
    }

    /// Emits what is counted when control enters a block within a trace: from above, in sequence or not, and from the
    /// label `other` by a redirection, if there is one. The previous block's last byte is at `fetched`.
    pub fn enter_next(
        &mut self,
        a: &mut Asm,
        exits: &mut Exits<'a>,
        step: Step<'_>,
        sequential: bool,
        other: Option<Label>,
        fetched: u64,
    ) {
        let Some(timed) = self.timed() else { return };
        let n = timed.inline_state();
        let entry = Static::new(step.block, timed);
        let common = a.label();
        let (mut fetching, mut left) = (entry.after_redirection(), 0);
        if sequential {
            left = entry.sequential(a, n, self.fetching.lead, true);
            let after = entry.after(self.fetching.lead);
            fetching = if other.is_some() { fetching.join(after) } else { after };
        }
        match other {
            None if sequential => {}
            None => left = entry.redirected(a, n),
            Some(other) => {
                if sequential {
                    a.jump(Code::Jmp_rel32_64, common);
                }
                a.bind(other);
                let ticks = entry.redirected(a, n);
                left = if sequential { left } else { ticks };
                // May be less than what is deferred for the other path.
                let more = ticks.wrapping_sub(left) as i32;
                if more != 0 {
                    a.mov_address(TICKS, n.ticks);
                    a.imm(Code::Add_rm64_imm32, entry.cells.ticks, more);
                }
            }
        }
        self.deferred.ticks += left;
        self.fetching = fetching;
        a.bind(common);
        self.probe_fetch(a, exits, timed, step, Some(fetched));
    }

    fn probe_fetch(
        &self,
        a: &mut Asm,
        exits: &mut Exits<'a>,
        timed: &'a Timed,
        step: Step<'_>,
        fetched: Option<u64>,
    ) {
        let function = self.runtime.lines[Side::Fetch as usize];
        icache::probe(a, exits, timed.inline_state(), function, step, fetched);
    }
}

fn set(a: &mut Asm, cell: Rm, value: u64) {
    a.imm(Code::Mov_rm64_imm32, cell, value as i32);
}

/// Sequential entry where issue takes at least as long as fetching: no wait.
fn gain_lead(a: &mut Asm, cells: &Cells, e: &Entry) {
    if e.ahead > 0 {
        a.mov(Reg::RCX, cells.lead);
        a.lea(Width::Q, Reg::RCX, at(Reg::RCX, e.ahead));
        a.mov_imm(Reg::RDX, e.buffer);
        a.op2(Code::Cmp_r64_rm64, Reg::RCX, Rm::R(Reg::RDX));
        a.op2(Code::Cmova_r64_rm64, Reg::RCX, Rm::R(Reg::RDX));
        a.op2_to(Code::Mov_rm64_r64, cells.lead, Reg::RCX);
    }
    cells.fetch_wait.iter().for_each(|fetch_wait| set(a, *fetch_wait, 0));
}

/// Sequential entry where fetching takes longer than issue: the lead may not suffice, and what is missing is counted, together with
/// more `ticks`. The rest of the lead stays within the buffer's bound.
fn use_lead(a: &mut Asm, cells: &Cells, ahead: i64, ticks: u64) {
    // RDX = the missing lead, negative, or 0; RCX = the remaining lead.
    a.op2(Code::Xor_r32_rm32, Reg::RDX, Rm::R(Reg::RDX));
    a.mov(Reg::RCX, cells.lead);
    a.imm(Code::Add_rm64_imm32, Rm::R(Reg::RCX), ahead as i32);
    a.op2(Code::Cmovs_r64_rm64, Reg::RDX, Rm::R(Reg::RCX));
    a.op2(Code::Sub_r64_rm64, Reg::RCX, Rm::R(Reg::RDX));
    a.op2_to(Code::Mov_rm64_r64, cells.lead, Reg::RCX);
    if let Some(fetch_wait) = cells.fetch_wait {
        a.mov(Reg::RCX, Rm::R(Reg::RDX));
        a.op1(Code::Neg_rm64, Reg::RCX);
        a.op2_to(Code::Mov_rm64_r64, fetch_wait, Reg::RCX);
    }
    if ticks > 0 {
        a.lea(Width::Q, Reg::RDX, at(Reg::RDX, -(ticks as i64)));
    }
    a.op2_to(Code::Sub_rm64_r64, cells.ticks, Reg::RDX);
}
