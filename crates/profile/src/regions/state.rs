//! Where each thread is, and what each region has executed so far.

use super::threads::{EachThread, Places};
use super::wanted::{Mark, Wanted};
use super::within::Within;
use super::{Counts, Region};
use capvec_isa::Op;
use std::collections::{BTreeMap, HashMap};

/// Most pairs of counter readings that are kept apart; a program with more of them has the others in one region.
const PAIRS: usize = 1000;
/// The region of those others.
const OTHERS: (u64, u64) = (u64::MAX, u64::MAX);

/// A block that has been decoded.
pub struct Block {
    pub ops: Vec<Op>,
    /// Static cycles of each instruction.
    pub cycles: Vec<u64>,
    /// For each wanted function, whether the block belongs to it.
    pub inside: Vec<bool>,
    /// Whether it ends with a call.
    pub calls: bool,
    /// What its instructions mark.
    pub marks: Vec<(usize, Mark)>,
    /// Identifies where it is; `Regions::names` has the name.
    pub place: u64,
}

/// Where a thread is.
#[derive(Clone, Default)]
pub struct Thread {
    functions: Vec<Within>,
    mark: Option<i64>,
    /// The last reading of a counter, and what was executed since.
    reading: Option<(u64, Counts)>,
}

/// The regions that an instruction belongs to.
#[derive(Clone, Default)]
struct Belongs {
    functions: Vec<usize>,
    mark: Option<i64>,
    since_reading: bool,
}

/// All regions.
pub struct Regions {
    wanted: Wanted,
    functions: Vec<Counts>,
    marks: BTreeMap<i64, Counts>,
    pairs: BTreeMap<(u64, u64), Counts>,
    /// Names of places, by `Block::place`.
    pub names: HashMap<u64, String>,
    blocks: Vec<Block>,
    known: HashMap<(u64, u64), usize>,
    /// The address space that runs.
    pub space: u64,
    /// Instructions of the blocks that were entered since the engine began to run.
    pub entered: u64,
    threads: EachThread<Thread>,
    /// The block that was entered last, and what its instructions belong to.
    current: usize,
    belongs: Vec<Belongs>,
}

impl Regions {
    pub fn new(wanted: Wanted) -> Regions {
        let functions = vec![Counts::default(); wanted.functions.len()];
        Regions {
            functions,
            wanted,
            marks: BTreeMap::new(),
            pairs: BTreeMap::new(),
            names: HashMap::new(),
            blocks: Vec::new(),
            known: HashMap::new(),
            space: 0,
            entered: 0,
            threads: EachThread::default(),
            current: 0,
            belongs: Vec::new(),
        }
    }

    /// What is counted.
    pub fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// A block was decoded.
    pub fn decoded(&mut self, start: u64, block: Block) {
        self.known.insert((self.space, start), self.blocks.len());
        self.blocks.push(block);
    }

    /// Control enters a block; `cost` is the number of cycles for redirection and fetching.
    pub fn enter(&mut self, start: u64, cost: u64) {
        let Some(&at) = self.known.get(&(self.space, start)) else { return };
        self.current = at;
        self.entered += self.blocks[at].ops.len() as u64;
        self.functions_at(at);
        let first = self.belonging();
        self.add(&first, |c| c.cycles += cost);
        self.belongs.clear();
        for k in 0..self.blocks[at].ops.len() {
            let mark = self.blocks[at].marks.iter().find(|(i, _)| *i == k).map(|(_, m)| *m);
            if let Some(Mark::End(id)) = mark
                && self.threads.running.mark == Some(id)
            {
                self.threads.running.mark = None;
            }
            if mark == Some(Mark::Counter) && self.wanted.counters {
                self.reading(at);
            }
            let of = self.belonging();
            let (op, cycles) = (self.blocks[at].ops[k], self.blocks[at].cycles[k]);
            self.add(&of, |c| c.retire(op, cycles));
            self.belongs.push(of);
            if let Some(Mark::Begin(id)) = mark
                && self.wanted.marks
            {
                self.threads.running.mark = Some(id);
                self.marks.entry(id).or_default().entries += 1;
            }
        }
    }

    /// Enters and leaves functions.
    fn functions_at(&mut self, at: usize) {
        let block = &self.blocks[at];
        for (i, within) in self.threads.running.functions.iter_mut().enumerate() {
            let enters = within.enters(block.inside[i], block.calls);
            self.functions[i].entries += u64::from(enters);
        }
    }

