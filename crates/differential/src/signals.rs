//! Signals that programs receive, and known differences between them.

use crate::layout::{CODE, RESULT};
use std::fmt;

/// A signal that the program received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Its number.
    pub number: u32,
    /// si_code.
    pub code: i32,
    /// si_addr.
    pub addr: u64,
    /// pc at the time.
    pub pc: u64,
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.number {
            4 => "SIGILL",
            5 => "SIGTRAP",
            7 => "SIGBUS",
            8 => "SIGFPE",
            11 => "SIGSEGV",
            _ => "signal",
        };
        let Signal { code, addr, pc, .. } = self;
        write!(f, "{name} code {code} addr {addr:#x} at {pc:#x}")
    }
}

/// A difference in a signal's details that is not capvec's fault.
pub struct KnownSignal {
    /// Its name in the report.
    pub name: &'static str,
    /// Why it is not a fault.
    pub reason: &'static str,
    /// Whether the oracle's signal may stand for capvec's.
    matches: fn(Signal, Signal) -> bool,
}

/// All known differences of signals.
pub const KNOWN_SIGNALS: &[KnownSignal] = &[
    KnownSignal {
        name: "si_addr of non-canonical addresses",
        reason: "An access to an address that the host's processor cannot translate gives QEMU a fault \
                 without address: si_addr is 0, and the signal may be SIGBUS.",
        matches: |here, oracle| here.addr.saturating_add(8) >> 47 != 0 && oracle.addr == 0,
    },
    KnownSignal {
        name: "si_addr of misaligned accesses",
        reason: "QEMU performs a misaligned or vector access as wider aligned ones of the host, and reports \
                 the address of the one that faulted.",
        matches: |here, oracle| {
            here.addr & !15 == oracle.addr & !15 && Signal { addr: oracle.addr, ..here } == oracle
        },
    },
    KnownSignal {
        name: "si_code between the harness's segments",
        reason: "QEMU maps the gap between an executable's segments without access rights; in capvec \
                 it is not mapped.",
        matches: |here, oracle| {
            let inside = (CODE..RESULT + (1 << 30)).contains(&here.addr);
            // As above, QEMU may report the address of a wider aligned access.
            let near = here.addr & !15 == oracle.addr & !15;
            inside && near && Signal { code: oracle.code, addr: oracle.addr, ..here } == oracle
        },
    },
    KnownSignal {
        name: "si_addr of cbo.zero",
        reason: "A fault of a cache-block instruction reports the address in rs1 (Unprivileged ISA manual, \
                 \"CMO\", Traps); QEMU reports the start of the block.",
        matches: |here, oracle| {
            here.addr & !63 == oracle.addr && Signal { addr: oracle.addr, ..here } == oracle
        },
    },
];

/// The known differences that explain two lists of signals; `None` if something is unexplained.
pub fn known(here: &[Signal], oracle: &[Signal]) -> Option<Vec<&'static str>> {
    if here.len() != oracle.len() {
        return None;
    }
    let different = here.iter().zip(oracle).filter(|(a, b)| a != b);
    let known = different.map(|(a, b)| {
        let known = KNOWN_SIGNALS.iter().find(|k| (k.matches)(*a, *b));
        known.filter(|_| a.pc == b.pc).map(|k| k.name)
    });
    known.collect()
}
