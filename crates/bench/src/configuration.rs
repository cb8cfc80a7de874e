//! The configuration of one run of a driver.

use crate::capset::CapSet;
use capvec_targets::Limits;

/// What one run of the driver may use.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// VLEN in bits; 0 where it cannot be chosen.
    pub vlen: u32,
    /// Capability set.
    pub capset: CapSet,
    /// Seed of a random layout of memory; `None` for the fixed layout.
    pub layout: Option<u64>,
}

impl Configuration {
    /// A capability set at a VLEN, in the fixed layout.
    pub fn new(vlen: u32, capset: CapSet) -> Configuration {
        Configuration { vlen, capset, layout: None }
    }

    /// The same in the form that a target needs.
    pub fn limits(&self) -> Limits {
        let CapSet { exts, capstring, .. } = &self.capset;
        Limits { vlen: self.vlen, exts: *exts, capstring: capstring.clone(), layout: self.layout }
    }
}
