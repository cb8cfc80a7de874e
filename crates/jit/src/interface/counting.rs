//! How generated code counts the entries of blocks.

/// How generated code counts the entries of a trace's blocks.
#[derive(Clone, Copy, Debug)]
pub enum Counting {
    /// Not at all.
    No,
    /// In the block.
    InBlock,
    /// In the current set of counters (`crate::sets`).
    InSets {
        /// Host address of the address of the set's counters, followed by the slot that was counted last.
        cells: u64,
        /// The slot of the trace's first block; those of the others follow.
        first: u32,
    },
}
