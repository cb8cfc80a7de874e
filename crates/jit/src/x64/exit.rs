//! Why generated code returned.

/// As generated code returns it, packed into a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Go on at the hart's pc.
    Next,
    /// The same, and this edge may be made to lead there.
    Edge(u32),
    /// An instruction of a block has raised a trap.
    Trap { block: u32, insn: u8 },
    /// The block is to be interpreted from this instruction on.
    Rest { block: u32, insn: u8 },
}

impl Exit {
    /// Packs.
    pub fn encode(self) -> u64 {
        match self {
            Exit::Next => 0,
            Exit::Edge(n) => 1 | (n as u64) << 16,
            Exit::Trap { block, insn } => 2 | (insn as u64) << 8 | (block as u64) << 16,
            Exit::Rest { block, insn } => 3 | (insn as u64) << 8 | (block as u64) << 16,
        }
    }

    /// Unpacks.
    pub fn decode(v: u64) -> Exit {
        let high = (v >> 16) as u32;
        match v as u8 {
            1 => Exit::Edge(high),
            2 => Exit::Trap { block: high, insn: (v >> 8) as u8 },
            3 => Exit::Rest { block: high, insn: (v >> 8) as u8 },
            _ => Exit::Next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn packing_loses_nothing() {
        let far = u32::MAX;
        let (block, insn) = (far, 63);
        let all =
            [Exit::Next, Exit::Edge(far), Exit::Trap { block, insn }, Exit::Rest { block, insn }];
        for e in all {
            assert_eq!(Exit::decode(e.encode()), e);
        }
    }
}
