//! Verilator for tests.

use capvec_rtl::Verilator;
use capvec_sysroot::Store;
use std::path::PathBuf;

/// Verilator. If it is not available, prints why the test is skipped and returns `None`.
pub fn verilator() -> Option<Verilator> {
    Verilator::find(&mut |p| eprintln!("{p}"))
        .map_err(|why| eprintln!("skipped: no Verilator: {why:#}"))
        .ok()
}

/// The directory of the store in which models are kept, those of `capvec bench --target rtl` too.
pub fn directory() -> PathBuf {
    Store::from_env().expect("a store").home().join("rtl")
}

/// The number of programs in a random test: CAPVEC_RTL_PROGRAMS, if set, or the default.
pub fn programs(default: u64) -> u64 {
    std::env::var("CAPVEC_RTL_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}
