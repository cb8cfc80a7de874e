//! Signal numbers, sets, queues (`include/uapi/asm-generic/signal.h`).

use std::collections::VecDeque;

/// Numbers of the standard signals.
#[allow(missing_docs)]
pub mod sig {
    pub const QUIT: i32 = 3;
    pub const INT: i32 = 2;
    pub const ILL: i32 = 4;
    pub const TRAP: i32 = 5;
    pub const ABRT: i32 = 6;
    pub const BUS: i32 = 7;
    pub const FPE: i32 = 8;
    pub const KILL: i32 = 9;
    pub const SEGV: i32 = 11;
    pub const PIPE: i32 = 13;
    pub const ALRM: i32 = 14;
    pub const CHLD: i32 = 17;
    pub const CONT: i32 = 18;
    pub const STOP: i32 = 19;
    pub const TSTP: i32 = 20;
    pub const TTIN: i32 = 21;
    pub const TTOU: i32 = 22;
    pub const URG: i32 = 23;
    pub const VTALRM: i32 = 26;
    pub const PROF: i32 = 27;
    pub const WINCH: i32 = 28;
    /// First real-time signal.
    pub const RTMIN: i32 = 32;
    /// Last signal.
    pub const MAX: i32 = 64;
}

const NAMES: [&str; 31] = [
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS",
];

/// A signal's name.
pub fn name(signal: i32) -> &'static str {
    usize::try_from(signal - 1)
        .ok()
        .and_then(|i| NAMES.get(i))
        .copied()
        .unwrap_or("a real-time signal")
}

/// A set of signals: bit n−1 is signal n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SigSet(pub u64);

impl SigSet {
    /// The empty set.
    pub const EMPTY: SigSet = SigSet(0);
    /// SIGKILL and SIGSTOP, which cannot be blocked or caught.
    pub const UNBLOCKABLE: SigSet = SigSet(1 << (sig::KILL - 1) | 1 << (sig::STOP - 1));
    /// Signals that stop a process by default.
    pub const STOPS: SigSet = SigSet(
        1 << (sig::STOP - 1) | 1 << (sig::TSTP - 1) | 1 << (sig::TTIN - 1) | 1 << (sig::TTOU - 1),
    );
    /// Synchronous signals, which are delivered first.
    const SYNCHRONOUS: SigSet = SigSet(
        1 << (sig::SEGV - 1)
            | 1 << (sig::BUS - 1)
            | 1 << (sig::ILL - 1)
            | 1 << (sig::TRAP - 1)
            | 1 << (sig::FPE - 1),
    );

    /// The set of only `signal`, which must be valid.
    pub const fn one(signal: i32) -> SigSet {
        SigSet(1 << (signal - 1))
    }

    /// Whether `signal` is in the set.
    pub const fn has(self, signal: i32) -> bool {
        signal >= 1 && self.0 >> (signal - 1) & 1 != 0
    }

    /// The union.
    pub const fn union(self, other: SigSet) -> SigSet {
        SigSet(self.0 | other.0)
    }

    /// The difference.
    pub const fn minus(self, other: SigSet) -> SigSet {
        SigSet(self.0 & !other.0)
    }

    /// The signal that is delivered first.
    pub fn first(self) -> Option<i32> {
        let urgent = self.0 & Self::SYNCHRONOUS.0;
        let from = if urgent != 0 { urgent } else { self.0 };
        (from != 0).then(|| from.trailing_zeros() as i32 + 1)
    }
}

/// Values of `si_code`.
#[allow(missing_docs)]
pub mod code {
    pub const USER: i32 = 0;
    pub const KERNEL: i32 = 0x80;
    pub const TIMER: i32 = -2;
    pub const TKILL: i32 = -6;
    pub const ILL_ILLOPC: i32 = 1;
    pub const BUS_ADRALN: i32 = 1;
    pub const SEGV_MAPERR: i32 = 1;
    pub const SEGV_ACCERR: i32 = 2;
    pub const TRAP_BRKPT: i32 = 1;
    pub const CLD_EXITED: i32 = 1;
    pub const CLD_KILLED: i32 = 2;
    pub const CLD_STOPPED: i32 = 5;
    pub const CLD_CONTINUED: i32 = 6;
}

