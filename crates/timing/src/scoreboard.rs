//! The static part of the model: a block's instructions issue in order, each when its operands are ready and its unit
//! is free. All registers are taken to be ready when a block is entered, so this depends on the block alone.

use crate::operands::{Operands, REGISTERS};
use crate::params::{Params, Scalar};
use crate::price::Price;
use capvec_isa::Class;
use capvec_isa::custom::Cost;
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Dynamic, Exit, Plan};

/// `Dynamic::note` of a scalar memory access.
pub const MEMORY: u8 = 0;
/// `Dynamic::note` of a vector instruction.
pub const VECTOR: u8 = 1;

/// x1, the link register of the standard calling convention.
const RA: u8 = 1;

struct Issue {
    width: u32,
    /// Cycle in which the next instruction may issue.
    now: u32,
    /// Instructions that have issued in that cycle.
    used: u32,
    /// Cycle from which a register can be read.
    ready: [u32; REGISTERS],
    /// Cycle from which it can be written again.
    free: [u32; REGISTERS],
}

impl Issue {
    /// Issues an instruction and returns its cycle.
    fn issue(&mut self, operands: &Operands, cost: Scalar, rewrite: u32) -> u32 {
        let written = operands.writes.map(|r| self.free[r as usize]);
        let ready = operands.reads().map(|r| self.ready[r]).chain(written).max().unwrap_or(0);
        if cost.occupancy == 0 {
            // Free: its result is ready with its operands.
            if let Some(r) = operands.writes {
                self.ready[r as usize] = ready;
            }
            return self.now;
        }
        if ready > self.now || self.used == self.width {
            self.now = ready.max(self.now + (self.used == self.width) as u32);
            self.used = 0;
        }
        let at = self.now;
        if let Some(r) = operands.writes {
            self.ready[r as usize] = at + cost.latency;
            self.free[r as usize] = at + rewrite;
        }
        self.used += 1;
        if cost.occupancy > 1 {
            self.now += cost.occupancy;
            self.used = 0;
        }
        at
    }

    /// Cycles that have begun.
    fn elapsed(&self) -> u32 {
        self.now + (self.used > 0) as u32
    }
}

/// The plan of a block.
pub fn plan(p: &Params, insns: &[Insn]) -> Plan {
    let mut issue = Issue {
        width: p.issue_width,
        now: 0,
        used: 0,
        ready: [0; REGISTERS],
        free: [0; REGISTERS],
    };
    let mut cumulative = vec![0];
    let mut dynamic = Vec::new();
    for (index, i) in insns.iter().enumerate() {
        let class = i.op().row().class;
        let at = issue.issue(&Operands::of(i), cost(p, i, class), p.rewrite);
        cumulative.push(issue.elapsed());
        if let Some(note) = note(class) {
            dynamic.push(Dynamic { index: index as u8, note, issue: at });
        }
    }
    Plan {
        cumulative: cumulative.into(),
        dynamic: dynamic.into(),
        exit: insns.last().map_or(Exit::Next, exit),
    }
}

/// A vector instruction is only dispatched here; the rest of its cost is dynamic.
fn cost(p: &Params, i: &Insn, class: Class) -> Scalar {
    let price = p.prices.of(i.op());
    match &p.vector {
        _ if price == Some(Price::Free) => Scalar { latency: 0, occupancy: 0 },
        Some(v) if class.is_vector() && class != Class::Vset => {
            Scalar { latency: v.dispatch, occupancy: v.dispatch }
        }
        _ => match price {
            Some(Price::Cost(Cost::Scalar { latency, occupancy })) => Scalar { latency, occupancy },
            _ => p.scalar[class as usize],
        },
    }
}

fn note(class: Class) -> Option<u8> {
    match class {
        Class::Load | Class::Store | Class::Amo | Class::Cache => Some(MEMORY),
        Class::Vset => None,
        c if c.is_vector() => Some(VECTOR),
        _ => None,
    }
}

