//! What one run may use.

use capvec_isa::ExtSet;

/// What one run of a program may use: a capability set, in the form that a target needs.
#[derive(Clone, Debug)]
pub struct Limits {
    /// VLEN in bits; 0 where it cannot be chosen.
    pub vlen: u32,
    /// The hart's extensions, where it is modelled.
    pub exts: ExtSet,
    /// The value of the library's variable; `None` lets the library detect.
    pub capstring: Option<String>,
    /// Seed of a random layout of memory, where that can be chosen; `None` for the fixed layout.
    pub layout: Option<u64>,
}
