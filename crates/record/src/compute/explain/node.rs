//! What is compared.

use capvec_isa::ExtSet;

/// A measured set, as the library was expected to see it.
pub struct Node<'a> {
    /// What the library was expected to see.
    pub set: ExtSet,
    /// The name.
    pub name: &'a str,
    /// Operations per second.
    pub ops_per_s: f64,
    /// Speed in 1000 bytes per second.
    pub kbps: Option<f64>,
}
