//! The static part: a block's instructions issue in order, each when its operands are ready and its unit is
//! free. All registers are ready when a block is entered, so that this is a function of the block alone.

use crate::operands::{Operands, REGISTERS};
use crate::params::{Params, Scalar};
use capvec_isa::Class;
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
    /// Instructions that have issued in it.
    used: u32,
    /// When a register can be read.
    ready: [u32; REGISTERS],
    /// When it can be written again.
    free: [u32; REGISTERS],
}

impl Issue {
    /// The cycle in which it issues.
    fn issue(&mut self, operands: &Operands, cost: Scalar, rewrite: u32) -> u32 {
        let written = operands.writes.map(|r| self.free[r as usize]);
        let ready = operands.reads().map(|r| self.ready[r]).chain(written).max().unwrap_or(0);
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
        let at = issue.issue(&Operands::of(i), cost(p, class), p.rewrite);
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

/// A vector instruction is handed over here; the rest of its cost is dynamic.
fn cost(p: &Params, class: Class) -> Scalar {
    match &p.vector {
        Some(v) if class.is_vector() && class != Class::Vset => {
            Scalar { latency: v.dispatch, occupancy: v.dispatch }
        }
        _ => p.scalar[class as usize],
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

/// How control leaves behind this instruction, the last of its block.
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
