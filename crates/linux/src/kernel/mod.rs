//! The state of the emulated system, and how its parts are reached.

pub mod clock;
mod config;
pub mod exec;
mod fault;
mod idle;
pub mod life;
pub mod notice;
pub mod proc_source;
mod process_timers;
mod sched;
pub mod signals;
pub mod sys;
mod trap;
mod user_memory;

pub use config::{ClockMode, Concealed, Net, Notify};

use crate::base::errno::Errno;
use crate::fs::{Caller, FileRef, OpenFile, ProcSource, Vfs};
use crate::ipc::Ipc;
use crate::kernel::clock::Devices;
use crate::kernel::notice::Notice;
use crate::netlink::Ports;
use crate::process::futex::Futexes;
use crate::process::thread::{Block, Call, Restart, Thread, Wait, Wake};
use crate::process::timer_queue::Timers;
use crate::process::{FsContext, Process};
use crate::space::{Account, SharedFiles, Space};
use capvec_isa::ExtSet;
use capvec_isa::capability::Misaligned;
use capvec_sim::{Config, Engine, Hart};
use std::cell::{RefCell, RefMut};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// How a system call ends that does not return a value.
#[derive(Debug)]
pub enum Abort {
    /// With an error.
    Errno(Errno),
    /// Not yet: the thread waits, and the call is made again.
    Block(Block),
    /// Not at all: it has replaced the registers, or the thread.
    NoReturn,
}

impl From<Errno> for Abort {
    fn from(e: Errno) -> Abort {
        Abort::Errno(e)
    }
}

/// What a system call returns.
pub type Sys = Result<u64, Abort>;

/// How the run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The first process exited with this code.
    Code(u8),
    /// A signal ended the first process.
    Signal(i32),
    /// The limit on retired instructions was reached.
    InstructionLimit,
    /// The limit on host time was reached.
    TimeLimit,
    /// The host asked the run to end, by this signal.
    Terminated(u8),
    /// Every thread waited for something that cannot happen.
    Deadlock,
}

impl Status {
    /// The exit status for a shell: 128 plus the signal; 124 when a limit was reached, as timeout(1).
    pub fn code(self) -> u8 {
        match self {
            Status::Code(c) => c,
            Status::Signal(s) => 128 + (s as u8 & 127),
            Status::InstructionLimit | Status::TimeLimit => 124,
            Status::Terminated(s) => 128 + (s & 127),
            Status::Deadlock => 125,
        }
    }
}

/// Most notices of processes that were ended and calls that are unknown.
const MOST_NOTICES: usize = 1000;

/// The emulated system.
pub struct Kernel {
    /// The modelled core, with the registers of the current thread.
    pub hart: Hart,
    /// What it is, with all its extensions: a process may have turned some off.
    pub machine_config: Arc<Config>,
    /// What programs are not told of it.
    pub concealed: Concealed,
    /// What runs it.
    pub engine: Box<dyn Engine>,
    /// Files.
    pub vfs: Vfs,
    /// Clocks and random bytes.
    pub devices: Rc<Devices>,
    /// Guest memory, and when the host wants the run to end.
    pub account: Rc<Account>,
    /// Shared mappings of files.
    pub shared_files: SharedFiles,
    /// What ended processes have for an address space.
    pub no_space: Rc<RefCell<Space>>,
    /// Threads that have not ended.
    pub threads: BTreeMap<i32, Thread>,
    /// Processes, with those that were not waited for.
    pub processes: BTreeMap<i32, Process>,
    /// The thread whose registers the hart holds; its entry in `threads` is gone when it has ended.
    pub current: i32,
    /// Threads that can run, in the order in which they will.
    pub ready: VecDeque<i32>,
    /// The number of the first process.
    pub first: i32,
    /// The number that the next thread gets.
    pub next_tid: i32,
    /// The process group in the terminal's foreground.
    pub foreground: i32,
    /// Waits with a limit, and timers.
    pub timers: Timers,
    /// Threads that wait for futexes.
    pub futexes: Futexes,
    /// System V IPC.
    pub ipc: Ipc,
    /// The current thread has given up the rest of its quantum.
    pub yielded: bool,
    /// `Vfs::activity` when the waiting threads were looked at last.
    pub seen_activity: u64,
    /// Cycles an instruction when the engine ran last, rounded up.
    pub pace: u64,
    /// `work` when the current thread's time was accounted last.
    pub accounted: u64,
    /// `hart.instret` when input from the host was looked for last.
    pub host_seen: u64,
    /// Since when all threads wait for the host, if they do.
    pub host_wait: Option<Instant>,
    /// Cycles in which no thread ran.
    pub idle_cycles: u64,
    /// Programs that were started.
    pub programs: u64,
    /// Retired instructions after which another thread goes on.
    pub quantum: u64,
    /// Retired instructions after which the run ends.
    pub max_insns: u64,
    /// Open files whose input comes from the host.
    pub host_files: Vec<Weak<OpenFile>>,
    /// Set when the host's user interrupts.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Sockets that the guest can make.
    pub net: Net,
    /// Ports of sockets of `AF_NETLINK`.
    pub netlink_ports: Ports,
    /// Name of the core for `/proc/cpuinfo`.
    pub core_name: String,
    /// How scalar and vector accesses that are misaligned do.
    pub misaligned: [Misaligned; 2],
    /// How the run ended, once it has.
    pub outcome: Option<Status>,
    /// What was told.
    pub notices: Vec<Notice>,
    /// Whom to tell.
    pub notify: Option<Notify>,
    /// Numbers of system calls that were reported.
    pub reported: BTreeSet<u64>,
}

