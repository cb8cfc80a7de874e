//! The interface of what is debugged.

use capvec_linux::ResumeRequest;
use capvec_sim::Hart;
use capvec_sim::debug::{Controls, Pause};

/// Why the guest has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The run of this thread has been paused.
    Paused(i32, Pause),
    /// This thread is about to take the signal with this Linux number.
    Signal(i32, i32),
    /// This thread has started another program.
    Exec(i32),
    /// Because of `poll`.
    Interrupted,
    /// The guest has exited with this code.
    Exited(u8),
    /// This signal has ended the guest.
    Killed(i32),
}

/// What is debugged. It is stopped except during `resume`.
pub trait Debuggee {
    /// Where it stops from now on.
    fn set_controls(&mut self, controls: &Controls);

    /// Runs until it stops. `poll` is called now and then; once it returns true, the guest stops soon.
    fn resume(&mut self, request: ResumeRequest, poll: &mut dyn FnMut() -> bool) -> Event;

    /// The guest runs without a debugger from now on.
    fn detach(&mut self);

    /// Ends the guest as if by the signal with this Linux number.
    fn end(&mut self, signal: i32);

    /// Whether the run has to end although gdb has not asked for it: the user interrupts it, or its time is over.
    fn must_stop(&self) -> bool;

    /// Its threads; the one that ran last is first. Empty only after its end.
    fn threads(&self) -> Vec<i32>;

    /// The name of a thread.
    fn thread_name(&self, tid: i32) -> Vec<u8>;

    /// Calls `f` with the hart as this thread sees it. Returns false if there is no such thread.
    fn with_hart(&mut self, tid: i32, f: &mut dyn FnMut(&mut Hart)) -> bool;

    /// The Linux system around the program, if there is one.
    fn system(&self) -> Option<&dyn System> {
        None
    }
}

/// What gdb asks a Linux system for, in order to find symbols.
pub trait System {
    /// The auxiliary vector.
    fn auxv(&self) -> Vec<u8>;

    /// The path of the program, as the guest sees it.
    fn program(&self) -> Vec<u8>;

    /// The contents of a file that the guest sees.
    fn file(&self, path: &[u8]) -> Option<Vec<u8>>;

    /// The target of a symbolic link that the guest sees.
    fn link(&self, path: &[u8]) -> Option<Vec<u8>>;
}
