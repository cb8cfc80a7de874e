//! The run loop: finds blocks, interprets them until translation pays, enters generated code, and handles its exits.

mod changes;

use crate::hot_path;
use crate::space::{Block, NoBlock, Space, State};
use crate::tally::Tally;
use crate::timed::Timed;
use crate::x64::{Backend, Calls, Edge, Entry, Exit, Refused, Source, Step, Unit, static_accesses};
use crate::{Options, Unsupported};
use capvec_sim::block::MAX_INSNS;
use capvec_sim::calls::{Log, Observer};
use capvec_sim::engine::Histogram;
use capvec_sim::vector::VType;
use capvec_sim::{Engine, Hart, Memory, Stop};
use capvec_timing::InOrder;
use std::cell::RefCell;
use std::collections::HashMap;

/// Most translations of one block, each for another state of the vector unit.
const MAX_VARIANTS: u8 = 8;

/// The translating engine.
pub struct Jit {
    backend: Backend,
    timed: Option<Timed>,
    tally: Tally,
    spaces: HashMap<u64, Space>,
    /// Total `size` of all spaces except the running one.
    size: usize,
    /// The space whose blocks are in the table of indirect-jump targets.
    current: Option<u64>,
    hot_threshold: u8,
    calls: Option<CallLog>,
}

/// The log of calls, and the function that empties it.
struct CallLog {
    /// Generated code has its address.
    log: Box<RefCell<Log>>,
    cursor: u64,
    flush: u64,
}

impl CallLog {
    fn for_code(&self) -> Calls<'_> {
        Calls { log: &self.log, cursor: self.cursor, flush: self.flush }
    }
}

impl Jit {
    /// An engine without any code.
    ///
    /// # Errors
    /// This host is not supported.
    pub fn new(options: Options, model: Option<InOrder>) -> Result<Jit, Unsupported> {
        let timed = model.map(Timed::new);
        let backend = Backend::new(options, timed.as_ref())?;
        let tally = Tally::new(options.count);
        let hot_threshold = options.hot_threshold;
        Ok(Jit {
            backend,
            timed,
            tally,
            spaces: HashMap::new(),
            size: 0,
            current: None,
            hot_threshold,
            calls: None,
        })
    }

    /// Counts an entry of block `index` while it is cold, and translates it once it is hot.
    #[cold]
    fn warm_up(&mut self, space: &mut Space, index: u32, h: &Hart) {
        let b = &mut space.blocks[index as usize];
        let State::Cold(left) = b.state else { return };
        if left > 0 {
            b.state = State::Cold(left - 1);
            return;
        }
        let (path, loops) = hot_path::select(space, index);
        let step = |n: &u32| Step { number: *n, block: &space.blocks[*n as usize].code };
        let steps: Vec<Step<'_>> = path.iter().map(step).collect();
        let (timed, count) = (self.timed.as_ref(), self.tally.is_on());
        let calls = self.calls.as_ref().map(CallLog::for_code);
        let source = Source { steps: &steps, loops, timed, count, calls };
        let unit = unit(h, h.v.vtype, &space.blocks[index as usize], timed);
        let result = self.backend.translate(&source, &unit);
        let b = &mut space.blocks[index as usize];
        b.state = match result {
            Ok((entry, batch)) => {
                b.batches.push(batch);
                State::Code(entry)
            }
            Err(Refused::Never) => State::Interpreted,
            Err(Refused::Full) => return self.reset(space),
        };
        (b.state_misses, b.variants, b.loops) = (0, 1, loops);
        space.note_trace(&path);
    }

    /// Generated code left through `edge` because the vector unit was not in the state that block `index` was
    /// translated for. Translates the block for this state too, once that has happened often enough.
    #[cold]
    fn add_variant(
        &mut self,
        space: &mut Space,
        index: u32,
        h: &Hart,
        edge: Edge,
    ) -> Option<Entry> {
        let b = &mut space.blocks[index as usize];
        b.state_misses = b.state_misses.saturating_add(1);
        // vl = 0 and a non-zero vstart are rare; no code is generated for them.
        let known = h.v.vstart == 0 && h.v.vl > 0 && !h.v.vtype.vill;
        if b.state_misses <= self.hot_threshold || !known {
            return None;
        }
        (b.state_misses, b.variants) = (0, b.variants + 1);
        // The last variant works in every state.
        let vtype = if b.variants < MAX_VARIANTS { h.v.vtype } else { VType::ILLEGAL };
        let unit = unit(h, vtype, b, self.timed.as_ref());
        let steps = [Step { number: index, block: &b.code }];
        let (timed, count) = (self.timed.as_ref(), self.tally.is_on());
        let calls = self.calls.as_ref().map(CallLog::for_code);
        let source = Source { steps: &steps, loops: false, timed, count, calls };
        match self.backend.translate(&source, &unit) {
            Ok((entry, batch)) => {
                b.batches.push(batch);
                if self.backend.link(edge, entry) {
                    b.incoming.push(edge);
                }
                Some(entry)
            }
            Err(Refused::Never) => None,
            Err(Refused::Full) => {
                self.reset(space);
                None
            }
        }
    }

