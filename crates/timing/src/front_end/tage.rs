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

/// The hash of the branch that ends at `end`.
pub const fn hash(end: u64) -> u64 {
    (end >> 1).wrapping_mul(MULTIPLIER)
}

/// Multiplier of the hashes: 2^64 divided by the golden ratio.
pub const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
/// Bits of a tag.
pub const TAG: u32 = 11;
/// By how many bits the history is shifted before it is combined with itself, so that the tag depends on all of it.
pub const FOLD: u32 = 29;

// An entry, from bit 0 on: three bits that predict taken from 4 on; two that say how useful it is; in the highest bits, the tag.
/// The highest counter.
pub const STRONG: u32 = 7;
/// The lowest counter that predicts taken.
pub const TAKEN: u32 = 4;
/// The bits that say how useful an entry is.
pub const USEFUL: u32 = 3 << USEFUL_SHIFT;
const USEFUL_SHIFT: u32 = 3;
/// One more point of usefulness.
pub const POINT: u32 = 1 << USEFUL_SHIFT;
/// Number of these bits.
pub const STATE: u32 = 5;
/// Position of the tag.
pub const TAG_SHIFT: u32 = u32::BITS - TAG;

/// The state of the tables.
pub struct Tage {
    lanes: Lanes,
    /// Binary logarithm of a table's entries.
    bits: u32,
    /// The entries of all tables, in the order of their histories.
    entries: Box<[u32]>,
}

/// What the tables' hashes are made of. An array has an element for each table, that with the longest history first.
#[repr(C, align(64))]
pub struct Lanes {
    /// The hash of the outcomes that the table uses, to which that of the branch is added.
    pub hashed: [u64; TABLES],
    /// By how many bits the history is shifted so that these outcomes remain.
    pub shifts: [u64; TABLES],
    /// Outcomes of branches; the last one is bit 0.
    pub history: u64,
}

impl Lanes {
    fn new(lengths: [u32; TABLES]) -> Lanes {
        let shifts = lengths.map(|length| (u64::BITS - length).into());
        Lanes { history: 0, hashed: [0; TABLES], shifts }
    }

    fn set_history(&mut self, history: u64) {
        self.history = history;
        self.hashed = self.shifts.map(|shift| {
            let used = history << shift;
            (used ^ used >> FOLD).wrapping_mul(MULTIPLIER)
        });
    }
}

/// Where the tables are, for code that uses them itself.
#[derive(Clone, Copy, Debug)]
pub struct TageCells {
    /// Host address of the `Lanes`.
    pub lanes: u64,
    /// Host address of the entries of all tables.
    pub entries: u64,
    /// Binary logarithm of a table's entries.
    pub bits: u32,
}

impl Tage {
    /// Empty tables; `None` if there are none.
    pub fn new(p: Tables) -> Option<Tage> {
        let bits = p.entries.checked_ilog2()?;
        let lanes = Lanes::new([p.longest, p.longest * 2 / 5, p.longest / 6, p.longest / 16]);
        Some(Tage { lanes, bits, entries: vec![0; TABLES << bits].into() })
    }

    /// Forgets all branches.
    pub fn clear(&mut self) {
        self.lanes.set_history(0);
        self.entries.fill(0);
    }

    /// Host addresses for generated code.
    pub fn cells(&mut self) -> TageCells {
        TageCells {
            lanes: std::ptr::from_mut(&mut self.lanes) as u64,
            entries: self.entries.as_mut_ptr() as u64,
            bits: self.bits,
        }
    }

    /// The entry that the table of a lane has for a branch, and the branch's tag there.
    fn locate(&self, lane: usize, branch: u64) -> (usize, u32) {
        let hash = self.lanes.hashed[lane].wrapping_add(branch);
        let (index, tag) =
            (hash >> (u64::BITS - self.bits), hash << self.bits >> (u64::BITS - TAG));
        (first(lane, self.bits) + index as usize, tag as u32)
    }

