//! Runs of a hart, next to other threads of Python.

use capvec_sim::{Engine, Hart, Stop};
use std::time::{Duration, Instant};

/// The time between two checks for signals, such as Ctrl-C. Each check waits for Python's lock, so that shorter times would
/// slow down runs next to other busy threads.
const CHECK: Duration = Duration::from_millis(50);
/// The time that a slice of a run may take.
const SLICE: Duration = Duration::from_millis(10);
/// The fewest and the most instructions of a slice. An instruction can take a nanosecond or, on long vectors, a millisecond, and
/// code can go from one to the other within a slice.
pub const FEWEST: u64 = 16;
const MOST: u64 = 1 << 12;

/// A hart and what runs it.
pub struct Machine {
    pub hart: Hart,
    pub engine: Box<dyn Engine>,
}

/// What a run borrows from the hart while Python's lock is released.
pub struct OnThisThread<'a>(pub &'a mut Machine);

// SAFETY: `Python::detach` calls its closure on the calling thread, so nothing is sent to another one. PyO3 asks for `Send`
// only to keep Python's objects out of the closure, and a hart has none.
unsafe impl Send for OnThisThread<'_> {}

impl OnThisThread<'_> {
    /// Runs until `end` instructions have retired, until a trap, or for about the time `CHECK`: in slices, whose number of
    /// instructions follows the time that they take. What an engine counts does not depend on slices (`Engine::run`).
    pub fn run(&mut self, end: u64, slice: &mut u64) -> Stop {
        // Python's faulthandler may have been enabled since the last run.
        capvec_jit::handle_faults();
        let Machine { hart, engine } = &mut *self.0;
        let begin = Instant::now();
        let mut now = begin;
        loop {
            let stop = engine.run(hart, (*slice).min(end - hart.instret));
            let started = std::mem::replace(&mut now, Instant::now());
            if stop != Stop::Budget || hart.instret >= end || now - begin >= CHECK {
                return stop;
            }
            *slice = next_slice(*slice, now - started);
        }
    }
}

/// The instructions of the slice that follows one of `slice` instructions, which took so long.
fn next_slice(slice: u64, took: Duration) -> u64 {
    match took {
        _ if took > SLICE => (slice / 4).max(FEWEST),
        _ if took < SLICE / 4 => (slice * 2).min(MOST),
        _ => slice,
    }
}
