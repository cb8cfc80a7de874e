//! The registers of machine mode.

use super::status::Status;
use crate::config::Config;
use std::sync::Arc;

/// The registers of machine mode.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(super) status: Status,
    pub(super) mtvec: u64,
    pub(super) mepc: u64,
    pub(super) mcause: u64,
    pub(super) mtval: u64,
    pub(super) mscratch: u64,
    pub(super) mie: u64,
    pub(super) mcounteren: u64,
    pub(super) menvcfg: u64,
    /// `minstret` minus the hart's count, because the guest may write it; likewise `mcycle`.
    pub(super) instret_offset: u64,
    pub(super) cycle_offset: u64,
    /// The hart's configuration with all units on.
    pub(super) whole: Arc<Config>,
}
