//! Where generated code is patched when an edge is linked to the next trace's code, or unlinked.

use super::exit::Edge;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

/// An offset in the code buffer, which is far smaller than 4 GiB. Large programs have a million edges, so positions are small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position(NonZeroU32);

impl Position {
    /// The position at this offset.
    pub fn at(offset: usize) -> Position {
        let next = u32::try_from(offset).unwrap_or(u32::MAX - 1).saturating_add(1);
        Position(NonZeroU32::new(next).unwrap_or(NonZeroU32::MAX))
    }

    /// The offset.
    pub fn offset(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The code positions that linking patches. An edge without a gate has one jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Number of the block that the edge leaves.
    pub block: u32,
    /// Where control continues.
    pub pc: u64,
    /// The jump to the next block's entry after a redirection, where `Jump` says what is patched.
    pub redirected: Option<Position>,
    /// The jump to its sequential entry.
    pub sequential: Option<Position>,
    /// The jump to another variant of the same block.
    pub inner: Option<Position>,
    /// The gate: a jump that becomes conditional.
    pub gate: Option<Position>,
    /// The bytes of the jump that lead to the stub, for an edge without a gate.
    pub stub: [u8; 4],
    /// It has been linked.
    pub linked: bool,
    /// It is the landing pad of a call, which control does not leave to the run loop, and its translation is in use.
    pub pad: bool,
    /// Others in the same list: linked to the same block or, for landing pads, waiting for it.
    #[serde(skip)]
    pub others: Incoming,
}

/// The edges that have been linked to a block, or the landing pads that wait for its code, as a list through their sites. Most
/// blocks have one or two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Incoming(Option<NonZeroU32>);

impl Incoming {
    /// Adds an edge, which has this site.
    pub fn add(&mut self, Edge(n): Edge, site: &mut Site) {
        site.others = *self;
        self.0 = NonZeroU32::new(n + 1);
    }

    /// The edge that was added last. Its site has the rest of the list.
    pub fn first(self) -> Option<Edge> {
        self.0.map(|n| Edge(n.get() - 1))
    }
}

/// First bytes of `jle`, for a linked gate. Only code for x86-64 with a core model has gates.
pub const LINKED_GATE: [u8; 2] = [0x0f, 0x8e];
/// First bytes of an unlinked gate of the same length: `nop`, and the opcode of `jmp` with the same displacement.
pub const UNLINKED_GATE: [u8; 2] = [0x90, 0xe9];

impl Site {
    /// Nothing to patch yet.
    pub fn of(block: u32, pc: u64) -> Site {
        let (stub, linked, pad, others) = Default::default();
        let (redirected, sequential, inner, gate) = Default::default();
        Site { block, pc, redirected, sequential, inner, gate, stub, linked, pad, others }
    }

    /// The jump of an edge without a gate.
    fn jump(&self) -> Option<Position> {
        self.redirected.or(self.inner)
    }

    /// Whether all that it patches is in code of this length.
    pub fn ends_by(&self, len: usize) -> bool {
        let jumps = [self.redirected, self.sequential, self.inner].into_iter().flatten();
        let gate = self.gate.into_iter();
        let ends = jumps.map(|at| at.offset() + 4).chain(gate.map(|at| at.offset() + 2));
        ends.max().unwrap_or(0) <= len
    }

    /// The same positions in this code when it starts at `start`.
    pub fn placed(self, code: &[u8], start: usize) -> Site {
        let moved = |at: Option<Position>| at.map(|at| Position::at(start + at.offset()));
        let stub = self.jump().and_then(|at| code.get(at.offset()..)?.first_chunk());
        Site {
            stub: stub.copied().unwrap_or_default(),
            redirected: moved(self.redirected),
            sequential: moved(self.sequential),
            inner: moved(self.inner),
            gate: moved(self.gate),
            ..self
        }
    }

    /// Position and bytes that make it leave to the run loop again.
    pub fn unlinked(&self) -> Option<(usize, &[u8])> {
        match self.gate {
            Some(gate) => Some((gate.offset(), &UNLINKED_GATE)),
            None => self.jump().map(|at| (at.offset(), &self.stub[..])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Position, Site};

    #[test]
    fn positions_are_small_and_keep_their_offsets() {
        for offset in [0, 1, 0xffff, 256 << 20] {
            assert_eq!(Position::at(offset).offset(), offset);
        }
        assert_eq!(size_of::<Option<Position>>(), 4);
        assert!(size_of::<Site>() <= 40);
    }
}