/// The part of `siginfo_t` that depends on the kind of signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Sent by a process: its number and user.
    Sender(i32, u32),
    /// Raised by an instruction: the address.
    Fault(u64),
    /// A child's change: its number and user, status, user time in clock ticks.
    Child((i32, u32), i32, u64),
    /// A timer of `timer_create`: its number, overrun, value.
    Timer(i32, i32, u64),
    /// Given by the guest (`rt_sigqueueinfo`), from byte `RAW_AT` on; the number under which a follower of bytes keeps them.
    Raw([u8; RAW as usize], u64),
}

/// Where the guest's own part of `siginfo_t` begins, and how many bytes it has.
pub const RAW_AT: u64 = 12;
pub const RAW: u64 = 116;

/// A signal with its `siginfo_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SigInfo {
    /// 1..=64.
    pub signal: i32,
    /// `si_code`.
    pub code: i32,
    /// The part that depends on the kind of signal.
    pub detail: Detail,
}

/// Bytes of `siginfo_t`.
pub const SIGINFO_SIZE: usize = 128;

impl SigInfo {
    /// From the kernel, without detail.
    pub fn kernel(signal: i32) -> SigInfo {
        SigInfo { signal, code: code::KERNEL, detail: Detail::Sender(0, 0) }
    }

    /// The guest's encoding (`include/uapi/asm-generic/siginfo.h`).
    pub fn encode(&self) -> [u8; SIGINFO_SIZE] {
        let mut b = [0; SIGINFO_SIZE];
        let mut put = |at: usize, v: &[u8]| b[at..at + v.len()].copy_from_slice(v);
        put(0, &self.signal.to_le_bytes());
        put(8, &self.code.to_le_bytes());
        match self.detail {
            Detail::Sender(pid, uid) => {
                put(16, &pid.to_le_bytes());
                put(20, &uid.to_le_bytes());
            }
            Detail::Fault(addr) => put(16, &addr.to_le_bytes()),
            Detail::Child((pid, uid), status, utime) => {
                put(16, &pid.to_le_bytes());
                put(20, &uid.to_le_bytes());
                put(24, &status.to_le_bytes());
                put(32, &utime.to_le_bytes());
            }
            Detail::Timer(id, overrun, value) => {
                put(16, &id.to_le_bytes());
                put(20, &overrun.to_le_bytes());
                put(24, &value.to_le_bytes());
            }
            Detail::Raw(rest, _) => put(RAW_AT as usize, &rest),
        }
        b
    }
}

/// Pending signals.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    set: SigSet,
    queue: VecDeque<SigInfo>,
}

/// Maximum number of queued signals (`RLIMIT_SIGPENDING`).
const MAX_QUEUED: usize = 1024;

impl Pending {
    /// The set of pending signals.
    pub fn set(&self) -> SigSet {
        self.set
    }

    /// The number of queued signals.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Queues a signal: a standard signal only once, a real-time signal each time. False if the queue is full.
    pub fn push(&mut self, info: SigInfo) -> bool {
        if info.signal < sig::RTMIN && self.set.has(info.signal) {
            return true;
        }
        if self.queue.len() >= MAX_QUEUED {
            return false;
        }
        self.set = self.set.union(SigSet::one(info.signal));
        self.queue.push_back(info);
        true
    }

    /// Takes the first signal that is in `wanted`.
    pub fn take(&mut self, wanted: SigSet) -> Option<SigInfo> {
        let signal = SigSet(self.set.0 & wanted.0).first()?;
        let at = self.queue.iter().position(|i| i.signal == signal)?;
        let info = self.queue.remove(at)?;
        if !self.queue.iter().any(|i| i.signal == signal) {
            self.set = self.set.minus(SigSet::one(signal));
        }
        Some(info)
    }

    /// Removes all signals of the set.
    pub fn discard(&mut self, which: SigSet) {
        self.queue.retain(|i| !which.has(i.signal));
        self.set = self.set.minus(which);
    }
}
