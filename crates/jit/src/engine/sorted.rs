//! Counting in sets, between which a sorter chooses while the program runs.

use super::Jit;
use super::call_log::CallLog;
use crate::interface::counting::Counting;
use crate::interface::state::State;
use crate::options::{Options, Unsupported};
use crate::sets::{self, Lengths, Sets, Sorted};
use crate::space::Space;
use capvec_sim::block::{Block, span};
use capvec_sim::insn::Insn;
use capvec_sim::{Hart, Stop};
use capvec_timing::FirstOrder;
use std::cell::RefCell;
use std::rc::Rc;

impl Jit {
    /// An engine that counts in sets.
    ///
    /// # Errors
    /// This host is not supported.
    pub fn sorted(
        options: Options,
        model: Option<FirstOrder>,
        sets: Rc<RefCell<Sets>>,
    ) -> Result<Jit, Unsupported> {
        let mut jit = Jit::new(options, model, None)?;
        let flush = jit.backend.enable_calls().ok_or(Unsupported::Processor)?;
        let observer = Box::new(Sorted(Rc::clone(&sets)));
        (jit.calls, jit.sets) = (Some(CallLog::new(observer, flush, true)), Some(sets));
        Ok(jit)
    }

    pub(super) fn begin_sets(&self, h: &Hart) {
        self.sets.iter().for_each(|s| s.borrow_mut().begin(h.pc, h.instret, h.cycles));
    }

    pub(super) fn end_sets(&self, h: &Hart) {
        self.sets.iter().for_each(|s| s.borrow_mut().end(h.cycles));
    }

    /// How a trace of this many blocks counts their entries; `None` if no slots are left for them.
    pub(super) fn counting(&self, blocks: usize) -> Option<Counting> {
        let Some(sets) = &self.sets else {
            return Some(if self.tally.is_on() { Counting::InBlock } else { Counting::No });
        };
        let sets = sets.borrow();
        Some(Counting::InSets { cells: sets.cells(), first: sets.next_slot(blocks)? })
    }

    /// These blocks have been translated. `states` are those at the first block's vector instructions.
    pub(super) fn add_slots<'b>(&self, blocks: impl Iterator<Item = &'b Block>, states: &[State]) {
        if let Some(sets) = &self.sets {
            let states = states.iter().map(|s| sets::lengths(s.vtype, s.vl)).collect();
            sets.borrow_mut().add_slots(blocks, states);
        }
    }

    /// Makes a block be interpreted whenever it runs, if the set may change within it.
    #[cold]
    pub(super) fn look(&self, space: &mut Space, index: u32) {
        let b = &mut space.blocks[index as usize];
        if let (Some(sets), None) = (&self.sets, b.divided) {
            let divided = sets.borrow_mut().divides(&b.code);
            b.divided = Some(divided);
            if divided {
                b.interpret_only(true, 0);
            }
        }
    }

    /// Interprets a block in which the set may change.
    #[cold]
    pub(super) fn interpret_divided(
        &mut self,
        space: &mut Space,
        index: u32,
        h: &mut Hart,
    ) -> Result<(), Stop> {
        let b = &space.blocks[index as usize];
        let Some(sets) = self.sets.clone() else { return Ok(()) };
        self.timed.iter_mut().for_each(|t| t.enter_interpreted(h, &b.code));
        for (k, i) in b.code.insns.iter().enumerate() {
            let before = match &self.timed {
                Some(_) => b.code.plan.costs.before(k).into(),
                None => k as u64,
            };
            sets.borrow_mut().within(i, h.cycles + before);
            let executed = match &mut self.timed {
                Some(t) => t.execute_one(h, &b.code, k).is_ok(),
                None => {
                    h.pc = b.code.end;
                    span(h, &b.code.insns[k..=k], |_, _| ()).is_ok()
                }
            };
            h.accesses.clear();
            if !executed {
                return Err(self.trap(h, b, k));
            }
            let states = [sets::lengths(h.v.vtype, h.v.vl)];
            sets.borrow_mut().count(&b.code.insns[k..=k], &states);
        }
        self.timed.iter_mut().for_each(|t| t.executed(h, &b.code));
        let uncounted = if self.timed.is_some() { 0 } else { b.code.insns.len() as u64 };
        sets.borrow_mut().divided(h.cycles + uncounted);
        self.retired(space, index, h);
        Ok(())
    }

    /// Like `interpret`, but also counts what has retired.
    #[cold]
    pub(super) fn interpret_sorted(
        &mut self,
        space: &mut Space,
        index: u32,
        h: &mut Hart,
        entry_counted: bool,
    ) -> Result<(), Stop> {
        if space.blocks[index as usize].divided == Some(true) {
            return self.interpret_divided(space, index, h);
        }
        let block = &mut space.blocks[index as usize];
        let mut states = Vec::new();
        let result =
            block.profile(h, self.timed.as_mut(), entry_counted, |h, i| note(&mut states, h, i));
        let insns = &block.code.insns;
        match result {
            Ok(()) => {
                self.count_in_set(insns, &states);
                self.retired(space, index, h);
                Ok(())
            }
            Err(k) => {
                self.count_in_set(&insns[..k], &states);
                Err(self.trap(h, &space.blocks[index as usize], k))
            }
        }
    }

    /// Generated code has left a block before instruction `from`; interprets the rest, and counts what has retired.
    #[cold]
    pub(super) fn finish_sorted(
        &mut self,
        space: &mut Space,
        h: &mut Hart,
        block: u32,
        from: usize,
    ) -> Result<(), Stop> {
        let b = &space.blocks[block as usize];
        let insns = &b.code.insns;
        let mut states = self.reopen(&insns[..from]);
        let note = |h: &Hart, k: usize| note(&mut states, h, &insns[k]);
        let result = match &mut self.timed {
            Some(t) => t.finish(h, &b.code, from, note),
            None => b.interpret(h, from, note),
        };
        match result {
            Ok(()) => {
                self.count_in_set(insns, &states);
                self.calls.iter().for_each(|calls| calls.after(&b.code, h));
                Ok(())
            }
            Err(k) => {
                self.count_in_set(&insns[..k], &states);
                Err(self.trap_in_counted(space, h, block, k))
            }
        }
    }

    /// Instruction `k` of a block has raised a trap in generated code: counts those before it.
    #[cold]
    pub(super) fn trapped_sorted(&self, block: &Block, k: usize) {
        if self.sets.is_some() {
            let states = self.reopen(&block.insns[..k]);
            self.count_in_set(&block.insns[..k], &states);
        }
    }

    fn count_in_set(&self, insns: &[Insn], states: &[Lengths]) {
        self.sets.iter().for_each(|s| s.borrow_mut().count(insns, states));
    }

    /// Takes back the entry of the block that generated code has left early; see [`Sets::reopen`].
    fn reopen(&self, before: &[Insn]) -> Vec<Lengths> {
        self.sets.as_ref().map_or(Vec::new(), |s| s.borrow_mut().reopen(before))
    }
}

/// Adds the state at an instruction that has executed, if vtype applies to it.
fn note(states: &mut Vec<Lengths>, h: &Hart, i: &Insn) {
    if sets::has_lengths(i) {
        states.push(sets::lengths(h.v.vtype, h.v.vl));
    }
}
