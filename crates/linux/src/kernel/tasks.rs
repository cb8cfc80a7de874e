//! Processes and threads, and questions about them.

use crate::base::cred::Cred;
use crate::base::errno::Result;
use crate::fs::Peer;
use crate::process::thread::{Restart, State, Thread, Wait};
use crate::process::{INIT, Life, Process};
use crate::signal::{Action, DEFAULT, IGNORE, SigInfo, SigSet, sig};
use crate::space::{GuestMemory, Reads};
use crate::sysv_ipc::User;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Processes and threads.
pub struct Tasks {
    /// Threads that have not ended.
    pub threads: BTreeMap<i32, Thread>,
    /// Processes, including zombies.
    pub processes: BTreeMap<i32, Process>,
    /// The thread whose registers the hart holds; its entry in `threads` is gone when it has ended.
    pub current: i32,
    /// The number of the first process.
    pub first: i32,
    /// The number that the next thread gets.
    pub next_tid: i32,
    /// The process group in the terminal's foreground.
    pub foreground: i32,
    /// What the system call in flight has read of its process's memory.
    pub reads: Reads,
}

impl Tasks {
    /// The current thread. Only called while there is one: from system calls and signal delivery.
    pub fn thread(&self) -> &Thread {
        &self.threads[&self.current]
    }

    /// The current thread, mutably.
    pub fn thread_mut(&mut self) -> &mut Thread {
        self.threads.get_mut(&self.current).expect("the current thread exists while it runs")
    }

    /// The current process.
    pub fn process(&self) -> &Process {
        &self.processes[&self.thread().pid]
    }

    /// The current process, mutably.
    pub fn process_mut(&mut self) -> &mut Process {
        let pid = self.thread().pid;
        self.processes.get_mut(&pid).expect("a thread's process exists")
    }

