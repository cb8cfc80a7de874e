//! The counters whose values the bench knows: `mcycle` (`cycle`) counts its cycles, and `time` is an input.

/// Numbers of the CSRs.
const MCYCLE: u16 = 0xb00;
const CYCLE: u16 = 0xc00;
const TIME: u16 = 0xc01;

/// An access to a CSR as the instruction has it.
pub(super) struct CsrAccess {
    /// The instruction.
    pub insn: u32,
    /// What rs1 held before it.
    pub rs1: u64,
    /// The cycle in which it retires.
    pub cycle: u64,
}

/// The state of the counters.
#[derive(Default)]
pub(super) struct Counters {
    /// `mcycle` less the bench's cycle: 0 after reset.
    ahead: u64,
}

impl Counters {
    /// What a read gives in this cycle; `None` for other CSRs.
    pub fn read(&self, csr: u16, cycle: u64) -> Option<u64> {
        match csr {
            MCYCLE | CYCLE => Some(cycle.wrapping_add(self.ahead)),
            TIME => Some(cycle),
            _ => None,
        }
    }

    /// An instruction that accesses a CSR has retired. A value that it has written is there in the next cycle.
    pub fn accessed(&mut self, csr: u16, a: &CsrAccess) {
        let (funct3, rs1) = (a.insn >> 12 & 7, u64::from(a.insn >> 15 & 31));
        let writes = funct3 & 3 == 1 || rs1 != 0;
        if csr != MCYCLE || !writes {
            return;
        }
        let operand = if funct3 & 4 != 0 { rs1 } else { a.rs1 };
        let old = a.cycle.wrapping_add(self.ahead);
        let new = match funct3 & 3 {
            1 => operand,
            2 => old | operand,
            _ => old & !operand,
        };
        self.ahead = new.wrapping_sub(a.cycle + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::{Counters, CsrAccess, MCYCLE, TIME};

    #[test]
    fn a_write_counts_from_the_next_cycle_on() {
        let mut counters = Counters::default();
        assert_eq!((counters.read(MCYCLE, 7), counters.read(TIME, 7)), (Some(7), Some(7)));
        assert_eq!(counters.read(0xb02, 7), None);
        // csrrw x0, mcycle, x1; csrrsi x0, mcycle, 8; csrrs x2, mcycle, x0.
        counters.accessed(MCYCLE, &CsrAccess { insn: 0xb000_9073, rs1: 100, cycle: 7 });
        assert_eq!((counters.read(MCYCLE, 8), counters.read(TIME, 8)), (Some(100), Some(8)));
        counters.accessed(MCYCLE, &CsrAccess { insn: 0xb004_6073, rs1: 0, cycle: 8 });
        assert_eq!(counters.read(MCYCLE, 9), Some(108));
        counters.accessed(MCYCLE, &CsrAccess { insn: 0xb000_2173, rs1: 5, cycle: 9 });
        assert_eq!(counters.read(MCYCLE, 10), Some(109));
    }
}
