//! What a debugger asks for, and what it learns.

use super::status::Status;
use capvec_sim::debug::Pause;

/// Why the system has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The run of this thread has been paused.
    Paused(i32, Pause),
    /// This thread is about to take this signal.
    Signal(i32, i32),
    /// This thread has started another program.
    Exec(i32),
    /// The debugger asked for it.
    Interrupted,
    /// The run has ended.
    Ended(Status),
}

/// How the system continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResumeRequest {
    /// The thread that is stopped after one instruction.
    pub step: Option<i32>,
    /// The thread that runs first, if it can run.
    pub first: Option<i32>,
    /// The thread that takes a signal, and the signal. A signal that was reported and is not named here is dropped.
    pub signal: Option<(i32, i32)>,
}
