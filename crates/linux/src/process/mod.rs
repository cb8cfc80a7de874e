//! Processes of the guest.

pub mod futex_queue;
pub mod rlimits;
pub mod thread;
pub mod timer_queue;
pub mod timers;

use crate::base::charge::Charge;
use crate::base::cred::Cred;
use crate::fs::{Dir, FdTable};
use crate::process::rlimits::Limits;
use crate::process::timers::ProcessTimers;
use crate::signal::{Actions, Pending};
use crate::space::Space;
use crate::sysv_ipc::UndoList;
use capvec_sim::Config;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// The parent of orphans. No such process exists here, and nobody waits for them.
pub const INIT: i32 = 1;

/// Working directory and file creation mask, which `CLONE_FS` shares.
#[derive(Clone)]
pub struct FsContext {
    /// Working directory.
    pub cwd: Dir,
    /// File mode creation mask.
    pub umask: u32,
}

/// The program that `execve` has loaded.
#[derive(Default)]
pub struct Image {
    /// Guest path.
    pub path: Vec<u8>,
    /// Where the arguments' strings are in memory.
    pub args: Range<u64>,
    /// Where the strings of the initial environment are.
    pub env: Range<u64>,
    /// The auxiliary vector's bytes.
    pub auxv: Vec<u8>,
    /// Initial stack pointer.
    pub stack: u64,
    /// Start of the program's first segment.
    pub code: u64,
    /// The charge for the path, and for the strings of arguments and environment that `execve` copies through the kernel.
    pub _charge: Option<Charge>,
}

/// How a process ended, as `wait4` encodes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By `exit`, with this code.
    Code(u8),
    /// By a signal. There is never a core dump, as with `RLIMIT_CORE` 0.
    Signal(i32),
}

impl Ended {
    /// The status word of `wait4`.
    pub fn word(self) -> i32 {
        match self {
            Ended::Code(c) => (c as i32) << 8,
            Ended::Signal(s) => s,
        }
    }
}

/// The state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It runs.
    Running,
    /// A signal has stopped it.
    Stopped(i32),
    /// It has ended and its parent has not waited for it.
    Zombie(Ended),
}

/// A process.
pub struct Process {
    /// Its number.
    pub pid: i32,
    /// Its parent.
    pub ppid: i32,
    /// Process group.
    pub pgid: i32,
    /// Session.
    pub sid: i32,
    /// Credentials of its main thread.
    pub cred: Rc<Cred>,
    /// Address space.
    pub space: Rc<RefCell<Space>>,
    /// Descriptors.
    pub fds: Rc<RefCell<FdTable>>,
    /// Working directory and mask.
    pub fs: Rc<RefCell<FsContext>>,
    /// Signal actions.
    pub actions: Rc<RefCell<Actions>>,
    /// Signals sent to the whole process.
    pub pending: Pending,
    /// Its threads.
    pub threads: BTreeSet<i32>,
    /// The signal sent to the parent at the end; 0 for none.
    pub exit_signal: i32,
    /// Its state.
    pub life: Life,
    /// A change of state that `wait4` has not reported: the signal that stopped it, or `SIGCONT`.
    pub unreported: Option<i32>,
    /// Its program.
    pub image: Rc<Image>,
    /// The name of its main thread, once that has ended.
    pub comm: Vec<u8>,
    /// Whether it has called `execve` since `fork`.
    pub has_execed: bool,
    /// The hart's configuration for this process.
    pub config: Arc<Config>,
    /// `PR_RISCV_V_SET_CONTROL`'s value.
    pub vector_control: u32,
    /// Adjustments of System V semaphores that are made when it ends.
    pub undo: Rc<UndoList>,
    /// Interval and POSIX timers.
    pub timers: ProcessTimers,
    /// Resource limits.
    pub limits: Limits,
    /// Signal at the death of the parent (`PR_SET_PDEATHSIG`); 0 for none.
    pub death_signal: i32,
    /// It adopts the orphans among its descendants (`PR_SET_CHILD_SUBREAPER`).
    pub subreaper: bool,
    /// Cycles of threads that have ended.
    pub past_cycles: u64,
    /// Cycles of children that have been waited for.
    pub child_cycles: u64,
    /// When it was created, in nanoseconds of the monotonic clock.
    pub started: u64,
    /// The charge for its descriptors and other records.
    pub _charge: Option<Charge>,
    /// The maximum of mapped bytes.
    pub peak_mapped: u64,
}

impl Process {
    /// Whether it has not ended.
    pub fn is_alive(&self) -> bool {
        !matches!(self.life, Life::Zombie(_))
    }
}
