//! What one run of a driver may use.

use crate::capset::CapSet;

/// What one run of the driver may use.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// VLEN in bits.
    pub vlen: u32,
    /// Capability set.
    pub capset: CapSet,
}
