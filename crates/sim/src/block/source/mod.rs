//! The bytes that a block was decoded from.

use crate::mem::{Memory, PAGE, Perm};

/// Maximum number of bytes of an instruction that decoding reads.
const INSN: u64 = 4;
/// Maximum number of bytes of a source: a block, and the instruction after it.
const MAX: usize = (super::MAX as u64 * INSN + INSN) as usize;

/// Everything that decides how a block is decoded: its bytes, and, if the block ends because of what comes next, as much
/// of that as can be fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The bytes, and one more if the next half-word could not be fetched: instructions have an even number of bytes. (A large program has
    /// a hundred thousand blocks.)
    bytes: Box<[u8]>,
}

impl Source {
    /// The source of the block `start..end`. `cut`: it ends because of what comes next.
    pub(super) fn read(mem: &Memory, start: u64, end: u64, cut: bool) -> Source {
        let ahead = if cut { INSN } else { 0 };
        let next = (end..end + ahead).step_by(2).take_while(|at| mem.fetch(*at).is_some());
        let until = next.last().map_or(end, |at| at + 2);
        let mut bytes = [0; MAX];
        let bytes = &mut bytes[..(until - start) as usize];
        // Cannot fail: all of it has been fetched.
        let _ = mem.read_as(start, bytes, Perm::X);
        Source::from_parts(bytes, until < end + ahead)
    }

    /// The bytes, and whether the half-word after them could not be fetched.
    pub fn parts(&self) -> (&[u8], bool) {
        let (bytes, fault) = self.bytes.split_at(self.bytes.len() & !1);
        (bytes, !fault.is_empty())
    }

    /// The source with these [`parts`](Source::parts).
    pub fn from_parts(bytes: &[u8], fault: bool) -> Source {
        let fault: &[u8] = if fault { &[0] } else { &[] };
        Source { bytes: [bytes, fault].concat().into() }
    }

    /// Whether memory has the same bytes at `start`.
    pub(super) fn is_at(&self, mem: &Memory, start: u64) -> bool {
        let (bytes, fault) = self.parts();
        let mut buffer = [0; MAX];
        let now = &mut buffer[..bytes.len()];
        mem.read_as(start, now, Perm::X).is_ok()
            && *now == *bytes
            && !(fault && mem.fetch(start + now.len() as u64).is_some())
    }

    /// The start addresses of the pages that it depends on.
    pub fn pages(&self, start: u64) -> impl Iterator<Item = u64> + use<> {
        let last = start + self.bytes.len() as u64;
        (start / PAGE..last.div_ceil(PAGE)).map(|page| page * PAGE)
    }
}

#[cfg(test)]
mod tests;
