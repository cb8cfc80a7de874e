//! The static part of the model: when each instruction of a block issues. It depends on the block alone.

mod in_order;
mod out_of_order;
#[cfg(test)]
mod tests;

use crate::operands::Operands;
use crate::params::{Params, Pipe, Scalar};
use crate::price::Price;
use capvec_isa::Class;
use capvec_isa::custom::Cost;
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Dynamic, Exit, Plan, StaticCosts};

/// `Dynamic::note` of a scalar memory access.
pub const MEMORY: u8 = 0;
/// `Dynamic::note` of a vector instruction.
pub const VECTOR: u8 = 1;

/// x1, the link register of the standard calling convention.
const RA: u8 = 1;

/// What issue needs to know of an instruction.
struct Slot {
    operands: Operands,
    cost: Scalar,
    pipe: Pipe,
}

/// When the instructions of a block issue, and the cycles of the first k of them, for each k.
struct Schedule {
    issued: Vec<u32>,
    cumulative: Vec<u32>,
}

/// The plan of a block.
pub fn plan(p: &Params, insns: &[Insn]) -> Plan {
    let slot = |i: &Insn| {
        let class = i.op().row().class;
        Slot { operands: Operands::of(i), cost: cost(p, i, class), pipe: Pipe::of(class) }
    };
    let slots: Vec<Slot> = insns.iter().map(slot).collect();
    let Schedule { issued, cumulative } = match p.window {
        None => in_order::schedule(p, &slots),
        Some(window) => out_of_order::schedule(p, window, &slots),
    };
    let dynamic: Vec<Dynamic> = (0..)
        .zip(insns.iter().zip(issued))
        .filter_map(|(index, (i, issue))| {
            note(i.op().row().class).map(|note| Dynamic { index, note, issue })
        })
        .collect();
    Plan {
        costs: StaticCosts::new(&cumulative, &dynamic),
        exit: insns.last().map_or(Exit::Next, exit),
        first: insns.first().map_or(0, |i| i.bytes() as u8),
        number: 0,
    }
}

/// A vector instruction is only dispatched here; the rest of its cost is dynamic.
fn cost(p: &Params, i: &Insn, class: Class) -> Scalar {
    let price = p.prices.of(i.op());
    match &p.vector {
        _ if price == Some(Price::Free) => Scalar { latency: 0, occupancy: 0 },
        Some(v) if class.uses_vector_registers() => {
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
        c if c.uses_vector_registers() => Some(VECTOR),
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
