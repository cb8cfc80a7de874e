//! Tagged tables, which predict a branch from the outcomes of those before it: a simplified TAGE (A. Seznec and P. Michaud,
//! "A case for (partially) tagged geometric history length branch predictors", 2006).
//!
//! Each table hashes the branch with a longer part of the history than the one before. Of the tables that have an entry for
//! the branch, the one with the longest history predicts it; if none has, its two-bit counter does. In contrast to the original,
//! that counter is the only alternative against which an entry proves useful, the history has at most 64 outcomes, and entries do
//! not age.

use crate::params::Tables;

/// Number of tables.
pub const TABLES: usize = 4;

/// Multiplier of the hash: 2^64 divided by the golden ratio.
pub const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
/// Bits of a tag.
pub const TAG: u32 = 11;
/// By how many bits the history is shifted before it is combined with itself, so that the tag depends on all of it.
pub const FOLD: u32 = 29;

// An entry, from bit 0 on: three bits that predict taken from 4 on; two that say how useful it is; the tag.
/// The highest counter.
pub const STRONG: u32 = 7;
/// The lowest counter that predicts taken.
pub const TAKEN: u32 = 4;
/// The bits that say how useful an entry is.
pub const USEFUL: u32 = 3 << USEFUL_SHIFT;
const USEFUL_SHIFT: u32 = 3;
/// One more point of usefulness.
pub const POINT: u32 = 1 << USEFUL_SHIFT;
/// Position of the tag.
pub const TAG_SHIFT: u32 = 5;

/// The state of the tables.
pub struct Tage {
    /// Outcomes of branches; the last one is bit 0.
    history: u64,
    shape: Shape,
    /// The entries of all tables, in the order of their histories.
    entries: Box<[u32]>,
}

/// The sizes of the tables.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Binary logarithm of a table's entries.
    pub bits: u32,
    /// Outcomes that each table uses.
    pub lengths: [u32; TABLES],
}

/// Where the tables are, for code that uses them itself.
#[derive(Clone, Copy, Debug)]
pub struct TageCells {
    /// Host address of the history.
    pub history: u64,
    /// Host address of each table, whose entries have four bytes.
    pub tables: [u64; TABLES],
    /// Their sizes.
    pub shape: Shape,
}

impl Tage {
    /// Empty tables; `None` if there are none.
    pub fn new(p: Tables) -> Option<Tage> {
        let shape = Shape {
            bits: p.entries.checked_ilog2()?,
            lengths: [p.longest / 16, p.longest / 6, p.longest * 2 / 5, p.longest],
        };
        Some(Tage { history: 0, shape, entries: vec![0; TABLES << shape.bits].into() })
    }

    /// Forgets all branches.
    pub fn clear(&mut self) {
        self.history = 0;
        self.entries.fill(0);
    }

    /// Host addresses for generated code.
    pub fn cells(&mut self) -> TageCells {
        let (first, bits) = (self.entries.as_mut_ptr() as u64, self.shape.bits);
        TageCells {
            history: std::ptr::from_mut(&mut self.history) as u64,
            tables: [0, 1, 2, 3].map(|table| first + (table << bits) * size_of::<u32>() as u64),
            shape: self.shape,
        }
    }

    /// The entry that a table has for a branch, and the branch's tag there.
    fn locate(&self, table: usize, branch: u64) -> (usize, u32) {
        let Shape { bits, lengths } = self.shape;
        let used = self.history << (64 - lengths[table]);
        let hash = (used ^ used >> FOLD).wrapping_add(branch).wrapping_mul(MULTIPLIER);
        let top = hash >> (64 - TAG - bits);
        ((table << bits) + (top >> TAG) as usize, top as u32 & ((1 << TAG) - 1))
    }

    /// The branch that ends at `end` has been taken, or not; `counter` is its two-bit counter. Returns what had been predicted.
    pub fn predict(&mut self, end: u64, taken: bool, counter: &mut u8) -> bool {
        let (branch, otherwise) = (end >> 1, *counter >= 2);
        let mut tables = (0..TABLES).rev().map(|table| (table, self.locate(table, branch)));
        let (guess, longer) =
            match tables.find(|(_, (at, tag))| self.entries[*at] >> TAG_SHIFT == *tag) {
                None => {
                    step(counter, taken);
                    (otherwise, 0)
                }
                Some((table, (at, _))) => {
                    let entry = &mut self.entries[at];
                    let guess = *entry & TAKEN != 0;
                    *entry = learned(*entry, taken, otherwise);
                    (guess, table + 1)
                }
            };
        if guess != taken {
            self.allocate(longer, branch, taken);
        }
        self.history = self.history << 1 | u64::from(taken);
        guess
    }

