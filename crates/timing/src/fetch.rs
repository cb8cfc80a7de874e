//! The front end: redirections, the instruction cache, and fetch words.
//!
//! Fetching runs ahead of issue by up to the prefetch buffer. What it is ahead by is `slack`; a block whose
//! words take longer than its instructions take to issue, less the slack, waits for the difference. Stalls
//! of its instructions give fetching time: up to a buffer's worth each is taken off that wait. All in ticks.

use crate::cache::{Cache, Outcome};
use crate::params::{Branch, Fetch};
use capvec_sim::timing::Exit;

/// State of the front end.
pub struct FrontEnd {
    fetch: Fetch,
    branch: Branch,
    word_shift: u32,
    /// Ticks that a full buffer is worth.
    ahead: u64,
    cache: Cache,
    /// Two-bit counters; taken is predicted from 2 on.
    history: Box<[u8]>,
    /// How control left the last block, and the address behind it.
    left: (Exit, u64),
    slack: u64,
    /// Ticks that the present block has been charged for waiting for words.
    waited: u64,
}

impl FrontEnd {
    /// With cold caches.
    pub fn new(fetch: Fetch, branch: Branch) -> FrontEnd {
        FrontEnd {
            word_shift: fetch.word.trailing_zeros(),
            ahead: fetch.cycles as u64 * fetch.buffer as u64,
            cache: Cache::new(fetch.cache),
            history: vec![1; branch.history as usize].into_boxed_slice(),
            left: (Exit::Next, 0),
            slack: 0,
            waited: 0,
            fetch,
            branch,
        }
    }

    /// Enters the block `start..end`, whose instructions take `issue` ticks without waiting for fetching:
    /// ticks for the redirection, cache misses and words.
    #[inline(always)]
    pub fn enter(&mut self, start: u64, end: u64, issue: u64, exit: Exit, sequential: bool) -> u64 {
        let redirect = self.redirect(sequential);
        self.left = (exit, end);
        let mut cost = self.lines(start, end);
        let per_word = self.fetch.cycles as u64;
        let words = match redirect {
            Some(lost) => {
                // Nothing issues before the first word is there.
                cost += lost + per_word;
                self.slack = 0;
                self.words_before(end) - (start >> self.word_shift) - 1
            }
            // The word that holds the end of the block before is there already.
            None => self.words_before(end) - self.words_before(start),
        };
        let (need, have) = (words * per_word, self.slack + issue);
        self.slack = have.saturating_sub(need).min(self.ahead);
        self.waited = need.saturating_sub(have);
        cost + self.waited
    }

    /// Words that begin before `addr`.
    #[inline(always)]
    fn words_before(&self, addr: u64) -> u64 {
        (addr + self.fetch.word - 1) >> self.word_shift
    }

    /// What is left of a stall of `ticks` when fetching goes on beneath it.
    #[inline(always)]
    pub fn stall(&mut self, ticks: u64) -> u64 {
        let hidden = ticks.min(self.waited).min(self.ahead);
        self.waited -= hidden;
        ticks - hidden
    }

    /// Ticks lost, if the block before did not simply lead here.
    #[inline(always)]
    fn redirect(&mut self, sequential: bool) -> Option<u64> {
        let b = &self.branch;
        if self.left.0 == Exit::Branch && !self.history.is_empty() {
            return self.predicted(!sequential);
        }
        if sequential {
            return None;
        }
        Some(match self.left.0 {
            Exit::Branch | Exit::Next | Exit::System => b.mispredict,
            Exit::Jump => b.jump,
            Exit::Return => b.ret,
            Exit::Indirect => b.indirect,
        } as u64)
    }

    /// As `redirect`, behind a branch with a history.
    fn predicted(&mut self, taken: bool) -> Option<u64> {
        // Branches are told apart by the half-word behind them, which is where they end.
        let slot = (self.left.1 >> 1) as usize & (self.history.len() - 1);
        let counter = &mut self.history[slot];
        let guess = *counter >= 2;
        *counter = if taken { (*counter + 1).min(3) } else { counter.saturating_sub(1) };
        match (guess == taken, taken) {
            (false, _) => Some(self.branch.mispredict as u64),
            (true, true) => Some(self.branch.taken as u64),
            (true, false) => None,
        }
    }

    /// Ticks for the lines of the block that are not in the instruction cache.
    #[inline(always)]
    fn lines(&mut self, start: u64, end: u64) -> u64 {
        if !self.cache.exists() {
            return 0;
        }
        let mut misses = 0;
        for line in self.cache.line_of(start)..=self.cache.line_of(end - 1) {
            misses += (self.cache.access(line, false) != Outcome::Hit) as u64;
        }
        misses * self.fetch.miss as u64
    }

    /// Another context: the buffer is empty.
    pub fn switch(&mut self) {
        self.left = (Exit::Next, 0);
        self.slack = 0;
        self.waited = 0;
    }
}
