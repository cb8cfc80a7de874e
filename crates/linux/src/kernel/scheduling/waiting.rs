//! Blocking and waking threads, and the timers that would wake them.

use super::Schedule;
use crate::kernel::{Files, Tasks};
use crate::process::futex_queue::Key;
use crate::process::thread::{Block, State, Thread, Wait, Wake};
use crate::process::timer_queue::Event;
use crate::signal::sig;
use crate::space::Space;
use std::cell::RefCell;

impl Schedule {
    /// Blocks the current thread.
    pub fn block(&mut self, tasks: &mut Tasks, block: Block) {
        let tid = tasks.current;
        let timer = block.until.map(|at| self.timers.add(at, Event::Wait(tid)));
        let t = tasks.thread_mut();
        t.timer = timer;
        t.state = State::Blocked(block);
        if let Some(call) = &mut t.call {
            call.restart = block.restart;
        }
        if let Wait::Futex(key, bits) = block.on {
            self.futexes.add(key, tid, bits);
        }
    }

    /// Unblocks a thread; returns whether it was blocked.
    pub fn unblock(&mut self, tasks: &mut Tasks, tid: i32) -> bool {
        let Some(t) = tasks.threads.get_mut(&tid) else { return false };
        let State::Blocked(block) = t.state else { return false };
        t.state = State::Ready;
        if let Some(key) = t.timer.take() {
            self.timers.cancel(key);
        }
        if let Wait::Futex(key, _) = block.on {
            self.futexes.remove(key, tid);
        }
        true
    }

    /// Wakes a thread, and passes the reason to its system call.
    pub fn wake_thread(&mut self, tasks: &mut Tasks, tid: i32, why: Wake) {
        if !self.unblock(tasks, tid) {
            return;
        }
        if let Some(call) = tasks.threads.get_mut(&tid).and_then(|t| t.call.as_mut()) {
            call.wake = why;
        }
        self.ready.push_back(tid);
    }

    /// Wakes the blocked threads for which `matches` is true.
    pub fn wake_where(
        &mut self,
        tasks: &mut Tasks,
        why: Wake,
        matches: impl Fn(&Thread, Wait) -> bool,
    ) {
        let waiting: Vec<i32> = tasks
            .threads
            .values()
            .filter(|t| matches!(t.state, State::Blocked(b) if matches(t, b.on)))
            .map(|t| t.tid)
            .collect();
        waiting.into_iter().for_each(|tid| self.wake_thread(tasks, tid, why));
    }

    /// Wakes threads that wait for files, if any file has changed.
    pub fn wake_file_waiters(&mut self, tasks: &mut Tasks, files: &mut Files) {
        let activity = files.vfs.activity();
        if activity != files.seen_activity {
            files.seen_activity = activity;
            self.wake_where(tasks, Wake::Event, |_, on| matches!(on, Wait::Files | Wait::Host));
        }
    }

    /// Wakes the parent of process `pid`, if the parent waits for a child.
    pub fn wake_parent(&mut self, tasks: &mut Tasks, pid: i32) {
        let Some(parent) = tasks.processes.get(&pid).map(|p| p.ppid) else { return };
        self.wake_where(tasks, Wake::Event, |t, on| t.pid == parent && on == Wait::Child);
    }

    /// Interrupts a thread's wait because of a signal.
    pub fn alert(&mut self, tasks: &mut Tasks, tid: i32, signal: i32) {
        let Some(t) = tasks.threads.get(&tid) else { return };
        let State::Blocked(block) = t.state else { return };
        let heard = !t.mask.has(signal) || t.sigwait.has(signal);
        if signal == sig::KILL || (heard && block.is_interruptible()) {
            let why = if t.sigwait.has(signal) { Wake::Event } else { Wake::Signal };
            self.wake_thread(tasks, tid, why);
        }
    }

    /// Wakes up to `max` threads that wait at a futex for one of `bits`, and returns their number.
    pub fn wake_futex(&mut self, tasks: &mut Tasks, key: Key, max: usize, bits: u32) -> u64 {
        let waiting = self.futexes.waiting(key, max, bits);
        for (tid, _) in &waiting {
            self.wake_thread(tasks, *tid, Wake::Event);
        }
        waiting.len() as u64
    }

    /// As `wake_futex`, for the futex at an address; 0 for a bad address.
    pub fn wake_address(
        &mut self,
        tasks: &mut Tasks,
        space: &RefCell<Space>,
        addr: u64,
        max: usize,
    ) -> u64 {
        let found = Key::at(&space.borrow(), addr);
        found.map_or(0, |key| self.wake_futex(tasks, key, max, u32::MAX))
    }

    /// Moves up to `max` threads that wait at the futex `from` to the futex `to`, and returns their number.
    pub fn requeue(&mut self, tasks: &mut Tasks, from: Key, to: Key, max: usize) -> u64 {
        let moved = self.futexes.waiting(from, max, u32::MAX);
        for &(tid, bits) in &moved {
            self.futexes.remove(from, tid);
            self.futexes.add(to, tid, bits);
            if let Some(t) = tasks.threads.get_mut(&tid)
                && let State::Blocked(block) = &mut t.state
            {
                block.on = Wait::Futex(to, bits);
            }
        }
        moved.len() as u64
    }

    /// Removes a process's POSIX timers, and with `with_real` its `ITIMER_REAL`, from the queue.
    pub fn cancel_timers(&mut self, tasks: &mut Tasks, pid: i32, with_real: bool) {
        let Some(p) = tasks.processes.get_mut(&pid) else { return };
        let posix = std::mem::take(&mut p.timers.posix);
        for key in posix.values().filter_map(|t| t.key) {
            self.timers.cancel(key);
        }
        if with_real && let Some(key) = p.timers.real_key.take() {
            self.timers.cancel(key);
        }
    }
}
