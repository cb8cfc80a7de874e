//! Where control arrives in generated code.

/// The entry points of a block's code, as offsets in the buffer, which is far smaller than 4 GiB: a large program has a hundred
/// thousand blocks.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Entry after a redirection; without a core model, the only entry.
    pub redirected: u32,
    /// Entry for control from the block just before.
    pub sequential: u32,
    /// Entry for control from another variant of the block, which has already counted the entry.
    pub inner: u32,
}

impl Entry {
    /// The entry for control by a redirection, or in sequence.
    pub fn at(self, redirected: bool) -> u32 {
        if redirected { self.redirected } else { self.sequential }
    }
}
