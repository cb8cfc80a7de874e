//! Translations that are kept for other address spaces: of processes that fork, and of later runs in this process that
//! execute the same libraries at the same addresses.
//!
//! A translation is found by the address of its first block, and used only where every block that it contains has been
//! decoded from the same bytes to the same instructions. It was made by an engine of the same kind.

use crate::host_features::Host;
use crate::x64::{Portable, State, Unit};
use capvec_isa::{ExtSet, Op};
use capvec_sim::Hart;
use capvec_sim::block::{Block, Source};
use capvec_sim::hart::{Agnostic, Config, MustAlign};
use capvec_sim::vector::VType;
use capvec_timing::Params;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Translations of all kinds of engines.
pub struct Kept {
    /// The kinds that were used first come first.
    kinds: RwLock<VecDeque<(Kind, Arc<Translations>)>>,
    /// Approximate number of bytes for each kind.
    bytes: usize,
}

/// Most kinds of engines whose translations are kept.
const KINDS: usize = 4;

/// Most translations that are kept for one address.
const MAX_AT_ADDRESS: usize = 8;

/// Bits of the filter, a power of two: many more than there are translations.
const FILTER: usize = 1 << 18;

/// What a translation depends on, apart from the code and the state of the vector unit.
#[derive(Debug, PartialEq)]
pub struct Kind {
    /// Instructions that it may use.
    pub host: Host,
    /// It counts the entries of blocks.
    pub count: bool,
    /// The core model: its parameters and VLEN.
    pub model: Option<(Params, u32)>,
}

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

/// A translation, and where it can be used.
pub struct Translation {
    /// The blocks of its trace.
    pub blocks: Box<[KeptBlock]>,
    /// It is a loop.
    pub loops: bool,
    /// The hart's accesses that trap unless they are aligned.
    pub must_align: MustAlign,
    /// What it was made for, if it has vector instructions.
    pub vectors: Option<Vectors>,
    /// The code.
    pub portable: Portable,
}

/// A block, by what it was decoded from and what it was decoded to.
#[derive(PartialEq, Eq)]
pub struct KeptBlock {
    /// Its address.
    pub start: u64,
    source: Source,
    ops: Box<[Op]>,
}

/// The hart for which vector instructions were translated.
#[derive(PartialEq, Eq)]
pub struct Vectors {
    exts: ExtSet,
    vlen: u32,
    agnostic: Agnostic,
    /// The state that the code tests at its entry.
    pub tested: Option<State>,
    /// vtype when it was translated.
    pub vtype: VType,
    /// vl when it was translated.
    pub vl: u64,
    /// What was known of its vsets; see `Unit`.
    pub vset_vl: Box<[(u8, u64)]>,
}

impl Kept {
    /// Nothing yet; up to about `bytes` bytes for each kind of engine.
    pub const fn new(bytes: usize) -> Kept {
        Kept { kinds: RwLock::new(VecDeque::new()), bytes }
    }

    /// That of this process.
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

    /// Whether more are kept.
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
        let alike = |other: &Arc<Translation>| {
            other.blocks == t.blocks
                && (other.loops, other.must_align) == (t.loops, t.must_align)
                && other.vectors == t.vectors
        };
        if there.len() < MAX_AT_ADDRESS && !there.iter().any(alike) {
            let (word, bit) = self.filtered(first.start);
            word.fetch_or(bit, Ordering::Relaxed);
            self.used.fetch_add(t.size(), Ordering::Relaxed);
            there.push(Arc::new(t));
        }
    }
}

impl Translation {
    fn size(&self) -> usize {
        let blocks = self.blocks.iter().map(|b| size_of_val(b) + b.ops.len() * 6);
        size_of::<Translation>() + blocks.sum::<usize>() + self.portable.size()
    }

    /// Whether it can be used by this hart, in its present state.
    pub fn suits(&self, h: &Hart) -> bool {
        self.must_align == h.config.must_align
            && self.vectors.as_ref().is_none_or(|vectors| vectors.suits(h))
    }
}

impl KeptBlock {
    /// This block.
    pub fn of(b: &Block) -> KeptBlock {
        let ops = b.insns.iter().map(|i| i.op()).collect();
        KeptBlock { start: b.start, source: b.source.clone(), ops }
    }

    /// Whether the block is the same: the same bytes at the same address may be other instructions with other extensions.
    pub fn is(&self, b: &Block) -> bool {
        self.start == b.start
            && self.source == b.source
            && self.ops.iter().copied().eq(b.insns.iter().map(|i| i.op()))
    }
}

impl Vectors {
    /// What code for this unit was made for, which tests this state at its entry.
    pub fn new(unit: &Unit<'_>, tested: Option<State>) -> Vectors {
        let Config { exts, vlen, agnostic, .. } = **unit.config;
        let (vtype, vl, vset_vl) = (unit.vtype, unit.vl, unit.vset_vl.into());
        Vectors { exts, vlen, agnostic, tested, vtype, vl, vset_vl }
    }

    fn suits(&self, h: &Hart) -> bool {
        let Config { exts, vlen, agnostic, .. } = *h.config;
        let tested = match self.tested {
            // Code that was made without a vtype calls handlers where other code does not.
            None => self.vtype.vill == h.v.vtype.vill,
            tested => h.v.vstart == 0 && State::of(h.v.vtype, h.v.vl) == tested,
        };
        (self.exts, self.vlen, self.agnostic) == (exts, vlen, agnostic) && tested
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capvec_isa::Ext;
    use capvec_sim::Memory;
    use capvec_sim::block::{Built, build};
    use capvec_sim::interp::PLAIN;
    use capvec_sim::mem::{PAGE, Perm};
    use capvec_sim::testing::{config, word};

    /// Two drafts give one encoding to two instructions.
    #[test]
    fn the_same_bytes_can_be_another_block() {
        let mem = Memory::new().expect("an address space");
        mem.map(PAGE, PAGE, Perm(7)).expect("a page");
        let drafts = [Ext::Zvknhk0p1, Ext::Zvknhk0p2];
        let vkeccak = |draft: Ext| {
            let named = |op: &Op| op.row().name == "vkeccak.vi" && op.row().exts.has(draft);
            Op::all().find(named).expect("an instruction of the draft")
        };
        let [first, second] = drafts.map(|draft| word(vkeccak(draft), |d| d.vm = true));
        assert_eq!(first, second);
        mem.write(PAGE, &first.to_le_bytes()).expect("it is writable");
        let [first, second] = drafts.map(|draft| {
            let config = config(&[Ext::V, draft], 128, Agnostic::Undisturbed);
            let built = build(&mem, &config, PLAIN, PAGE);
            let Ok(Built { insns, end, source }) = built else { panic!("a block") };
            let plan = Default::default();
            Block { start: PAGE, end, insns, source, plan, entered: 0 }
        });
        assert!(KeptBlock::of(&first).is(&first));
        assert!(!KeptBlock::of(&first).is(&second));
    }
}
