//! The reference interpreter, over pre-decoded blocks.

mod debug;

use crate::block::{Block, Built, Index, MAX_INSNS, build, span};
use crate::calls::{Log, Observer};
use crate::debug::{Controls, Debug};
use crate::engine::{Engine, Histogram, Stop};
use crate::exec::handlers;
use crate::hart::Hart;
use crate::insn::Handler;
use crate::mem::Memory;
use crate::mode::{Observed32, Observed64, Plain32, Plain64};
use crate::timing::Timing;
use std::collections::HashMap;

/// The handlers for this XLEN, by `Op`, with accesses observed or not.
///
/// A function that is never inlined: in each crate that uses inlined code or constants, the semantics of all instructions would
/// be compiled again; with statics, again for the unit tests of this crate, which execute nothing.
#[inline(never)]
pub fn table(xlen: u8, observed: bool) -> &'static [Handler] {
    match (xlen, observed) {
        (32, false) => const { &handlers::<Plain32>() },
        (32, true) => const { &handlers::<Observed32>() },
        (_, false) => const { &handlers::<Plain64>() },
        (_, true) => const { &handlers::<Observed64>() },
    }
}

/// `Interpreter::last_end` when the next entry is not sequential: an address at which no block starts.
const NOT_SEQUENTIAL: u64 = 1;

/// The blocks of one address space.
struct Blocks {
    /// `Memory::code_version` and `Memory::decoding_version` when they were last compared with memory.
    version: u64,
    decoding: u64,
    index: Index,
    all: Vec<Block>,
}

impl Blocks {
    fn new(mem: &Memory) -> Blocks {
        let (version, decoding) = (mem.code_version(), mem.decoding_version());
        Blocks { version, decoding, index: Index::default(), all: Vec::new() }
    }
}

/// The reference interpreter with a core model.
pub struct Interpreter<T: Timing> {
    timing: T,
    spaces: HashMap<u64, Blocks>,
    /// Total `size` of all spaces.
    size: usize,
    /// End of the block that ran last, to recognise sequential entries.
    last_end: u64,
    count: bool,
    retired: Vec<u64>,
    calls: Option<Log>,
    debug: Option<Box<Debug>>,
}

impl<T: Timing> Interpreter<T> {
    /// An interpreter with this core model; `count` enables the histogram.
    pub fn new(timing: T, count: bool) -> Self {
        let retired = vec![0; if count { capvec_isa::Op::COUNT } else { 0 }];
        let (spaces, calls, debug) = (HashMap::new(), None, None);
        let last_end = NOT_SEQUENTIAL;
        Interpreter { timing, spaces, size: 0, last_end, count, retired, calls, debug }
    }

    /// The core model.
    pub fn timing(&self) -> &T {
        &self.timing
    }

    /// Index of the block at `h.pc`, which is built if necessary.
    #[inline(always)]
    fn find(&mut self, blocks: &mut Blocks, h: &mut Hart) -> Result<u32, Stop> {
        match blocks.index.find(h.pc) {
            Some(index) => Ok(index),
            None => self.build(blocks, h),
        }
    }

    #[cold]
    fn build(&mut self, blocks: &mut Blocks, h: &mut Hart) -> Result<u32, Stop> {
        if blocks.index.is_full() {
            self.flush(blocks, &h.mem);
        }
        let table = table(h.config.xlen, T::ACTIVE);
        let Built { insns, end, source } = match build(&h.mem, &h.config, table, h.pc) {
            Ok(b) => b,
            Err(trap) => {
                h.trap = trap;
                return Err(Stop::Trap(trap));
            }
        };
        let plan = self.timing.plan(h.pc, &insns);
        let index = blocks.index.insert(h.pc, insns.len());
        let block = Block { start: h.pc, end, insns, source, plan, entered: 0 };
        match blocks.all.get_mut(index as usize) {
            Some(dropped) => *dropped = block,
            None => blocks.all.push(block),
        }
        Ok(index)
    }

    /// Runs one block; the error is the index of the instruction that raised a trap.
    #[inline(always)]
    fn block(&mut self, h: &mut Hart, b: &Block) -> Result<(), usize> {
        h.pc = b.end;
        span(h, &b.insns, |_, _| ())?;
        h.instret += b.insns.len() as u64;
        h.cycles += b.insns.len() as u64;
        Ok(())
    }

    /// `block` with the core model.
    #[inline(always)]
    fn block_timed(&mut self, h: &mut Hart, b: &Block) -> Result<(), usize> {
        let sequential = b.start == self.last_end;
        // Remains if the block is left by a trap.
        self.last_end = NOT_SEQUENTIAL;
        h.cycles += self.timing.enter(b.start, b.end, &b.plan, sequential);
        b.execute(&mut self.timing, h, 0, |_, _| ())?;
        h.instret += b.insns.len() as u64;
        if h.pc == b.end {
            self.last_end = b.end;
        }
        Ok(())
    }

