//! Code that has changed in memory: drops the blocks that were decoded from other bytes, and keeps everything else.

#[cfg(test)]
mod tests;

use super::Jit;
use crate::space::Space;
use capvec_sim::Memory;

impl Jit {
    /// The code was synchronised with memory: drops the blocks that have changed, and the translations that contain
    /// them. No generated code is running, and no edge of it is about to be linked.
    #[cold]
    pub(super) fn synchronise(&mut self, space: &mut Space, mem: &Memory) {
        if space.decoding != mem.decoding_version() {
            return self.drop_blocks(space, mem);
        }
        let pages = mem.code_changes(space.version);
        space.version = mem.code_version();
        for index in space.depending(pages) {
            let code = &space.blocks[index as usize].code;
            if !code.is_live() {
                continue;
            }
            if code.is_unchanged(mem) {
                space.watch(index, mem);
                continue;
            }
            self.tally.add_block(code);
            self.drop_all_translations(space, index);
            space.drop_block(index);
        }
    }

    /// Drops the translations that contain a block.
    pub(super) fn drop_all_translations(&mut self, space: &mut Space, index: u32) {
        let heads = space.take_heads(index);
        heads.into_iter().for_each(|head| self.drop_translations(space, head));
        self.drop_translations(space, index);
    }

    /// Drops the translations of a block: no other code leads to them any more.
    fn drop_translations(&mut self, space: &mut Space, index: u32) {
        space.take_pads(index).into_iter().for_each(|pad| self.backend.code.give_up(pad));
        let b = &mut space.blocks[index as usize];
        let mut waiting = space.waiting.remove(&b.code.start).unwrap_or_default();
        self.backend.code.unlink(std::mem::take(&mut b.incoming), &mut waiting);
        if waiting.first().is_some() {
            space.waiting.insert(b.code.start, waiting);
        }
        self.backend.code.remove_target(b.code.start);
        b.cool(self.hot_threshold);
    }
}
