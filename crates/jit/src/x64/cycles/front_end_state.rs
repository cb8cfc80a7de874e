//! What is known about the front end while code is generated.

use capvec_timing::inline::Words;

/// What is statically known about the front end at a position of the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fetching {
    /// The prefetch lead when the next block is entered.
    pub lead: Option<u64>,
    /// How long the current block waited for fetching at its entry.
    pub fetch_wait: Option<u64>,
}

impl Fetching {
    /// The state that these words hold.
    pub fn of(words: &Words) -> Fetching {
        Fetching { lead: Some(words.lead), fetch_wait: Some(words.fetch_wait) }
    }

    /// What is known when either state is possible.
    pub fn join(self, other: Fetching) -> Fetching {
        Fetching {
            lead: self.lead.filter(|_| self.lead == other.lead),
            fetch_wait: self.fetch_wait.filter(|_| self.fetch_wait == other.fetch_wait),
        }
    }
}
