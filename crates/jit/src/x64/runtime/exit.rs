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
    /// By how many bits the number of an edge or block is shifted.
    pub const SHIFT: i32 = 16;

    /// Packs it.
    pub fn encode(self) -> u64 {
        match self {
            Exit::Next { block } => (block as u64) << 16,
            Exit::Budget { block } => 5 | (block as u64) << 16,
            Exit::Edge(Edge(n)) => 1 | (n as u64) << 16,
            Exit::Variant(Edge(n)) => 4 | (n as u64) << 16,
            Exit::Trap { block, insn } => 2 | (insn as u64) << 8 | (block as u64) << 16,
            Exit::Interpret { block, insn } => 3 | (insn as u64) << 8 | (block as u64) << 16,
        }
    }

    /// Unpacks it.
    pub fn decode(v: u64) -> Exit {
        let high = (v >> 16) as u32;
        match v as u8 {
            1 => Exit::Edge(Edge(high)),
            2 => Exit::Trap { block: high, insn: (v >> 8) as u8 },
            3 => Exit::Interpret { block: high, insn: (v >> 8) as u8 },
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
