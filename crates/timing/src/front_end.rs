//! The front end: branch prediction, redirections, the instruction cache, and fetch words.
//!
//! Fetching runs ahead of issue, at most by the prefetch buffer; `lead` is how far. A block whose words take longer
//! to fetch than its instructions to issue, less the lead, waits for the difference. Stalls of its instructions
//! overlap fetching: each shortens that wait by up to a buffer's worth. All in ticks.

use crate::cache::{Cache, Outcome, Tags};
use crate::params::{Branch, Fetch};
use crate::reader::TICKS;
use crate::region::range;
use capvec_sim::timing::{Exit, Plan};
use std::ops::Range;

/// The state of the front end.
pub struct FrontEnd {
    fetch: Fetch,
    branch: Branch,
    word_shift: u32,
    /// Ticks of fetching a full buffer.
    buffer: u64,
    cache: Cache,
    /// Two-bit counters, which predict taken from 2 on.
    history: Box<[u8]>,
    /// How control left the last block, and the address after it.
    left: (Exit, u64),
    lead: u64,
    /// Ticks that the current block has been charged for waiting for words.
    fetch_wait: u64,
}

/// How a block's words affect the front end, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// The prefetch lead at the block's end.
    pub lead: u64,
    /// The part of its wait for words that its stalls can overlap.
    pub fetch_wait: u64,
    /// Its total wait for words.
    pub cost: u64,
}

/// A block, as the front end sees it.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Address of its first byte.
    pub start: u64,
    /// Address after its last byte.
    pub end: u64,
    /// Bytes of its first instruction.
    pub first: u8,
    /// Ticks of issuing its instructions, without waiting for fetching.
    pub issue: u64,
}

impl Extent {
    /// The extent of the block `start..end`.
    #[inline(always)]
    pub fn new(start: u64, end: u64, plan: &Plan) -> Extent {
        let issue = plan.cumulative.last().copied().unwrap_or(0) as u64 * TICKS as u64;
        Extent { start, end, first: plan.first, issue }
    }
}

/// Host addresses of the cells that change with every block, and constants that they depend on.
#[derive(Clone, Copy, Debug)]
pub struct Cells {
    /// The instruction cache's tags, if there is one.
    pub tags: Option<Tags>,
    /// Host address of the prefetch lead.
    pub lead: u64,
    /// Host address of `Words::fetch_wait` of the current block, less what its stalls have overlapped.
    pub fetch_wait: u64,
    /// Maximum number of ticks of a stall that can overlap fetching.
    pub buffer: u64,
    /// Ticks of a miss (a constant, not an address).
    pub miss: u64,
}

impl FrontEnd {
    /// A front end with a cold cache.
    pub fn new(fetch: Fetch, branch: Branch) -> FrontEnd {
        FrontEnd {
            word_shift: fetch.word.trailing_zeros(),
            buffer: fetch.cycles as u64 * fetch.buffer as u64,
            cache: Cache::new(fetch.cache),
            history: vec![1; branch.history as usize].into_boxed_slice(),
            left: (Exit::Next, 0),
            lead: 0,
            fetch_wait: 0,
            fetch,
            branch,
        }
    }

    /// Host addresses for generated code.
    pub fn native(&mut self) -> Cells {
        Cells {
            tags: self.cache.tags(),
            lead: std::ptr::from_mut(&mut self.lead) as u64,
            fetch_wait: std::ptr::from_mut(&mut self.fetch_wait) as u64,
            buffer: self.buffer,
            miss: self.fetch.miss as u64,
        }
    }

    /// Host address of the history counter of the branch that ends at `end`, if branches have a history.
    pub fn counter(&self, end: u64) -> Option<u64> {
        let all = &self.history;
        (!all.is_empty()).then(|| all.as_ptr() as u64 + slot(end, all.len()) as u64)
    }

    /// The memory of the tags and of the history.
    pub fn regions(&self) -> [Range<u64>; 2] {
        [self.cache.region(), range(&self.history)]
    }

    /// Resets everything.
    pub fn clear(&mut self) {
        self.cache.clear();
        self.history.fill(1);
        self.switch();
    }

