//! The sets of the translating engine hold what the interpreter counts, on random programs: with traps, other vector states,
//! budgets that end anywhere, and code that is divided.
#![cfg(translates)]

use crate::common::campaign::campaign;
use crate::common::programs::{all, program, words};
use crate::common::{EAGER, Pair, cores, counted};
use capvec_isa::Op;
use capvec_jit::{Options, Sorter};
use capvec_sim::insn::Insn;
use capvec_sim::testing::Rng;
use capvec_timing::Core;
use std::cell::Cell;
use std::rc::Rc;

/// log2 of the size of a function in bytes.
const FUNCTION: u32 = 5;
/// Number of sets.
const SETS: usize = 3;

/// Chooses by address, and after some instructions. Adds up the cycles.
#[derive(Clone, Default)]
struct ByAddress {
    cycles: Rc<Cell<u64>>,
    since: u64,
    set: usize,
    changes: Rc<Cell<usize>>,
}

impl ByAddress {
    fn choose(&mut self, set: usize, cycles: u64) -> usize {
        self.ends(cycles);
        self.changes.set(self.changes.get() + usize::from(set != self.set));
        self.set = set;
        set
    }
}

fn by(pc: u64) -> usize {
    (pc >> FUNCTION) as usize % SETS
}

impl Sorter for ByAddress {
    fn crosses(&mut self, from: u64, to: u64) -> bool {
        from >> FUNCTION != to >> FUNCTION
    }

    fn divides(&mut self, insns: &[Insn]) -> bool {
        insns.iter().any(|i| i.op() == Op::Xor)
    }

    fn within(&mut self, i: &Insn, cycles: u64) -> usize {
        self.choose(i.op() as usize % SETS, cycles)
    }

    fn divided(&mut self, cycles: u64) -> usize {
        self.choose(0, cycles)
    }

    fn goes(&mut self, to: u64, _: u64, cycles: u64) -> usize {
        self.choose(by(to), cycles)
    }

    fn begins(&mut self, pc: u64, cycles: u64) -> usize {
        self.since = cycles;
        self.choose(by(pc), cycles)
    }

    fn ends(&mut self, cycles: u64) {
        let now = cycles.checked_sub(self.since).expect("time does not go back");
        self.cycles.set(self.cycles.get() + now);
        self.since = cycles;
    }
}

fn compare(name: &str, core: &Core, options: Options, next: impl FnMut(&mut Rng) -> Vec<u8>) {
    let sorter = ByAddress::default();
    let (cycles, changes) = (Rc::clone(&sorter.cycles), Rc::clone(&sorter.changes));
    let core = &counted(core.clone());
    let pair = Pair::of(core, Options { count: true, ..options });
    let sorted = capvec_jit::sorted(options, core.timing(), Box::new(sorter));
    let (engine, counted) = sorted.expect("a host that has a translator");
    let pair = campaign(name, Pair { jit: (engine, pair.jit.1), ..pair }, 100, next);
    let expected = pair.interp.0.histogram().expect("it counts").by_op;
    let sets = counted.sets();
    let sum = |op: usize| sets.iter().map(|set| set.by_op[op]).sum::<u64>();
    let found: Vec<u64> = (0..expected.len()).map(sum).collect();
    assert_eq!(found, expected, "{name}");
    assert_eq!(cycles.get(), pair.spent, "{name}: cycles");
    assert!(changes.get() > 1000, "{name}: {} changes", changes.get());
    let vectors = |op: &Op| op.row().class.is_vector() && op.row().class.name() != "vset";
    let vectors: u64 = Op::all().filter(vectors).map(|op| expected[op as usize]).sum();
    let by_lengths: u64 = sets.iter().flat_map(|set| set.vectors.values()).sum();
    assert_eq!(by_lengths, vectors, "{name}: vectors");
}

#[test]
fn sets_on_cores() {
    for name in Core::names() {
        let core = Core { vlen: 256, ..Core::load(name).expect("a core that is built in") };
        for hot_threshold in [0, 2] {
            let options = Options { hot_threshold, ..EAGER };
            compare(&format!("sets {name} all"), &core, options, |rng| program(rng, &all()));
            compare(&format!("sets {name} words"), &core, options, words);
        }
    }
}

#[test]
fn sets_on_random_cores() {
    let mut rng = Rng::new("sets_on_random_cores");
    for n in 0..20 {
        let core = Core { vlen: 128, ..cores::random(&mut rng) };
        let options = Options { hot_threshold: rng.below(4) as u8, ..EAGER };
        compare(&format!("sets on random cores {n}"), &core, options, words);
    }
}
