//! How the guest continues.

use super::Guest;
use crate::debuggee::Debuggee;
use crate::signals;
use capvec_linux::ResumeRequest;
use gdbstub::common::{Signal, Tid};
use gdbstub::target::ext::base::multithread::{
    MultiThreadRangeStepping, MultiThreadRangeSteppingOps, MultiThreadResume,
    MultiThreadSchedulerLocking, MultiThreadSchedulerLockingOps, MultiThreadSingleStep,
    MultiThreadSingleStepOps,
};
use std::convert::Infallible;

impl<D: Debuggee> Guest<'_, D> {
    /// gdb names the threads for which it wants something special; all others continue.
    fn named(&mut self, tid: Tid, signal: Option<Signal>) -> i32 {
        let tid = tid.get() as i32;
        self.request.first.get_or_insert(tid);
        if let Some(signal) = signal.and_then(signals::to_linux) {
            self.request.signal = Some((tid, signal));
        }
        tid
    }
}

impl<D: Debuggee> MultiThreadResume for Guest<'_, D> {
    /// The session resumes the guest, since it waits for the connection meanwhile.
    fn resume(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> Result<(), Infallible> {
        (self.request, self.range) = (ResumeRequest::default(), None);
        Ok(())
    }

    fn set_resume_action_continue(
        &mut self,
        tid: Tid,
        signal: Option<Signal>,
    ) -> Result<(), Infallible> {
        self.named(tid, signal);
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_range_step(&mut self) -> Option<MultiThreadRangeSteppingOps<'_, Self>> {
        Some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }
}

impl<D: Debuggee> MultiThreadSingleStep for Guest<'_, D> {
    fn set_resume_action_step(
        &mut self,
        tid: Tid,
        signal: Option<Signal>,
    ) -> Result<(), Infallible> {
        let tid = self.named(tid, signal);
        self.request.step = Some(tid);
        Ok(())
    }
}

impl<D: Debuggee> MultiThreadRangeStepping for Guest<'_, D> {
    fn set_resume_action_range_step(
        &mut self,
        tid: Tid,
        start: u64,
        end: u64,
    ) -> Result<(), Infallible> {
        let tid = self.named(tid, None);
        (self.request.step, self.range) = (Some(tid), Some(start..end));
        Ok(())
    }
}

impl<D: Debuggee> MultiThreadSchedulerLocking for Guest<'_, D> {
    /// The thread that gdb names runs first. If it cannot run, the others do: a thread that is never scheduled again
    /// could be the one that it waits for.
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
