//! Reads the results that jobs left, and compares them.

use crate::layout::{DATA, WRITABLE, job_result};
use crate::signals::{self, Signal};
use std::fmt;

fn word(bytes: &[u8], at: i64) -> u64 {
    bytes.get(at as usize..).and_then(<[u8]>::first_chunk).map_or(0, |b| u64::from_le_bytes(*b))
}

/// Signal `n` of a result.
fn signal(bytes: &[u8], n: i64) -> Signal {
    let at = job_result::SIGNAL + 24 * n;
    let first = word(bytes, at);
    Signal {
        number: first as u32,
        code: (first >> 32) as i32,
        addr: word(bytes, at + 8),
        pc: word(bytes, at + 16),
    }
}

/// What all runs of a program left.
#[derive(Clone, Copy, Debug)]
pub struct Digest<'a>(&'a [u8]);

impl<'a> Digest<'a> {
    /// Wraps the bytes that `split` found.
    pub fn new(bytes: &'a [u8]) -> Digest<'a> {
        Digest(bytes)
    }

    /// Splits the first digest off these bytes.
    pub fn split(bytes: &'a [u8], vlenb: usize) -> Option<(Digest<'a>, &'a [u8])> {
        let signals = bytes.first_chunk().map(|b| u64::from_le_bytes(*b))?;
        let signals = signals.min(bytes.len() as u64);
        let (own, rest) =
            bytes.split_at_checked(job_result::digest(vlenb as u64, signals) as usize)?;
        Some((Digest(own), rest))
    }

    /// Number of signals.
    pub fn signal_count(&self) -> u64 {
        word(self.0, job_result::SIGNALS)
    }

    /// Whether both are equal except for known differences of signals, which are passed to `known`.
    pub fn same(&self, other: &Digest<'_>, mut known: impl FnMut(&'static str)) -> bool {
        if self.0 == other.0 {
            return true;
        }
        let count = self.signal_count() as i64;
        let fixed = (job_result::SIGNAL + 24 * count) as usize;
        if self.0[..8] != other.0[..8] || self.0[fixed..] != other.0[fixed..] {
            return false;
        }
        let signals = |d: &Digest| (0..count).map(|n| signal(d.0, n)).collect::<Vec<_>>();
        let names = signals::known(&signals(self), &signals(other));
        names.iter().flatten().for_each(|name| known(name));
        names.is_some()
    }
}

/// The final state of a case.
#[derive(Clone, Copy, Debug)]
pub struct JobResult<'a> {
    bytes: &'a [u8],
    vlenb: usize,
}

impl<'a> JobResult<'a> {
    /// Wraps the bytes that the guest wrote.
    pub fn new(bytes: &'a [u8], vlenb: usize) -> JobResult<'a> {
        JobResult { bytes, vlenb }
    }

    /// A word of the outcome.
    fn word(&self, at: i64) -> u64 {
        word(self.bytes, job_result::OUTCOME + at)
    }

    /// x register; x0 and x3 are 0.
    pub fn x(&self, r: usize) -> u64 {
        if r == 0 || r == 3 { 0 } else { self.word(job_result::X + 8 * r as i64) }
    }

    /// f register.
    pub fn f(&self, r: usize) -> u64 {
        self.word(job_result::F + 8 * r as i64)
    }

    /// fcsr, vstart, vl, vtype, vcsr.
    pub fn csr(&self, n: usize) -> u64 {
        self.word(job_result::CSRS + 8 * n as i64)
    }

    /// All vector registers.
    pub fn v(&self) -> &'a [u8] {
        &self.bytes[(job_result::OUTCOME + job_result::V) as usize..][..32 * self.vlenb]
    }

    /// The writable memory.
    pub fn memory(&self) -> &'a [u8] {
        &self.bytes[self.bytes.len() - WRITABLE as usize..]
    }

    /// Number of signals.
    pub fn signal_count(&self) -> u64 {
        // A stray store may have hit the result, the same way on both sides.
        word(self.bytes, job_result::SIGNALS).min(job_result::MAX_SIGNALS as u64)
    }

    /// The signals in order.
    pub fn signals(&self) -> Vec<Signal> {
        (0..self.signal_count() as i64).map(|n| signal(self.bytes, n)).collect()
    }
}

