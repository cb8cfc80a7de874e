//! What one run of a driver may use.

use crate::capset::CapSet;
use capvec_target::Limits;

/// What one run of the driver may use.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// VLEN in bits; 0 where it is not chosen.
    pub vlen: u32,
    /// Capability set.
    pub capset: CapSet,
}

impl Configuration {
    /// The same, as a target needs to know it.
    pub fn limits(&self) -> Limits {
        let CapSet { exts, capstring, .. } = &self.capset;
        Limits { vlen: self.vlen, exts: *exts, capstring: capstring.clone() }
    }
}
