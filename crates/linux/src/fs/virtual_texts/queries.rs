//! The queries of the virtual `/proc`, which the process layer answers (`kernel/proc_source.rs`).

use std::rc::Rc;

use crate::base::cred::Cred;

/// Identity and figures of one thread or process, for `stat` and `status`.
#[derive(Clone, Debug, Default)]
pub struct ProcInfo {
    /// Name of the program, at most 15 bytes.
    pub comm: Vec<u8>,
    /// State letter: `R`, `S`, `T` or `Z`.
    pub state: char,
    /// Parent process.
    pub ppid: i32,
    /// Process group.
    pub pgrp: i32,
    /// Session.
    pub session: i32,
    /// Threads of the process.
    pub threads: u32,
    /// User time in clock ticks (1/100 s).
    pub utime: u64,
    /// System time in clock ticks.
    pub stime: u64,
    /// Start after boot, in clock ticks.
    pub start_time: u64,
    /// Start of the program's text.
    pub start_code: u64,
    /// Start of the stack.
    pub start_stack: u64,
    /// Blocked, ignored and caught signals, as bit sets (bit n−1 is signal n).
    pub signals: [u64; 3],
    /// Signals that are pending for the thread and for the process, as bit sets.
    pub pending: [u64; 2],
    /// File mode creation mask.
    pub umask: u32,
    /// Soft and hard limit of each resource; `u64::MAX` is none.
    pub limits: [(u64, u64); 16],
    /// Size of the descriptor table.
    pub fd_size: usize,
}

/// The memory of a process in bytes, as `struct mm_struct` of Linux counts it. Every page that is mapped is resident.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryUse {
    /// Private memory without a file.
    pub anonymous: u64,
    /// Mappings of files. It is not known which private pages a program has written, so these count as the file's.
    pub file: u64,
    /// Shared memory without a file.
    pub shared: u64,
    /// What is writable, private and not the stack.
    pub data: u64,
    /// The stack.
    pub stack: u64,
    /// Code of the program itself.
    pub text: u64,
    /// Other code.
    pub libraries: u64,
}

impl MemoryUse {
    /// All that is mapped.
    #[must_use]
    pub fn mapped(&self) -> u64 {
        self.anonymous + self.file + self.shared
    }
}

/// One line of `/proc/PID/maps`.
#[derive(Clone, Debug)]
pub struct Mapping<'a> {
    /// First address.
    pub start: u64,
    /// The first address after it.
    pub end: u64,
    /// Such as `r-xp`.
    pub perms: [u8; 4],
    /// Offset in the file.
    pub offset: u64,
    /// Device and inode number of the file, 0 without one.
    pub dev_ino: (u64, u64),
    /// Guest path of the file, or `[heap]`, `[stack]`, `[vdso]`, or empty.
    pub path: &'a [u8],
}

/// Figures of the whole machine.
#[derive(Clone, Debug, Default)]
pub struct SystemInfo {
    /// Time since boot in nanoseconds.
    pub uptime_ns: u64,
    /// Boot time in seconds since the epoch.
    pub boot_time: i64,
    /// Memory in all, in bytes.
    pub mem_total: u64,
    /// Free memory in bytes.
    pub mem_free: u64,
    /// Number of harts.
    pub cpus: u32,
    /// Release of the emulated kernel, such as `6.12.0`; the same as `uname` returns.
    pub release: String,
    /// Version string of the kernel, as `uname` returns.
    pub version: String,
    /// Host name, as `uname` returns.
    pub hostname: String,
    /// The ISA string that `/proc/cpuinfo` shows.
    pub isa: String,
    /// The core's microarchitecture, for `/proc/cpuinfo`.
    pub uarch: String,
}