impl Kernel {
    /// What programs are told that a hart has: without what is concealed, and without what would imply that.
    pub fn shown(&self, config: &Config) -> ExtSet {
        let hidden = self.concealed.exts;
        let tells = |e: &capvec_isa::Ext| ExtSet::of(&[*e]).closed().intersects(hidden);
        config.exts.iter().filter(|e| !tells(e)).collect()
    }

    /// The current thread. Only called while there is one: from system calls and signal delivery.
    pub fn thread(&self) -> &Thread {
        &self.threads[&self.current]
    }

    /// As `thread`, to change.
    pub fn thread_mut(&mut self) -> &mut Thread {
        self.threads.get_mut(&self.current).expect("the current thread exists while it runs")
    }

    /// The current process.
    pub fn process(&self) -> &Process {
        &self.processes[&self.thread().pid]
    }

    /// As `process`, to change.
    pub fn process_mut(&mut self) -> &mut Process {
        let pid = self.thread().pid;
        self.processes.get_mut(&pid).expect("a thread's process exists")
    }

    /// The current address space.
    pub fn space(&self) -> RefMut<'_, Space> {
        self.process().space.borrow_mut()
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

    /// Calls `f` as the current thread.
    pub fn with_caller<T>(&self, f: impl FnOnce(&Vfs, &Caller<'_>) -> T) -> T {
        let process = self.process();
        let fs = self.fs_context();
        let caller = Caller {
            pid: process.pid,
            tid: self.current,
            cwd: &fs.cwd,
            umask: fs.umask,
            cred: self.cred(),
            fds: &process.fds,
            procs: self as &dyn ProcSource,
        };
        f(&self.vfs, &caller)
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

    /// Why the system call in flight is called.
    pub fn wake(&self) -> Wake {
        self.thread().call.map_or(Wake::First, |c| c.wake)
    }

    /// The system call in flight, to keep its progress.
    pub fn call_mut(&mut self) -> &mut Call {
        self.thread_mut().call.as_mut().expect("a system call is in flight")
    }

    /// Ends the call for now: it waits for `on`, until the time that `limit` has fixed.
    pub fn wait(&mut self, on: Wait, restart: Restart) -> Sys {
        let until = self.call_mut().until;
        Err(Abort::Block(Block { on, until, restart }))
    }

    /// Fixes when the call gives up: `timeout` nanoseconds after its first invocation.
    pub fn limit(&mut self, timeout: u64) {
        let now = self.now();
        self.limit_at(now.saturating_add(timeout));
    }

    /// Fixes when the call gives up, unless its first invocation has.
    pub fn limit_at(&mut self, at: u64) {
        self.call_mut().until.get_or_insert(at);
    }

    /// Tells the user.
    pub fn tell(&mut self, notice: Notice) {
        // A guest can cause as many as it likes.
        let counted = matches!(notice, Notice::UnknownCall { .. } | Notice::Killed { .. });
        if counted && self.notices.len() >= MOST_NOTICES {
            return;
        }
        if let Some(notify) = &mut self.notify {
            notify(&notice);
        }
        self.notices.push(notice);
    }

    /// Process `pid` lets go of an address space; the engine forgets it when nobody else has it.
    pub fn release_space(&mut self, space: Rc<RefCell<Space>>, pid: i32) {
        if Rc::strong_count(&space) == 1 {
            self.detach_segments(&space.borrow(), pid);
            self.engine.forget(space.borrow().mem.id());
        }
    }
}
