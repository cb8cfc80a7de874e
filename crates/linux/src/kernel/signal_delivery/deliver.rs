//! Delivering signals to the current thread.

use super::frame;
use crate::interface::{Fault, Notice};
use crate::kernel::Kernel;
use crate::process::Ended;
use crate::signal::{
    Action, DEFAULT, Detail, Disposition, IGNORE, RAW, RAW_AT, SigInfo, SigSet, default_of, sa, sig,
};

impl Kernel {
    /// Takes the action for a signal.
    pub fn handle_signal(&mut self, info: SigInfo) {
        let action = self.process().actions.borrow().get(info.signal);
        match action.handler {
            IGNORE => {}
            DEFAULT => self.default_action(&info),
            _ => self.handle(&info, &action),
        }
    }

    fn default_action(&mut self, info: &SigInfo) {
        match default_of(info.signal) {
            Disposition::Ignore | Disposition::Continue => {}
            Disposition::Stop => self.stop_process(info.signal),
            Disposition::Terminate => self.terminate_by(info.signal, false),
            Disposition::Fault => self.terminate_by(info.signal, true),
        }
    }

    /// Ends the current process by a signal. A notice is given for a fault, and for the end of the first process, which
    /// no parent reports; but not for an interrupt of the user or a closed pipe.
    fn terminate_by(&mut self, signal: i32, fault: bool) {
        let pid = self.thread().pid;
        let reported = fault || pid == self.tasks.first && ![sig::INT, sig::PIPE].contains(&signal);
        let fault = self.thread_mut().fault.take().filter(|fault| fault.signal == signal);
        if reported {
            let program = String::from_utf8_lossy(&self.process().image.path).into_owned();
            self.run.report(Notice::Killed {
                pid,
                program,
                signal: crate::signal::name(signal),
                fault,
            });
        }
        self.end_process(pid, Ended::Signal(signal));
    }

    /// Runs a handler.
    fn handle(&mut self, info: &SigInfo, action: &Action) {
        self.interrupt_call(action.flags & sa::RESTART != 0);
        if action.flags & sa::RESETHAND != 0 {
            let default = Action { handler: DEFAULT, ..*action };
            self.process().actions.borrow_mut().set(info.signal, default);
        }
        if frame::push(&mut self.hart, &mut self.tasks, info, action).is_err() {
            // Without room for the frame, no signal can be handled.
            let segv = Action::default();
            self.process().actions.borrow_mut().set(sig::SEGV, segv);
            let text = format!("no stack for the handler of {}", crate::signal::name(info.signal));
            self.thread_mut().fault = Some(Fault { signal: sig::SEGV, pc: None, text });
            self.tasks.force_signal(SigInfo::kernel(sig::SEGV));
            return;
        }
        self.profiler.signal(self.tasks.current, &self.hart, &frame::parts(&self.hart.config));
        self.give_value(info, self.hart.x(frame::SP));
        let t = self.thread_mut();
        t.saved_mask = None;
        t.mask = t.mask.union(action.mask);
        if action.flags & sa::NODEFER == 0 {
            t.mask = t.mask.union(SigSet::one(info.signal));
        }
        t.mask = t.mask.minus(SigSet::UNBLOCKABLE);
    }

    /// The guest's own part of a signal is in the `siginfo_t` at this address.
    pub fn give_value(&self, info: &SigInfo, at: u64) {
        if let Detail::Raw(_, kept) = info.detail {
            self.profiler.returned(kept, self.hart.mem.id(), at.wrapping_add(RAW_AT), RAW);
        }
    }
}
