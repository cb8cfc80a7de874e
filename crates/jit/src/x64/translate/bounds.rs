//! What is known about addresses without knowing permissions.

use crate::interface::addresses::{AddressRange, MAX_OFFSET};
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

/// An address that is known to be aligned: a root plus an offset.
pub struct Multiple {
    /// Number of the root.
    pub root: u32,
    /// The offset.
    pub offset: i64,
    /// The address is a multiple of this.
    pub size: i64,
}

/// The addresses of which it is known that they are aligned.
#[derive(Default)]
pub struct Aligned(Vec<Multiple>);

impl Aligned {
    /// Adds an address.
    pub fn add(&mut self, known: Multiple) {
        self.0.push(known);
    }

    /// Whether an access of `size` bytes is known to be aligned.
    pub fn know(&self, place: &AddressRange, size: i64) -> bool {
        let exact = place.high - place.low == size;
        let aligned = |known: &Multiple| {
            known.root == place.root && known.size >= size && (place.low - known.offset) % size == 0
        };
        exact && self.0.iter().any(aligned)
    }
}
