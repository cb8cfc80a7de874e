//! Known differences from the oracle, each with its reason.

use crate::case::Case;
use crate::isolate::Found;
use crate::record::{Part, Record, Signal};
use crate::target::Target;
use capvec_isa::{Decoded, ExtSet, Op, decode};

/// A difference in one instruction, from a state that both sides agreed on.
pub struct Difference<'a> {
    /// The instruction and what it starts from.
    pub case: &'a Case,
    /// The instruction, if it is one here.
    pub insn: Option<Decoded>,
    /// The state behind it, here.
    pub here: Record<'a>,
    /// There.
    pub oracle: Record<'a>,
    /// Here, with the other agnostic policy.
    pub other: Record<'a>,
    /// Where they differ.
    pub parts: Vec<Part>,
}

impl<'a> Difference<'a> {
    /// Of a case that differs.
    pub fn new(found: &'a Found, target: Target) -> Difference<'a> {
        let records = [found.here(), found.oracle(), found.other()];
        Difference::of(&found.case, records, target)
    }

    /// Of a case and what it left: here, there, and here with the other agnostic policy.
    pub fn of(case: &'a Case, records: [Record<'a>; 3], target: Target) -> Self {
        let [here, oracle, other] = records;
        let word = case.words[case.words.len() - 1];
        let insn = decode(word, 64, target.exts).ok();
        Difference { case, insn, here, oracle, other, parts: here.differences(&oracle) }
    }
}

impl Difference<'_> {
    fn is(&self, ops: &[Op]) -> bool {
        self.insn.is_some_and(|d| ops.contains(&d.op))
    }

    fn only(&self, part: impl Fn(&Part) -> bool) -> bool {
        self.parts.iter().all(part)
    }

    /// Whether nothing differs but si_addr of SIGSEGV or SIGBUS, for which `permitted(here, oracle)` holds.
    fn only_si_addr(&self, permitted: impl Fn(u64, u64) -> bool) -> bool {
        let (here, oracle) = (self.here.signals(), self.oracle.signals());
        self.only(|p| *p == Part::Signals)
            && here.len() == oracle.len()
            && here.iter().zip(&oracle).all(|(a, b)| {
                let same = Signal { addr: b.addr, ..*a } == *b;
                same && (a.addr == b.addr || permitted(a.addr, b.addr))
            })
    }

    /// Whether every bit of the vector registers that differs depends on the agnostic policy here.
    fn agnostic(&self) -> bool {
        let bytes = self.here.v().iter().zip(self.oracle.v()).zip(self.other.v());
        bytes.into_iter().all(|((here, oracle), other)| (here ^ oracle) & !(here ^ other) == 0)
    }
}

/// A difference that is not a fault here.
pub struct Known {
    /// What it is called in the report.
    pub name: &'static str,
    /// Why it is none: what the manual says, what the oracle does.
    pub reason: &'static str,
    /// Whether a difference is this one.
    pub matches: fn(&Difference<'_>) -> bool,
    /// Whether an instruction is likely to run into it, so that the generator makes few of it.
    pub avoid: fn(&Decoded) -> bool,
}

const fn never(_: &Decoded) -> bool {
    false
}

/// All of them.
pub const KNOWN: &[Known] = &[
    Known {
        name: "agnostic elements",
        reason: "An agnostic element may keep its value or become all ones, each time anew. QEMU's \
                 choice is not ours for destinations that are agnostic because they overlap a source of \
                 another EEW, and others; every differing bit is one that this simulator, too, sets under \
                 one policy and keeps under the other.",
        matches: |d| d.only(|p| matches!(p, Part::V(_))) && d.agnostic(),
        avoid: never,
    },
    Known {
        name: "si_addr of non-canonical addresses",
        reason: "An access to an address that the host's processor cannot translate gives QEMU a fault \
                 without address: si_addr is 0.",
        matches: |d| d.only_si_addr(|here, oracle| here >> 47 != 0 && oracle == 0),
        avoid: never,
    },
    Known {
        name: "si_addr of misaligned accesses",
        reason: "QEMU makes a misaligned or vector access as wider aligned ones of the host, and reports \
                 the address of the one that faulted.",
        matches: |d| d.only_si_addr(|here, oracle| here & !15 == oracle & !15),
        avoid: never,
    },
    Known {
        name: "cbo.clean, cbo.flush in user mode",
        reason: "QEMU's user emulation leaves the bits of senvcfg zero that permit them to user mode; Linux \
                 sets CBCFE from 6.16 on.",
        matches: |d| d.is(&[Op::CboClean, Op::CboFlush]),
        avoid: |d| matches!(d.op, Op::CboClean | Op::CboFlush),
    },
];

/// Whether the generator makes this word seldom.
pub fn is_avoided(word: u32, exts: ExtSet) -> bool {
    decode(word, 64, exts).is_ok_and(|d| KNOWN.iter().any(|k| (k.avoid)(&d)))
}

/// The known difference that this one is.
pub fn find(d: &Difference<'_>) -> Option<&'static Known> {
    KNOWN.iter().find(|k| (k.matches)(d))
}
