//! Known differences from the oracle, each with its reason.

use crate::case::Case;
use crate::isolate::Found;
use crate::job_result::{JobResult, Part};
use crate::link::{PAD, PAD_REGISTER};
use crate::scratch::Scratch;
use crate::signals::Signal;
use crate::target::Target;
use capvec_isa::{Decoded, Ext, ExtSet, Op, decode};
use capvec_sim::Why;

/// A difference in one instruction from a common initial state.
pub struct Difference<'a> {
    /// The instruction and its initial state.
    pub case: &'a Case,
    /// Extensions of the target.
    pub exts: ExtSet,
    /// The instruction, if the word decodes.
    pub insn: Option<Decoded>,
    /// The final state in capvec.
    pub here: JobResult<'a>,
    /// The final state in the oracle.
    pub oracle: JobResult<'a>,
    /// The final state in capvec with the other agnostic policy.
    pub other: JobResult<'a>,
    /// Why the instruction is illegal in capvec, if it is.
    pub why: Option<Why>,
    /// The parts that differ.
    pub parts: Vec<Part>,
}

impl<'a> Difference<'a> {
    /// The difference of a case.
    pub fn new(found: &'a Found, target: Target) -> Difference<'a> {
        let results = [found.here(), found.oracle(), found.other()];
        Difference::of(&found.case, results, target)
    }

    /// The difference of a case, from its final states in capvec, in the oracle, and in capvec with the other
    /// agnostic policy.
    pub fn of(case: &'a Case, results: [JobResult<'a>; 3], target: Target) -> Self {
        let [here, oracle, other] = results;
        let word = case.words[case.words.len() - 1];
        let insn = decode(word, 64, target.exts).ok();
        // Without host memory, there is no explanation.
        let why = Scratch::why(target, case).ok().flatten();
        let exts = target.exts;
        Difference { case, exts, insn, here, oracle, other, why, parts: here.differences(&oracle) }
    }
}

impl Difference<'_> {
    /// The instruction word.
    fn word(&self) -> u32 {
        self.case.words[self.case.words.len() - 1]
    }

    fn is(&self, ops: &[Op]) -> bool {
        self.insn.is_some_and(|d| ops.contains(&d.op))
    }

    /// Whether an earlier instruction is one of these.
    fn follows(&self, which: impl Fn(&Decoded) -> bool) -> bool {
        let earlier = &self.case.words[..self.case.words.len() - 1];
        earlier.iter().any(|w| decode(*w, 64, self.exts).is_ok_and(|d| which(&d)))
    }

    fn only(&self, part: impl Fn(&Part) -> bool) -> bool {
        self.parts.iter().all(part)
    }

    /// Whether it is a load that trapped or was trimmed and that differs only in destination elements from the
    /// faulting one on, in any of its fields.
    fn differs_after_fault(&self) -> bool {
        let Some(d) = self.insn.filter(is_fault_only_first) else { return false };
        let digits: String = d.op.name().chars().filter(char::is_ascii_digit).collect();
        let Ok(eew) = digits.parse::<u64>() else { return false };
        let [_, vstart, vl, vtype, _] = std::array::from_fn(|n| self.here.csr(n));
        let (old_vl, trapped) = (self.case.csrs.vl, self.here.signal_count() > 0);
        let first = if trapped { vstart } else { vl };
        let (lmul, sew) = ((vtype & 7) as i64, 8u64 << (vtype >> 3 & 7));
        let lmul = if lmul > 3 { lmul - 8 } else { lmul };
        let emul = lmul + eew.trailing_zeros() as i64 - sew.trailing_zeros() as i64;
        let vlenb = self.here.v().len() / 32;
        let group = vlenb << emul.max(0);
        let start = d.rd as usize * vlenb;
        let bytes = self.here.v().iter().zip(self.oracle.v()).enumerate();
        bytes.filter(|(_, (a, b))| a != b).all(|(at, _)| {
            let element = at.wrapping_sub(start) % group / (eew as usize / 8);
            at >= start && (first..old_vl).contains(&(element as u64))
        })
    }

    /// Whether all differing vector bits depend on the agnostic policy in capvec.
    fn agnostic(&self) -> bool {
        let bytes = self.here.v().iter().zip(self.oracle.v()).zip(self.other.v());
        bytes.into_iter().all(|((here, oracle), other)| (here ^ oracle) & !(here ^ other) == 0)
    }
}

