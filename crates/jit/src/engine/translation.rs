//! When blocks are translated, for which state of the vector unit, and when translations are dropped.

use super::Jit;
use super::call_log::CallLog;
use crate::block::{Block, State};
use crate::hot_path;
use crate::space::Space;
use crate::timed::Timed;
use crate::x64::{Edge, Entry, Refused, Source, Step, Unit};
use capvec_sim::vector::VType;
use capvec_sim::{Hart, Memory};

/// Maximum number of translations of one block, each for another state of the vector unit.
const MAX_VARIANTS: u8 = 8;

impl Jit {
    /// Counts an entry of block `index` while it is cold, and translates it once it is hot.
    #[cold]
    pub(super) fn warm_up(&mut self, space: &mut Space, index: u32, h: &Hart) {
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

/// The vector state for which a translation of the block is specialised.
fn unit<'a>(h: &'a Hart, vtype: VType, b: &'a Block, timed: Option<&Timed>) -> Unit<'a> {
    let strided = timed.is_none_or(|t| t.native().strided);
    Unit { config: &h.config, vtype, vl: h.v.vl, strided, vset_vl: &b.vset_vl }
}
