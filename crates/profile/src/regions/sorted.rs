//! Regions for an engine that counts in sets. Instructions in the same wanted functions and under the same mark share a set; the
//! caller passes on every call of the program. Regions between readings of counters need the interpreter.

use super::counts::{Counts, Lengths};
use super::threads::{EachThread, Places, Threads};
use super::wanted::{Mark, Wanted};
use super::{Region, within::Within};
use crate::{Recorder, Shared};
use capvec_sim::calls::{Follower, Observer, RETURN};
use capvec_sim::insn::Insn;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// What a set belongs to: functions by their index, and a mark.
type Key = (Vec<usize>, Option<i64>);

/// Binary logarithm of the number of addresses whose function is kept.
const RECENT_BITS: u32 = 12;

/// Where a thread is.
#[derive(Clone, Default)]
struct Thread {
    functions: Vec<Within>,
    mark: Option<i64>,
}

/// An address space, an address in it, and for each wanted function whether the code there is of it.
type Looked = (u64, u64, Rc<[bool]>);

/// Where each thread is, and the sets.
struct State {
    wanted: Wanted,
    recorder: Rc<RefCell<Recorder>>,
    space: u64,
    threads: EachThread<Thread>,
    /// Addresses that were looked up last, by a hash.
    recent: Vec<Option<Looked>>,
    numbers: HashMap<Key, usize>,
    /// The sets, with their cycles.
    sets: Vec<(Key, u64)>,
    /// The set that was chosen last, and the hart's cycles then.
    current: usize,
    since: u64,
    entries: Vec<u64>,
    marks: BTreeMap<i64, u64>,
}

/// Chooses the sets. Clones share all state.
#[derive(Clone)]
pub struct SortedRegions(Rc<RefCell<State>>);

impl SortedRegions {
    /// Nothing counted. `timed`: there is a core model.
    pub fn new(wanted: Wanted, timed: bool) -> SortedRegions {
        let entries = vec![0; wanted.functions.len()];
        let mut state = State {
            wanted,
            recorder: Rc::new(RefCell::new(Recorder::new(timed))),
            space: 0,
            threads: EachThread::default(),
            recent: vec![None; 1 << RECENT_BITS],
            numbers: HashMap::new(),
            sets: Vec::new(),
            current: 0,
            since: 0,
            entries,
            marks: BTreeMap::new(),
        };
        state.choose(0);
        SortedRegions(Rc::new(RefCell::new(state)))
    }

    /// What follows the threads.
    pub fn follower(&self) -> Rc<RefCell<dyn Follower>> {
        let recorder = Rc::clone(&self.0.borrow().recorder);
        Rc::new(RefCell::new(Threads::new(Rc::clone(&self.0), recorder)))
    }

    /// Whether the two addresses lie in different functions.
    pub fn crosses(&self, from: u64, to: u64) -> bool {
        Shared(Rc::clone(&self.0.borrow().recorder)).crosses(from, to)
    }

    /// Whether the set may change among these instructions.
    pub fn divides(&self, insns: &[Insn]) -> bool {
        let marks = self.0.borrow().wanted.marks;
        marks && insns.iter().any(|i| matches!(Mark::of(i), Some(Mark::Begin(_) | Mark::End(_))))
    }

    /// Returns the number of the set of the instruction that is executed next.
    pub fn within(&self, i: &Insn, cycles: u64) -> usize {
        let mut state = self.0.borrow_mut();
        let mark = Mark::of(i);
        if let Some(Mark::End(id)) = mark
            && state.threads.running.mark == Some(id)
        {
            state.threads.running.mark = None;
        }
        let set = state.choose(cycles);
        if let Some(Mark::Begin(id)) = mark {
            state.threads.running.mark = Some(id);
            *state.marks.entry(id).or_default() += 1;
        }
        set
    }

    /// Returns the number of the set from now on: the last instruction of a divided block has executed.
    pub fn divided(&self, cycles: u64) -> usize {
        self.0.borrow_mut().choose(cycles)
    }

    /// Control goes to this address, with `Event::link`.
    pub fn goes(&self, to: u64, link: u64, cycles: u64) -> usize {
        let mut state = self.0.borrow_mut();
        match state.enter(to, link > RETURN) {
            true => state.choose(cycles),
            false => state.current,
        }
    }

    /// The engine begins to run.
    pub fn begins(&self, pc: u64, cycles: u64) -> usize {
        let mut state = self.0.borrow_mut();
        state.since = cycles;
        state.enter(pc, false);
        state.choose(cycles)
    }

