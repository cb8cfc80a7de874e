//! Guests on threads of their own.

use anyhow::Result;
use capvec_linux::{Exit, Machine, Options};
use capvec_sim::Engine;
use capvec_sim::engine::Histogram;

/// Runs a guest on the calling thread, which is confined for good: one that has nothing else to do.
fn run_here(options: Options, engine: Box<dyn Engine>) -> Result<(Exit, Option<Histogram>)> {
    let mut machine = Machine::new(options, engine)?;
    // `capvec run` tells its user of a host that cannot do it.
    let _ = machine.confine();
    let exit = machine.run();
    Ok((exit, machine.engine().histogram()))
}

/// Runs a guest whose options `make` gives, on a thread of its own with only the host's system calls that it
/// needs.
pub fn confined(
    engine: impl FnOnce() -> Box<dyn Engine> + Send,
    make: impl FnOnce() -> Options + Send,
) -> Result<(Exit, Option<Histogram>)> {
    std::thread::scope(|scope| {
        // Before the thread is confined: no memory to execute in can be had then.
        let run = scope.spawn(|| run_here(make(), engine())).join();
        run.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