/// A difference that is not capvec's fault.
pub struct Known {
    /// Its name in the report.
    pub name: &'static str,
    /// Why it is not a fault: what the manual says, and what the oracle does.
    pub reason: &'static str,
    /// Which outcome is right; `either` if the manual permits both.
    pub right: &'static str,
    /// Whether a difference is of this kind.
    pub matches: fn(&Difference<'_>) -> bool,
    /// Whether an instruction is likely to show it, so that the generator makes few of them.
    pub avoid: fn(&Decoded) -> bool,
}

const fn never(_: &Decoded) -> bool {
    false
}

/// All known differences.
pub const KNOWN: &[Known] = &[
    Known {
        name: "agnostic elements",
        reason: "An agnostic element may keep its value or become all ones, independently each time. QEMU \
                 chooses differently for destinations that are agnostic because they overlap a source of \
                 another EEW, among others; every differing bit is one that capvec, too, sets under one \
                 policy and keeps under the other.",
        right: "either",
        matches: |d| d.only(|p| matches!(p, Part::V(_))) && d.agnostic(),
        avoid: never,
    },
    Known {
        name: "addresses at the top of Sv39",
        reason: "capvec places the guest's stack and vDSO there; QEMU places them elsewhere.",
        right: "either",
        matches: |d| {
            let top = 1 << 38;
            let there = |s: &Signal| s.number == 11 && (top - (1 << 28)..top).contains(&s.addr);
            d.oracle.signals().iter().any(there)
        },
        avoid: never,
    },
    Known {
        name: "store-conditional after the hart's own store",
        reason: "A store of the hart itself between LR and SC need not make the SC fail (Unprivileged ISA \
                 manual, \"Zalrsc\"): it succeeds in capvec. QEMU compares the value, and fails if it changed.",
        right: "either",
        matches: |d| {
            let Some(i) = d.insn.filter(|_| d.is(&[Op::ScW, Op::ScD])) else { return false };
            // Without a destination register, memory shows it.
            let failed = i.rd == 0 || (result(&d.here, i.rd), result(&d.oracle, i.rd)) == (0, 1);
            let parts = |p: &Part| matches!(p, Part::Memory(_)) || *p == Part::X(i.rd);
            failed && d.only(parts) && d.follows(|i| matches!(i.op, Op::LrW | Op::LrD))
        },
        avoid: never,
    },
    Known {
        name: "store-conditional of another size or after a trap",
        reason: "An SC may fail if its bytes are not those that LR reserved, or for any other reason \
                 (Unprivileged ISA manual, \"Zalrsc\"). In capvec it fails if the size differs or a trap came \
                 between, because Linux gives up reservations then. QEMU compares address and value only; an SC.W after LR.D \
                 can write there and yet report failure.",
        right: "either",
        matches: |d| {
            let Some(i) = d.insn.filter(|_| d.is(&[Op::ScW, Op::ScD])) else { return false };
            let failed = i.rd == 0 || result(&d.here, i.rd) == 1;
            let parts = |p: &Part| matches!(p, Part::Memory(_)) || *p == Part::X(i.rd);
            let other = if i.op == Op::ScW { Op::LrD } else { Op::LrW };
            let reason = d.here.signal_count() > 0 || d.follows(|i| i.op == other);
            failed && d.only(parts) && reason
        },
        avoid: never,
    },
    Known {
        name: "a register read with two EEWs",
        reason: "Reserved (Unprivileged ISA manual, \"Vector Operands\": no register may provide sources \
                 of two EEWs, the mask having EEW 1). capvec traps; QEMU executes it, which may fault.",
        right: "either",
        matches: |d| {
            d.why == Some(Why::Reserved("a register is read with two element widths"))
                && d.oracle.signals().iter().all(|s| s.number != 4)
        },
        avoid: never,
    },
    Known {
        name: "SHA-2 with LMUL below 1",
        reason: "Legal if LMUL·VLEN is at least EGW (Unprivileged ISA manual, \"Vector Cryptography\", \
                 Instruction Constraints). QEMU 10 traps all fractional LMUL.",
        right: "capvec",
        matches: |d| {
            let fraction = d.case.csrs.vtype & 7 > 4;
            let sha2 = d.is(&[Op::Vsha2chVv, Op::Vsha2clVv, Op::Vsha2msVv]);
            sha2 && fraction && d.why.is_none() && d.oracle.signal_count() == 1
        },
        avoid: never,
    },
    Known {
        name: "accesses with EEW 64 without Zve64x",
        reason: "Reserved: no instruction with an EEW above ELEN is supported (Unprivileged ISA manual, \
                 \"Zve*\"). capvec traps; QEMU executes some.",
        right: "either",
        matches: |d| {
            let wide = d.insn.or_else(|| decode(d.word(), 64, Ext::ratified().collect()).ok());
            let wide =
                wide.is_some_and(|i| i.op.row().class.is_vector() && i.op.name().contains("64"));
            let trapped = d.here.signal_count()
                > d.oracle.signals().iter().filter(|s| s.number == 4).count() as u64;
            wide && !d.exts.has(Ext::Zve64x) && d.why.is_some() && trapped
        },
        avoid: never,
    },
    Known {
        name: "vsetvl zero, zero that changes VLMAX",
        reason: "Reserved, even if vtype was illegal; an implementation may set vill (Unprivileged ISA \
                 manual, \"AVL encoding\"), as capvec does. QEMU sets vtype.",
        right: "either",
        matches: |d| {
            let both_zero = d.insn.is_some_and(|i| i.rd == 0 && i.rs1 == 0);
            both_zero && d.is(&[Op::Vsetvl, Op::Vsetvli]) && d.here.csr(3) == 1 << 63
        },
        avoid: |d| matches!(d.op, Op::Vsetvl | Op::Vsetvli) && d.rd == 0 && d.rs1 == 0,
    },
    Known {
        name: "elements from the faulting one on",
        reason: "A load that trapped, or a fault-only-first load that was trimmed, may have overwritten any \
                 element from the faulting one on, up to the old vl (Unprivileged ISA manual, \"Unit-stride \
                 Fault-Only-First Loads\", \"Vector Load/Store Segment Instructions\"). capvec \
                 loads those fields of the faulting segment that can be loaded; QEMU looks ahead.",
        right: "either",
        matches: |d| d.only(|p| matches!(p, Part::V(_))) && d.differs_after_fault(),
        avoid: never,
    },
    Known {
        name: "fround, froundnx whose result is overwritten",
        reason: "QEMU drops the whole operation, flags and all, if the next write of the register is in the \
                 same block: target/riscv/helper.h declares these helpers free of side effects \
                 (TCG_CALL_NO_RWG_SE).",
        right: "capvec",
        matches: |d| {
            use Op::{FroundD, FroundS, FroundnxD, FroundnxS};
            // The oracle lacks flags, and nothing else differs.
            let missing =
                d.oracle.csr(0) & !d.here.csr(0) == 0 && d.here.csr(0) >> 5 == d.oracle.csr(0) >> 5;
            missing
                && d.only(|p| *p == Part::Csr(0))
                && d.follows(|i| matches!(i.op, FroundD | FroundnxD | FroundS | FroundnxS))
        },
        avoid: never,
    },
    Known {
        name: "cbo.clean, cbo.flush in user mode",
        reason: "QEMU's user emulation does not set the bits of senvcfg that permit these instructions in \
                 user mode; Linux sets CBCFE from 6.16 on.",
        right: "either",
        matches: |d| {
            let illegal = d.oracle.signals().iter().any(|s| s.number == 4);
            d.is(&[Op::CboClean, Op::CboFlush]) && d.why.is_none() && illegal
        },
        avoid: |d| matches!(d.op, Op::CboClean | Op::CboFlush),
    },
];

/// x register `r` after the last instruction, without what the landing pad added.
fn result(of: &JobResult<'_>, r: u8) -> u64 {
    let x = of.x(r as usize);
    if r == PAD_REGISTER { x.wrapping_sub(PAD as u64) } else { x }
}

fn is_fault_only_first(d: &Decoded) -> bool {
    d.op.name().ends_with("ff.v")
}

/// Whether the generator makes this word seldom.
pub fn is_avoided(word: u32, exts: ExtSet) -> bool {
    decode(word, 64, exts).is_ok_and(|d| KNOWN.iter().any(|k| (k.avoid)(&d)))
}

/// The known difference that explains this one.
pub fn find(d: &Difference<'_>) -> Option<&'static Known> {
    KNOWN.iter().find(|k| (k.matches)(d))
}
