//! Landing pads of calls (`x64::runtime::stack`): each is linked to the code of the block where its call continues, as soon as both
//! exist.

use super::Jit;
use crate::block::State;
use crate::interface::entry::Entry;
use crate::space::Space;

impl Jit {
    /// The block, which had no code, has this now. Edges from `first` on are new.
    pub(super) fn begin_code(&mut self, space: &mut Space, index: u32, entry: Entry, first: u32) {
        let b = &mut space.blocks[index as usize];
        b.state = State::Code(entry);
        if let Some(waiting) = space.waiting.remove(&b.code.start) {
            self.backend.code.link_waiting(waiting, entry, &mut b.incoming);
        }
        self.link_pads(space, index, first);
    }

    /// Links the landing pads of the block's new translation, which have numbers from `first` on, or has them wait.
    pub(super) fn link_pads(&mut self, space: &mut Space, index: u32, first: u32) {
        for (pad, pc) in self.backend.code.pads(first) {
            space.note_pad(index, pad);
            let block = space.index.get(pc).map(|index| &mut space.blocks[index as usize]);
            match block.map(|b| (b.state, &mut b.incoming)) {
                Some((State::Code(entry), incoming)) => {
                    self.backend.code.link(pad, entry, incoming)
                }
                _ => self.backend.code.wait(pad, space.waiting.entry(pc).or_default()),
            }
        }
    }
}