/// The process layer as `/proc` sees it. Contents are taken when a file is opened. `None` means
/// that there is no such process.
pub trait ProcSource {
    /// The machine.
    fn system(&self) -> SystemInfo;
    /// Every process, ascending.
    fn pids(&self) -> Vec<i32>;
    /// Every thread of a process, ascending; empty when there is no such process.
    fn tids(&self, pid: i32) -> Vec<i32>;
    /// Figures of a thread; of the process when `tid` equals `pid`.
    fn info(&self, pid: i32, tid: i32) -> Option<ProcInfo>;
    /// Credentials of a thread; of the process when `tid` equals `pid`.
    fn cred(&self, pid: i32, tid: i32) -> Option<Rc<Cred>>;
    /// Memory of a process.
    fn memory(&self, pid: i32) -> Option<MemoryUse>;
    /// Signals that are queued for the threads and processes of a user, as they count for `RLIMIT_SIGPENDING`.
    fn queued_signals(&self, user: u32) -> usize;
    /// Memory map, one mapping after the other.
    fn maps(&self, pid: i32, each: &mut dyn FnMut(&Mapping<'_>)) -> Option<()>;
    /// Arguments, each terminated by NUL, or what the program has written over them; empty for a zombie.
    fn cmdline(&self, pid: i32) -> Option<Vec<u8>>;
    /// Initial environment, each string terminated by NUL; like the arguments, as it is in memory.
    fn environ(&self, pid: i32) -> Option<Vec<u8>>;
    /// Auxiliary vector as in the process's memory.
    fn auxv(&self, pid: i32) -> Option<Vec<u8>>;
    /// Guest path of the program.
    fn exe(&self, pid: i32) -> Option<Vec<u8>>;
    /// The System V objects of a kind, for `/proc/sysvipc`.
    fn sysvipc(&self, kind: SysvKind) -> Vec<u8>;
    /// The sockets of a family and protocol, for `/proc/net`.
    fn inet_sockets(&self, table: InetTable) -> Vec<u8>;
    /// The sockets other than local ones, by kind.
    fn socket_counts(&self) -> SocketCounts {
        SocketCounts::default()
    }
}

/// The three kinds of objects of System V IPC, as `/proc/sysvipc` lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SysvKind {
    /// Message queues.
    Messages,
    /// Semaphore sets.
    Semaphores,
    /// Shared memory segments.
    Segments,
}

/// The tables of sockets of the internet families in `/proc/net`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InetTable {
    /// TCP over IPv4.
    Tcp,
    /// TCP over IPv6.
    Tcp6,
    /// UDP over IPv4.
    Udp,
    /// UDP over IPv6.
    Udp6,
}

/// Numbers of sockets, for `/proc/net/sockstat` and `/proc/net/snmp`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SocketCounts {
    /// All but local ones.
    pub open: usize,
    /// TCP, whether in a table or not.
    pub tcp: usize,
    /// Connections that can transfer data, at least in one direction (`TCP_ESTABLISHED`, `TCP_CLOSE_WAIT`).
    pub established: usize,
    /// Those in the tables of TCP over IPv4, over IPv6, UDP over IPv4, over IPv6.
    pub listed: [usize; 4],
}

/// A machine with one process without any details; for tests and for use before the first process
/// exists.
#[derive(Debug, Default)]
pub struct SingleProcess {
    /// Guest path of the program.
    pub exe: Vec<u8>,
}

impl SingleProcess {
    /// Number of the only process.
    pub const PID: i32 = 1;

    fn only<T>(pid: i32, value: T) -> Option<T> {
        (pid == Self::PID).then_some(value)
    }
}

impl ProcSource for SingleProcess {
    fn system(&self) -> SystemInfo {
        SystemInfo {
            cpus: 1,
            mem_total: 1 << 30,
            mem_free: 1 << 29,
            release: "6.12.0".into(),
            version: "#1 SMP".into(),
            hostname: "capvec".into(),
            ..SystemInfo::default()
        }
    }

    fn pids(&self) -> Vec<i32> {
        vec![Self::PID]
    }

    fn tids(&self, pid: i32) -> Vec<i32> {
        Self::only(pid, vec![pid]).unwrap_or_default()
    }

    fn info(&self, pid: i32, _tid: i32) -> Option<ProcInfo> {
        let comm = self.exe.rsplit(|&b| b == b'/').next().unwrap_or_default().to_vec();
        Self::only(
            pid,
            ProcInfo { comm, state: 'R', threads: 1, fd_size: 64, ..ProcInfo::default() },
        )
    }

    fn cred(&self, pid: i32, _tid: i32) -> Option<Rc<Cred>> {
        Self::only(pid, Rc::new(Cred::root()))
    }

    fn memory(&self, pid: i32) -> Option<MemoryUse> {
        Self::only(pid, MemoryUse::default())
    }

    fn queued_signals(&self, _user: u32) -> usize {
        0
    }

    fn maps(&self, pid: i32, _: &mut dyn FnMut(&Mapping<'_>)) -> Option<()> {
        Self::only(pid, ())
    }

    fn cmdline(&self, pid: i32) -> Option<Vec<u8>> {
        Self::only(pid, [&self.exe[..], b"\0"].concat())
    }

    fn environ(&self, pid: i32) -> Option<Vec<u8>> {
        Self::only(pid, Vec::new())
    }

    fn auxv(&self, pid: i32) -> Option<Vec<u8>> {
        Self::only(pid, vec![0; 16])
    }

    fn exe(&self, pid: i32) -> Option<Vec<u8>> {
        Self::only(pid, self.exe.clone())
    }

    fn sysvipc(&self, kind: SysvKind) -> Vec<u8> {
        let _ = kind;
        Vec::new()
    }

    fn inet_sockets(&self, _table: InetTable) -> Vec<u8> {
        Vec::new()
    }
}
