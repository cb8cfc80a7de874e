//! Why generated code returned.

/// The number of a way out of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge(pub u32);

/// As generated code returns it, packed into a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Go on at the hart's pc, behind a block, or before one if it has not been entered.
    Next { block: u32 },
    /// The same, and this edge may be made to lead there.
    Edge(Edge),
    /// Go on at the hart's pc, with another translation of the block there, to which this edge may be made to
    /// lead.
    Variant(Edge),
    /// An instruction of a block has raised a trap.
    Trap { block: u32, insn: u8 },
    /// The block is to be interpreted from this instruction on.
    Rest { block: u32, insn: u8 },
}

impl Exit {
    /// Packs.
    pub fn encode(self) -> u64 {
        match self {
            Exit::Next { block } => (block as u64) << 16,
            Exit::Edge(Edge(n)) => 1 | (n as u64) << 16,
            Exit::Variant(Edge(n)) => 4 | (n as u64) << 16,
            Exit::Trap { block, insn } => 2 | (insn as u64) << 8 | (block as u64) << 16,
            Exit::Rest { block, insn } => 3 | (insn as u64) << 8 | (block as u64) << 16,
        }
    }

    /// Unpacks.
    pub fn decode(v: u64) -> Exit {
        let high = (v >> 16) as u32;
        match v as u8 {
            1 => Exit::Edge(Edge(high)),
            2 => Exit::Trap { block: high, insn: (v >> 8) as u8 },
            3 => Exit::Rest { block: high, insn: (v >> 8) as u8 },
            4 => Exit::Variant(Edge(high)),
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
            Exit::Edge(Edge(far)),
            Exit::Variant(Edge(far)),
            Exit::Trap { block, insn },
            Exit::Rest { block, insn },
        ];
        for e in all {
            assert_eq!(Exit::decode(e.encode()), e);
        }
    }
}