    /// The engine has stopped before code of this function. What runs next, such as a signal handler, was not called by the last
    /// block.
    pub fn stopped_in(&mut self, function: &str) {
        for (i, within) in self.threads.running.functions.iter_mut().enumerate() {
            let enters = within.enters(self.wanted.functions[i] == function, false);
            self.functions[i].entries += u64::from(enters);
        }
    }

    /// A counter is read: the code since the last reading is a region.
    fn reading(&mut self, at: usize) {
        let place = self.blocks[at].place;
        let Some((from, mut counts)) =
            self.threads.running.reading.replace((place, Counts::default()))
        else {
            return;
        };
        counts.entries = 1;
        let pair = (from, place);
        let room = self.pairs.len() < PAIRS || self.pairs.contains_key(&pair);
        *self.pairs.entry(if room { pair } else { OTHERS }).or_default() += &counts;
    }

    /// What the next instruction belongs to.
    fn belonging(&self) -> Belongs {
        let functions = self.threads.running.functions.iter().enumerate();
        Belongs {
            functions: functions.filter(|(_, w)| w.is_inside()).map(|(i, _)| i).collect(),
            mark: self.threads.running.mark,
            since_reading: self.threads.running.reading.is_some(),
        }
    }

    fn add(&mut self, of: &Belongs, mut change: impl FnMut(&mut Counts)) {
        of.functions.iter().for_each(|i| change(&mut self.functions[*i]));
        if let Some(counts) = of.mark.and_then(|id| self.marks.get_mut(&id)) {
            change(counts);
        }
        if let Some((_, counts)) =
            self.threads.running.reading.as_mut().filter(|_| of.since_reading)
        {
            change(counts);
        }
    }

    /// Changes the counts of the regions that an instruction of the current block belongs to.
    pub fn about(&mut self, index: u8, change: impl FnMut(&mut Counts)) {
        if let Some(of) = self.belongs.get(index as usize).cloned() {
            self.add(&of, change);
        }
    }

    /// The engine left the last block early: this many instructions of the blocks that were entered did not retire.
    pub fn left_early(&mut self, missing: u64) {
        let block = &self.blocks[self.current];
        let retired = block.ops.len() - missing as usize;
        let undone: Vec<(Op, u64)> = block.ops[retired..]
            .iter()
            .copied()
            .zip(block.cycles[retired..].iter().copied())
            .collect();
        let begun = block.marks.iter().filter(|(k, _)| *k >= retired);
        let begun: Vec<i64> = begun
            .filter_map(|(_, m)| if let Mark::Begin(id) = m { Some(*id) } else { None })
            .collect();
        if let Some(of) = self.belongs.get(retired) {
            self.threads.running.mark = of.mark;
        }
        for ((op, cycles), of) in undone.into_iter().zip(self.belongs.split_off(retired)) {
            self.add(&of, |c| c.undo(op, cycles));
        }
        for id in begun {
            self.marks.entry(id).and_modify(|c| c.entries = c.entries.saturating_sub(1));
        }
    }

    /// All regions: functions as they were asked for, marks by number, pairs of readings by the cycles between them.
    pub fn finish(&self) -> Vec<Region> {
        let named = |(name, counts): (&String, &Counts)| Region {
            name: name.clone(),
            counts: counts.clone(),
        };
        let functions = self.wanted.functions.iter().zip(&self.functions).map(named);
        let mark = |(id, counts): (&i64, &Counts)| Region {
            name: format!("mark {id}"),
            counts: counts.clone(),
        };
        let place = |place: &u64| self.names.get(place).cloned().unwrap_or_else(|| "others".into());
        let pair = |((from, to), counts): (&(u64, u64), &Counts)| Region {
            name: format!("{} to {}", place(from), place(to)),
            counts: counts.clone(),
        };
        let mut pairs: Vec<Region> = self.pairs.iter().map(pair).collect();
        pairs.sort_by_key(|r| std::cmp::Reverse(r.counts.cycles));
        functions.chain(self.marks.iter().map(mark)).chain(pairs).collect()
    }
}

impl Places for Regions {
    type Thread = Thread;

    fn threads(&mut self) -> &mut EachThread<Thread> {
        &mut self.threads
    }

    fn inherited(parent: Thread) -> Thread {
        Thread { reading: None, ..parent }
    }

    fn resumed(&mut self, _: u64) {
        self.threads.running.functions.resize(self.wanted.functions.len(), Within::default());
    }
}
