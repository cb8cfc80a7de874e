//! Which scalar registers an instruction reads and writes, from its operand template.

use capvec_isa::Op;
use capvec_sim::insn::{Insn, SINK};
use std::sync::LazyLock;

/// x0..x31, then f0..f31, as one file.
pub const REGISTERS: usize = 64;
/// Where the two files begin.
const X: u8 = 0;
const F: u8 = 32;

/// The scalar registers of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operands {
    reads: [Option<u8>; 3],
    /// The register written; `None` also for x0.
    pub writes: Option<u8>,
}

/// The register file that an operand is in, if the instruction has the operand.
type File = Option<u8>;

/// The register files of an operation's scalar operands: of its three sources, and of its destination.
#[derive(Clone, Copy, Default)]
struct Template {
    reads: [File; 3],
    writes: File,
}

impl Template {
    /// From the operand template in the table.
    fn of(op: Op) -> Template {
        let mut t = Template::default();
        let args = op.row().base.row().args;
        for word in args.split(|c: char| !c.is_ascii_alphanumeric()) {
            match word {
                "rs1" => t.reads[0] = Some(X),
                "fs1" => t.reads[0] = Some(F),
                "rs2" => t.reads[1] = Some(X),
                "fs2" => t.reads[1] = Some(F),
                "rs3" => t.reads[2] = Some(X),
                "fs3" => t.reads[2] = Some(F),
                "rd" => t.writes = Some(X),
                "fd" => t.writes = Some(F),
                _ => {}
            }
        }
        t
    }
}

/// Reading a template takes longer than everything else that a plan needs of an instruction, so each is read once.
static TEMPLATES: LazyLock<Vec<Template>> = LazyLock::new(|| Op::all().map(Template::of).collect());

impl Operands {
    /// The operands of `i`. A compressed instruction has those of the instruction that it expands to.
    pub fn of(i: &Insn) -> Operands {
        let t = TEMPLATES[i.op() as usize];
        let [a, b, c] = t.reads;
        Operands {
            reads: [a.map(|f| f + i.rs1), b.map(|f| f + i.rs2), c.map(|f| f + i.rs3)],
            writes: t.writes.filter(|f| *f == F || i.rd != SINK).map(|f| f + i.rd),
        }
    }

    /// The registers read.
    pub fn reads(&self) -> impl Iterator<Item = usize> {
        self.reads.into_iter().flatten().map(|r| r as usize % REGISTERS)
    }
}
