//! The parts of the kernel's state.

use super::config::{Concealed, Net, Notify};
use super::notice::Notice;
use super::requests::Debugging;
use super::status::Status;
use crate::fs::{FileRef, OpenFile, Vfs};
use crate::netlink::Ports;
use crate::process::futex_queue::Futexes;
use crate::process::timer_queue::Timers;
use crate::space::{Account, SharedFiles, Space};
use capvec_isa::ExtSet;
use capvec_isa::capability::Misaligned;
use capvec_sim::Config;
use capvec_sim::calls::Follower;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Maximum number of notices of killed processes and unknown calls.
const MAX_NOTICES: usize = 1000;

/// Maximum number of unknown system calls that are reported: a guest can invent any number of them.
const MAX_REPORTED: usize = 1000;

/// The core, and what of it programs may know.
pub struct Core {
    /// Its configuration with all its extensions: a process may have turned some off.
    pub config: Arc<Config>,
    /// Features that are not reported to programs.
    pub concealed: Concealed,
    /// Its name for `/proc/cpuinfo`.
    pub name: String,
    /// Speed of misaligned scalar and vector accesses.
    pub misaligned: [Misaligned; 2],
}

impl Core {
    /// The extensions that programs may know of: without the concealed ones, and without those that imply one of them.
    pub fn visible_exts(&self, config: &Config) -> ExtSet {
        let hidden = self.concealed.exts;
        let reveals = |e: &capvec_isa::Ext| ExtSet::of(&[*e]).closed().intersects(hidden);
        config.exts.iter().filter(|e| !reveals(e)).collect()
    }
}

/// Guest memory.
pub struct MemoryState {
    /// The memory account, and the host's request to stop.
    pub account: Rc<Account>,
    /// The address space of processes that have ended.
    pub no_space: Rc<RefCell<Space>>,
}

/// The state of the scheduler.
pub struct Schedule {
    /// The run queue.
    pub ready: VecDeque<i32>,
    /// Deadlines of waits, and timers.
    pub timers: Timers,
    /// Threads that wait for futexes.
    pub futexes: Futexes,
    /// Retired instructions after which another thread runs.
    pub quantum: u64,
    /// The current thread has given up the rest of its quantum.
    pub yielded: bool,
    /// Cycles per instruction in the last run of the engine, rounded up.
    pub pace: u64,
    /// The quantum in which a debugger has stopped the current thread.
    pub interrupted: Option<Quantum>,
    /// `cpu_base()` when CPU time was last accounted.
    pub accounted: u64,
    /// Cycles in which no thread ran.
    pub idle_cycles: u64,
}

/// The rest of a quantum.
pub struct Quantum {
    /// `hart.instret` at its end.
    pub end: u64,
    /// The run of the engine that was interrupted, if one was.
    pub slice: Option<Slice>,
}

/// A run of the engine between two checks.
#[derive(Clone, Copy)]
pub struct Slice {
    /// `hart.instret` at its end.
    pub until: u64,
    /// `hart.instret` and `hart.cycles` at its start.
    pub start: (u64, u64),
}

/// Files.
pub struct Files {
    /// The file system.
    pub vfs: Vfs,
    /// Shared mappings of files.
    pub mapped: SharedFiles,
    /// `Vfs::activity` when the waiting threads were last checked.
    pub seen_activity: u64,
}

/// Sockets beyond `AF_UNIX`.
pub struct Network {
    /// Sockets that the guest can make.
    pub allowed: Net,
    /// Ports of sockets of `AF_NETLINK`.
    pub netlink_ports: Ports,
}

/// Input and interrupts from the host.
pub struct Host {
    /// Open files whose input comes from the host.
    pub files: Vec<Weak<OpenFile>>,
    /// `hart.instret` when input from the host was last checked.
    pub seen: u64,
    /// Since when all threads have been waiting for the host, if they are.
    pub waiting_since: Option<Instant>,
    /// Set when the host's user interrupts.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Host {
    /// Those of the open files that have not been closed.
    pub fn open_files(&self) -> Vec<FileRef> {
        self.files.iter().filter_map(Weak::upgrade).collect()
    }
}

/// The run as a whole.
pub struct Run {
    /// Its profile, if there is to be one.
    pub profile: Option<Profiling>,
    /// The debugger's requests, if there is one.
    pub debug: Option<Debugging>,
    /// Retired instructions after which it ends.
    pub max_insns: u64,
    /// How it ended, once it has.
    pub outcome: Option<Status>,
    /// Number of programs started.
    pub programs: u64,
    /// Notices so far.
    pub notices: Vec<Notice>,
    /// Receives notices as they arise.
    pub notify: Option<Notify>,
    /// Numbers of unknown system calls that have been reported.
    pub reported: BTreeSet<u64>,
}

impl Run {
    /// Passes a notice to the user.
    pub fn report(&mut self, notice: Notice) {
        // A guest can cause any number of these.
        let counted = matches!(notice, Notice::UnknownCall { .. } | Notice::Killed { .. });
        if counted && self.notices.len() >= MAX_NOTICES {
            return;
        }
        if let Some(notify) = &mut self.notify {
            notify(&notice);
        }
        self.notices.push(notice);
    }

    /// Ends the run because of a limit.
    pub fn stop(&mut self, status: Status, why: &'static str) {
        if self.outcome.is_none() {
            self.outcome = Some(status);
            self.report(Notice::Limit(why));
        }
    }

    /// Passes a notice of an unknown system call to the user, once for each number.
    pub fn report_unknown_call(&mut self, number: u64, name: Option<&'static str>) {
        if self.reported.len() < MAX_REPORTED && self.reported.insert(number) {
            self.report(Notice::UnknownCall { number, name });
        }
    }
}

/// The recorder of a run's profile.
pub struct Profiling {
    pub(super) recorder: Rc<RefCell<dyn Follower>>,
    /// `Memory::code_version` of each address space when its areas were last passed on.
    pub(super) versions: HashMap<u64, u64>,
}

impl Profiling {
    /// Nothing has been passed on.
    pub fn new(recorder: Rc<RefCell<dyn Follower>>) -> Profiling {
        Profiling { recorder, versions: HashMap::new() }
    }
}
