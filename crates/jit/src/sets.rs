//! Counts by opcode and by vector state, in several sets of counters. While the program runs, a [`Sorter`] chooses the set.
//! Each translated block has a slot in every set, and generated code counts the block's entries in that of the current set.
//! What an entry executes was known when the block was translated.

use capvec_isa::Op;
use capvec_sim::block::Block;
use capvec_sim::calls::{Event, Observer, TICKS};
use capvec_sim::insn::Insn;
use capvec_sim::vector::VType;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Chooses the set in which instructions are counted. `cycles` are the hart's at the moment of the call; all cycles between
/// two calls belong to the set that was chosen by the first.
pub trait Sorter {
    /// Whether the addresses are in different functions of the running program.
    fn crosses(&mut self, from: u64, to: u64) -> bool;

    /// Whether the set may change within this block, which is then interpreted.
    fn divides(&mut self, insns: &[Insn]) -> bool;

    /// This instruction of a divided block is executed next. Returns its set.
    fn within(&mut self, i: &Insn, cycles: u64) -> usize;

    /// The last instruction of a divided block has executed. Returns the set of what follows.
    fn divided(&mut self, cycles: u64) -> usize;

    /// Control goes to the block at `to`, with `Event::link`.
    fn goes(&mut self, to: u64, link: u64, cycles: u64) -> usize;

    /// The engine begins to run at this address.
    fn begins(&mut self, pc: u64, cycles: u64) -> usize;

    /// The engine has stopped.
    fn ends(&mut self, cycles: u64);
}

/// SEW, the binary logarithm of LMUL, and vl.
pub type Lengths = (u32, i8, u64);

/// What was counted in a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetCounts {
    /// Retired instructions, by `Op`.
    pub by_op: Vec<u64>,
    /// Retired vector instructions that a vtype applies to, by SEW, LMUL and vl.
    pub vectors: BTreeMap<Lengths, u64>,
}

/// Slots of a set. When all are taken, further code is interpreted.
const SLOTS: usize = 1 << 17;

/// A set.
struct Set {
    /// The entries of blocks, by slot. Generated code has the address.
    entered: Box<[Cell<u64>]>,
    counts: SetCounts,
}

impl Set {
    fn new() -> Set {
        let counts = SetCounts { by_op: vec![0; Op::COUNT], vectors: BTreeMap::new() };
        Set { entered: vec![Cell::new(0); SLOTS].into(), counts }
    }
}

/// What an entry counts.
struct Slot {
    ops: Box<[Op]>,
    /// SEW, LMUL and vl at each of its vector instructions.
    vectors: Box<[Lengths]>,
}

/// All sets, and the sorter that chooses between them.
pub struct Sets {
    sorter: Box<dyn Sorter>,
    timed: bool,
    /// The host address of the current set's entries, and the slot that was counted last. Generated code has the address.
    current: Box<[Cell<u64>; 2]>,
    set: usize,
    sets: Vec<Set>,
    slots: Vec<Slot>,
    /// What to add to `Event::instret` for the hart's cycles, if there is no core model.
    offset: u64,
}

/// Whether vtype applies to the instruction.
pub fn has_lengths(i: &Insn) -> bool {
    i.op().row().class.uses_vector_registers()
}

/// The key under which a set counts a vector instruction.
pub fn lengths(vtype: VType, vl: u64) -> Lengths {
    (vtype.sew, vtype.lmul, vl)
}

impl Sets {
    /// Nothing counted. `timed`: events have ticks.
    pub fn new(sorter: Box<dyn Sorter>, timed: bool) -> Sets {
        let current = Box::new([Cell::new(0), Cell::new(0)]);
        let mut sets =
            Sets { sorter, timed, current, set: 0, sets: vec![], slots: vec![], offset: 0 };
        sets.choose(0);
        sets
    }

    /// Host address of the cells for generated code.
    pub fn cells(&self) -> u64 {
        self.current.as_ptr() as u64
    }

