//! A block's entries under a core model: one for control that arrives by a redirection, whose cost is static except
//! for the instruction cache, and one for sequential control, where the front end may have a lead. Both count the
//! whole block's static cost.

use crate::timed::Timed;
use crate::x64::asm::{Asm, Label, Mem, Reg, Rm, Width, at};
use crate::x64::cycles::access::static_accesses;
use crate::x64::cycles::lines::{self, LINE, SET, Side};
use crate::x64::translate::{Cold, Translator};
use capvec_timing::Tags;
use capvec_timing::native::{Entry, Native, Words};
use iced_x86::Code;
use std::ops::RangeInclusive;

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
    fn new(t: &Translator<'_>, n: &Native) -> Cells {
        let near = |cell: u64| Rm::M(at(TICKS, cell.wrapping_sub(n.ticks) as i64));
        let plan = &t.block.plan;
        let scalar = |k: u8| !t.block.insns[k as usize].op().row().class.is_vector();
        // On a shared memory path, only stalls other than memory accesses overlap fetching.
        let stalls = plan.dynamic.iter().any(|d| !(n.shared && scalar(d.index)));
        Cells {
            ticks: near(n.ticks),
            lead: near(n.front.lead),
            fetch_wait: stalls.then(|| near(n.front.fetch_wait)),
        }
    }
}

/// What is statically known of the front end at a position of the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fetching {
    /// The prefetch lead when the next block is entered.
    lead: Option<u64>,
    /// How long the current block waited for fetching at its entry.
    pub fetch_wait: Option<u64>,
}

impl Fetching {
    fn of(words: &Words) -> Fetching {
        Fetching { lead: Some(words.lead), fetch_wait: Some(words.fetch_wait) }
    }

