//! The run loop: finds the block at the hart's pc, runs it and those that follow it, and handles the exit.

use super::Jit;
use crate::block::{Block, State};
use crate::interface::entry::Entry;
use crate::interface::exit::{Edge, Exit};
use crate::native::MAX_BUDGET;
use crate::space::{NoBlock, Space};
use capvec_isa::Op;
use capvec_sim::{Hart, Stop};

/// How far to run, and how control came to the current block.
pub(super) struct Progress {
    /// Retired instructions at which to stop.
    until: u64,
    /// The edge through which generated code was last left, if its code and the blocks still exist.
    pub(super) edge: Option<Edge>,
    /// Whether control may have come by an indirect jump.
    indirect: bool,
    /// Set if generated code was left because the vector unit is not in the state for which it was generated: the edge to be
    /// linked to another variant of the block. The code has counted the block's entry, but none of its instructions has run.
    variant: Option<Edge>,
    /// The block that control has left, if the blocks still exist.
    pub(super) previous: Option<u32>,
    /// A trace was left early because of the budget: the blocks that follow are not entries of traces.
    ending: bool,
}

impl Jit {
    /// Runs the hart in its address space until it has retired `until` instructions, or traps.
    pub(super) fn run_in(&mut self, space: &mut Space, h: &mut Hart, until: u64) -> Stop {
        let mut p = Progress {
            until,
            edge: None,
            indirect: true,
            variant: None,
            previous: None,
            ending: false,
        };
        loop {
            let result = match self.debug.is_some() && p.variant.is_none() {
                true => self.debugged(space, h, &mut p),
                false => Ok(false),
            };
            let result = result.and_then(|done| match done {
                true => Ok(()),
                false => self.run_next(space, h, &mut p),
            });
            if let Err(stop) = result {
                return stop;
            }
            // If code was left for another variant, the block has not run yet. It runs, whatever the budget.
            if p.variant.is_none() && h.instret >= until {
                return Stop::Budget;
            }
        }
    }

    /// Runs the block at the hart's pc.
    #[inline(always)]
    fn run_next(&mut self, space: &mut Space, h: &mut Hart, p: &mut Progress) -> Result<(), Stop> {
        let index = self.find(space, h, p)?;
        if self.sets.is_some() {
            self.look(space, index);
        }
        self.count_cold_entry(space, index, h, p);
        self.run_block(space, index, h, p)
    }

    /// The block at the hart's pc.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        space: &mut Space,
        h: &mut Hart,
        p: &mut Progress,
    ) -> Result<u32, Stop> {
        loop {
            if h.mem.code_version() != space.version {
                self.synchronise(space, &h.mem);
                (p.edge, p.variant, p.previous) = (None, None, None);
            }
            match space.find_after(p.previous, h, self.timed.as_ref()) {
                Ok(index) => return Ok(index),
                Err(NoBlock::Full) => {
                    self.drop_blocks(space, &h.mem);
                    (p.edge, p.previous) = (None, None);
                }
                Err(NoBlock::Trap(trap)) => {
                    h.trap = trap;
                    return Err(Stop::Trap(trap));
                }
            }
        }
    }

    /// Counts an entry of a block that is still cold, which may translate it.
    #[inline(always)]
    fn count_cold_entry(&mut self, space: &mut Space, index: u32, h: &Hart, p: &mut Progress) {
        if !p.ending && matches!(space.blocks[index as usize].state, State::Cold(_)) {
            let used = self.backend.code.used();
            self.warm_up(space, index, h);
            if self.backend.code.used() < used {
                p.edge = None;
            }
        }
    }

    /// Runs the block, and those that its translation leads to.
    #[inline(always)]
    fn run_block(
        &mut self,
        space: &mut Space,
        index: u32,
        h: &mut Hart,
        p: &mut Progress,
    ) -> Result<(), Stop> {
        let variant = p.variant.take();
        let entry = match variant {
            Some(edge) => self.add_variant(space, index, h, edge),
            None => match space.blocks[index as usize].state {
                State::Code(entry) => Some(entry),
                _ => None,
            },
        };
        match entry {
            Some(entry) => {
                let at = self.arrive(space, index, entry, variant.is_some(), p);
                self.run_code(space, h, at, p)
            }
            None => {
                (p.edge, p.previous) = (None, Some(index));
                p.indirect = ends_indirectly(&space.blocks[index as usize]);
                self.interpret(space, index, h, variant.is_some())
            }
        }
    }

    /// Control arrives at a translation of the block: links the edge that it came through. Returns the
    /// entry to take. `entry_counted`: generated code has already counted the block's entry.
    #[inline(always)]
    fn arrive(
        &mut self,
        space: &mut Space,
        index: u32,
        entry: Entry,
        entry_counted: bool,
        p: &mut Progress,
    ) -> u32 {
        if let Some(edge) = p.edge.take() {
            self.backend.code.link(edge, entry, &mut space.blocks[index as usize].incoming);
        }
        if entry_counted {
            return entry.inner;
        }
        let b = &space.blocks[index as usize].code;
        if p.indirect {
            self.backend.code.add_target(b.start, entry);
        }
        let redirected = match &mut self.timed {
            Some(t) => t.enter(b),
            None => true,
        };
        entry.at(redirected)
    }

    /// Runs generated code from this entry on, and handles its exit.
    #[inline(always)]
    fn run_code(
        &mut self,
        space: &mut Space,
        h: &mut Hart,
        at: u32,
        p: &mut Progress,
    ) -> Result<(), Stop> {
        self.timed.iter_mut().for_each(|t| t.begin(h));
        // At least one block runs, whatever the budget.
        let all = p.until.saturating_sub(h.instret).clamp(1, i64::MAX as u64) as i64;
        let left = all.min(MAX_BUDGET);
        self.calls.iter().for_each(|calls| calls.begin(h, left));
        let (rest, exit) = self.backend.run(h, at, left);
        let retired = left.wrapping_sub(rest) as u64;
        p.previous = Some(self.backend.code.block_of(exit));
        p.indirect = matches!(exit, Exit::Next { .. } | Exit::Interpret { .. });
        p.ending |= matches!(exit, Exit::Budget { .. }) && left == all;
        if let Exit::Variant(edge) = exit {
            p.variant = Some(edge);
        }
        self.handle_exit(space, h, retired, exit).map(|edge| p.edge = edge)
    }
}

/// Whether the block ends with a jump to an address in a register.
fn ends_indirectly(block: &Block) -> bool {
    block.code.insns.last().is_some_and(|last| last.op().row().base == Op::Jalr)
}
