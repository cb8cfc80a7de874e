//! The run loop: finds blocks, interprets them until they are worth translating, enters generated code and
//! does what it returns for.

use crate::space::{Block, Space, State};
use crate::x64::{Backend, Exit, Refused, Source, Unit};
use crate::{Options, Unsupported};
use capvec_sim::engine::Histogram;
use capvec_sim::{Engine, Hart, Stop};
use std::collections::HashMap;

/// The translating engine.
pub struct Jit {
    backend: Backend,
    spaces: HashMap<u64, Space>,
    /// The space whose blocks the table of targets holds.
    current: Option<u64>,
    patience: u8,
}

impl Jit {
    /// Without any code.
    ///
    /// # Errors
    /// This host cannot.
    pub fn new(options: Options) -> Result<Jit, Unsupported> {
        let backend = Backend::new(options)?;
        Ok(Jit { backend, spaces: HashMap::new(), current: None, patience: options.patience })
    }

    /// Brings block `index` nearer to translation, and translates it if it is time.
    #[cold]
    fn warm(&mut self, space: &mut Space, index: u32, h: &Hart) {
        let b = &mut space.blocks[index as usize];
        let State::Cold(left) = b.state else { return };
        if left > 0 {
            b.state = State::Cold(left - 1);
            return;
        }
        let source = Source { number: index, start: b.start, end: b.end, insns: &b.insns };
        let unit = Unit { config: &h.config, vtype: h.v.vtype, vl: h.v.vl, seen: &b.seen };
        b.state = match self.backend.translate(&source, &unit) {
            Ok(entry) => State::Code(entry),
            Err(Refused::Never) => State::Interpreted,
            Err(Refused::Full) => return self.reset(space),
        };
    }

    /// Drops all code, to have room for new.
    #[cold]
    fn reset(&mut self, space: &mut Space) {
        self.backend.reset();
        space.forget_code();
        self.spaces.values_mut().for_each(Space::forget_code);
    }

    /// The space's blocks, brought up to date: dropped if its code has changed.
    fn refresh(&mut self, space: &mut Space, version: u64) {
        if space.version != version {
            *space = Space::new(version, self.patience);
            self.backend.clear_targets();
        }
    }

    fn run_in(&mut self, space: &mut Space, h: &mut Hart, until: u64) -> Stop {
        // The edge that was left through last, if its code and the blocks are still the same.
        let mut edge = None;
        loop {
            if h.mem.code_version() != space.version {
                self.refresh(space, h.mem.code_version());
                edge = None;
            }
            let index = match space.find(h) {
                Ok(i) => i,
                Err(trap) => {
                    h.trap = trap;
                    return Stop::Trap(trap);
                }
            };
            if matches!(space.blocks[index as usize].state, State::Cold(_)) {
                let used = self.backend.used();
                self.warm(space, index, h);
                if self.backend.used() < used {
                    edge = None;
                }
            }
            let block = &mut space.blocks[index as usize];
            let State::Code(entry) = block.state else {
                edge = None;
                if let Err(k) = block.learn(h) {
                    return trap(h, block, k);
                }
                count(h, block.insns.len() as u64);
                if h.instret >= until {
                    return Stop::Budget;
                }
                continue;
            };
            if let Some(edge) = edge.take() {
                self.backend.link(edge, entry);
            }
            self.backend.add_target(block.start, entry);
            // A block runs whatever the budget.
            let left = until.saturating_sub(h.instret).clamp(1, i64::MAX as u64) as i64;
            let (rest, exit) = self.backend.run(h, entry, left);
            count(h, left.wrapping_sub(rest) as u64);
            match exit {
                Exit::Next => {}
                Exit::Edge(n) => edge = Some(n),
                Exit::Trap { block, insn } => {
                    let block = &space.blocks[block as usize];
                    // The block was taken from the budget as a whole.
                    count(h, (block.insns.len() as u64).wrapping_neg());
                    return trap(h, block, insn as usize);
                }
                Exit::Rest { block, insn } => {
                    let block = &space.blocks[block as usize];
                    if let Err(k) = block.interpret(h, insn as usize) {
                        count(h, (block.insns.len() as u64).wrapping_neg());
                        return trap(h, block, k);
                    }
                }
            }
            if h.instret >= until {
                return Stop::Budget;
            }
        }
    }
}

/// So many instructions have retired, one cycle each.
fn count(h: &mut Hart, n: u64) {
    h.instret = h.instret.wrapping_add(n);
    h.cycles = h.cycles.wrapping_add(n);
}

/// Instruction `k` of the block has raised a trap.
#[cold]
fn trap(h: &mut Hart, block: &Block, k: usize) -> Stop {
    count(h, k as u64);
    let i = &block.insns[k];
    Stop::Trap(h.raised_at(block.start + i.offset as u64 * 2, i))
}

impl Engine for Jit {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        let id = h.mem.id();
        let version = h.mem.code_version();
        let fresh = || Space::new(version, self.patience);
        let mut space = self.spaces.remove(&id).unwrap_or_else(fresh);
        if self.current != Some(id) {
            self.backend.clear_targets();
            self.current = Some(id);
        }
        let stop = self.run_in(&mut space, h, h.instret.saturating_add(budget));
        self.spaces.insert(id, space);
        stop
    }

    fn forget(&mut self, space: u64) {
        self.spaces.remove(&space);
        if self.current == Some(space) {
            self.backend.clear_targets();
            self.current = None;
        }
    }

    fn switch(&mut self) {}

    fn change_space(&mut self) {}

    fn histogram(&self) -> Option<Histogram> {
        None
    }
}