    /// The number of the next slot, if at least this many are left.
    pub fn next_slot(&self, slots: usize) -> Option<u32> {
        (self.slots.len() + slots <= SLOTS).then_some(self.slots.len() as u32)
    }

    /// Adds a slot for each of these blocks. `states` are those at the first block's vector instructions.
    pub fn add_slots<'b>(&mut self, blocks: impl Iterator<Item = &'b Block>, states: Vec<Lengths>) {
        let mut vectors = states.into_boxed_slice();
        self.slots.extend(blocks.map(|b| Slot {
            ops: b.insns.iter().map(Insn::op).collect(),
            vectors: std::mem::take(&mut vectors),
        }));
    }

    /// See [`Sorter::divides`].
    pub fn divides(&mut self, block: &Block) -> bool {
        self.sorter.divides(&block.insns)
    }

    /// The engine begins to run.
    pub fn begin(&mut self, pc: u64, instret: u64, cycles: u64) {
        self.offset = cycles.wrapping_sub(instret);
        let set = self.sorter.begins(pc, cycles);
        self.choose(set);
    }

    /// The engine has stopped.
    pub fn end(&mut self, cycles: u64) {
        self.sorter.ends(cycles);
    }

    /// See [`Sorter::within`].
    pub fn within(&mut self, i: &Insn, cycles: u64) {
        let set = self.sorter.within(i, cycles);
        self.choose(set);
    }

    /// See [`Sorter::divided`].
    pub fn divided(&mut self, cycles: u64) {
        let set = self.sorter.divided(cycles);
        self.choose(set);
    }

    /// Counts instructions that have retired one by one, with the states of the vector instructions among them.
    pub fn count(&mut self, insns: &[Insn], states: &[Lengths]) {
        let counts = &mut self.sets[self.set].counts;
        insns.iter().for_each(|i| counts.by_op[i.op() as usize] += 1);
        let states = &states[..insns.iter().filter(|i| has_lengths(i)).count()];
        states.iter().for_each(|l| *counts.vectors.entry(*l).or_default() += 1);
    }

    /// Takes back the entry that generated code counted last, because it left the block early. Returns the states of the vector
    /// instructions `before` the one where it left.
    pub fn reopen(&mut self, before: &[Insn]) -> Vec<Lengths> {
        let slot = self.current[1].get() as usize;
        let entered = &self.sets[self.set].entered[slot];
        entered.set(entered.get().wrapping_sub(1));
        self.slots[slot].vectors[..before.iter().filter(|i| has_lengths(i)).count()].to_vec()
    }

    /// What was counted in each set.
    pub fn counts(&self) -> Vec<SetCounts> {
        let all = |set: &Set| {
            let mut counts = set.counts.clone();
            let entered = self.slots.iter().zip(&set.entered).map(|(s, n)| (s, n.get()));
            for (slot, n) in entered.filter(|(_, n)| *n > 0) {
                slot.ops.iter().for_each(|op| counts.by_op[*op as usize] += n);
                slot.vectors.iter().for_each(|l| *counts.vectors.entry(*l).or_default() += n);
            }
            counts
        };
        self.sets.iter().map(all).collect()
    }

    fn choose(&mut self, set: usize) {
        while self.sets.len() <= set {
            self.sets.push(Set::new());
        }
        self.set = set;
        self.current[0].set(self.sets[set].entered.as_ptr() as u64);
    }
}

/// The sets, as the log of calls knows them.
pub struct Sorted(pub Rc<RefCell<Sets>>);

impl Observer for Sorted {
    fn crosses(&mut self, from: u64, to: u64) -> bool {
        self.0.borrow_mut().sorter.crosses(from, to)
    }

    fn take(&mut self, events: &[Event]) {
        let mut sets = self.0.borrow_mut();
        for e in events {
            let cycles = match sets.timed {
                true => e.ticks / TICKS,
                false => e.instret.wrapping_add(sets.offset),
            };
            let set = sets.sorter.goes(e.to, e.link, cycles);
            sets.choose(set);
        }
    }
}