    /// The trap of instruction `k` of `b`: sets pc to it and completes its description.
    #[cold]
    fn raised(&mut self, h: &mut Hart, b: &Block, k: usize) -> Stop {
        let i = &b.insns[k];
        h.instret += k as u64;
        h.cycles += if T::ACTIVE { b.plan.costs.before(k).into() } else { k as u64 };
        if self.count {
            b.insns[..k].iter().for_each(|i| self.retired[i.op() as usize] += 1);
        }
        Stop::Trap(h.raised_at(b.start + i.offset as u64 * 2, i))
    }

    /// Drops all blocks.
    fn flush(&mut self, blocks: &mut Blocks, mem: &Memory) {
        if self.count {
            Self::tally(&mut self.retired, &blocks.all);
        }
        *blocks = Blocks::new(mem);
    }

    /// The code was synchronised with memory: drops the blocks that have changed.
    #[cold]
    fn synchronise(&mut self, blocks: &mut Blocks, mem: &Memory) {
        if blocks.decoding != mem.decoding_version() {
            return self.flush(blocks, mem);
        }
        blocks.version = mem.code_version();
        for b in blocks.all.iter_mut().filter(|b| b.is_live() && !b.is_unchanged(mem)) {
            if self.count {
                Self::tally(&mut self.retired, std::slice::from_ref(b));
            }
            blocks.index.remove(b.start, b.insns.len());
            b.drop_contents();
        }
    }

    fn tally(retired: &mut [u64], blocks: &[Block]) {
        for b in blocks {
            b.insns.iter().for_each(|i| retired[i.op() as usize] += b.entered);
        }
    }
}

impl<T: Timing> Engine for Interpreter<T> {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        if self.debug.as_mut().is_some_and(|debug| !debug.begin(h, budget)) {
            return Stop::Budget;
        }
        let space = h.mem.id();
        if self.size >= MAX_INSNS {
            let all: Vec<u64> = self.spaces.keys().copied().collect();
            all.into_iter().for_each(|space| self.forget(space));
        }
        let mut blocks = self.spaces.remove(&space).unwrap_or_else(|| Blocks::new(&h.mem));
        self.size -= blocks.index.size();
        let until = h.instret.saturating_add(budget);
        let stop = loop {
            if h.mem.code_version() != blocks.version {
                self.synchronise(&mut blocks, &h.mem);
            }
            if self.debug.is_some() {
                match self.debugged(&mut blocks, h) {
                    Ok(false) => {}
                    Ok(true) if h.instret >= until => break Stop::Budget,
                    Ok(true) => continue,
                    Err(stop) => break stop,
                }
            }
            let index = match self.find(&mut blocks, h) {
                Ok(i) => i as usize,
                Err(stop) => break stop,
            };
            let b = &mut blocks.all[index];
            let result = if T::ACTIVE { self.block_timed(h, b) } else { self.block(h, b) };
            match result {
                Ok(()) => {
                    b.entered += 1;
                    if let Some(calls) = &mut self.calls {
                        calls.after(b, h);
                    }
                }
                Err(k) => break self.raised(h, b, k),
            }
            if h.instret >= until {
                break Stop::Budget;
            }
        };
        self.calls.iter_mut().for_each(Log::flush);
        self.size += blocks.index.size();
        self.spaces.insert(space, blocks);
        stop
    }

    fn forget(&mut self, space: u64) {
        let Some(blocks) = self.spaces.remove(&space) else { return };
        self.size -= blocks.index.size();
        if self.count {
            Self::tally(&mut self.retired, &blocks.all);
        }
    }

    fn switch(&mut self) {
        self.last_end = NOT_SEQUENTIAL;
        self.debug.iter_mut().for_each(|debug| debug.forget_suspended());
        self.timing.switch();
    }

    fn change_space(&mut self) {
        self.last_end = NOT_SEQUENTIAL;
        self.timing.change_space();
    }

    fn debug(&mut self, controls: &Controls) -> bool {
        self.debug.get_or_insert_default().set(controls);
        true
    }

    fn report_calls(&mut self, observer: Box<dyn Observer>) -> bool {
        self.calls = Some(Log::new(observer));
        true
    }

    fn histogram(&self) -> Option<Histogram> {
        if !self.count {
            return None;
        }
        let mut by_op = self.retired.clone();
        self.spaces.values().for_each(|b| Self::tally(&mut by_op, &b.all));
        Some(Histogram { by_op })
    }
}