    /// The branch was mispredicted: gives it an entry in the first table, from `first` on, in which the one of its place is not
    /// useful. Entries on the way lose a point.
    fn allocate(&mut self, first: usize, branch: u64, taken: bool) {
        for table in first..TABLES {
            let (at, tag) = self.locate(table, branch);
            if self.entries[at] & USEFUL == 0 {
                self.entries[at] = tag << TAG_SHIFT | if taken { TAKEN } else { TAKEN - 1 };
                return;
            }
            self.entries[at] -= POINT;
        }
    }
}

/// What changes in an entry whose branch was not taken, or taken, by the two-bit counter and the entry's bits below its tag: the
/// bits to invert, and `WRONG` if the entry predicted wrongly. For generated code, whose host would mispredict the cases.
pub static CHANGES: [[u8; 128]; 2] = [changes(false), changes(true)];
/// See [`CHANGES`].
pub const WRONG: u8 = 1 << 7;
/// Where the counter is in the index of `CHANGES`.
pub const COUNTER_SHIFT: u32 = TAG_SHIFT;

const fn changes(taken: bool) -> [u8; 128] {
    let mut all = [0; 128];
    let mut index = 0;
    while index < 128 {
        let (counter, entry) = (index >> COUNTER_SHIFT, index & ((1 << TAG_SHIFT) - 1));
        let wrong = (entry & TAKEN != 0) != taken;
        let changed = entry ^ learned(entry, taken, counter >= 2);
        all[index as usize] = changed as u8 | if wrong { WRONG } else { 0 };
        index += 1;
    }
    all
}

/// A two-bit counter after one more outcome.
pub fn step(counter: &mut u8, taken: bool) {
    *counter = if taken { (*counter + 1).min(3) } else { counter.saturating_sub(1) };
}

/// An entry after one more outcome; `otherwise` is what the two-bit counter would have predicted.
const fn learned(entry: u32, taken: bool, otherwise: bool) -> u32 {
    let (guess, counter) = (entry & TAKEN != 0, entry & STRONG);
    let counter = match taken {
        true if counter == STRONG => STRONG,
        true => counter + 1,
        false => counter.saturating_sub(1),
    };
    let useful = match (guess == otherwise, guess == taken, entry & USEFUL) {
        (true, _, useful) => useful,
        (false, true, USEFUL) => USEFUL,
        (false, true, useful) => useful + POINT,
        (false, false, useful) => useful.saturating_sub(POINT),
    };
    entry & !(USEFUL | STRONG) | useful | counter
}

#[cfg(test)]
mod tests {
    use super::*;
    use capvec_sim::testing::Rng;

    /// Wrong predictions among the last 1000 of 3000 outcomes of a branch, which follow from the number of the outcome.
    fn wrong(entries: u64, outcome: impl Fn(u64) -> bool) -> usize {
        let mut tage = Tage::new(Tables { entries, longest: 64 });
        let mut counter = 1;
        let wrong = (0..3000).filter(|n| {
            let taken = outcome(*n);
            let guess = match &mut tage {
                Some(tage) => tage.predict(0x1000, taken, &mut counter),
                None => {
                    let guess = counter >= 2;
                    step(&mut counter, taken);
                    guess
                }
            };
            guess != taken && *n >= 2000
        });
        wrong.count()
    }

    #[test]
    fn patterns_are_learned_that_counters_do_not_learn() {
        // A loop of ten rounds; an alternating branch; one that depends on the outcome before the last but thirty.
        assert_eq!([0, 256].map(|n| wrong(n, |k| k % 10 != 9)), [100, 0]);
        assert_eq!([0, 256].map(|n| wrong(n, |k| k % 2 == 0)), [1000, 0]);
        assert_eq!([0, 256].map(|n| wrong(n, |k| k % 32 < 16)), [126, 0]);
    }

    #[test]
    fn a_random_branch_is_not_learned() {
        let mut rng = Rng::new("a_random_branch_is_not_learned");
        let outcomes: Vec<bool> = (0..3000).map(|_| rng.one_in(2)).collect();
        let wrong = wrong(256, |k| outcomes[k as usize]);
        assert!((400..600).contains(&wrong), "{wrong}");
    }

    #[test]
    fn entries_stay_within_their_bits() {
        for entry in 0..32 {
            for (taken, otherwise) in [(false, false), (false, true), (true, false), (true, true)] {
                let tagged = entry | 5 << TAG_SHIFT;
                assert_eq!(learned(tagged, taken, otherwise) >> TAG_SHIFT, 5);
            }
        }
    }
}