/// A part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// x register.
    X(u8),
    /// f register.
    F(u8),
    /// Vector register.
    V(u8),
    /// fcsr, vstart, vl, vtype, vcsr by number.
    Csr(u8),
    /// Aligned eight bytes at this address.
    Memory(u64),
    /// The signals.
    Signals,
}

/// Names of the CSRs in the order of a result.
pub const CSR_NAMES: [&str; 5] = ["fcsr", "vstart", "vl", "vtype", "vcsr"];

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::X(r) => write!(f, "x{r}"),
            Part::F(r) => write!(f, "f{r}"),
            Part::V(r) => write!(f, "v{r}"),
            Part::Csr(n) => write!(f, "{}", CSR_NAMES[*n as usize]),
            Part::Memory(at) => write!(f, "[{at:#x}]"),
            Part::Signals => write!(f, "signals"),
        }
    }
}

impl JobResult<'_> {
    /// A part's value as text: numbers in hex, vector registers with the last byte first.
    pub fn show(&self, part: Part) -> String {
        match part {
            Part::X(r) => format!("{:#x}", self.x(r as usize)),
            Part::F(r) => format!("{:#x}", self.f(r as usize)),
            Part::Csr(n) => format!("{:#x}", self.csr(n as usize)),
            Part::V(r) => {
                let bytes = &self.v()[r as usize * self.vlenb..][..self.vlenb];
                let text: Vec<String> = bytes
                    .chunks(8)
                    .rev()
                    .map(|c| c.iter().rev().map(|b| format!("{b:02x}")).collect())
                    .collect();
                text.join("_")
            }
            Part::Memory(at) => {
                let at = (at - DATA) as usize;
                let bytes = self.memory().get(at..at + 8).unwrap_or_default();
                bytes.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ")
            }
            Part::Signals => {
                let all: Vec<_> = self.signals().iter().map(Signal::to_string).collect();
                if all.is_empty() { "none".into() } else { all.join("; ") }
            }
        }
    }

    /// The parts in which two results differ.
    pub fn differences(&self, other: &JobResult<'_>) -> Vec<Part> {
        let mut parts = Vec::new();
        let registers = 0..32u8;
        parts.extend(
            registers.clone().filter(|&r| self.x(r as usize) != other.x(r as usize)).map(Part::X),
        );
        parts.extend(
            registers.clone().filter(|&r| self.f(r as usize) != other.f(r as usize)).map(Part::F),
        );
        let v = |rec: &JobResult, r: u8| rec.v()[r as usize * self.vlenb..][..self.vlenb].to_vec();
        parts.extend(registers.filter(|&r| v(self, r) != v(other, r)).map(Part::V));
        parts.extend(
            (0..5).filter(|&n| self.csr(n as usize) != other.csr(n as usize)).map(Part::Csr),
        );
        let words = (DATA..).step_by(8).zip(self.memory().chunks(8).zip(other.memory().chunks(8)));
        parts.extend(words.filter(|(_, (a, b))| a != b).map(|(at, _)| Part::Memory(at)));
        if signals::known(&self.signals(), &other.signals()).is_none() {
            parts.push(Part::Signals);
        }
        parts
    }

    /// Whether everything compared is equal except for known differences of signals, which are passed to `known`.
    pub fn same(&self, other: &JobResult<'_>, mut known: impl FnMut(&'static str)) -> bool {
        let fixed = job_result::OUTCOME as usize;
        if self.bytes[fixed..] != other.bytes[fixed..] {
            return false;
        }
        let count = self.signal_count() as usize;
        if self.bytes[..8 + 24 * count] == other.bytes[..8 + 24 * count] {
            return true;
        }
        let names = signals::known(&self.signals(), &other.signals());
        names.iter().flatten().for_each(|name| known(name));
        names.is_some()
    }
}
