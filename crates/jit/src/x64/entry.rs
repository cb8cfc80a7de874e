//! A block's entries under a core model: one for control that comes by a redirection, whose cost is static but for
//! the lines, and one for control that comes in sequence, where fetching may be ahead. Both count the block's
//! static cost as a whole.

use super::asm::{Asm, Label, Reg, Rm, Width, at};
use super::data::static_accesses;
use super::lines::{self, LINE, SET, Side};
use super::translate::{Cold, Translator};
use crate::timed::Timed;
use capvec_timing::Tags;
use capvec_timing::native::{Entry, Native, Words};
use iced_x86::{Code, MemoryOperand};
use std::ops::RangeInclusive;

/// Where the ticks are counted.
const TICKS: Reg = Reg::RAX;

/// The operands in the model's state, once `TICKS` points there.
struct Cells {
    ticks: Rm,
    slack: Rm,
    /// If the block has stalls that look at it.
    waited: Option<Rm>,
}

impl Cells {
    fn new(t: &Translator<'_>, n: &Native) -> Cells {
        let near = |cell: u64| Rm::M(at(TICKS, cell.wrapping_sub(n.ticks) as i64));
        let plan = &t.block.plan;
        let scalar = |k: u8| !t.block.insns[k as usize].op().row().class.is_vector();
        // With a shared path, only stalls for other things than memory go on beneath fetching.
        let stalls = plan.dynamic.iter().any(|d| !(n.shared && scalar(d.index)));
        Cells {
            ticks: near(n.ticks),
            slack: near(n.front.slack),
            waited: stalls.then(|| near(n.front.waited)),
        }
    }
}

/// What is known of the front end's state at a place of the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fetching {
    /// What fetching is ahead by, when the next block is entered.
    slack: Option<u64>,
    /// What the present block has waited for it, when it was entered.
    pub waited: Option<u64>,
}

impl Fetching {
    fn of(words: &Words) -> Fetching {
        Fetching { slack: Some(words.slack), waited: Some(words.waited) }
    }

    /// What is known if it is one or the other.
    fn join(self, other: Fetching) -> Fetching {
        Fetching {
            slack: self.slack.filter(|_| self.slack == other.slack),
            waited: self.waited.filter(|_| self.waited == other.waited),
        }
    }
}

/// What is static of entering the present block.
struct Static {
    cells: Cells,
    entry: Entry,
    /// Ticks of all instructions.
    fixed: u64,
}

impl Static {
    fn new(t: &Translator<'_>, timed: &Timed) -> Static {
        let (n, b) = (timed.native(), t.block);
        let entry = timed.entry(b.start, b.end, &b.plan);
        let fixed = entry.issue + static_accesses(n, &b.insns);
        Static { cells: Cells::new(t, n), entry, fixed }
    }

    /// Control comes in sequence, with fetching ahead by `slack`, if that is known: ticks that are left to count.
    fn sequential(&self, t: &mut Translator<'_>, n: &Native, slack: Option<u64>) -> u64 {
        let (cells, ahead) = (&self.cells, self.entry.ahead);
        match slack {
            Some(before) => {
                let words = self.entry.after(before);
                self.known(t, n, &words, words.slack != before)
            }
            None if ahead >= 0 => {
                t.a.mov_imm(TICKS, n.ticks);
                self::ahead(t, cells, &self.entry);
                self.fixed
            }
            None => {
                t.a.mov_imm(TICKS, n.ticks);
                behind(t, cells, ahead, self.fixed);
                0
            }
        }
    }

    /// The state behind the block, if control came to it in sequence.
    fn after(&self, before: Option<u64>) -> Fetching {
        let after = |before| Fetching::of(&self.entry.after(before));
        // Slack is more the more it was before, and waiting less; slack is the buffer at most.
        let (least, most) = (before.unwrap_or(0), before.unwrap_or(self.entry.buffer));
        after(least).join(after(most))
    }

    /// That if it came by a redirection.
    fn behind_redirection(&self) -> Fetching {
        Fetching::of(&self.entry.redirected)
    }

    /// Control comes by a redirection: ticks that are left to count.
    fn redirected(&self, t: &mut Translator<'_>, n: &Native) -> u64 {
        self.known(t, n, &self.entry.redirected, true)
    }

