//! Translations that are kept for other address spaces: of processes that fork, of later runs in this process that execute
//! the same libraries at the same addresses (`Kept`), and of later processes that run the same program (`Program`).
//!
//! A translation is found by the address of its first block, and used only where every block that it contains has been
//! decoded from the same bytes to the same instructions. It was made by an engine of the same kind.

mod files;
mod kind;
mod places;
mod program;
mod record;
mod stored;
mod translation;

pub use files::File;
pub use kind::Kind;
use kind::MAX_AT_ADDRESS;
pub use program::Program;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
pub use translation::{KeptBlock, Translation, Vectors};

/// Where an engine takes translations from and leaves its own.
pub enum Keeper {
    /// Shared with all engines of its kind in this process.
    Shared(Arc<Translations>),
    /// Shared with earlier and later processes, but used only in the first address space of an engine, which is that of the
    /// program itself: it may start other programs, and hot paths through a library differ from program to program.
    Program(Arc<Program>),
}

impl Keeper {
    /// Whether kept translations are of use to an engine that has run this many address spaces.
    pub fn serves(&self, spaces: u64) -> bool {
        match self {
            Keeper::Shared(kept) => spaces > 1 || kept.is_shared(),
            Keeper::Program(_) => spaces == 1,
        }
    }

    /// Whether there is room for more translations.
    pub fn has_room(&self) -> bool {
        match self {
            Keeper::Shared(kept) => kept.has_room(),
            Keeper::Program(kept) => kept.has_room(),
        }
    }

    /// The first translation at this address for which `fits` returns something.
    pub fn find<T>(
        &self,
        start: u64,
        fits: impl FnMut(&Translation) -> Option<T>,
    ) -> Option<(Arc<Translation>, T)> {
        match self {
            Keeper::Shared(kept) => kept.find(start, fits),
            Keeper::Program(kept) => kept.find(start, fits),
        }
    }

    /// Keeps a translation, unless there is one like it.
    pub fn add(&self, t: Translation) {
        match self {
            Keeper::Shared(kept) => kept.add(t),
            Keeper::Program(kept) => kept.add(&t),
        }
    }
}

/// Translations of all kinds of engines.
pub struct Kept {
    /// The kinds that were used first come first.
    kinds: RwLock<VecDeque<(Kind, Arc<Translations>)>>,
    /// Approximate number of bytes for each kind.
    bytes: usize,
}

/// Most kinds of engines whose translations are kept.
const KINDS: usize = 4;

/// Bits of the filter, a power of two: many more than there are translations.
const FILTER: usize = 1 << 18;

/// The translations of one kind of engine.
pub struct Translations {
    by_start: RwLock<HashMap<u64, Vec<Arc<Translation>>>>,
    /// Bits by address: zero if nothing is kept for it. A large program asks for hundreds of thousands of addresses.
    filter: Box<[AtomicU64]>,
    bytes: usize,
    /// Engines of this kind so far.
    engines: AtomicUsize,
    used: AtomicUsize,
    found: AtomicUsize,
}

impl Kept {
    /// Nothing yet; up to about `bytes` bytes for each kind of engine.
    pub const fn new(bytes: usize) -> Kept {
        Kept { kinds: RwLock::new(VecDeque::new()), bytes }
    }

    /// The translations that engines of this process share.
    pub fn shared() -> &'static Kept {
        static SHARED: Kept = Kept::new(8 << 20);
        &SHARED
    }

    /// How often a translation was used again.
    pub fn reused(&self) -> usize {
        let kinds = self.kinds.read().unwrap_or_else(PoisonError::into_inner);
        kinds.iter().map(|(_, kept)| kept.found.load(Ordering::Relaxed)).sum()
    }

    /// The translations for a new engine of this kind.
    pub(crate) fn of(&self, kind: Kind) -> Arc<Translations> {
        let kept = self.find(kind);
        kept.engines.fetch_add(1, Ordering::Relaxed);
        kept
    }

    fn find(&self, kind: Kind) -> Arc<Translations> {
        let mut kinds = self.kinds.write().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, kept)) = kinds.iter().find(|(other, _)| *other == kind) {
            return Arc::clone(kept);
        }
        if kinds.len() >= KINDS {
            kinds.pop_front();
        }
        let kept = Arc::new(Translations {
            by_start: RwLock::default(),
            filter: (0..FILTER / u64::BITS as usize).map(|_| AtomicU64::new(0)).collect(),
            bytes: self.bytes,
            engines: AtomicUsize::new(0),
            used: AtomicUsize::new(0),
            found: AtomicUsize::new(0),
        });
        kinds.push_back((kind, Arc::clone(&kept)));
        kept
    }
}

impl Translations {
    /// Whether there has been more than one engine of this kind.
    pub fn is_shared(&self) -> bool {
        self.engines.load(Ordering::Relaxed) > 1
    }

    /// Whether there is room for more translations.
    pub fn has_room(&self) -> bool {
        self.used.load(Ordering::Relaxed) < self.bytes
    }

    /// The first translation at this address for which `fits` returns something.
    pub fn find<T>(
        &self,
        start: u64,
        mut fits: impl FnMut(&Translation) -> Option<T>,
    ) -> Option<(Arc<Translation>, T)> {
        let (word, bit) = self.filtered(start);
        if word.load(Ordering::Relaxed) & bit == 0 {
            return None;
        }
        let by_start = self.by_start.read().unwrap_or_else(PoisonError::into_inner);
        let mut all = by_start.get(&start)?.iter();
        let found = all.find_map(|t| fits(t).map(|found| (Arc::clone(t), found)))?;
        self.found.fetch_add(1, Ordering::Relaxed);
        Some(found)
    }

    /// The word of the filter for this address, and the bit in it.
    fn filtered(&self, start: u64) -> (&AtomicU64, u64) {
        // Instructions are at even addresses, and the lowest bits differ most.
        let n = (start >> 1 ^ start >> FILTER.trailing_zeros()) as usize % FILTER;
        (&self.filter[n / u64::BITS as usize], 1 << (n % u64::BITS as usize))
    }

    /// Keeps a translation, unless there is one like it.
    pub fn add(&self, t: Translation) {
        let Some(first) = t.blocks.first() else { return };
        let mut by_start = self.by_start.write().unwrap_or_else(PoisonError::into_inner);
        let there = by_start.entry(first.start).or_default();
        if there.len() < MAX_AT_ADDRESS && !there.iter().any(|other| other.is_like(&t)) {
            let (word, bit) = self.filtered(first.start);
            word.fetch_or(bit, Ordering::Relaxed);
            self.used.fetch_add(t.size(), Ordering::Relaxed);
            there.push(Arc::new(t));
        }
    }
}