/// How control leaves the block after `last`, its last instruction.
fn exit(last: &Insn) -> Exit {
    let row = last.op().row();
    match row.class {
        Class::Branch => Exit::Branch,
        Class::System => Exit::System,
        Class::Jump if last.op().row().base.row().args.contains("rs1") => {
            if last.rs1 == RA && last.rd_is_x0() { Exit::Return } else { Exit::Indirect }
        }
        Class::Jump => Exit::Jump,
        _ => Exit::Next,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{insn, params, r};
    use capvec_isa::Op;

    /// Static cycles up to each instruction.
    fn cumulative(p: &Params, insns: &[Insn]) -> Vec<u32> {
        plan(p, insns).cumulative.into_vec()
    }

    #[test]
    fn instructions_wait_for_their_operands() {
        let code = [
            r(Op::Lw, 5, 10, 0),
            r(Op::Addi, 6, 7, 0),
            // Waits until 3 for the load of cycle 0, not for the addition.
            r(Op::Add, 8, 6, 5),
            r(Op::Mul, 9, 8, 8),
            // Issues at 4 + 4.
            r(Op::Sub, 9, 9, 8),
        ];
        assert_eq!(cumulative(&params(), &code), [0, 1, 2, 4, 5, 9]);
    }

    #[test]
    fn pipelined_and_blocking_units() {
        let muls = [r(Op::Mul, 5, 10, 11), r(Op::Mul, 6, 10, 11), r(Op::Add, 7, 10, 11)];
        assert_eq!(cumulative(&params(), &muls), [0, 1, 2, 3]);
        let div = [r(Op::Div, 5, 10, 11), r(Op::Add, 7, 10, 11)];
        assert_eq!(cumulative(&params(), &div), [0, 20, 21]);
    }

    #[test]
    fn instructions_never_wait_for_x0() {
        let code = [r(Op::Lw, 0, 10, 0), r(Op::Add, 5, 0, 0)];
        assert_eq!(cumulative(&params(), &code), [0, 1, 2]);
    }

    #[test]
    fn floating_point_registers_are_tracked_separately() {
        let code = [r(Op::Fld, 5, 10, 0), r(Op::Add, 6, 5, 5), r(Op::FaddD, 7, 5, 6)];
        assert_eq!(cumulative(&params(), &code), [0, 1, 2, 4]);
    }

    #[test]
    fn compressed_instructions_have_the_operands_of_their_expansion() {
        let add = insn(Op::CAdd, |d| (d.rd, d.rs1, d.rs2) = (5, 5, 6));
        assert_eq!(cumulative(&params(), &[r(Op::Lw, 6, 10, 0), add]), [0, 1, 4]);
    }

    #[test]
    fn two_may_issue_in_a_cycle() {
        let p = Params { issue_width: 2, ..params() };
        let free = [5, 6, 7, 8, 9].map(|rd| r(Op::Add, rd, 10, 11));
        assert_eq!(cumulative(&p, &free), [0, 1, 1, 2, 2, 3]);
        let chain = [r(Op::Add, 5, 10, 11), r(Op::Add, 6, 5, 11), r(Op::Add, 7, 10, 11)];
        assert_eq!(cumulative(&p, &chain), [0, 1, 2, 2]);
    }

    #[test]
    fn instructions_may_wait_for_their_destination() {
        let p = Params { rewrite: 4, ..params() };
        let code = [r(Op::Add, 5, 10, 11), r(Op::Add, 5, 10, 11), r(Op::Add, 6, 10, 11)];
        assert_eq!(cumulative(&p, &code), [0, 1, 5, 6]);
    }

    #[test]
    fn memory_and_vector_instructions_are_dynamic() {
        let code = [
            r(Op::Add, 5, 10, 11),
            r(Op::Sw, 0, 10, 5),
            r(Op::Vsetvli, 5, 10, 0),
            r(Op::VaddVv, 1, 2, 3),
            r(Op::Bne, 0, 5, 0),
        ];
        let plan = plan(&params(), &code);
        let store = Dynamic { index: 1, note: MEMORY, issue: 1 };
        let add = Dynamic { index: 3, note: VECTOR, issue: 3 };
        assert_eq!(plan.dynamic.to_vec(), [store, add]);
        assert_eq!(plan.exit, Exit::Branch);
    }

    #[test]
    fn the_last_instruction_decides_the_exit() {
        let exit = |i: Insn| plan(&params(), &[i]).exit;
        assert_eq!(exit(r(Op::Jal, 0, 0, 0)), Exit::Jump);
        assert_eq!(exit(r(Op::Jalr, 0, 1, 0)), Exit::Return);
        assert_eq!(exit(r(Op::Jalr, 1, 1, 0)), Exit::Indirect);
        assert_eq!(exit(r(Op::Jalr, 0, 5, 0)), Exit::Indirect);
        assert_eq!(exit(r(Op::Ecall, 0, 0, 0)), Exit::System);
        assert_eq!(exit(r(Op::Add, 5, 6, 7)), Exit::Next);
    }
}
