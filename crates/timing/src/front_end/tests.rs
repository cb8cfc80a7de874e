//! Blocks that are fetched, redirections and cached lines.

use super::*;
use crate::cache::Geometry;
use crate::testing::{params, t};

fn front(fetch: impl FnOnce(&mut Fetch), branch: impl FnOnce(&mut Branch)) -> FrontEnd {
    let mut p = params();
    fetch(&mut p.fetch);
    branch(&mut p.branch);
    FrontEnd::new(p.fetch, p.branch)
}

/// A block whose first instruction has four bytes.
fn block(start: u64, end: u64, issue: u64) -> Extent {
    Extent { start, end, first: 4, issue }
}

fn cycles(ticks: u64) -> f64 {
    ticks as f64 / t(1) as f64
}

/// Cycles of entering a block, without a second level.
fn enter(f: &mut FrontEnd, block: Extent, exit: Exit, sequential: bool) -> f64 {
    cycles(f.enter(block, exit, sequential, &mut SecondLevel::new(params().data.second)))
}

#[test]
fn words_of_a_fetch_bound_block() {
    // 10 cycles per 8-byte word, a buffer of 2.
    let mut f = front(|f| f.cycles = t(10), |b| b.mispredict = 0);
    let issue = |n| t(n) as u64;
    // A jump to 0x104: waits for word 0x100, then for 0x108, which overlaps the issue of 2 instructions.
    assert_eq!(enter(&mut f, block(0x104, 0x10c, issue(2)), Exit::Next, false), 10.0 + 8.0);
    // On to 0x114: fetches word 0x110 only, which overlaps 3.
    assert_eq!(enter(&mut f, block(0x10c, 0x114, issue(3)), Exit::Next, true), 7.0);
    // Within that word: nothing to fetch, so the instruction's cycle adds to the lead.
    assert_eq!(enter(&mut f, block(0x114, 0x118, issue(1)), Exit::Next, true), 0.0);
    assert_eq!(f.lead, issue(1));
    // Long instructions fill the buffer with 2 words; the block waits for the third.
    assert_eq!(enter(&mut f, block(0x118, 0x120, issue(100)), Exit::Next, true), 0.0);
    assert_eq!(enter(&mut f, block(0x120, 0x138, issue(4)), Exit::Next, true), 6.0);
}

#[test]
fn an_instruction_in_two_words_waits_for_both_if_the_core_says_so() {
    let waits = |split, start, first| {
        let mut f = front(|f| (f.cycles, f.split) = (t(10), split), |b| b.mispredict = 0);
        let block = Extent { first, ..block(start, start + 10, t(2) as u64) };
        enter(&mut f, block, Exit::Next, false)
    };
    // Two words, the second of which overlaps the issue of 2 instructions unless the first needs it.
    assert_eq!([true, false].map(|split| waits(split, 0x106, 4)), [20.0, 18.0]);
    assert_eq!([true, false].map(|split| waits(split, 0x106, 2)), [18.0, 18.0]);
    assert_eq!([true, false].map(|split| waits(split, 0x104, 4)), [18.0, 18.0]);
}

#[test]
fn stalls_hide_fetching_up_to_the_buffer() {
    let mut f = front(|f| f.cycles = t(10), |_| ());
    enter(&mut f, block(0x100, 0x120, 0), Exit::Next, true);
    assert_eq!(f.fetch_wait, t(40) as u64);
    assert_eq!(f.stall(t(5) as u64), 0);
    assert_eq!(f.stall(t(50) as u64), t(30) as u64, "20 of 50 hide two words");
    assert_eq!(f.stall(t(50) as u64), t(35) as u64, "a lead of 15 remained");
}

#[test]
fn redirections_without_prediction() {
    let mut f = front(|_| (), |_| ());
    let mut enter = |exit, sequential| enter(&mut f, block(0x100, 0x104, 16), exit, sequential);
    enter(Exit::Branch, false);
    assert_eq!(enter(Exit::Branch, true), 0.0, "not taken, as predicted");
    assert_eq!(enter(Exit::Jump, false), 3.0 + 1.0, "taken");
    assert_eq!(enter(Exit::Return, false), 2.0 + 1.0);
    assert_eq!(enter(Exit::Indirect, false), 0.0 + 1.0);
    assert_eq!(enter(Exit::Next, false), 5.0 + 1.0);
}

#[test]
fn a_history_learns() {
    let mut f = front(|_| (), |b| (b.history, b.taken) = (16, t(1)));
    let mut taken = |taken: bool| {
        f.left = (Exit::Branch, 0x200);
        f.redirect(!taken).map(cycles)
    };
    assert_eq!(taken(true), Some(3.0), "weakly not taken at first");
    assert_eq!(taken(true), Some(1.0));
    assert_eq!(taken(false), Some(3.0));
    assert_eq!(taken(true), Some(1.0), "one misprediction does not change the prediction");
    assert_eq!([false, false, false].map(|_| taken(false)), [Some(3.0), Some(3.0), None]);
}

#[test]
fn instruction_lines_miss_once() {
    let cache = Geometry { size: 256, line: 64, ways: 1 };
    let mut f = front(|f| (f.cache, f.cycles) = (cache, 0), |b| b.mispredict = 0);
    let mut enter = |start, end| enter(&mut f, block(start, end, 0), Exit::Next, false);
    assert_eq!(enter(0x130, 0x150), 60.0, "two lines");
    assert_eq!(enter(0x100, 0x180), 0.0);
    assert_eq!(enter(0x17c, 0x184), 30.0, "one of the lines is cached");
    assert_eq!(enter(0x230, 0x238), 30.0, "256 bytes on");
    assert_eq!(enter(0x130, 0x138), 30.0, "evicted by the line before");
}