    /// What is known when either state is possible.
    fn join(self, other: Fetching) -> Fetching {
        Fetching {
            lead: self.lead.filter(|_| self.lead == other.lead),
            fetch_wait: self.fetch_wait.filter(|_| self.fetch_wait == other.fetch_wait),
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
    fn new(t: &Translator<'_>, timed: &Timed) -> Static {
        let (n, b) = (timed.native(), t.block);
        let entry = timed.entry(b.start, b.end, &b.plan);
        let static_ticks = entry.issue + static_accesses(n, &b.insns);
        Static { cells: Cells::new(t, n), entry, static_ticks }
    }

    /// Entry in sequence, with the prefetch lead `lead` if it is known. Returns the ticks still to be counted.
    fn sequential(&self, t: &mut Translator<'_>, n: &Native, lead: Option<u64>) -> u64 {
        let (cells, ahead) = (&self.cells, self.entry.ahead);
        match lead {
            Some(before) => {
                let words = self.entry.after(before);
                self.set_state(t, n, &words, words.lead != before)
            }
            None if ahead >= 0 => {
                t.out.a.mov_imm(TICKS, n.ticks);
                gain_lead(t, cells, &self.entry);
                self.static_ticks
            }
            None => {
                t.out.a.mov_imm(TICKS, n.ticks);
                use_lead(t, cells, ahead, self.static_ticks);
                0
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

    /// Entry by a redirection. Returns the ticks still to be counted.
    fn redirected(&self, t: &mut Translator<'_>, n: &Native) -> u64 {
        self.set_state(t, n, &self.entry.redirected, true)
    }

    /// Sets the known state; `lead` says whether the lead may change. Returns the ticks still to be counted.
    fn set_state(&self, t: &mut Translator<'_>, n: &Native, words: &Words, lead: bool) -> u64 {
        if lead || self.cells.fetch_wait.is_some() {
            t.out.a.mov_imm(TICKS, n.ticks);
        }
        if lead {
            set(t, self.cells.lead, words.lead);
        }
        self.cells.fetch_wait.iter().for_each(|fetch_wait| set(t, *fetch_wait, words.fetch_wait));
        self.static_ticks + words.cost
    }
}

/// Emits the entries, the sequential one first. Returns the offsets of the entry after a redirection and of the entry
/// for control from another variant.
pub fn emit(t: &mut Translator<'_>, timed: &Timed) -> (usize, usize) {
    let n = timed.native();
    let entry = Static::new(t, timed);
    let common = t.out.a.label();
    let left = entry.sequential(t, n, None);
    t.count_ticks(entry.cells.ticks, left);
    t.out.a.jump(Code::Jmp_rel32_64, common);
    let redirected = t.out.a.len();
    let left = entry.redirected(t, n);
    t.count_ticks(entry.cells.ticks, left);
    t.out.a.bind(common);
    t.fetching = in_loop(t, timed);
    lines(t, n, None);
    let inner = t.out.a.len();
    t.check_vector_state();
    t.begin_batch();
    t.charge_budget();
    (redirected, inner)
}

/// Emits what is counted when control enters the current block within a trace: from above, in sequence or not, and
/// from the label `other` by a redirection, if there is one. The previous block's last byte is at `fetched`.
pub fn emit_within_trace(
    t: &mut Translator<'_>,
    timed: &Timed,
    sequential: bool,
    other: Option<Label>,
    fetched: u64,
) {
    let n = timed.native();
    let entry = Static::new(t, timed);
    let common = t.out.a.label();
    let (mut fetching, mut left) = (entry.after_redirection(), 0);
    if sequential {
        left = entry.sequential(t, n, t.fetching.lead);
        let after = entry.after(t.fetching.lead);
        fetching = if other.is_some() { fetching.join(after) } else { after };
    }
    match other {
        None if sequential => {}
        None => left = entry.redirected(t, n),
        Some(other) => {
            if sequential {
                t.out.a.jump(Code::Jmp_rel32_64, common);
            }
            t.out.a.bind(other);
            let ticks = entry.redirected(t, n);
            left = if sequential { left } else { ticks };
            // May be less than what is deferred for the other path.
            let more = ticks.wrapping_sub(left) as i32;
            if more != 0 {
                t.out.a.mov_imm(TICKS, n.ticks);
                t.out.a.imm(Code::Add_rm64_imm32, entry.cells.ticks, more);
            }
        }
    }
    t.deferred_ticks += left;
    t.fetching = fetching;
    t.out.a.bind(common);
    lines(t, n, Some(fetched));
}

/// What is known of the front end at every entry of a loop's first block.
pub fn in_loop(t: &Translator<'_>, timed: &Timed) -> Fetching {
    let entry = Static::new(t, timed);
    entry.after(None).join(entry.after_redirection())
}

fn set(t: &mut Translator<'_>, cell: Rm, value: u64) {
    t.out.a.imm(Code::Mov_rm64_imm32, cell, value as i32);
}

/// Sequential entry where issue takes at least as long as fetching: no wait.
fn gain_lead(t: &mut Translator<'_>, cells: &Cells, e: &Entry) {
    if e.ahead > 0 {
        t.out.a.mov(Reg::RCX, cells.lead);
        t.out.a.lea(Width::Q, Reg::RCX, at(Reg::RCX, e.ahead));
        t.out.a.mov_imm(Reg::RDX, e.buffer);
        t.out.a.op2(Code::Cmp_r64_rm64, Reg::RCX, Rm::R(Reg::RDX));
        t.out.a.op2(Code::Cmova_r64_rm64, Reg::RCX, Rm::R(Reg::RDX));
        t.out.a.op2_to(Code::Mov_rm64_r64, cells.lead, Reg::RCX);
    }
    cells.fetch_wait.iter().for_each(|fetch_wait| set(t, *fetch_wait, 0));
}

/// Sequential entry where fetching takes longer than issue: the lead may not suffice. The rest of the lead stays
/// within the buffer's bound.
fn use_lead(t: &mut Translator<'_>, cells: &Cells, ahead: i64, static_ticks: u64) {
    t.out.a.mov(Reg::RCX, cells.lead);
    t.out.a.lea(Width::Q, Reg::RCX, at(Reg::RCX, ahead));
    // RDX = the missing lead, negative, or 0; RCX = the remaining lead.
    t.out.a.mov(Reg::RDX, Rm::R(Reg::RCX));
    t.out.a.imm(Code::Sar_rm64_imm8, Rm::R(Reg::RDX), 63);
    t.out.a.op2(Code::And_r64_rm64, Reg::RDX, Rm::R(Reg::RCX));
    t.out.a.op2(Code::Sub_r64_rm64, Reg::RCX, Rm::R(Reg::RDX));
    t.out.a.op2_to(Code::Mov_rm64_r64, cells.lead, Reg::RCX);
    t.out.a.op1(Code::Neg_rm64, Reg::RDX);
    if let Some(fetch_wait) = cells.fetch_wait {
        t.out.a.op2_to(Code::Mov_rm64_r64, fetch_wait, Reg::RDX);
    }
    t.out.a.lea(Width::Q, Reg::RDX, at(Reg::RDX, static_ticks as i64));
    t.out.a.op2_to(Code::Add_rm64_r64, cells.ticks, Reg::RDX);
}

/// Probes the block's cache lines, each as the first tag of its set. The line at `fetched` was just fetched and is
/// skipped. Clobbers RAX.
fn lines(t: &mut Translator<'_>, n: &Native, fetched: Option<u64>) {
    let Some(tags) = Side::Fetch.tags(n) else { return };
    let line = |addr: u64| addr >> tags.line_shift;
    let (first, last) = (line(t.block.start), line(t.block.end - 1));
    let known = fetched.is_some_and(|addr| line(addr) == first);
    let range = first + known as u64..=last;
    if range.is_empty() {
        return;
    }
    let (from, back) = (t.out.a.label(), t.out.a.label());
    each_line(&mut t.out.a, &tags, range.clone(), |a, set| {
        a.op2_to(Code::Cmp_rm64_r64, Rm::M(set), LINE);
        a.jump(Code::Jne_rel32_64, from);
    });
    t.out.a.bind(back);
    t.out_of_line(Cold::Lines { from, back, range });
}

/// Calls `f` with the address of the first tag of each line's set; LINE holds the line. Clobbers SET.
fn each_line(
    a: &mut Asm,
    tags: &Tags,
    range: RangeInclusive<u64>,
    mut f: impl FnMut(&mut Asm, Mem),
) {
    let first = *range.start();
    // The set that SET points to.
    let mut pointed = 0;
    for line in range {
        let set = line & tags.set_mask;
        if line == first {
            a.mov_imm(LINE, line << tags.line_shift);
        } else {
            a.lea(Width::Q, LINE, at(LINE, 1 << tags.line_shift));
        }
        if line == first || set == 0 {
            pointed = set;
            a.mov_imm(SET, tags.address + set * tags.ways * 8);
        }
        f(a, at(SET, ((set - pointed) * tags.ways * 8) as i64));
    }
}

/// The slow path of `lines`: some lines are not the first of their set.
pub fn emit_lines(t: &mut Translator<'_>, from: Label, back: Label, range: RangeInclusive<u64>) {
    let Some(timed) = t.timed else { return };
    let n = timed.native();
    let Some(tags) = Side::Fetch.tags(n) else { return };
    let function = t.runtime.lines[Side::Fetch as usize];
    t.out.a.bind(from);
    let simple = lines::is_simple(n, Side::Fetch, &tags);
    if simple {
        t.out.a.mov_imm(Reg::RAX, 0);
    }
    each_line(&mut t.out.a, &tags, range, |a, set| {
        let there = a.label();
        a.op2_to(Code::Cmp_rm64_r64, Rm::M(set), LINE);
        a.jump(Code::Je_rel32_64, there);
        if simple {
            a.store(set, LINE);
            a.lea(Width::D, Reg::RAX, at(Reg::RAX, n.front.miss as i64));
        } else {
            a.mov(Reg::RAX, Rm::R(SET));
            a.lea(Width::Q, SET, set);
            a.jump_to(Code::Call_rel32_64, function);
            a.mov(SET, Rm::R(Reg::RAX));
        }
        a.bind(there);
    });
    if simple {
        t.out.a.mov_imm(SET, n.ticks);
        t.out.a.op2_to(Code::Add_rm64_r64, Rm::M(at(SET, 0)), Reg::RAX);
    }
    t.out.a.jump(Code::Jmp_rel32_64, back);
}

impl Translator<'_> {
    /// Adds ticks to a cell. A block's ticks are below 2^31, because each parameter is below 100,000 cycles.
    pub fn count_ticks(&mut self, cell: Rm, ticks: u64) {
        if ticks > 0 {
            self.out.a.imm(Code::Add_rm64_imm32, cell, ticks as i32);
        }
    }
}