    /// Enters the block. Returns the ticks of the redirection, cache misses and words.
    #[inline(always)]
    pub fn enter(&mut self, block: Extent, exit: Exit, sequential: bool) -> u64 {
        let (lost, fetching) = self.enter_parts(block, exit, sequential);
        lost + fetching
    }

    /// `enter`, in parts: ticks of the redirection, and of waiting for fetching.
    #[inline(always)]
    pub fn enter_parts(&mut self, block: Extent, exit: Exit, sequential: bool) -> (u64, u64) {
        let redirect = self.redirect(sequential);
        self.leave(exit, block.end);
        let cost = self.lines(block.start, block.end);
        let (lost, words) = match redirect {
            Some(lost) => (lost, self.redirected(block)),
            None => (0, self.words(self.lead as i64 + self.ahead(block))),
        };
        (self.lead, self.fetch_wait) = (words.lead, words.fetch_wait);
        (lost, cost + words.cost)
    }

    /// Fetching of the block after a redirection.
    #[inline(always)]
    pub fn redirected(&self, block: Extent) -> Words {
        let word = block.start >> self.word_shift;
        // Nothing issues before these have arrived.
        let first = match self.fetch.split {
            true => self.words_before(block.start + block.first as u64) - word,
            false => 1,
        };
        let later = self.words_before(block.end) - word - first;
        let words = self.words(block.issue as i64 - self.ticks(later));
        Words { cost: words.cost + self.ticks(first) as u64, ..words }
    }

    /// Ticks of fetching a full buffer: the largest prefetch lead.
    pub fn buffer(&self) -> u64 {
        self.buffer
    }

    /// How much longer than fetching the issue of the block takes if control enters in sequence: the word that holds
    /// the end of the previous block has already been fetched.
    #[inline(always)]
    pub fn ahead(&self, block: Extent) -> i64 {
        let words = self.words_before(block.end) - self.words_before(block.start);
        block.issue as i64 - self.ticks(words)
    }

    #[inline(always)]
    fn ticks(&self, words: u64) -> i64 {
        words as i64 * self.fetch.cycles as i64
    }

    #[inline(always)]
    fn words(&self, ahead: i64) -> Words {
        words(ahead, self.buffer)
    }

    /// Control leaves a block that ends at `end`.
    #[inline(always)]
    pub fn leave(&mut self, exit: Exit, end: u64) {
        self.left = (exit, end);
    }

    /// Number of words that begin before `addr`.
    #[inline(always)]
    fn words_before(&self, addr: u64) -> u64 {
        (addr + self.fetch.word - 1) >> self.word_shift
    }

    /// The part of a stall of `ticks` that does not overlap fetching.
    #[inline(always)]
    pub fn stall(&mut self, ticks: u64) -> u64 {
        let hidden = ticks.min(self.fetch_wait).min(self.buffer);
        self.fetch_wait -= hidden;
        ticks - hidden
    }

    /// Ticks lost by a redirection, if control did not come in sequence.
    #[inline(always)]
    pub fn redirect(&mut self, sequential: bool) -> Option<u64> {
        if self.left.0 == Exit::Branch && !self.history.is_empty() {
            return self.predicted(!sequential);
        }
        if sequential { None } else { Some(self.branch.redirect_ticks(self.left.0)) }
    }

    /// `redirect` after a branch with a history.
    fn predicted(&mut self, taken: bool) -> Option<u64> {
        let slot = slot(self.left.1, self.history.len());
        let counter = &mut self.history[slot];
        let guess = *counter >= 2;
        *counter = if taken { (*counter + 1).min(3) } else { counter.saturating_sub(1) };
        match (guess == taken, taken) {
            (false, _) => Some(self.branch.mispredict as u64),
            (true, true) => Some(self.branch.taken as u64),
            (true, false) => None,
        }
    }

    /// Ticks of the block's instruction-cache misses.
    #[inline(always)]
    pub fn lines(&mut self, start: u64, end: u64) -> u64 {
        if !self.cache.exists() {
            return 0;
        }
        let mut misses = 0;
        for line in self.cache.line_of(start)..=self.cache.line_of(end - 1) {
            misses += (self.cache.access(line, false) != Outcome::Hit) as u64;
        }
        misses * self.fetch.miss as u64
    }

