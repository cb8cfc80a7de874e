//! What a debugger does to a machine while it is stopped. It debugs the first process.

use super::Machine;
use crate::interface::{Event, ResumeRequest, Status};
use crate::kernel::tracing::contents;
use capvec_sim::Hart;
use capvec_sim::debug::Controls;

impl Machine {
    /// Where runs of the first process are paused from now on. Returns false if the engine cannot pause them.
    pub fn set_controls(&mut self, controls: Controls) -> bool {
        if !self.kernel.engine.debug(&controls) {
            return false;
        }
        self.kernel.debugger.set_controls(controls);
        true
    }

    /// Continues the machine until something happens that a debugger wants to know. `poll` is called now and then, and
    /// returns true to stop the machine.
    pub fn resume(&mut self, how: ResumeRequest, poll: &mut dyn FnMut() -> bool) -> Event {
        self.kernel.run_debugged(how, poll)
    }

    /// Ends the debugging: `run` then continues without it.
    pub fn detach(&mut self) {
        self.kernel.debugger.detach(&mut *self.kernel.engine);
    }

    /// Ends the run: because of a limit or a request of the host if there is one, else as if this signal had ended the
    /// first process.
    pub fn end(&mut self, signal: i32) {
        self.kernel.check_host();
        self.kernel.run.outcome.get_or_insert(Status::Signal(signal));
    }

    /// Whether the host asks the run to end, or its time is over.
    pub fn must_stop(&self) -> bool {
        let host = &self.kernel.host;
        let interrupted = host.interrupt.as_ref();
        let interrupted = interrupted.is_some_and(|i| i.load(std::sync::atomic::Ordering::Relaxed));
        interrupted || self.kernel.memory.account.stop_request().must_stop()
    }

    /// The threads of the first process, the current one first.
    pub fn threads(&self) -> Vec<i32> {
        self.kernel.tasks.threads_of_first()
    }

    /// The name of a thread.
    pub fn thread_name(&self, tid: i32) -> Vec<u8> {
        self.kernel.tasks.threads.get(&tid).map_or_else(Vec::new, |t| t.comm.clone())
    }

    /// Calls `f` with the hart as this thread of the first process sees it. Returns false if there is no such thread.
    pub fn with_hart(&mut self, tid: i32, f: &mut dyn FnMut(&mut Hart)) -> bool {
        let k = &mut self.kernel;
        if !k.tasks.threads_of_first().contains(&tid) {
            return false;
        }
        let mem = k.tasks.processes.get(&k.tasks.first).map(|p| p.space.borrow().mem.clone());
        let Some(mem) = mem else { return false };
        let other = (tid != k.tasks.current).then_some(tid);
        let swap = |k: &mut crate::kernel::Kernel| {
            if let Some(thread) = other.and_then(|tid| k.tasks.threads.get_mut(&tid)) {
                thread.context.swap(&mut k.hart);
            }
        };
        swap(k);
        let running = std::mem::replace(&mut k.hart.mem, mem);
        f(&mut k.hart);
        k.hart.mem = running;
        swap(k);
        true
    }

    /// The auxiliary vector of the first process.
    pub fn auxv(&self) -> Vec<u8> {
        let process = self.kernel.tasks.processes.get(&self.kernel.tasks.first);
        process.map_or_else(Vec::new, |p| p.image.auxv.clone())
    }

    /// The path of the program of the first process, as the guest sees it.
    pub fn program(&self) -> Vec<u8> {
        let process = self.kernel.tasks.processes.get(&self.kernel.tasks.first);
        process.map_or_else(Vec::new, |p| p.image.path.clone())
    }

    /// The contents of a file that the guest sees, without any effect that the guest could notice.
    pub fn file(&self, path: &[u8]) -> Option<Vec<u8>> {
        self.kernel.tasks.threads.contains_key(&self.kernel.tasks.current).then_some(())?;
        self.kernel.with_caller(|vfs, c| contents(vfs, c, path))
    }

    /// The target of a symbolic link that the guest sees.
    pub fn link(&self, path: &[u8]) -> Option<Vec<u8>> {
        self.kernel.tasks.threads.contains_key(&self.kernel.tasks.current).then_some(())?;
        let at = crate::fs::abi::at::FDCWD;
        self.kernel.with_caller(|vfs, c| vfs.readlinkat(c, at, path)).ok()
    }
}
