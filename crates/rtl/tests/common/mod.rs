//! Verilator for tests, and the core in lockstep.

use anyhow::Result;
use capvec_bare::Image;
use capvec_bare::testing::{CODE, DATA, program};
use capvec_rtl::hart::{Cosim, Ended, Model};
use capvec_rtl::{Source, Verilator};
use capvec_sim::testing::Rng;
use capvec_sysroot::Store;
use capvec_util::testing::found;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Verilator. `None`, with a report, if it is not available.
pub fn verilator() -> Option<Verilator> {
    let verilator = Verilator::find(&mut |p| eprintln!("{p}"));
    found("verilator", verilator.map_err(|why| format!("{why:#}")))
}

/// The directory of mutated sources from which this process takes all RTL, if it tries a mutant.
pub const MUTATED: &str = "CAPVEC_RTL_SOURCES";

/// Whether this process tries a mutant.
pub fn is_mutated() -> bool {
    std::env::var_os(MUTATED).is_some()
}

/// The RTL in these directories of `rtl/`, or in a process that tries a mutant, all RTL with it.
pub fn source(directories: &[&str]) -> Source {
    let source = match std::env::var_os(MUTATED) {
        Some(root) => Source::in_checkout(root.as_ref(), &["mutants"]),
        None => Source::load(directories),
    };
    source.expect("the sources")
}

/// The directory of the store in which models are kept, those of `capvec rtl` too. Models with mutants have their own.
pub fn directory() -> PathBuf {
    let rtl = Store::from_env().expect("a store").home().join("rtl");
    if is_mutated() { mutants(&rtl) } else { rtl }
}

/// Where models with mutants are kept.
pub fn mutants(rtl: &Path) -> PathBuf {
    rtl.join("mutants")
}

/// The number of programs in a random test: CAPVEC_RTL_PROGRAMS, if set, or the default.
pub fn programs(default: u64) -> u64 {
    std::env::var("CAPVEC_RTL_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Runs a program on the core until `most` instructions have retired, in lockstep with the simulator and on random data. Returns the model
/// for the next one.
///
/// # Errors
/// The first difference.
pub fn run(
    model: Model,
    words: &[u32],
    stalls: bool,
    most: u64,
    rng: &mut Rng,
) -> Result<(Ended, Model)> {
    let image = Image::parse(&program(words))?;
    let stalls = stalls.then(|| Rng::seeded(rng.next()));
    let mut cosim = Cosim::new(model, &image, stalls)?;
    cosim.end_if_changed(CODE..DATA);
    cosim.scramble(DATA + 128, 3968, rng)?;
    let ended = cosim.run(most)?;
    Ok((ended, cosim.into_model()))
}

/// The processor time that this thread has used. Unlike wall time, it does not count what other processes use.
pub fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a timespec that may be written.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(result, 0, "the thread's clock");
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}
