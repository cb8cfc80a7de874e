//! Translations that other address spaces have left are used again.

use super::Jit;
use crate::block::State;
use crate::interface::entry::Entry;
use crate::interface::exit::Edge;
use crate::interface::portable::Portable;
use crate::interface::state::{State as Tested, Unit};
use crate::interface::trace::{Seen, Source, Step};
use crate::interface::translated::{Refused, Translated};
use crate::kept::{Keeper, KeptBlock, Translation, Vectors};
use crate::space::Space;
use capvec_sim::Hart;
use capvec_timing::batch::Batch;
use std::sync::Arc;

/// Whether to look for a translation at this entry, counted from 1, of a block without a translation. Blocks of its trace
/// may be entered later, but a block that stays cold should cost little.
pub(super) fn is_time(entry: u8) -> bool {
    entry.is_power_of_two()
}

impl Jit {
    /// The translations that are kept, if another address space or process may use them. Not if calls are reported: what is
    /// logged depends on symbols. Nor in a debugger, whose breakpoints decide what is translated.
    fn kept(&self) -> Option<&Keeper> {
        let plain = self.calls.is_none() && self.debug.is_none();
        self.kept.as_ref().filter(|kept| plain && kept.serves(self.spaces_run))
    }

    /// Whether translations are kept from now on.
    pub(super) fn keeps(&self) -> bool {
        self.kept().is_some_and(|kept| kept.has_room())
    }

    /// Keeps a translation, if it is to be kept. Returns its entry and its batch.
    pub(super) fn keep(
        &self,
        source: &Source<'_>,
        unit: &Unit<'_>,
        translated: Translated,
    ) -> (Entry, Option<Arc<Batch>>) {
        let Translated { entry, batch, tested, portable, .. } = translated;
        if let (Some(kept), Some(portable)) = (self.kept(), portable) {
            add(kept, source, unit, tested, portable);
        }
        (entry, batch)
    }

    /// Uses a translation for block `index`, if one is kept that fits. Returns whether the block needs nothing else now.
    #[cold]
    pub(super) fn reuse(&mut self, space: &mut Space, index: u32, h: &Hart) -> bool {
        let Some((t, path)) = self.find_kept(space, index, h) else { return false };
        let first = self.backend.code.edges();
        match self.place(space, &t, &path, h) {
            Ok(entry) => {
                self.begin_code(space, index, entry, first);
                let b = &mut space.blocks[index as usize];
                (b.state_misses, b.variants, b.loops) = (0, 1, t.loops);
                space.note_trace(&path);
                true
            }
            Err(Refused::Never) => false,
            Err(Refused::Full) => {
                self.reset(space);
                true
            }
        }
    }

    /// The same for a variant of block `index`, to which this edge is linked.
    #[cold]
    pub(super) fn reuse_variant(
        &mut self,
        space: &mut Space,
        index: u32,
        h: &Hart,
        edge: Edge,
    ) -> Option<Entry> {
        let (t, path) = self.find_kept(space, index, h)?;
        if path.len() > 1 {
            return None;
        }
        let first = self.backend.code.edges();
        // If there is no room, the translation that comes later makes some.
        let entry = self.place(space, &t, &path, h).ok()?;
        let b = &mut space.blocks[index as usize];
        (b.state_misses, b.variants) = (0, b.variants + 1);
        self.backend.code.link(edge, entry, &mut b.incoming);
        self.link_pads(space, index, first);
        Some(entry)
    }

    /// A translation for block `index` that fits, and the blocks of its trace. All of them have been entered: a block is
    /// never decoded before it is entered, since the entry decides which version of the code it holds.
    fn find_kept(
        &self,
        space: &Space,
        index: u32,
        h: &Hart,
    ) -> Option<(Arc<Translation>, Vec<u32>)> {
        let block = |kept: &KeptBlock| {
            let index = space.index.get(kept.start)?;
            let b = &space.blocks[index as usize];
            (kept.is(&b.code) && !matches!(b.state, State::Interpreted)).then_some(index)
        };
        let path = |t: &Translation| {
            let path = t.suits(h).then(|| t.blocks.iter().map(block).collect::<Option<Vec<u32>>>());
            path.flatten()
        };
        self.kept()?.find(space.blocks[index as usize].code.start, path)
    }

    /// Places the translation for these blocks.
    fn place(
        &mut self,
        space: &mut Space,
        t: &Translation,
        path: &[u32],
        h: &Hart,
    ) -> Result<Entry, Refused> {
        // As they were when it was translated.
        let step = |(n, seen): (&u32, &Seen)| Step {
            number: *n,
            block: &space.blocks[*n as usize].code,
            seen: *seen,
        };
        let steps: Vec<Step<'_>> = path.iter().zip(&t.seen).map(step).collect();
        let timed = self.timed.as_ref();
        let count = self.counting(path.len()).ok_or(Refused::Never)?;
        let source = Source { steps: &steps, loops: t.loops, timed, count, calls: None };
        let unit = match &t.vectors {
            Some(v) => self.unit(h, v.vtype, v.vl, &v.vset_vl),
            None => self.unit(h, h.v.vtype, h.v.vl, &[]),
        };
        let entry = self.backend.place(&t.portable, &source, &unit)?;
        let head = &mut space.blocks[path[0] as usize];
        head.batches.extend(t.portable.batch.clone());
        Ok(entry)
    }
}

/// Keeps a translation of this trace.
fn add(
    kept: &Keeper,
    source: &Source<'_>,
    unit: &Unit<'_>,
    tested: Option<Tested>,
    portable: Portable,
) {
    let has_vectors = source.steps[0].block.insns.iter().any(|i| i.op().row().class.is_vector());
    let vectors = has_vectors.then(|| Vectors::new(unit, tested));
    let blocks = source.steps.iter().map(|step| KeptBlock::of(step.block)).collect();
    let seen = source.steps.iter().map(|step| step.seen).collect();
    let must_align = unit.config.must_align;
    kept.add(Translation { blocks, seen, loops: source.loops, must_align, vectors, portable });
}
