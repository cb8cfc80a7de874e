//! The end of threads and processes, and the notification of parents.

mod robust_futexes;

use crate::interface::Status;
use crate::kernel::Kernel;
use crate::process::thread::{Wait, Wake};
use crate::process::{Ended, INIT, Life};
use crate::signal::{Detail, IGNORE, SigInfo, code, sa, sig};
use crate::sysv_ipc::UndoList;
use std::rc::Rc;

impl Kernel {
    /// Ends a thread; the last one of a process ends the process with `code`.
    pub fn end_thread(&mut self, tid: i32, code: u8) {
        let Some(pid) = self.tasks.threads.get(&tid).map(|t| t.pid) else { return };
        let last = self.tasks.processes.get(&pid).is_none_or(|p| p.threads.len() <= 1);
        if last {
            self.end_process(pid, Ended::Code(code));
        } else {
            self.remove_thread(tid);
        }
    }

    /// Removes a thread from the system.
    fn remove_thread(&mut self, tid: i32) {
        if tid == self.tasks.current {
            self.account_time();
        }
        self.sched.unblock(&mut self.tasks, tid);
        let Some(t) = self.tasks.threads.remove(&tid) else { return };
        self.profiler.ended(tid);
        let Some(p) = self.tasks.processes.get_mut(&t.pid) else { return };
        p.threads.remove(&tid);
        p.past_cycles += t.cycles;
        if tid == t.pid {
            p.comm = t.comm;
        }
        let space = Rc::clone(&p.space);
        robust_futexes::release(&mut self.sched, &mut self.tasks, &space, (t.robust_list, tid));
        if t.clear_tid != 0 {
            // If nothing is mapped there, no thread waits there.
            let _ = space.borrow().mem.store(t.clear_tid, 0u32);
            self.sched.wake_address(&mut self.tasks, &space, t.clear_tid, 1);
        }
    }

    /// Ends all threads of a process but `keep`, as `execve` does.
    pub fn end_other_threads(&mut self, pid: i32, keep: i32) {
        let Some(p) = self.tasks.processes.get(&pid) else { return };
        for tid in p.threads.clone() {
            if tid != keep {
                self.remove_thread(tid);
            }
        }
    }

    /// Ends a process.
    pub fn end_process(&mut self, pid: i32, how: Ended) {
        self.end_other_threads(pid, 0);
        self.sched.cancel_timers(&mut self.tasks, pid, true);
        let Some(p) = self.tasks.processes.get_mut(&pid) else { return };
        p.life = Life::Zombie(how);
        p.unreported = None;
        // Files are closed when their last process releases them.
        let fds = std::mem::take(&mut p.fds);
        let space = Rc::clone(&p.space);
        p.space = Rc::clone(&self.memory.no_space);
        let exit_signal = p.exit_signal;
        let undo = std::mem::take(&mut p.undo);
        drop(fds);
        self.release_space(space, pid);
        self.undo_semaphores(&undo, pid);
        if pid == self.tasks.first {
            self.run.outcome = Some(match how {
                Ended::Code(code) => Status::Code(code),
                Ended::Signal(signal) => Status::Signal(signal),
            });
        }
        self.orphan_children(pid);
        self.sched.wake_where(&mut self.tasks, Wake::Event, |_, on| on == Wait::Vfork(pid));
        if exit_signal != 0 {
            self.notify_parent_of_exit(pid, how, exit_signal);
        } else {
            self.sched.wake_parent(&mut self.tasks, pid);
        }
        self.sched.wake_file_waiters(&mut self.tasks, &mut self.files);
    }

    /// Applies the adjustments of semaphores in a list that a process releases, and lets threads that wait for them check
    /// again.
    pub fn undo_semaphores(&mut self, list: &Rc<UndoList>, pid: i32) {
        let changed = self.ipc.undo_adjustments(list, pid, self.devices.clock.seconds());
        for id in changed {
            let waits = |on| matches!(on, Wait::Semaphore(set, _) if set == id);
            self.sched.wake_where(&mut self.tasks, Wake::Event, |_, on| waits(on));
        }
    }

    fn orphan_children(&mut self, pid: i32) {
        let reaper = self.tasks.reaper(pid);
        let children: Vec<i32> =
            self.tasks.processes.values().filter(|c| c.ppid == pid).map(|c| c.pid).collect();
        for child in children {
            let Some(c) = self.tasks.processes.get_mut(&child) else { continue };
            c.ppid = reaper;
            let (dead, signal) = (!c.is_alive(), c.death_signal);
            if dead && reaper == INIT {
                self.tasks.processes.remove(&child);
            } else if dead {
                self.sched.wake_parent(&mut self.tasks, child);
            } else if signal != 0 {
                // A standard signal always fits the queue; a real-time signal may be lost.
                let _ = self.send_to_process(child, SigInfo::kernel(signal));
            }
        }
    }

    /// Sends the parent the signal of its child's end. If the parent ignores it, the child is reaped at once.
    fn notify_parent_of_exit(&mut self, pid: i32, how: Ended, signal: i32) {
        let Some((parent, uid)) = self.tasks.processes.get(&pid).map(|p| (p.ppid, p.cred.uid.real))
        else {
            return;
        };
        let Some(actions) = self.tasks.processes.get(&parent).map(|p| Rc::clone(&p.actions)) else {
            self.tasks.processes.remove(&pid);
            return;
        };
        let action = actions.borrow().get(sig::CHLD);
        let unwanted = action.handler == IGNORE || action.flags & sa::NOCLDWAIT != 0;
        if signal != sig::CHLD || action.handler != IGNORE {
            let (code, status) = match how {
                Ended::Code(c) => (code::CLD_EXITED, c as i32),
                Ended::Signal(s) => (code::CLD_KILLED, s),
            };
            let detail = Detail::Child(
                (pid, uid),
                status,
                self.devices.clock.ticks(self.cpu_time().process_cycles(pid)),
            );
            let _ = self.send_to_process(parent, SigInfo { signal, code, detail });
        }
        self.sched.wake_parent(&mut self.tasks, pid);
        if signal == sig::CHLD && unwanted {
            self.tasks.processes.remove(&pid);
        }
    }

    /// Notifies the parent that its child has stopped or continued.
    pub fn notify_parent_of_stop(&mut self, pid: i32, code: i32, status: i32) {
        let Some((parent, uid)) = self.tasks.processes.get(&pid).map(|p| (p.ppid, p.cred.uid.real))
        else {
            return;
        };
        let Some(actions) = self.tasks.processes.get(&parent).map(|p| Rc::clone(&p.actions)) else {
            return;
        };
        if actions.borrow().get(sig::CHLD).flags & sa::NOCLDSTOP == 0 {
            let detail = Detail::Child(
                (pid, uid),
                status,
                self.devices.clock.ticks(self.cpu_time().process_cycles(pid)),
            );
            let _ = self.send_to_process(parent, SigInfo { signal: sig::CHLD, code, detail });
        }
        self.sched.wake_parent(&mut self.tasks, pid);
    }
}
