//! What is known about addresses without knowing permissions.

use crate::interface::addresses::MAX_OFFSET;
use capvec_sim::mem::{PAGE, table};

/// The roots (`interface::addresses`) of which a value near them has been found in the address space. An access relative to one of
/// them is in the address space too, or so near that nobody can access it.
#[derive(Default)]
pub struct Bounds(Vec<u32>);

// The offsets from the root of an access, and of the value that was found, are at most this.
const _: () = assert!(2 * MAX_OFFSET < table::NEAR as i64 - PAGE as i64);

impl Bounds {
    /// Whether this root is one of them.
    pub fn know(&self, root: u32) -> bool {
        self.0.contains(&root)
    }

    /// Adds a root.
    pub fn add(&mut self, root: u32) {
        self.0.push(root);
    }
}
