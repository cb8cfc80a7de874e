//! The state of the scheduler: the run queue, and what threads wait for.

use crate::process::futex_queue::Futexes;
use crate::process::timer_queue::Timers;
use std::collections::VecDeque;

/// The state of the scheduler.
pub struct Schedule {
    /// The run queue.
    pub ready: VecDeque<i32>,
    /// Deadlines of waits, and timers.
    pub timers: Timers,
    /// Threads that wait for futexes.
    pub futexes: Futexes,
    /// Retired instructions after which another thread runs.
    pub quantum: u64,
    /// The current thread has given up the rest of its quantum.
    pub yielded: bool,
    /// Cycles per instruction in the last run of the engine, rounded up.
    pub pace: u64,
    /// The quantum in which a debugger has stopped the current thread.
    pub interrupted: Option<Quantum>,
    /// `Clock::cpu_base` when CPU time was last accounted.
    pub accounted: u64,
    /// Cycles in which no thread ran.
    pub idle_cycles: u64,
}

/// The rest of a quantum.
pub struct Quantum {
    /// `hart.instret` at its end.
    pub end: u64,
    /// The run of the engine that was interrupted, if one was.
    pub slice: Option<Slice>,
}

/// A run of the engine between two checks.
#[derive(Clone, Copy)]
pub struct Slice {
    /// `hart.instret` at its end.
    pub until: u64,
    /// `hart.instret` and `hart.cycles` at its start.
    pub start: (u64, u64),
}

impl Schedule {
    /// Lets `first` run before all other threads, if it can run. The thread that was interrupted is the next.
    pub fn run_first(&mut self, first: i32, current: i32) {
        if first == current || !self.ready.contains(&first) {
            return;
        }
        if self.interrupted.take().is_some() {
            self.ready.push_front(current);
        }
        self.ready.retain(|tid| *tid != first);
        self.ready.push_front(first);
    }
}
