//! The instruction cache: a block's lines are probed when it is entered.

use super::lines::{self, LINE, SET, Side};
use crate::interface::trace::Step;
use crate::x64::asm::{Asm, Mem, Reg, Rm, Width, at};
use crate::x64::emit::Exits;
use capvec_timing::Tags;
use capvec_timing::inline::InlineState;
use iced_x86::Code;
use std::ops::RangeInclusive;

/// Probes the block's cache lines, each as the first tag of its set. The line at `fetched` was just fetched and is
/// skipped. If the block often misses, and a miss is simple, counts it without a branch: the host could not predict that. Clobbers
/// RAX, LINE and SET.
pub fn probe<'a>(
    a: &mut Asm,
    exits: &mut Exits<'a>,
    n: &'a InlineState,
    function: u64,
    step: Step<'_>,
    fetched: Option<u64>,
) {
    let block = step.block;
    let Some(tags) = Side::Fetch.tags(n) else { return };
    let line = |addr: u64| addr >> tags.line_shift;
    let (first, last) = (line(block.start), line(block.end - 1));
    let known = fetched.is_some_and(|addr| line(addr) == first);
    let range = first + known as u64..=last;
    if range.is_empty() {
        return;
    }
    let single = range.start() == range.end();
    // Between lines, SET is in use, so it cannot hold the address of the ticks.
    let reachable = single || Mem::at_address(n.ticks, None).is_some();
    if step.seen.misses_fetching && reachable && lines::is_simple(n, Side::Fetch, &tags) {
        let replace = |a: &mut Asm, set| lines::replace_first(a, n, Side::Fetch, (set, Reg::RAX));
        return each_line(a, &tags, range, replace);
    }
    let (from, back) = (a.label(), a.label());
    each_line(a, &tags, range.clone(), |a, set| {
        a.op2_to(Code::Cmp_rm64_r64, Rm::M(set), LINE);
        a.jump(Code::Jne_rel32_64, from);
    });
    a.bind(back);
    exits.out_of_line(move |a, _| {
        a.bind(from);
        if single {
            // SET and LINE already hold the line's set and the line.
            a.jump_to(Code::Call_rel32_64, function);
        } else {
            refill(a, n, &tags, range, function);
        }
        a.jump(Code::Jmp_rel32_64, back);
    });
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
            a.mov_address(SET, tags.address + set * tags.ways * 8);
        }
        f(a, at(SET, ((set - pointed) * tags.ways * 8) as i64));
    }
}

/// Emits the slow path of `probe`: some lines are not the first of their set. `function` is the address of
/// `lines::function` for fetching.
fn refill(a: &mut Asm, n: &InlineState, tags: &Tags, range: RangeInclusive<u64>, function: u64) {
    let simple = lines::is_simple(n, Side::Fetch, tags);
    if simple {
        a.mov_imm(Reg::RAX, 0);
    }
    each_line(a, tags, range, |a, set| {
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
        a.mov_address(SET, n.ticks);
        a.op2_to(Code::Add_rm64_r64, Rm::M(at(SET, 0)), Reg::RAX);
    }
}
