//! Numbers of signals: gdb has its own (include/gdb/signals.def), the guest those of Linux (asm-generic/signal.h).

use gdbstub::common::Signal;

/// Linux's signals 1 to 31, in order.
const STANDARD: [Signal; 31] = [
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGILL,
    Signal::SIGTRAP,
    Signal::SIGABRT,
    Signal::SIGBUS,
    Signal::SIGFPE,
    Signal::SIGKILL,
    Signal::SIGUSR1,
    Signal::SIGSEGV,
    Signal::SIGUSR2,
    Signal::SIGPIPE,
    Signal::SIGALRM,
    Signal::SIGTERM,
    // SIGSTKFLT, which gdb does not know and Linux does not send.
    Signal::UNKNOWN,
    Signal::SIGCHLD,
    Signal::SIGCONT,
    Signal::SIGSTOP,
    Signal::SIGTSTP,
    Signal::SIGTTIN,
    Signal::SIGTTOU,
    Signal::SIGURG,
    Signal::SIGXCPU,
    Signal::SIGXFSZ,
    Signal::SIGVTALRM,
    Signal::SIGPROF,
    Signal::SIGWINCH,
    Signal::SIGIO,
    Signal::SIGPWR,
    Signal::SIGSYS,
];

/// gdb's number of a signal of Linux.
pub fn to_gdb(signal: i32) -> Signal {
    match signal {
        1..=31 => STANDARD[signal as usize - 1],
        32 => Signal::SIG32,
        33..=63 => Signal(Signal::SIG33.0 + (signal - 33) as u8),
        64 => Signal::SIG64,
        _ => Signal::UNKNOWN,
    }
}

/// Linux's number of a signal of gdb, if it has one.
pub fn to_linux(signal: Signal) -> Option<i32> {
    (1..=64).find(|linux| to_gdb(*linux) == signal && signal != Signal::UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::{to_gdb, to_linux};
    use gdbstub::common::Signal;

    /// Names and numbers as in asm-generic/signal.h and include/gdb/signals.def.
    #[test]
    fn numbers_of_linux_and_gdb() {
        for (linux, gdb) in [(1, 1), (7, 10), (10, 30), (12, 31), (17, 20), (31, 12), (32, 77)] {
            assert_eq!(to_gdb(linux), Signal(gdb), "{linux}");
        }
        assert_eq!((to_gdb(33), to_gdb(63), to_gdb(64)), (Signal(45), Signal(75), Signal(78)));
        for linux in (1..=64).filter(|linux| *linux != 16) {
            assert_eq!(to_linux(to_gdb(linux)), Some(linux));
        }
        assert_eq!((to_linux(Signal::UNKNOWN), to_linux(Signal(200))), (None, None));
        assert_eq!(
            (to_gdb(0), to_gdb(-1), to_gdb(65)),
            (Signal::UNKNOWN, Signal::UNKNOWN, Signal::UNKNOWN)
        );
    }
}
