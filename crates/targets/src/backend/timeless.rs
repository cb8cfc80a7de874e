//! Whether a recorded process may have done something that depends on time.

use capvec_linux::call_name;
use capvec_timing::replay::{Counter, Process};

/// System calls whose results and effects do not depend on time as drivers make them: they open no file of `/proc` that has
/// times, and wait for processes without asking for their times.
const CALLS: [&str; 45] = [
    "brk",
    "clone",
    "close",
    "dup3",
    "execve",
    "exit",
    "exit_group",
    "faccessat",
    "fcntl",
    "fstat",
    "futex",
    "getcwd",
    "getdents64",
    "getegid",
    "geteuid",
    "getgid",
    "getpid",
    "getppid",
    "getrandom",
    "gettid",
    "getuid",
    "ioctl",
    "lseek",
    "madvise",
    "mmap",
    "mprotect",
    "mremap",
    "munmap",
    "newfstatat",
    "openat",
    "pipe2",
    "pread64",
    "prlimit64",
    "read",
    "readlinkat",
    "readv",
    "riscv_hwprobe",
    "rseq",
    "rt_sigaction",
    "rt_sigprocmask",
    "set_robust_list",
    "set_tid_address",
    "wait4",
    "write",
    "writev",
];

/// Whether nothing that the process did until it last read a counter can depend on time, unless on the values of `cycle`, or on
/// the clock if `clock`.
pub fn is_timeless(process: &Process, clock: bool) -> bool {
    let timeless = |name| CALLS.contains(&name) || clock && name == "clock_gettime";
    let mut calls = process.calls.iter().map(|call| call_name(*call));
    process.whole && !process.reads.contains(&Counter::Time) && calls.all(timeless)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(calls: &[u64], reads: &[Counter]) -> Process {
        let mut process = Process::default();
        process.calls.extend(calls);
        process.reads.extend(reads);
        process.whole = true;
        process
    }

    #[test]
    fn clocks_are_not_timeless() {
        let [write, clock_gettime, nanosleep] = [64, 113, 101];
        let counters = [Counter::Instret, Counter::Cycle];
        assert!(is_timeless(&process(&[write], &counters), false));
        assert!(!is_timeless(&process(&[write, clock_gettime], &[]), false));
        assert!(is_timeless(&process(&[write, clock_gettime], &[]), true));
        assert!(!is_timeless(&process(&[nanosleep], &[]), true));
        assert!(!is_timeless(&process(&[], &[Counter::Time]), true));
        assert!(!is_timeless(&Process::default(), true), "not whole");
    }

    #[test]
    fn calls_are_known_by_their_names() {
        for call in CALLS {
            assert!((0..512).any(|n| call_name(n) == call), "{call}");
        }
        assert!(CALLS.is_sorted());
    }
}