    /// After a context switch, the buffer is empty.
    pub fn switch(&mut self) {
        self.left = (Exit::Next, 0);
        self.lead = 0;
        self.fetch_wait = 0;
    }
}

/// The state at a block's end if fetching is `ahead` of issue, bounded by the buffer.
#[inline(always)]
pub fn words(ahead: i64, buffer: u64) -> Words {
    let fetch_wait = (-ahead).max(0) as u64;
    Words { lead: (ahead.max(0) as u64).min(buffer), fetch_wait, cost: fetch_wait }
}

/// Index of the counter, out of `len`, a power of two, for the branch that ends at `end`. The half-word after the
/// branch identifies it.
#[inline(always)]
fn slot(end: u64, len: usize) -> usize {
    (end >> 1) as usize & (len - 1)
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn words_of_a_fetch_bound_block() {
        // 10 cycles per 8-byte word, a buffer of 2.
        let mut f = front(|f| f.cycles = t(10), |b| b.mispredict = 0);
        let issue = |n| t(n) as u64;
        // A jump to 0x104: waits for word 0x100, then for 0x108, which overlaps the issue of 2 instructions.
        assert_eq!(cycles(f.enter(block(0x104, 0x10c, issue(2)), Exit::Next, false)), 10.0 + 8.0);
        // On to 0x114: fetches word 0x110 only, which overlaps 3.
        assert_eq!(cycles(f.enter(block(0x10c, 0x114, issue(3)), Exit::Next, true)), 7.0);
        // Within that word: nothing to fetch, so the instruction's cycle adds to the lead.
        assert_eq!(cycles(f.enter(block(0x114, 0x118, issue(1)), Exit::Next, true)), 0.0);
        assert_eq!(f.lead, issue(1));
        // Long instructions fill the buffer with 2 words; the block waits for the third.
        assert_eq!(cycles(f.enter(block(0x118, 0x120, issue(100)), Exit::Next, true)), 0.0);
        assert_eq!(cycles(f.enter(block(0x120, 0x138, issue(4)), Exit::Next, true)), 6.0);
    }

    #[test]
    fn an_instruction_in_two_words_waits_for_both_if_the_core_says_so() {
        let waits = |split, start, first| {
            let mut f = front(|f| (f.cycles, f.split) = (t(10), split), |b| b.mispredict = 0);
            let block = Extent { first, ..block(start, start + 10, t(2) as u64) };
            cycles(f.enter(block, Exit::Next, false))
        };
        // Two words, the second of which overlaps the issue of 2 instructions unless the first needs it.
        assert_eq!([true, false].map(|split| waits(split, 0x106, 4)), [20.0, 18.0]);
        assert_eq!([true, false].map(|split| waits(split, 0x106, 2)), [18.0, 18.0]);
        assert_eq!([true, false].map(|split| waits(split, 0x104, 4)), [18.0, 18.0]);
    }

    #[test]
    fn stalls_hide_fetching_up_to_the_buffer() {
        let mut f = front(|f| f.cycles = t(10), |_| ());
        f.enter(block(0x100, 0x120, 0), Exit::Next, true);
        assert_eq!(f.fetch_wait, t(40) as u64);
        assert_eq!(f.stall(t(5) as u64), 0);
        assert_eq!(f.stall(t(50) as u64), t(30) as u64, "20 of 50 hide two words");
        assert_eq!(f.stall(t(50) as u64), t(35) as u64, "a lead of 15 remained");
    }

    #[test]
    fn redirections_without_prediction() {
        let mut f = front(|_| (), |_| ());
        let mut enter =
            |exit, sequential| cycles(f.enter(block(0x100, 0x104, 16), exit, sequential));
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
            f.predicted(taken).map(cycles)
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
        let mut enter = |start, end| cycles(f.enter(block(start, end, 0), Exit::Next, false));
        assert_eq!(enter(0x130, 0x150), 60.0, "two lines");
        assert_eq!(enter(0x100, 0x180), 0.0);
        assert_eq!(enter(0x17c, 0x184), 30.0, "one of the lines is cached");
        assert_eq!(enter(0x230, 0x238), 30.0, "256 bytes on");
        assert_eq!(enter(0x130, 0x138), 30.0, "evicted by the line before");
    }
}
