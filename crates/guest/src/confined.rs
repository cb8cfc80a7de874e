//! Runs guests on threads of their own.

use anyhow::Result;
use capvec_linux::{ConfineError, Exit, Machine, Options};
use capvec_sim::Engine;
use capvec_sim::engine::Histogram;
use std::sync::OnceLock;

/// Why the first guest that ran without the filter of system calls did so.
static UNCONFINED: OnceLock<ConfineError> = OnceLock::new();

/// Why a guest of this process ran without the filter of system calls, if one did. The caller reports it.
pub fn unconfined() -> Option<&'static ConfineError> {
    UNCONFINED.get()
}

/// Runs a guest on the calling thread, which stays confined and should have nothing else to do.
fn run_here(options: Options, engine: Box<dyn Engine>) -> Result<(Exit, Option<Histogram>)> {
    let mut machine = Machine::new(options, engine)?;
    if let Err(e) = machine.confine() {
        UNCONFINED.get_or_init(|| e);
    }
    let exit = machine.run();
    Ok((exit, machine.engine().histogram()))
}

/// As [`confined`], with an observer: `engine` connects it to the engine and the options before the run, and `finish` takes
/// what it found.
pub fn observed<T, R: Send>(
    engine: impl FnOnce(&mut Options) -> (Box<dyn Engine>, T) + Send,
    make: impl FnOnce() -> Result<Options> + Send,
    finish: impl FnOnce(T) -> R + Send,
) -> Result<(Exit, R)> {
    let run = || {
        let mut options = make()?;
        let (engine, observer) = engine(&mut options);
        let (exit, _) = run_here(options, engine)?;
        Ok((exit, finish(observer)))
    };
    std::thread::scope(|scope| {
        scope.spawn(run).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Runs a guest with the options that `make` returns, on a thread of its own that is confined to the host system calls
/// it needs.
pub fn confined(
    engine: impl FnOnce() -> Box<dyn Engine> + Send,
    make: impl FnOnce() -> Result<Options> + Send,
) -> Result<(Exit, Option<Histogram>)> {
    std::thread::scope(|scope| {
        // Before the thread is confined: afterwards no executable memory can be allocated.
        let run = scope.spawn(|| run_here(make()?, engine())).join();
        run.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
