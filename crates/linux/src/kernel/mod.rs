//! The emulated kernel: scheduling, traps, signals and system calls. This file gives access to the parts of its state.

mod config;
pub mod exec;
pub mod exit;
pub mod fs_platform;
mod proc_source;
mod registers;
pub mod run;
mod scheduling;
pub mod signal_delivery;
mod state;
pub mod sys;
mod tasks;
pub mod time;
pub mod tracing;
pub mod trap;

pub use config::check_config;
pub use scheduling::{HostInput, Schedule};
pub use state::{Core, Files, MemoryState, Network};
pub use tasks::Tasks;

use crate::base::cred::Cred;
use crate::base::errno::Errno;
use crate::fs::{Caller, FileRef, Processes, Vfs};
use crate::kernel::fs_platform::Devices;
use crate::kernel::run::Run;
use crate::kernel::sys::Args;
use crate::kernel::time::CpuTime;
use crate::kernel::tracing::debugger::Debugger;
use crate::kernel::tracing::profiler::Profiler;
use crate::process::thread::{Block, Call, Restart, Thread, Wait, Wake};
use crate::process::{FsContext, Process};
use crate::space::{GuestMemory, Space};
use crate::sysv_ipc::Ipc;
use capvec_sim::calls::Used;
use capvec_sim::{Engine, Hart};
use std::cell::{RefCell, RefMut};
use std::rc::Rc;

/// How a system call ends without returning a value.
#[derive(Debug)]
pub enum Abort {
    /// With an error.
    Errno(Errno),
    /// Not yet: the thread waits, then the call is made again.
    Block(Block),
    /// Without a return value: it has replaced the registers, or ended the thread.
    NoReturn,
}

impl From<Errno> for Abort {
    fn from(e: Errno) -> Abort {
        Abort::Errno(e)
    }
}

/// The result of a system call.
pub type Sys = Result<u64, Abort>;

/// The emulated system.
pub struct Kernel {
    /// The modelled core, with the registers of the current thread.
    pub hart: Hart,
    /// The engine that executes instructions.
    pub engine: Box<dyn Engine>,
    /// The core, and what programs may know of it.
    pub core: Core,
    /// Clocks and random bytes.
    pub devices: Rc<Devices>,
    /// Guest memory.
    pub memory: MemoryState,
    /// Processes and threads.
    pub tasks: Tasks,
    /// Which thread runs when.
    pub sched: Schedule,
    /// Files.
    pub files: Files,
    /// System V IPC.
    pub ipc: Ipc,
    /// Sockets beyond `AF_UNIX`.
    pub network: Network,
    /// Input and interrupts from the host.
    pub host: HostInput,
    /// The run as a whole.
    pub run: Run,
    /// The recorder of its profile.
    pub profiler: Profiler,
    /// Its debugger.
    pub debugger: Debugger,
}

impl Kernel {
    /// The current thread. Only called while there is one: from system calls and signal delivery.
    pub fn thread(&self) -> &Thread {
        self.tasks.thread()
    }

    /// The current thread, mutably.
    pub fn thread_mut(&mut self) -> &mut Thread {
        self.tasks.thread_mut()
    }

    /// The current process.
    pub fn process(&self) -> &Process {
        self.tasks.process()
    }

    /// The current process, mutably.
    pub fn process_mut(&mut self) -> &mut Process {
        self.tasks.process_mut()
    }

    /// The current thread's credentials.
    pub fn cred(&self) -> &Rc<Cred> {
        self.tasks.cred()
    }

    /// Checks that the current thread has a capability.
    ///
    /// # Errors
    /// `EPERM`.
    pub fn need(&self, cap: u32) -> Result<(), Errno> {
        if self.cred().has(cap) { Ok(()) } else { Err(Errno::EPERM) }
    }

    /// The current address space.
    pub fn space(&self) -> RefMut<'_, Space> {
        self.process().space.borrow_mut()
    }

    /// The memory of the current process, as system calls access it.
    pub fn guest(&self) -> GuestMemory<'_> {
        self.tasks.guest()
    }

    /// An open file of the current process.
    ///
    /// # Errors
    /// `EBADF`.
    pub fn file(&self, fd: i32) -> Result<FileRef, Errno> {
        self.process().fds.borrow().get(fd)
    }

    /// A copy of the current process's directory and mask, for `with_caller`.
    pub fn fs_context(&self) -> FsContext {
        self.process().fs.borrow().clone()
    }

    /// Calls `f` with the file system and the current thread as its caller.
    pub fn with_caller<T>(&self, f: impl FnOnce(&Vfs, &Caller<'_>) -> T) -> T {
        let process = self.process();
        let fs = self.fs_context();
        let caller = Caller {
            pid: process.pid,
            tid: self.tasks.current,
            cwd: &fs.cwd,
            umask: fs.umask,
            cred: self.cred(),
            fds: &process.fds,
            procs: self as &dyn Processes,
        };
        f(&self.files.vfs, &caller)
    }

    /// Installs a description at the lowest free descriptor.
    ///
    /// # Errors
    /// `EMFILE`.
    pub fn install(&self, file: FileRef, flags: u32) -> Sys {
        Ok(self.process().fds.borrow_mut().insert(file, flags)? as u64)
    }

    /// Now, in nanoseconds of the monotonic clock.
    pub fn now(&self) -> u64 {
        self.devices.clock.monotonic()
    }

    /// CPU time, now.
    pub fn cpu_time(&self) -> CpuTime<'_> {
        let clock = &self.devices.clock;
        let unaccounted = clock.cpu_base(self.hart.cycles).saturating_sub(self.sched.accounted);
        CpuTime { clock, tasks: &self.tasks, unaccounted }
    }

    /// Why the system call in flight has been called, for the first time or again.
    pub fn wake(&self) -> Wake {
        self.thread().call.map_or(Wake::First, |c| c.wake)
    }

    /// The system call in flight, to record its progress.
    pub fn call_mut(&mut self) -> &mut Call {
        self.thread_mut().call.as_mut().expect("a system call is in flight")
    }

    /// Suspends the call: it waits for `on`, until its deadline if it has one.
    pub fn wait(&mut self, on: Wait, restart: Restart) -> Sys {
        let until = self.call_mut().until;
        Err(Abort::Block(Block { on, until, restart }))
    }

    /// Sets the call's deadline to `timeout` nanoseconds after its first invocation.
    pub fn set_timeout(&mut self, timeout: u64) {
        let now = self.now();
        self.set_deadline(now.saturating_add(timeout));
    }

    /// Sets the call's deadline, unless the first invocation has set it.
    pub fn set_deadline(&mut self, at: u64) {
        self.call_mut().until.get_or_insert(at);
    }

    /// Passes on what the system call in flight has acted on so far. A call that ends its thread or replaces its memory
    /// calls this first.
    pub fn report_use(&self, a: &Args) {
        let used = Used { arguments: a.take_used(), memory: self.tasks.reads.take() };
        self.profiler.acted(&self.hart, &used);
    }

    /// Process `pid` releases an address space; the engine forgets it when no other process has it.
    pub fn release_space(&mut self, space: Rc<RefCell<Space>>, pid: i32) {
        if Rc::strong_count(&space) == 1 {
            self.ipc.detach_segments(&space.borrow(), pid, self.devices.clock.seconds());
            let id = space.borrow().mem.id();
            self.engine.forget(id);
            self.profiler.forget(id);
        }
    }
}