    /// The engine has stopped.
    pub fn ends(&self, cycles: u64) {
        self.0.borrow_mut().attribute(cycles);
    }

    /// The regions, in the interpreter's order. `counted` has for each set the retired instructions by `Op`, and the vector
    /// instructions by their lengths.
    pub fn finish<'c>(
        &self,
        counted: impl Iterator<Item = (&'c [u64], &'c BTreeMap<Lengths, u64>)>,
    ) -> Vec<Region> {
        let state = self.0.borrow();
        let mut functions = vec![Counts::default(); state.entries.len()];
        let mut marks: BTreeMap<i64, Counts> =
            state.marks.keys().map(|id| (*id, Counts::default())).collect();
        for ((key, cycles), (by_op, vectors)) in state.sets.iter().zip(counted) {
            let insns = by_op.iter().sum();
            let (by_op, vectors) = (by_op.to_vec(), vectors.clone());
            let counts = Counts { entries: 0, insns, cycles: *cycles, by_op, vectors };
            key.0.iter().for_each(|i| functions[*i] += &counts);
            key.1.iter().for_each(|id| *marks.entry(*id).or_default() += &counts);
        }
        let functions = functions.into_iter().zip(&state.entries);
        let functions = functions.map(|(counts, entries)| Counts { entries: *entries, ..counts });
        let names = state.wanted.functions.iter().cloned();
        let marked = marks.into_iter().map(|(id, counts)| {
            let entries = state.marks.get(&id).copied().unwrap_or_default();
            Region { name: format!("mark {id}"), counts: Counts { entries, ..counts } }
        });
        names.zip(functions).map(|(name, counts)| Region { name, counts }).chain(marked).collect()
    }
}

impl State {
    /// Control goes to the block at `pc`, by a call if `calls`. Returns whether it enters or leaves a wanted function.
    fn enter(&mut self, pc: u64, calls: bool) -> bool {
        let inside = self.inside(pc);
        let functions = self.threads.running.functions.iter_mut().zip(&mut self.entries);
        let mut moves = false;
        for ((within, entries), inside) in functions.zip(&*inside) {
            let before = within.is_inside();
            *entries += u64::from(within.goes(*inside, calls));
            moves |= within.is_inside() != before;
        }
        moves
    }

    fn inside(&mut self, pc: u64) -> Rc<[bool]> {
        // Nearly all calls and returns go where earlier ones went.
        let slot = (pc.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - RECENT_BITS)) as usize;
        if let Some((space, at, inside)) = &self.recent[slot]
            && (*space, *at) == (self.space, pc)
        {
            return Rc::clone(inside);
        }
        let inside = self.find(pc);
        self.recent[slot] = Some((self.space, pc, Rc::clone(&inside)));
        inside
    }

    fn find(&mut self, pc: u64) -> Rc<[bool]> {
        let (function, _) = self.recorder.borrow_mut().place(pc);
        self.wanted.functions.iter().map(|f| *f == function.name).collect()
    }

    /// The cycles since the last choice belong to the set that was chosen then.
    fn attribute(&mut self, cycles: u64) {
        if let Some((_, sum)) = self.sets.get_mut(self.current) {
            *sum += cycles.wrapping_sub(self.since);
        }
        self.since = cycles;
    }

    /// The set of what comes next.
    fn choose(&mut self, cycles: u64) -> usize {
        self.attribute(cycles);
        let functions = self.threads.running.functions.iter().enumerate();
        let functions = functions.filter(|(_, w)| w.is_inside()).map(|(i, _)| i);
        if let Some(((before, mark), _)) = self.sets.get(self.current)
            && *mark == self.threads.running.mark
            && before.iter().copied().eq(functions.clone())
        {
            return self.current;
        }
        let key = (functions.collect(), self.threads.running.mark);
        self.current = match self.numbers.get(&key) {
            Some(set) => *set,
            None => {
                self.numbers.insert(key.clone(), self.sets.len());
                self.sets.push((key, 0));
                self.sets.len() - 1
            }
        };
        self.current
    }
}

impl Places for State {
    type Thread = Thread;

    fn threads(&mut self) -> &mut EachThread<Thread> {
        &mut self.threads
    }

    fn changed(&mut self) {
        self.recent.fill(None);
    }

    fn resumed(&mut self, space: u64) {
        self.space = space;
        self.threads.running.functions.resize(self.wanted.functions.len(), Within::default());
    }
}
