//! The front end: branch prediction, redirections, the instruction cache, and fetch words.
//!
//! Fetching runs ahead of issue, at most by the prefetch buffer; `lead` is how far. If a block's words take longer to fetch
//! than its instructions take to issue, the lead makes up for some of the difference, and the block waits for the rest. Stalls
//! of its instructions overlap fetching: each shortens that wait by up to a buffer's worth. All in ticks.

pub mod tage;
#[cfg(test)]
mod tests;

use crate::cache::{Cache, Lines, Outcome, Tags};
use crate::params::{Branch, Fetch};
use crate::reader::TICKS;
use crate::region::range;
use crate::second_level::SecondLevel;
use capvec_sim::mem::Low;
use capvec_sim::timing::{Exit, Plan};
use std::ops::Range;
use tage::{Tage, TageCells};

/// The state of the front end. The fields that generated code accesses are last, next to those of `FirstOrder`.
#[repr(C)]
pub struct FrontEnd {
    fetch: Fetch,
    branch: Branch,
    word_shift: u32,
    /// Ticks of fetching a full buffer.
    buffer: u64,
    cache: Cache,
    /// The branch predictor: two-bit counters, which predict taken from 2 on.
    history: Low<u8>,
    /// Its tagged tables. Boxed so that their history keeps its address.
    tage: Option<Box<Tage>>,
    /// How control left the last block, and the address after it.
    left: (Exit, u64),
    lead: u64,
    /// Ticks that the current block has been charged for waiting for words.
    fetch_wait: u64,
    misses: u64,
}

/// How control came to a block that does not follow the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Redirection {
    /// As the last block ends; without a history, a branch is predicted not taken.
    Exit(Exit),
    /// By a branch that was predicted taken.
    Taken,
    /// By a branch that was predicted wrongly, also if it was not taken.
    Mispredicted,
}

impl Branch {
    /// Ticks lost by a redirection.
    #[inline(always)]
    pub fn ticks(&self, redirection: Redirection) -> u64 {
        match redirection {
            Redirection::Exit(exit) => self.redirect_ticks(exit),
            Redirection::Taken => self.taken as u64,
            Redirection::Mispredicted => self.mispredict as u64,
        }
    }
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
        let issue = u64::from(plan.costs.total()) * TICKS as u64;
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
    /// The tagged tables of the branch predictor, if it has any.
    pub tage: Option<TageCells>,
}

impl FrontEnd {
    /// A front end with a cold cache.
    pub fn new(fetch: Fetch, branch: Branch) -> FrontEnd {
        FrontEnd {
            word_shift: fetch.word.trailing_zeros(),
            buffer: fetch.cycles as u64 * fetch.buffer as u64,
            cache: Cache::new(fetch.cache),
            history: vec![1; branch.history as usize].into(),
            tage: Tage::new(branch.tables).map(Box::new),
            left: (Exit::Next, 0),
            lead: 0,
            fetch_wait: 0,
            misses: 0,
            fetch,
            branch,
        }
    }

    /// Moves what generated code accesses to low addresses.
    pub fn lower(&mut self) {
        self.cache.lower();
        self.history.lower();
    }

    /// Host addresses for generated code.
    pub fn cells(&mut self) -> Cells {
        Cells {
            tags: self.cache.tags(),
            lead: std::ptr::from_mut(&mut self.lead) as u64,
            fetch_wait: std::ptr::from_mut(&mut self.fetch_wait) as u64,
            buffer: self.buffer,
            miss: self.fetch.miss as u64,
            tage: self.tage.as_mut().map(|tage| tage.cells()),
        }
    }

    /// Number of cache misses that it has found itself; generated code does not count its own.
    pub fn misses(&self) -> u64 {
        self.misses
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
        self.tage.iter_mut().for_each(|tage| tage.clear());
        self.switch();
    }

    /// Enters the block; `second` is what misses look up. Returns the ticks of the redirection, cache misses and words.
    #[inline(always)]
    pub fn enter(
        &mut self,
        block: Extent,
        exit: Exit,
        sequential: bool,
        second: &mut SecondLevel,
    ) -> u64 {
        let (lost, fetching) = self.enter_parts(block, exit, sequential, second);
        lost + fetching
    }

