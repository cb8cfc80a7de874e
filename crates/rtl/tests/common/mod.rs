//! Verilator for tests, or a word on why there is none.

use capvec_rtl::Verilator;
use std::path::{Path, PathBuf};

/// Verilator; `None`, saying so, where it cannot be had.
pub fn verilator() -> Option<Verilator> {
    Verilator::find(&mut |p| eprintln!("{p}"))
        .map_err(|why| eprintln!("SKIPPED: the RTL is not compared: no Verilator: {why:#}"))
        .ok()
}

/// Where models are kept.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("rtl")
}

/// Programs of a random test: CAPVEC_RTL_PROGRAMS if that is set.
pub fn programs(default: u64) -> u64 {
    std::env::var("CAPVEC_RTL_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}
