//! Verilator for tests.

use capvec_rtl::Verilator;
use capvec_sysroot::Store;
use capvec_util::testing::found;
use std::path::PathBuf;

/// Verilator. `None`, with a report, if it is not available.
pub fn verilator() -> Option<Verilator> {
    let verilator = Verilator::find(&mut |p| eprintln!("{p}"));
    found("verilator", verilator.map_err(|why| format!("{why:#}")))
}

/// The directory of the store in which models are kept, those of `capvec rtl` too.
pub fn directory() -> PathBuf {
    Store::from_env().expect("a store").home().join("rtl")
}

/// The number of programs in a random test: CAPVEC_RTL_PROGRAMS, if set, or the default.
pub fn programs(default: u64) -> u64 {
    std::env::var("CAPVEC_RTL_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}
