//! What happens when a block has run or generated code has returned: updates the counters, and handles traps.

use super::Jit;
use crate::block::Block;
use crate::interface::exit::{Edge, Exit};
use crate::space::Space;
use capvec_sim::{Hart, Stop};

impl Jit {
    /// Interprets a block. `entry_counted`: generated code has already counted its entry.
    pub(super) fn interpret(
        &mut self,
        space: &mut Space,
        index: u32,
        h: &mut Hart,
        entry_counted: bool,
    ) -> Result<(), Stop> {
        if self.sets.is_some() {
            return self.interpret_sorted(space, index, h, entry_counted);
        }
        let block = &mut space.blocks[index as usize];
        match block.profile(h, self.timed.as_mut(), entry_counted, |_, _| ()) {
            Ok(()) => {
                self.retired(space, index, h);
                Ok(())
            }
            Err(k) => Err(self.trap(h, &space.blocks[index as usize], k)),
        }
    }

    /// All instructions of the block have been interpreted.
    pub(super) fn retired(&mut self, space: &mut Space, index: u32, h: &mut Hart) {
        let block = &mut space.blocks[index as usize];
        let n = block.code.insns.len() as u64;
        block.code.entered += 1;
        block.note_exit(h.pc);
        h.instret += n;
        if self.timed.is_none() {
            h.cycles += n;
        }
        self.calls.iter().for_each(|calls| calls.after(&block.code, h));
    }

    /// Generated code has returned after taking `retired` instructions from the budget: updates the counters and
    /// handles the exit. Returns the edge to link, if there is one.
    pub(super) fn handle_exit(
        &mut self,
        space: &mut Space,
        h: &mut Hart,
        retired: u64,
        exit: Exit,
    ) -> Result<Option<Edge>, Stop> {
        h.instret = h.instret.wrapping_add(retired);
        match &mut self.timed {
            None => h.cycles = h.cycles.wrapping_add(retired),
            // The entry has been counted and stays counted: the block continues.
            Some(_) if matches!(exit, Exit::Variant(_)) => {}
            Some(t) => {
                let b = &space.blocks[self.backend.code.block_of(exit) as usize].code;
                match exit {
                    Exit::Trap { insn, .. } | Exit::Interpret { insn, .. } => {
                        t.left_early(b, insn as usize);
                    }
                    _ => t.left(b, h.pc),
                }
                t.update_cycles(h);
            }
        }
        match exit {
            Exit::Next { .. } | Exit::Budget { .. } | Exit::Variant(_) => Ok(None),
            Exit::Edge(edge) => Ok(Some(edge)),
            Exit::Trap { block, insn } => {
                self.trapped_sorted(&space.blocks[block as usize].code, insn as usize);
                Err(self.trap_in_counted(space, h, block, insn as usize))
            }
            Exit::Interpret { block, insn } if self.sets.is_some() => {
                self.finish_sorted(space, h, block, insn as usize).map(|()| None)
            }
            Exit::Interpret { block, insn } => {
                let b = &space.blocks[block as usize];
                let result = match &mut self.timed {
                    Some(t) => t.finish(h, &b.code, insn as usize, |_, _| ()),
                    None => b.interpret(h, insn as usize, |_, _| ()),
                };
                match result {
                    Ok(()) => {
                        self.calls.iter().for_each(|calls| calls.after(&b.code, h));
                        Ok(None)
                    }
                    Err(k) => Err(self.trap_in_counted(space, h, block, k)),
                }
            }
        }
    }

    /// Instruction `k` of a block has raised a trap after the whole block was taken from the budget.
    #[cold]
    pub(super) fn trap_in_counted(
        &mut self,
        space: &mut Space,
        h: &mut Hart,
        block: u32,
        k: usize,
    ) -> Stop {
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
    pub(super) fn trap(&mut self, h: &mut Hart, block: &Block, k: usize) -> Stop {
        let b = &block.code;
        h.instret += k as u64;
        h.cycles += if self.timed.is_some() { b.plan.costs.before(k).into() } else { k as u64 };
        self.tally.part(&b.insns[..k]);
        let i = &b.insns[k];
        Stop::Trap(h.raised_at(b.start + i.offset as u64 * 2, i))
    }
}