    /// What the words do is known, and whether what fetching is ahead by may change: ticks that are left to count.
    fn known(&self, t: &mut Translator<'_>, n: &Native, words: &Words, slack: bool) -> u64 {
        if slack || self.cells.waited.is_some() {
            t.a.mov_imm(TICKS, n.ticks);
        }
        if slack {
            set(t, self.cells.slack, words.slack);
        }
        self.cells.waited.iter().for_each(|waited| set(t, *waited, words.waited));
        self.fixed + words.cost
    }
}

/// Generates the entries, of which the one in sequence comes first; where that behind a redirection is, and that for
/// control that comes from another translation.
pub fn emit(t: &mut Translator<'_>, timed: &Timed) -> (usize, usize) {
    let n = timed.native();
    let entry = Static::new(t, timed);
    let common = t.a.label();
    let left = entry.sequential(t, n, None);
    t.count_ticks(entry.cells.ticks, left);
    t.a.jump(Code::Jmp_rel32_64, common);
    let redirected = t.a.len();
    let left = entry.redirected(t, n);
    t.count_ticks(entry.cells.ticks, left);
    t.a.bind(common);
    t.fetching = in_loop(t, timed);
    lines(t, n, None);
    let inner = t.a.len();
    t.other_vectors();
    t.begin_batch();
    t.take();
    (redirected, inner)
}

/// Generates what is counted when control enters the present block within a trace: from above, in sequence or not, and
/// by a redirection from a label, if there is one. Of the last block, the byte at `fetched` was the last.
pub fn inside(
    t: &mut Translator<'_>,
    timed: &Timed,
    sequential: bool,
    other: Option<Label>,
    fetched: u64,
) {
    let n = timed.native();
    let entry = Static::new(t, timed);
    let common = t.a.label();
    let (mut fetching, mut left) = (entry.behind_redirection(), 0);
    if sequential {
        left = entry.sequential(t, n, t.fetching.slack);
        let after = entry.after(t.fetching.slack);
        fetching = if other.is_some() { fetching.join(after) } else { after };
    }
    match other {
        None if sequential => {}
        None => left = entry.redirected(t, n),
        Some(other) => {
            if sequential {
                t.a.jump(Code::Jmp_rel32_64, common);
            }
            t.a.bind(other);
            let ticks = entry.redirected(t, n);
            left = if sequential { left } else { ticks };
            // May be less than what is put off for the other way.
            let more = ticks.wrapping_sub(left) as i32;
            if more != 0 {
                t.a.mov_imm(TICKS, n.ticks);
                t.a.imm(Code::Add_rm64_imm32, Width::Q, entry.cells.ticks, more);
            }
        }
    }
    t.put_off += left;
    t.fetching = fetching;
    t.a.bind(common);
    lines(t, n, Some(fetched));
}

/// What is always known in the first block of a loop.
pub fn in_loop(t: &Translator<'_>, timed: &Timed) -> Fetching {
    let entry = Static::new(t, timed);
    entry.after(None).join(entry.behind_redirection())
}

fn set(t: &mut Translator<'_>, cell: Rm, value: u64) {
    t.a.imm(Code::Mov_rm64_imm32, Width::Q, cell, value as i32);
}

/// In sequence, when issue takes no less than fetching: nothing is waited for.
fn ahead(t: &mut Translator<'_>, cells: &Cells, e: &Entry) {
    if e.ahead > 0 {
        t.a.mov(Reg::RCX, cells.slack);
        t.a.lea(Width::Q, Reg::RCX, at(Reg::RCX, e.ahead));
        t.a.mov_imm(Reg::RDX, e.buffer);
        t.a.op2(Code::Cmp_r64_rm64, Width::Q, Reg::RCX, Rm::R(Reg::RDX));
        t.a.op2(Code::Cmova_r64_rm64, Width::Q, Reg::RCX, Rm::R(Reg::RDX));
        t.a.op2_to(Code::Mov_rm64_r64, Width::Q, cells.slack, Reg::RCX);
    }
    cells.waited.iter().for_each(|waited| set(t, *waited, 0));
}