    /// The memory of the current process, as system calls access it.
    pub fn guest(&self) -> GuestMemory<'_> {
        GuestMemory { space: &self.process().space, reads: &self.reads }
    }

    /// The current thread's credentials.
    pub fn cred(&self) -> &Rc<Cred> {
        &self.thread().cred
    }

    /// Sets the current thread's credentials.
    pub fn set_cred(&mut self, new: Cred) {
        let new = Rc::new(new);
        self.thread_mut().cred = Rc::clone(&new);
        if self.current == self.thread().pid {
            self.process_mut().cred = new;
        }
    }

    /// A thread that calls `execve` takes the number of its process.
    pub fn become_main_thread(&mut self, pid: i32) {
        if self.current == pid {
            return;
        }
        if let Some(mut t) = self.threads.remove(&self.current) {
            t.tid = pid;
            let p = self.processes.get_mut(&pid);
            if let Some(p) = p {
                p.threads = [pid].into();
            }
            self.threads.insert(pid, t);
            self.current = pid;
        }
    }

    /// Gives the current process a descriptor table of its own.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn unshare_files(&mut self) -> Result<()> {
        if Rc::strong_count(&self.process().fds) > 1 {
            let copy = self.process().fds.borrow().copy()?;
            self.process_mut().fds = Rc::new(RefCell::new(copy));
        }
        Ok(())
    }

    /// Updates the peak of mapped memory of the current process.
    pub fn note_mapped(&mut self) {
        let mapped = self.process().space.borrow().mapped();
        let p = self.process_mut();
        p.peak_mapped = p.peak_mapped.max(mapped);
    }

    /// Whether a thread can run.
    pub fn can_run(&self, tid: i32) -> bool {
        self.threads.get(&tid).is_some_and(|t| {
            matches!(t.state, State::Ready)
                && self.processes.get(&t.pid).is_some_and(|p| p.life == Life::Running)
        })
    }

    /// Whether a thread waits for input from the host.
    pub fn waits_for_host(&self) -> bool {
        self.waiting(Wait::Host) > 0
    }

    /// The number of threads that wait for an event.
    pub fn waiting(&self, event: Wait) -> usize {
        let waits = |t: &&Thread| matches!(t.state, State::Blocked(b) if b.on == event);
        self.threads.values().filter(waits).count()
    }

    /// The letter of the state of a process's thread in `/proc`.
    pub fn state_letter(&self, p: &Process, tid: i32) -> char {
        match p.life {
            Life::Zombie(_) => 'Z',
            Life::Stopped(_) => 'T',
            Life::Running => match self.threads.get(&tid).map(|t| &t.state) {
                Some(State::Blocked(_)) => 'S',
                Some(_) => 'R',
                // The main thread, which the others have outlived.
                None => 'Z',
            },
        }
    }

    /// The nearest ancestor that adopts orphans.
    pub fn reaper(&self, pid: i32) -> i32 {
        let mut at = pid;
        while let Some(parent) = self.processes.get(&at).map(|p| p.ppid) {
            match self.processes.get(&parent) {
                Some(p) if p.subreaper && p.is_alive() => return parent,
                Some(_) => at = parent,
                None => break,
            }
        }
        INIT
    }

    /// Whether a thread waits in `rt_sigtimedwait` for the signal.
    pub fn waits_for_signal(&self, tid: i32, signal: i32) -> bool {
        self.threads.get(&tid).is_some_and(|t| t.sigwait.has(signal))
    }

    /// Whether the current thread may send a signal to a process (kill(2)).
    pub fn may_signal(&self, p: &Process, signal: i32) -> bool {
        let me = self.process();
        p.pid == me.pid
            || self.cred().may_signal(&p.cred)
            || (signal == sig::CONT && p.sid == me.sid)
    }

    /// Discards pending signals that are ignored from now on.
    pub fn discard_pending(&mut self, which: SigSet) {
        self.process_mut().pending.discard(which);
        for tid in self.process().threads.clone() {
            if let Some(t) = self.threads.get_mut(&tid) {
                t.pending.discard(which);
            }
        }
    }

    /// Dequeues the next signal that the current thread does not block.
    pub fn next_signal(&mut self) -> Option<SigInfo> {
        let t = self.thread();
        let deaf = matches!(&t.state, State::Blocked(b) if b.restart == Restart::Uninterruptible);
        let open = if deaf { SigSet::one(sig::KILL) } else { SigSet(!t.mask.0) };
        let (own, all) = (t.pending.set(), self.process().pending.set());
        let any = SigSet((own.0 | all.0) & open.0);
        let first = any.first()?;
        if own.has(first) {
            self.thread_mut().pending.take(SigSet::one(first))
        } else {
            self.process_mut().pending.take(SigSet::one(first))
        }
    }

    /// Dequeues a signal of the set that was sent to the current thread or its process.
    pub fn take_pending(&mut self, set: SigSet) -> Option<SigInfo> {
        let own = self.thread_mut().pending.take(set);
        own.or_else(|| self.process_mut().pending.take(set))
    }

    /// The signals that wait for the current thread.
    pub fn pending_signals(&self) -> SigSet {
        self.thread().pending.set().union(self.process().pending.set())
    }

    /// Sends the current thread a signal that it cannot avoid: if it blocks or ignores the signal, the process ends.
    pub fn force_signal(&mut self, info: SigInfo) {
        let signal = info.signal;
        let blocked = self.thread().mask.has(signal);
        {
            let mut actions = self.process().actions.borrow_mut();
            if blocked || actions.get(signal).handler == IGNORE {
                actions.set(signal, Action { handler: DEFAULT, ..Action::default() });
            }
        }
        let t = self.thread_mut();
        t.mask = t.mask.minus(SigSet::one(signal));
        // There is room: a standard signal is queued once.
        t.pending.push(info);
    }

    /// The threads of the first process, the current one first.
    pub fn threads_of_first(&self) -> Vec<i32> {
        let alive = self.processes.get(&self.first).filter(|p| p.is_alive());
        let mut tids: Vec<i32> =
            alive.map_or_else(Vec::new, |p| p.threads.iter().copied().collect());
        tids.sort_by_key(|tid| *tid != self.current);
        tids
    }

    /// The current process as System V IPC sees it.
    pub fn ipc_user(&self) -> User {
        User { pid: self.process().pid, cred: Rc::clone(&self.thread().cred) }
    }

    /// The current process as its peers see it.
    pub fn as_peer(&self) -> Peer {
        let cred = self.cred();
        Peer { pid: self.thread().pid, uid: cred.uid.effective, gid: cred.gid.effective }
    }
}