    /// Drops all code to make room.
    #[cold]
    fn reset(&mut self, space: &mut Space) {
        self.backend.reset();
        space.forget_code();
        self.spaces.values_mut().for_each(Space::forget_code);
    }

    /// Drops all blocks of the space.
    #[cold]
    fn drop_blocks(&mut self, space: &mut Space, mem: &Memory) {
        self.tally.add(space);
        *space = Space::new(mem, self.hot_threshold);
        self.backend.clear_targets();
    }

    fn run_in(&mut self, space: &mut Space, h: &mut Hart, until: u64) -> Stop {
        // The edge through which code was last left, if its code and the blocks still exist.
        let mut edge = None;
        // The edge to be linked to another variant of the block at pc.
        let mut other = None;
        // The block that control has left, if the blocks still exist.
        let mut previous = None;
        // A trace was left early because of the budget: the blocks that follow are no entries of traces.
        let mut ending = false;
        loop {
            if h.mem.code_version() != space.version {
                self.synchronise(space, &h.mem);
                (edge, other, previous) = (None, None, None);
            }
            let index = match space.find_after(previous, h, self.timed.as_ref()) {
                Ok(i) => i,
                Err(NoBlock::Full) => {
                    self.drop_blocks(space, &h.mem);
                    (edge, previous) = (None, None);
                    continue;
                }
                Err(NoBlock::Trap(trap)) => {
                    h.trap = trap;
                    return Stop::Trap(trap);
                }
            };
            if !ending && matches!(space.blocks[index as usize].state, State::Cold(_)) {
                let used = self.backend.used();
                self.warm_up(space, index, h);
                if self.backend.used() < used {
                    edge = None;
                }
            }
            let entry_counted = other.is_some();
            let varied = other.take().map(|edge| self.add_variant(space, index, h, edge));
            let first = match space.blocks[index as usize].state {
                State::Code(entry) => Some(entry),
                _ => None,
            };
            let result = match varied.unwrap_or(first) {
                Some(entry) => {
                    if let Some(edge) = edge.take()
                        && self.backend.link(edge, entry)
                    {
                        space.blocks[index as usize].incoming.push(edge);
                    }
                    let b = &space.blocks[index as usize].code;
                    if varied.is_none() {
                        self.backend.add_target(b.start, entry);
                    }
                    let at = match &mut self.timed {
                        _ if entry_counted => entry.inner(),
                        Some(t) => entry.at(t.enter(b)),
                        None => entry.at(true),
                    };
                    self.timed.iter_mut().for_each(|t| t.begin(h));
                    // At least one block runs, whatever the budget.
                    let left = until.saturating_sub(h.instret).clamp(1, i64::MAX as u64) as i64;
                    if let Some(calls) = &self.calls {
                        calls.log.borrow_mut().set_end(h.instret.wrapping_add_signed(left));
                    }
                    let (rest, exit) = self.backend.run(h, at, left);
                    let retired = left.wrapping_sub(rest) as u64;
                    let result = self.handle_exit(space, h, retired, exit).map(|e| edge = e);
                    previous = Some(self.backend.block_of(exit));
                    ending |= matches!(exit, Exit::Budget { .. });
                    if let Exit::Variant(e) = exit {
                        // No instruction of the block has run yet; it runs, whatever the budget.
                        other = Some(e);
                        continue;
                    }
                    result
                }
                _ => {
                    edge = None;
                    previous = Some(index);
                    self.interpret(space, index, h, entry_counted)
                }
            };
            if let Err(stop) = result {
                return stop;
            }
            if h.instret >= until {
                return Stop::Budget;
            }
        }
    }

    /// Interprets a block. `entry_counted`: generated code has already counted its entry.
    fn interpret(
        &mut self,
        space: &mut Space,
        index: u32,
        h: &mut Hart,
        entry_counted: bool,
    ) -> Result<(), Stop> {
        let block = &mut space.blocks[index as usize];
        match block.profile(h, self.timed.as_mut(), entry_counted) {
            Ok(()) => {
                let n = block.code.insns.len() as u64;
                block.code.entered += 1;
                block.note_exit(h.pc);
                h.instret += n;
                if self.timed.is_none() {
                    h.cycles += n;
                }
                self.calls.iter().for_each(|c| c.log.borrow_mut().after(&block.code, h));
                Ok(())
            }
            Err(k) => Err(self.trap(h, block, k)),
        }
    }

