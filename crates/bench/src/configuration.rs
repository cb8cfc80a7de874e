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
}

impl Configuration {
    /// The same in the form that a target needs.
    pub fn limits(&self) -> Limits {
        let CapSet { exts, capstring, .. } = &self.capset;
        Limits { vlen: self.vlen, exts: *exts, capstring: capstring.clone() }
    }
}
