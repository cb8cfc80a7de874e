//! When blocks are translated, for which state of the vector unit, and when translations are dropped.

use super::Jit;
use super::call_log::CallLog;
use super::reuse;
use crate::block::State;
use crate::interface::entry::Entry;
use crate::interface::exit::Edge;
use crate::interface::state::Unit;
use crate::interface::trace::{Source, Step};
use crate::interface::translated::Refused;
use crate::space::Space;
use crate::trace_path;
use capvec_sim::vector::VType;
use capvec_sim::{Hart, Memory};

/// Maximum number of translations of one block, each for another state of the vector unit.
const MAX_VARIANTS: u8 = 8;

impl Jit {
    /// Counts an entry of block `index` while it is cold, and translates it once it is hot.
    #[cold]
    pub(super) fn warm_up(&mut self, space: &mut Space, index: u32, h: &Hart) {
        let b = &space.blocks[index as usize];
        let State::Cold(left) = b.state else { return };
        let entry = self.hot_threshold.saturating_sub(left).saturating_add(1);
        if (left == 0 || reuse::is_time(entry)) && self.reuse(space, index, h) {
            return;
        }
        if left > 0 {
            space.blocks[index as usize].state = State::Cold(left - 1);
            return;
        }
        let (path, loops) = trace_path::select(space, index);
        let step = |n: &u32| space.blocks[*n as usize].step(*n);
        let steps: Vec<Step<'_>> = path.iter().map(step).collect();
        let timed = self.timed.as_ref();
        let Some(count) = self.counting(steps.len()) else {
            space.blocks[index as usize].state = State::Interpreted;
            return;
        };
        let calls = self.calls.as_ref().map(CallLog::for_code);
        let source = Source { steps: &steps, loops, timed, count, calls };
        let unit = self.unit(h, h.v.vtype, h.v.vl, space.blocks[index as usize].vset_vl.as_slice());
        let (keeps, first) = (self.keeps(), self.backend.code.edges());
        let result = self.backend.translate(&source, &unit, keeps);
        if let Ok(t) = &result {
            self.add_slots(steps.iter().map(|step| step.block), &t.states);
        }
        let result = result.map(|t| self.keep(&source, &unit, t));
        let b = &mut space.blocks[index as usize];
        (b.state_misses, b.variants, b.loops) = (0, 1, loops);
        match result {
            Ok((entry, batch)) => {
                b.batches.extend(batch);
                self.begin_code(space, index, entry, first);
            }
            // The state at a vector instruction was not certain, which may change.
            Err(Refused::Never) if self.sets.is_some() => b.state = State::Cold(u8::MAX),
            Err(Refused::Never) => b.state = State::Interpreted,
            Err(Refused::Full) => return self.reset(space),
        }
        space.note_trace(&path);
    }

    /// Generated code left through `edge` because the vector unit was not in the state for which block `index` was
    /// translated. Translates the block for this state too, once that has happened often enough.
    #[cold]
    pub(super) fn add_variant(
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
        let (misses, last) = (b.state_misses, b.variants + 1 >= MAX_VARIANTS);
        // Code that works in every state cannot count states.
        let known = known && !(last && self.sets.is_some());
        if known && !last && reuse::is_time(misses) {
            let entry = self.reuse_variant(space, index, h, edge);
            if entry.is_some() {
                return entry;
            }
        }
        if misses <= self.hot_threshold || !known {
            return None;
        }
        let b = &mut space.blocks[index as usize];
        (b.state_misses, b.variants) = (0, b.variants + 1);
        // The last variant works in every state.
        let vtype = if last { VType::ILLEGAL } else { h.v.vtype };
        let b = &space.blocks[index as usize];
        let unit = self.unit(h, vtype, h.v.vl, b.vset_vl.as_slice());
        let steps = [b.step(index)];
        let timed = self.timed.as_ref();
        let count = self.counting(1)?;
        let calls = self.calls.as_ref().map(CallLog::for_code);
        let source = Source { steps: &steps, loops: false, timed, count, calls };
        // Code for every state is a last resort.
        let (keeps, first) = (self.keeps() && !last, self.backend.code.edges());
        let result = self.backend.translate(&source, &unit, keeps);
        if let Ok(t) = &result {
            self.add_slots(steps.iter().map(|step| step.block), &t.states);
        }
        match result.map(|t| self.keep(&source, &unit, t)) {
            Ok((entry, batch)) => {
                let b = &mut space.blocks[index as usize];
                b.batches.extend(batch);
                self.backend.code.link(edge, entry, &mut b.incoming);
                self.link_pads(space, index, first);
                Some(entry)
            }
            Err(Refused::Never) => None,
            Err(Refused::Full) => {
                self.reset(space);
                None
            }
        }
    }

    /// The vector state for which a translation is specialised.
    pub(super) fn unit<'a>(
        &self,
        h: &'a Hart,
        vtype: VType,
        vl: u64,
        vset_vl: &'a [(u8, u64)],
    ) -> Unit<'a> {
        let strided = self.timed.as_ref().is_none_or(|t| t.inline_state().strided);
        Unit { config: &h.config, vtype, vl, strided, vset_vl, counted: self.sets.is_some() }
    }

    /// Drops all code to make room.
    #[cold]
    pub(super) fn reset(&mut self, space: &mut Space) {
        self.backend.reset();
        space.forget_code();
        self.spaces.values_mut().for_each(Space::forget_code);
    }

    /// Drops all blocks of the space.
    #[cold]
    pub(super) fn drop_blocks(&mut self, space: &mut Space, mem: &Memory) {
        self.tally.add(space);
        *space = Space::new(mem, self.hot_threshold);
        self.backend.clear_targets();
    }
}
