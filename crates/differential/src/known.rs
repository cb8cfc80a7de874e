//! Known differences from the oracle, each with its reason.

use crate::case::Case;
use crate::isolate::Found;
use crate::record::{Part, Record};
use crate::target::Target;
use capvec_isa::{Decoded, ExtSet, decode};

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
    /// Where they differ.
    pub parts: Vec<Part>,
}

impl<'a> Difference<'a> {
    /// Of a case that differs.
    pub fn new(found: &'a Found, target: Target) -> Difference<'a> {
        Difference::of(&found.case, found.here(), found.oracle(), target)
    }

    /// Of a case and what it left on both sides.
    pub fn of(case: &'a Case, here: Record<'a>, oracle: Record<'a>, target: Target) -> Self {
        let word = case.words[case.words.len() - 1];
        let insn = decode(word, 64, target.exts).ok();
        Difference { case, insn, here, oracle, parts: here.differences(&oracle) }
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

/// All of them.
pub const KNOWN: &[Known] = &[];

/// Whether the generator makes this word seldom.
pub fn is_avoided(word: u32, exts: ExtSet) -> bool {
    decode(word, 64, exts).is_ok_and(|d| KNOWN.iter().any(|k| (k.avoid)(&d)))
}

/// The known difference that this one is.
pub fn find(d: &Difference<'_>) -> Option<&'static Known> {
    KNOWN.iter().find(|k| (k.matches)(d))
}