    /// Generated code has returned after taking `retired` instructions from the budget: updates the counters and
    /// handles the exit. Returns the edge to link, if there is one.
    fn handle_exit(
        &mut self,
        space: &mut Space,
        h: &mut Hart,
        retired: u64,
        exit: Exit,
    ) -> Result<Option<Edge>, Stop> {
        h.instret = h.instret.wrapping_add(retired);
        match &mut self.timed {
            None => h.cycles = h.cycles.wrapping_add(retired),
            // The entry has been counted and stays counted: the block goes on.
            Some(_) if matches!(exit, Exit::Variant(_)) => {}
            Some(t) => {
                let b = &space.blocks[self.backend.block_of(exit) as usize].code;
                match exit {
                    Exit::Trap { insn, .. } | Exit::Interpret { insn, .. } => {
                        t.left_early(b, static_accesses(t.native(), &b.insns[insn as usize..]));
                    }
                    _ => t.left(b, h.pc),
                }
                t.update_cycles(h);
            }
        }
        match exit {
            Exit::Next { .. } | Exit::Budget { .. } | Exit::Variant(_) => Ok(None),
            Exit::Edge(edge) => Ok(Some(edge)),
            Exit::Trap { block, insn } => Err(self.trap_in_counted(space, h, block, insn as usize)),
            Exit::Interpret { block, insn } => {
                let b = &space.blocks[block as usize];
                let result = match &mut self.timed {
                    Some(t) => t.finish(h, &b.code, insn as usize),
                    None => b.interpret(h, insn as usize),
                };
                match result {
                    Ok(()) => {
                        self.calls.iter().for_each(|c| c.log.borrow_mut().after(&b.code, h));
                        Ok(None)
                    }
                    Err(k) => Err(self.trap_in_counted(space, h, block, k)),
                }
            }
        }
    }

    /// Instruction `k` of a block has raised a trap after the whole block was taken from the budget.
    #[cold]
    fn trap_in_counted(&mut self, space: &mut Space, h: &mut Hart, block: u32, k: usize) -> Stop {
        let b = &mut space.blocks[block as usize];
        let n = b.code.insns.len() as u64;
        h.instret = h.instret.wrapping_sub(n);
        if self.timed.is_none() {
            h.cycles = h.cycles.wrapping_sub(n);
        }
        if self.tally.is_on() {
            b.code.entered = b.code.entered.wrapping_sub(1);
        }
        self.trap(h, b, k)
    }

    /// Instruction `k` of the block has raised a trap.
    #[cold]
    fn trap(&mut self, h: &mut Hart, block: &Block, k: usize) -> Stop {
        let b = &block.code;
        h.instret += k as u64;
        h.cycles += if self.timed.is_some() { b.plan.cumulative[k] as u64 } else { k as u64 };
        self.tally.part(&b.insns[..k]);
        let i = &b.insns[k];
        Stop::Trap(h.raised_at(b.start + i.offset as u64 * 2, i))
    }
}

/// The vector state that a translation of the block is specialised for.
fn unit<'a>(h: &'a Hart, vtype: VType, b: &'a Block, timed: Option<&Timed>) -> Unit<'a> {
    let strided = timed.is_none_or(|t| t.native().strided);
    Unit { config: &h.config, vtype, vl: h.v.vl, strided, vset_vl: &b.vset_vl }
}

impl Engine for Jit {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        let id = h.mem.id();
        if self.size >= MAX_INSNS {
            let all: Vec<u64> = self.spaces.keys().copied().collect();
            all.into_iter().for_each(|space| self.forget(space));
        }
        let fresh = || Space::new(&h.mem, self.hot_threshold);
        let mut space = self.spaces.remove(&id).unwrap_or_else(fresh);
        self.size -= space.index.size();
        if self.current != Some(id) {
            self.backend.clear_targets();
            self.current = Some(id);
        }
        let stop = self.run_in(&mut space, h, h.instret.saturating_add(budget));
        self.calls.iter().for_each(|c| c.log.borrow_mut().flush());
        self.size += space.index.size();
        self.spaces.insert(id, space);
        stop
    }

    fn forget(&mut self, space: u64) {
        let Some(gone) = self.spaces.remove(&space) else { return };
        self.size -= gone.index.size();
        self.tally.add(&gone);
        if self.current == Some(space) {
            self.backend.clear_targets();
            self.current = None;
        }
    }

    fn switch(&mut self) {
        if let Some(t) = &mut self.timed {
            t.switch();
        }
    }

    fn change_space(&mut self) {
        if let Some(t) = &mut self.timed {
            t.change_space();
        }
    }

    fn report_calls(&mut self, observer: Box<dyn Observer>) -> bool {
        let Some(flush) = self.backend.enable_calls() else { return false };
        let log = Box::new(RefCell::new(Log::new(observer)));
        let cursor = log.borrow_mut().cursor();
        self.calls = Some(CallLog { log, cursor, flush });
        true
    }

    fn histogram(&self) -> Option<Histogram> {
        self.tally.histogram(self.spaces.values())
    }
}
