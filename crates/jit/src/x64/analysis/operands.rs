//! The x registers that an instruction reads and writes.

use super::float::Float;
use crate::x64::runtime::convention::is_x;
use crate::x64::vector_plan::Plan;
use capvec_isa::{Class, Op};
use capvec_sim::insn::Insn;
use std::sync::LazyLock;

/// The x registers that an instruction uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operands {
    /// Registers that it reads; 0 for none.
    pub reads: [u8; 2],
    /// The register that it writes; 0 for none.
    pub write: u8,
    /// It calls a handler, which clobbers most host registers.
    pub call: bool,
}

/// By the number of an instruction: whether it names the x registers rs1, rs2 and rd. Custom instructions are not included:
/// they are registered later.
static NAMED: LazyLock<Vec<[bool; 3]>> = LazyLock::new(|| {
    let mut named = vec![[false; 3]; Op::COUNT];
    for op in Op::all().filter(|op| op.custom().is_none()) {
        let args = op.row().base.row().args;
        named[op as usize] = ["rs1", "rs2", "rd"].map(|name| args.contains(name));
    }
    named
});

/// The operands of instruction `k` of its block.
pub fn operands(k: usize, i: &Insn, plan: &Plan) -> Operands {
    let x = |x: u8| if is_x(x) { x } else { 0 };
    // Loads and stores may name f registers.
    let named_by = NAMED.get(i.op() as usize).copied().unwrap_or_default();
    let named = |field: usize, x: u8| if named_by[field] { x } else { 0 };
    let (reads, write) = match i.op().row().class {
        // A custom instruction takes only its cost from its class.
        _ if i.op().custom().is_some() => return Operands { call: true, ..Operands::default() },
        Class::Alu
        | Class::Mul
        | Class::Div
        | Class::Load
        | Class::Jump
        | Class::Store
        | Class::Branch => ([named(0, i.rs1), named(1, i.rs2)], named(2, i.rd)),
        Class::Fp | Class::Fma | Class::Fdiv | Class::Fmove
            if Float::of(i, plan.host).is_some() =>
        {
            ([named(0, i.rs1), 0], named(2, i.rd))
        }
        Class::Clmul | Class::Aes | Class::Sha2 | Class::Sm3 | Class::Sm4 => ([i.rs1, i.rs2], i.rd),
        Class::Fence => ([0; 2], 0),
        class if plan.at(k).is_some() => {
            let write = if class == Class::Vset { i.rd } else { 0 };
            ([if plan.reads_x(k, i) { i.rs1 } else { 0 }, 0], write)
        }
        _ => return Operands { call: true, ..Operands::default() },
    };
    Operands { reads: reads.map(x), write: x(write), call: false }
}
