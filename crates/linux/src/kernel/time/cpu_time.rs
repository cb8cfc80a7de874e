//! CPU time of threads and processes.

use super::clock::Clock;
use crate::kernel::Tasks;

/// The CPU time of threads and processes, now.
pub struct CpuTime<'a> {
    /// The machine's clocks.
    pub clock: &'a Clock,
    /// Threads, with their cycles.
    pub tasks: &'a Tasks,
    /// Cycles of the current thread that have not been accounted.
    pub unaccounted: u64,
}

impl CpuTime<'_> {
    /// Cycles of a thread.
    pub fn thread_cycles(&self, tid: i32) -> u64 {
        let running = if tid == self.tasks.current { self.unaccounted } else { 0 };
        self.tasks.threads.get(&tid).map_or(0, |t| t.cycles) + running
    }

    /// CPU time of a thread in nanoseconds.
    pub fn thread_ns(&self, tid: i32) -> u64 {
        self.clock.ns_of(self.thread_cycles(tid))
    }

    /// Cycles of a process.
    pub fn process_cycles(&self, pid: i32) -> u64 {
        let Some(p) = self.tasks.processes.get(&pid) else { return 0 };
        let threads = p.threads.iter().filter_map(|t| self.tasks.threads.get(t));
        let unaccounted = match self.tasks.threads.get(&self.tasks.current) {
            Some(t) if t.pid == pid => self.unaccounted,
            _ => 0,
        };
        p.past_cycles + threads.map(|t| t.cycles).sum::<u64>() + unaccounted
    }

    /// CPU time of a process in nanoseconds.
    pub fn process_ns(&self, pid: i32) -> u64 {
        self.clock.ns_of(self.process_cycles(pid))
    }

    /// Cycles until a CPU timer of the current process expires.
    pub fn timer_distance(&self) -> Option<u64> {
        let p = self.tasks.processes.get(&self.tasks.threads.get(&self.tasks.current)?.pid)?;
        let at = p.timers.cpu.iter().filter_map(|t| t.at).min()?;
        let now = self.process_cycles(p.pid);
        Some(self.clock.cycles_at(at).saturating_sub(now).max(1))
    }
}
