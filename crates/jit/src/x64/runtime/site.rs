//! Where generated code is patched when an edge is linked to the next trace's code, or unlinked.

/// The code positions that linking patches. An edge without a gate has one displacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Number of the block that the edge leaves.
    pub block: u32,
    /// Where control goes on.
    pub pc: u64,
    /// Displacement of the jump to the next block's entry after a redirection.
    pub redirected: Option<usize>,
    /// Displacement of the jump to its sequential entry.
    pub sequential: Option<usize>,
    /// Displacement of the jump to another variant of the same block.
    pub inner: Option<usize>,
    /// The gate: a jump that becomes conditional.
    pub gate: Option<usize>,
    /// What the displacement is while it leads to the stub, if there is no gate.
    pub stub: [u8; 4],
    /// It has been linked.
    pub linked: bool,
}

/// First bytes of `jle`, for a linked gate.
pub const LINKED_GATE: [u8; 2] = [0x0f, 0x8e];
/// First bytes of an unlinked gate of the same length: `nop`, and the opcode of `jmp` with the same displacement.
pub const UNLINKED_GATE: [u8; 2] = [0x90, 0xe9];

impl Site {
    /// Nothing to patch yet.
    pub fn of(block: u32, pc: u64) -> Site {
        let (stub, linked) = Default::default();
        let (redirected, sequential, inner, gate) = Default::default();
        Site { block, pc, redirected, sequential, inner, gate, stub, linked }
    }

    /// The displacement of an edge without a gate.
    fn displacement(&self) -> Option<usize> {
        self.redirected.or(self.inner)
    }

    /// The same positions in this code when it starts at `start`.
    pub fn placed(self, code: &[u8], start: usize) -> Site {
        let moved = |at: Option<usize>| at.map(|at| start + at);
        let stub = self.displacement().and_then(|at| code.get(at..)?.first_chunk());
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
            Some(gate) => Some((gate, &UNLINKED_GATE)),
            None => self.displacement().map(|at| (at, &self.stub[..])),
        }
    }
}
