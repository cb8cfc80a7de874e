//! Which scalar registers an instruction reads and writes, from its operand template.

use capvec_sim::insn::{Insn, SINK};

/// x0..x31, then f0..f31, as one file.
pub const REGISTERS: usize = 64;
const F: u8 = 32;

/// The scalar registers of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operands {
    reads: [Option<u8>; 3],
    /// The register written; `None` also for x0.
    pub writes: Option<u8>,
}

impl Operands {
    /// The operands of `i`. A compressed instruction has those of the instruction that it expands to.
    pub fn of(i: &Insn) -> Operands {
        let mut o = Operands::default();
        let args = i.op().row().base.row().args;
        for word in args.split(|c: char| !c.is_ascii_alphanumeric()) {
            match word {
                "rs1" => o.reads[0] = Some(i.rs1),
                "fs1" => o.reads[0] = Some(i.rs1 + F),
                "rs2" => o.reads[1] = Some(i.rs2),
                "fs2" => o.reads[1] = Some(i.rs2 + F),
                "rs3" => o.reads[2] = Some(i.rs3),
                "fs3" => o.reads[2] = Some(i.rs3 + F),
                "rd" => o.writes = (i.rd != SINK).then_some(i.rd),
                "fd" => o.writes = Some(i.rd + F),
                _ => {}
            }
        }
        o
    }

    /// The registers read.
    pub fn reads(&self) -> impl Iterator<Item = usize> {
        self.reads.into_iter().flatten().map(|r| r as usize % REGISTERS)
    }
}
