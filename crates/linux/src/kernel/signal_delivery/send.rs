//! Sending signals.

use crate::base::errno::{Errno, Result};
use crate::kernel::Kernel;
use crate::process::Life;
use crate::process::thread::State;
use crate::signal::{SigInfo, SigSet, code, sig};

impl Kernel {
    /// Whether the signal must be queued. Stop signals discard pending continue signals, and the other way round.
    fn prepare(&mut self, pid: i32, info: &SigInfo, blocked: bool) -> bool {
        let continues = info.signal == sig::CONT;
        let Some(p) = self.tasks.processes.get_mut(&pid).filter(|p| p.is_alive()) else {
            return false;
        };
        let cancelled = if continues {
            SigSet::STOPS
        } else if SigSet::STOPS.has(info.signal) {
            SigSet::one(sig::CONT)
        } else {
            SigSet::EMPTY
        };
        p.pending.discard(cancelled);
        let threads = p.threads.clone();
        let ignored = p.actions.borrow().ignores(info.signal);
        for tid in threads {
            if let Some(t) = self.tasks.threads.get_mut(&tid) {
                t.pending.discard(cancelled);
            }
        }
        if continues || info.signal == sig::KILL {
            self.continue_process(pid, continues);
        }
        blocked || !ignored
    }

    /// Sends a signal to a process.
    ///
    /// # Errors
    /// `EAGAIN` when too many are queued.
    pub fn send_to_process(&mut self, pid: i32, info: SigInfo) -> Result<()> {
        let Some(p) = self.tasks.processes.get(&pid) else { return Ok(()) };
        let blocks =
            |tid: &i32| self.tasks.threads.get(tid).is_some_and(|t| t.mask.has(info.signal));
        let blocked = p.threads.iter().all(blocks);
        // The main thread if it does not block the signal; otherwise the first thread that does not.
        let candidates = std::iter::once(&pid).chain(&p.threads);
        let target = candidates.copied().find(|tid| {
            p.threads.contains(tid)
                && (!blocks(tid) || self.tasks.waits_for_signal(*tid, info.signal))
        });
        if !self.prepare(
            pid,
            &info,
            blocked || target.is_some_and(|t| self.tasks.waits_for_signal(t, info.signal)),
        ) {
            return Ok(());
        }
        if let Some(p) = self.tasks.processes.get_mut(&pid)
            && !p.pending.push(info)
        {
            return Err(Errno::EAGAIN);
        }
        if let Some(tid) = target {
            self.sched.alert(&mut self.tasks, tid, info.signal);
        }
        self.note_signal();
        Ok(())
    }

    /// Sends a signal to a thread.
    ///
    /// # Errors
    /// `EAGAIN` when too many are queued.
    pub fn send_to_thread(&mut self, tid: i32, info: SigInfo) -> Result<()> {
        let Some(t) = self.tasks.threads.get(&tid) else { return Ok(()) };
        let (pid, blocked) = (t.pid, t.mask.has(info.signal));
        if !self.prepare(pid, &info, blocked) {
            return Ok(());
        }
        let pushed = self.tasks.threads.get_mut(&tid).is_none_or(|t| t.pending.push(info));
        self.sched.alert(&mut self.tasks, tid, info.signal);
        self.note_signal();
        if pushed { Ok(()) } else { Err(Errno::EAGAIN) }
    }

    /// Lets threads that wait for a signalfd descriptor check again.
    fn note_signal(&mut self) {
        if self.files.vfs.has_signalfds() {
            self.files.vfs.note_signal();
            self.sched.wake_file_waiters(&mut self.tasks, &mut self.files);
        }
    }

    /// Continues a stopped process; with `report`, notifies the parent.
    fn continue_process(&mut self, pid: i32, report: bool) {
        let Some(p) = self.tasks.processes.get_mut(&pid) else { return };
        if !matches!(p.life, Life::Stopped(_)) {
            return;
        }
        p.life = Life::Running;
        let threads = p.threads.clone();
        if report {
            p.unreported = Some(sig::CONT);
            self.notify_parent_of_stop(pid, code::CLD_CONTINUED, sig::CONT);
        }
        for tid in threads {
            let ready =
                self.tasks.threads.get(&tid).is_some_and(|t| matches!(t.state, State::Ready));
            if ready && !self.sched.ready.contains(&tid) {
                self.sched.ready.push_back(tid);
            }
        }
    }

    /// Stops the current process.
    pub fn stop_process(&mut self, signal: i32) {
        let pid = self.thread().pid;
        let p = self.process_mut();
        p.life = Life::Stopped(signal);
        p.unreported = Some(signal);
        self.notify_parent_of_stop(pid, code::CLD_STOPPED, signal);
    }
}