    /// The branch with this hash has been taken, or not; `counter` is its two-bit counter. Returns what had been predicted.
    pub fn predict(&mut self, branch: u64, taken: bool, counter: &mut u8) -> bool {
        let otherwise = *counter >= 2;
        let mut lanes = (0..TABLES).map(|lane| (lane, self.locate(lane, branch)));
        let (guess, longer) =
            match lanes.find(|(_, (at, tag))| self.entries[*at] >> TAG_SHIFT == *tag) {
                None => {
                    step(counter, taken);
                    (otherwise, TABLES)
                }
                Some((lane, (at, _))) => {
                    let entry = &mut self.entries[at];
                    let guess = *entry & TAKEN != 0;
                    *entry = learned(*entry, taken, otherwise);
                    (guess, lane)
                }
            };
        if guess != taken {
            self.allocate(longer, branch, taken);
        }
        self.lanes.set_history(self.lanes.history << 1 | u64::from(taken));
        guess
    }

    /// The branch was mispredicted: gives it an entry in the table with the shortest history, of the first `lanes` ones, in which
    /// the one of its place is not useful. Entries on the way lose a point.
    fn allocate(&mut self, lanes: usize, branch: u64, taken: bool) {
        for lane in (0..lanes).rev() {
            let (at, tag) = self.locate(lane, branch);
            if self.entries[at] & USEFUL == 0 {
                self.entries[at] = tag << TAG_SHIFT | if taken { TAKEN } else { TAKEN - 1 };
                return;
            }
            self.entries[at] -= POINT;
        }
    }
}

/// Index of the first entry of a lane's table. The table with the shortest history comes first.
pub const fn first(lane: usize, bits: u32) -> usize {
    (TABLES - 1 - lane) << bits
}

/// For generated code: which entries stay as they are when the branch, whose two-bit counter is known, has been taken or not. Such
/// an entry has predicted the outcome.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub struct Quiet {
    /// The bits that decide, and those of the tag, in each lane.
    pub mask: [u32; TABLES],
    /// What they are without the tag.
    pub state: [u32; TABLES],
    /// The bits of the tag.
    pub tag: [u32; TABLES],
    /// The bit after those of the lanes, if the two-bit counter stays as it is, too.
    pub counter: u32,
}

/// By outcome and counter.
pub static QUIET: [[Quiet; 4]; 2] = [quiet(false), quiet(true)];

const fn quiet(taken: bool) -> [Quiet; 4] {
    let tag = ((1 << TAG) - 1) << TAG_SHIFT;
    let mut all = [Quiet { mask: [0; 4], state: [0; 4], tag: [tag; 4], counter: 0 }; 4];
    let mut counter = 0;
    while counter < 4 {
        let strong = if taken { STRONG } else { 0 };
        // An entry that is right when the counter is wrong becomes more useful.
        let (mask, state) = match (counter >= 2) == taken {
            true => (STRONG, strong),
            false => (STRONG | USEFUL, strong | USEFUL),
        };
        all[counter].mask = [mask | tag; TABLES];
        all[counter].state = [state; TABLES];
        all[counter].counter = ((counter == if taken { 3 } else { 0 }) as u32) << TABLES;
        counter += 1;
    }
    all
}

/// What changes in an entry whose branch was not taken, or taken, by the two-bit counter and the entry's bits below its tag: the
/// bits to invert, and `WRONG` if the entry predicted wrongly. For generated code, whose host would mispredict the cases.
pub static CHANGES: [[u16; 128]; 2] = [changes(false), changes(true)];
/// See [`CHANGES`].
pub const WRONG: u16 = 1 << 8;
/// Where the counter is in the index of `CHANGES`.
pub const COUNTER_SHIFT: u32 = STATE;

const fn changes(taken: bool) -> [u16; 128] {
    let mut all = [0; 128];
    let mut index = 0;
    while index < 128 {
        let (counter, entry) = (index >> COUNTER_SHIFT, index & ((1 << STATE) - 1));
        let wrong = (entry & TAKEN != 0) != taken;
        let changed = entry ^ learned(entry, taken, counter >= 2);
        all[index as usize] = changed as u16 | if wrong { WRONG } else { 0 };
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
                Some(tage) => tage.predict(hash(0x1000), taken, &mut counter),
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