/// In sequence, when fetching takes longer: what it was ahead by may not be enough. The buffer bounds the rest of it
/// as it did.
fn behind(t: &mut Translator<'_>, cells: &Cells, ahead: i64, fixed: u64) {
    t.a.mov(Reg::RCX, cells.slack);
    t.a.lea(Width::Q, Reg::RCX, at(Reg::RCX, ahead));
    // RDX = what is missing, negative, or 0; RCX = what is left.
    t.a.mov(Reg::RDX, Rm::R(Reg::RCX));
    t.a.imm(Code::Sar_rm64_imm8, Width::Q, Rm::R(Reg::RDX), 63);
    t.a.op2(Code::And_r64_rm64, Width::Q, Reg::RDX, Rm::R(Reg::RCX));
    t.a.op2(Code::Sub_r64_rm64, Width::Q, Reg::RCX, Rm::R(Reg::RDX));
    t.a.op2_to(Code::Mov_rm64_r64, Width::Q, cells.slack, Reg::RCX);
    t.a.op1(Code::Neg_rm64, Width::Q, Reg::RDX);
    if let Some(waited) = cells.waited {
        t.a.op2_to(Code::Mov_rm64_r64, Width::Q, waited, Reg::RDX);
    }
    t.a.lea(Width::Q, Reg::RDX, at(Reg::RDX, fixed as i64));
    t.a.op2_to(Code::Add_rm64_r64, Width::Q, cells.ticks, Reg::RDX);
}

/// Looks for the block's lines, each where it is if it was the last of its set. That which was fetched last is there
/// still. Loses RAX.
fn lines(t: &mut Translator<'_>, n: &Native, fetched: Option<u64>) {
    let Some(tags) = Side::Fetch.tags(n) else { return };
    let line = |addr: u64| addr >> tags.line_shift;
    let (first, last) = (line(t.block.start), line(t.block.end - 1));
    let known = fetched.is_some_and(|addr| line(addr) == first);
    let range = first + known as u64..=last;
    if range.is_empty() {
        return;
    }
    let (from, back) = (t.a.label(), t.a.label());
    each_line(&mut t.a, &tags, range.clone(), |a, set| {
        a.op2_to(Code::Cmp_rm64_r64, Width::Q, Rm::M(set), LINE);
        a.jump(Code::Jne_rel32_64, from);
    });
    t.a.bind(back);
    t.later(Cold::Lines { from, back, range });
}

/// Calls `f` with where the first tag of the set of each line is, which is in LINE. Loses SET.
fn each_line(
    a: &mut Asm,
    tags: &Tags,
    range: RangeInclusive<u64>,
    mut f: impl FnMut(&mut Asm, MemoryOperand),
) {
    let first = *range.start();
    // Where SET points.
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

/// Some of these lines are not the first of their set.
pub fn emit_lines(t: &mut Translator<'_>, from: Label, back: Label, range: RangeInclusive<u64>) {
    let Some(timed) = t.timed else { return };
    let n = timed.native();
    let Some(tags) = Side::Fetch.tags(n) else { return };
    let function = t.fixed.lines[Side::Fetch as usize];
    t.a.bind(from);
    let simple = lines::is_simple(n, Side::Fetch, &tags);
    if simple {
        t.a.mov_imm(Reg::RAX, 0);
    }
    each_line(&mut t.a, &tags, range, |a, set| {
        let there = a.label();
        a.op2_to(Code::Cmp_rm64_r64, Width::Q, Rm::M(set), LINE);
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
        t.a.mov_imm(SET, n.ticks);
        t.a.op2_to(Code::Add_rm64_r64, Width::Q, Rm::M(at(SET, 0)), Reg::RAX);
    }
    t.a.jump(Code::Jmp_rel32_64, back);
}

impl Translator<'_> {
    /// Counts ticks, whose cell an operand is. A block's are below 2^31, as each parameter is below 100,000 cycles.
    pub fn count_ticks(&mut self, cell: Rm, ticks: u64) {
        if ticks > 0 {
            self.a.imm(Code::Add_rm64_imm32, Width::Q, cell, ticks as i32);
        }
    }
}
