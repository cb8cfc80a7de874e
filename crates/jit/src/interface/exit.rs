//! Why generated code returned.

/// The number of an edge: a way out of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge(pub u32);

/// An exit, which generated code returns packed into a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Continue at the hart's pc: after the block, or before it if it has not been entered.
    Next { block: u32 },
    /// Continue at the hart's pc, after the block: the budget does not last for the rest of the trace.
    Budget { block: u32 },
    /// Continue at the hart's pc; this edge may be linked to the block there.
    Edge(Edge),
    /// Continue at the hart's pc with another variant of the block there, to which this edge may be linked.
    Variant(Edge),
    /// An instruction of the block raised a trap.
    Trap { block: u32, insn: u8 },
    /// Interpret the block from this instruction on.
    Interpret { block: u32, insn: u8 },
}

impl Exit {
    /// By how many bits the number of an edge or block is shifted: three say which exit it is, six are the index of an
    /// instruction. The rest of 32 bits has room for all blocks of an address space (see `MAX_INSNS`).
    pub const SHIFT: i32 = 9;
    /// All bits but those of the number.
    pub const LOW: u32 = (1 << Exit::SHIFT) - 1;

    /// Packs it.
    pub fn encode(self) -> u64 {
        let number = |n: u32| (n as u64) << Exit::SHIFT;
        match self {
            Exit::Next { block } => number(block),
            Exit::Budget { block } => 5 | number(block),
            Exit::Edge(Edge(n)) => 1 | number(n),
            Exit::Variant(Edge(n)) => 4 | number(n),
            Exit::Trap { block, insn } => 2 | (insn as u64) << 3 | number(block),
            Exit::Interpret { block, insn } => 3 | (insn as u64) << 3 | number(block),
        }
    }

    /// Unpacks it.
    pub fn decode(v: u64) -> Exit {
        let (high, insn) = ((v >> Exit::SHIFT) as u32, (v >> 3) as u8 & 63);
        match v & 7 {
            1 => Exit::Edge(Edge(high)),
            2 => Exit::Trap { block: high, insn },
            3 => Exit::Interpret { block: high, insn },
            4 => Exit::Variant(Edge(high)),
            5 => Exit::Budget { block: high },
            _ => Exit::Next { block: high },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Edge, Exit};

    #[test]
    fn packing_loses_nothing() {
        let far = u32::MAX;
        let (block, insn) = (far, 63);
        let all = [
            Exit::Next { block },
            Exit::Budget { block },
            Exit::Edge(Edge(far)),
            Exit::Variant(Edge(far)),
            Exit::Trap { block, insn },
            Exit::Interpret { block, insn },
        ];
        for e in all {
            assert_eq!(Exit::decode(e.encode()), e);
        }
    }
}
