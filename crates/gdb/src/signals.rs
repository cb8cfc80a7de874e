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