    /// `enter`, in parts: ticks of the redirection, and of waiting for fetching.
    #[inline(always)]
    pub fn enter_parts(
        &mut self,
        block: Extent,
        exit: Exit,
        sequential: bool,
        second: &mut SecondLevel,
    ) -> (u64, u64) {
        let redirect = self.redirect(sequential);
        self.leave(exit, block.end);
        let cost = self.lines(block.start, block.end, second);
        let (lost, words) = match redirect {
            Some(lost) => (lost, self.redirected(block)),
            None => (0, self.after_lead(self.ahead(block))),
        };
        self.set_words(words);
        (lost, cost + words.cost)
    }

    /// Fetching of a block that control enters in sequence, of which issue takes longer than fetching by `ahead` ticks.
    #[inline(always)]
    pub fn after_lead(&self, ahead: i64) -> Words {
        self.words(self.lead as i64 + ahead)
    }

    /// Control enters a block with these words.
    #[inline(always)]
    pub fn set_words(&mut self, words: Words) {
        (self.lead, self.fetch_wait) = (words.lead, words.fetch_wait);
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

    /// By how many ticks issuing the block takes longer than fetching it, if control enters in sequence: the word that
    /// holds the end of the previous block has already been fetched.
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
        self.redirection(sequential).map(|r| self.branch.ticks(r))
    }

    /// The redirection, if control did not come in sequence. It depends on the size of the history, not on costs.
    #[inline(always)]
    pub fn redirection(&mut self, sequential: bool) -> Option<Redirection> {
        if self.left.0 == Exit::Branch && !self.history.is_empty() {
            return self.predicted(!sequential);
        }
        if sequential { None } else { Some(Redirection::Exit(self.left.0)) }
    }

    /// `redirection` after a branch with a history.
    fn predicted(&mut self, taken: bool) -> Option<Redirection> {
        let slot = slot(self.left.1, self.history.len());
        match (self.learn(slot, tage::hash(self.left.1), taken), taken) {
            (false, _) => Some(Redirection::Mispredicted),
            (true, true) => Some(Redirection::Taken),
            (true, false) => None,
        }
    }

    /// A branch with this counter and this hash has been taken, or not. Returns whether that had been predicted.
    pub fn learn(&mut self, slot: usize, hash: u64, taken: bool) -> bool {
        let counter = &mut self.history[slot];
        let guess = match &mut self.tage {
            Some(tage) => tage.predict(hash, taken, counter),
            None => {
                let guess = *counter >= 2;
                tage::step(counter, taken);
                guess
            }
        };
        guess == taken
    }

    /// Index of the counter whose host address `counter` has returned.
    pub fn slot_of(&self, counter: u64) -> usize {
        (counter - self.history.as_ptr() as u64) as usize
    }

    /// Ticks of the block's instruction-cache misses.
    #[inline(always)]
    pub fn lines(&mut self, start: u64, end: u64, second: &mut SecondLevel) -> u64 {
        let missed = self.find_lines(start, end, second);
        self.line_ticks(missed, second)
    }

    /// Ticks of instruction-cache misses.
    #[inline(always)]
    pub fn line_ticks(&self, missed: Lines, second: &SecondLevel) -> u64 {
        missed.misses as u64 * self.fetch.miss as u64 + second.ticks(missed)
    }

    /// The block's instruction-cache misses.
    #[inline(always)]
    pub fn find_lines(&mut self, start: u64, end: u64, second: &mut SecondLevel) -> Lines {
        let mut missed = Lines::default();
        if !self.cache.exists() {
            return missed;
        }
        for line in self.cache.line_of(start)..=self.cache.line_of(end - 1) {
            if self.cache.access(line, false) != Outcome::Hit {
                missed.add(second.look_up(self.cache.address(line)));
            }
        }
        self.misses += missed.misses as u64;
        missed
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
