//! Shared by tests of the semantics: a hart with code and data pages that runs instruction words, and a seeded random
//! number generator.

pub mod loops;

use crate::hart::{Access, Agnostic, Config, Hart, MustAlign};
use crate::insn::Insn;
use crate::interp::Interpreter;
use crate::mem::{Memory, PAGE, Perm};
use crate::timing::{Dynamic, Ideal, Plan, Seen, StaticCosts, Timing};
use crate::trap::Trap;
use crate::{Engine, Stop};
use capvec_isa::{Decoded, Ext, ExtSet, Op, encode};
use std::sync::Arc;

/// Address of the instruction words.
pub const CODE: u64 = 0x1_0000;
/// Address of `DATA_LEN` readable and writable bytes between guard pages.
pub const DATA: u64 = 0x100_0000;
/// Bytes at `DATA`.
pub const DATA_LEN: u64 = 1 << 20;
/// The word that ends every run.
const EBREAK: u32 = 0x0010_0073;

/// A hart to run single instructions on.
pub struct Rig {
    /// The hart: set registers before a run, inspect them after it.
    pub h: Hart,
    engine: Interpreter<Ideal>,
}

/// The configuration of an RV64I hart with these extensions and all that they imply.
pub fn config(exts: &[Ext], vlen: u32, agnostic: Agnostic) -> Config {
    Config {
        xlen: 64,
        exts: ExtSet::of(exts).with(Ext::I).closed(),
        vlen,
        agnostic,
        must_align: MustAlign::default(),
        cache_block: 64,
        seed: 1,
        timebase: 10_000_000,
        frequency: 1_000_000_000,
    }
}

/// Every extension of the table, except drafts that have another's encodings.
pub fn all_exts() -> Vec<Ext> {
    let excluded = [Ext::Zvkk0p2024, Ext::Zvknhk0p1];
    Ext::all().filter(|e| !excluded.contains(e)).collect()
}

/// Sets that together have every extension: `all_exts`, and one for each draft that it excludes.
pub fn ext_sets() -> [Vec<Ext>; 3] {
    let with = |draft| Ext::ratified().chain([draft]).collect();
    [all_exts(), with(Ext::Zvkk0p2024), with(Ext::Zvknhk0p1)]
}

/// The word of `op` with operands set by `set`. Panics if an operand cannot be encoded, which is the test's error.
pub fn word(op: Op, set: impl FnOnce(&mut Decoded)) -> u32 {
    let mut d = Decoded::new(op);
    set(&mut d);
    encode(&d).unwrap_or_else(|| panic!("no encoding: {d:?}"))
}

impl Rig {
    /// A fresh hart with code and data pages mapped and all registers zero.
    pub fn new(config: Config) -> Rig {
        let mem = Memory::new().expect("address space");
        mem.map(CODE, PAGE, Perm::R.union(Perm::X)).expect("code page");
        mem.map(DATA, DATA_LEN, Perm::RW).expect("data pages");
        Rig { h: Hart::new(Arc::new(config), mem), engine: Interpreter::new(Ideal, false) }
    }

    /// Runs these words followed by `ebreak`. Returns the trap that ended the run, with `h.pc` at the trapping
    /// instruction; `Trap::cause` is `Breakpoint` if every word executed.
    pub fn run(&mut self, words: &[u32]) -> Trap {
        self.load(words);
        run(&mut self.engine, &mut self.h)
    }

    /// `run` with accesses observed: also returns what the words accessed, in order, without the accesses of a
    /// trapping instruction.
    pub fn run_observed(&mut self, words: &[u32]) -> (Trap, Vec<Access>) {
        self.load(words);
        let mut engine = Interpreter::new(Recorder::default(), false);
        let trap = run(&mut engine, &mut self.h);
        let accesses = engine.timing().0.clone();
        (trap, accesses)
    }

    fn load(&mut self, words: &[u32]) {
        let code: Vec<u8> = words.iter().chain([&EBREAK]).flat_map(|w| w.to_le_bytes()).collect();
        self.h.mem.write_as(CODE, &code, Perm::NONE).expect("the words fit in a page");
        self.h.mem.code_changed();
        self.h.pc = CODE;
    }
}

fn run(engine: &mut impl Engine, h: &mut Hart) -> Trap {
    match engine.run(h, u64::MAX) {
        Stop::Trap(trap) => trap,
        Stop::Budget | Stop::Paused(_) => {
            unreachable!("the budget is unlimited, and nothing pauses the engine")
        }
    }
}

/// A core model that only records accesses.
#[derive(Default)]
struct Recorder(Vec<Access>);

impl Timing for Recorder {
    fn plan(&self, _: u64, insns: &[Insn]) -> Plan {
        let dynamic = |index| Dynamic { index, note: 0, issue: 0 };
        let dynamic: Vec<Dynamic> = (0..insns.len() as u8).map(dynamic).collect();
        Plan { costs: StaticCosts::new(&vec![0; insns.len() + 1], &dynamic), ..Plan::default() }
    }

    fn enter(&mut self, _: u64, _: u64, _: &Plan, _: bool) -> u64 {
        0
    }

    fn execute(&mut self, _: u64, _: Dynamic, _: &Insn, seen: &Seen<'_>) -> u64 {
        self.0.extend_from_slice(seen.accesses);
        0
    }
}

/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014).
pub struct Rng(u64);

impl Rng {
    /// A generator seeded from the environment variable CAPVEC_SEED, or else with 1. Prints the seed, which a failing
    /// test then shows.
    pub fn new(test: &str) -> Rng {
        let seed = std::env::var("CAPVEC_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
        println!("{test}: CAPVEC_SEED={seed}");
        Rng(seed)
    }

    /// A generator with this seed.
    pub fn seeded(seed: u64) -> Rng {
        Rng(seed)
    }

    /// 64 random bits.
    // An iterator would return an `Option` that is never `None`.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// True with probability 1/`n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// An array of random bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// Fills with random bytes.
    pub fn fill(&mut self, to: &mut [u8]) {
        to.chunks_mut(8).for_each(|c| c.copy_from_slice(&self.next().to_le_bytes()[..c.len()]));
    }
}
