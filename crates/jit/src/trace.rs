//! Which blocks are translated together: from one that runs often, the way that control has gone so far.

use crate::space::{Block, Space, State};
use capvec_isa::{Class, Op};
use capvec_sim::insn::Insn;

/// Most instructions of a trace.
const LONG: usize = 512;
/// Most blocks.
const MANY: usize = 24;
/// Loops are repeated in the code up to so many times, and so many instructions: what they access lies near.
const ROUNDS: usize = 4;
/// See `ROUNDS`.
const SHORT: usize = 96;

/// The blocks of a trace that starts at block `head`, and whether control goes from the last back to the first.
pub fn choose(space: &Space, head: u32) -> (Vec<u32>, bool) {
    let mut path = vec![head];
    let mut links = Links::default();
    let mut len = 0;
    loop {
        let last = path[path.len() - 1] as usize;
        let b = &space.blocks[last];
        len += b.code.insns.len();
        if !is_scalar(b) {
            path.truncate(path.len().saturating_sub(1).max(1));
            return (path, false);
        }
        let way = links.pass(b);
        let Some(pc) = way else { return (path, false) };
        if pc == space.blocks[head as usize].code.start {
            return (path.repeat((SHORT / len).clamp(1, ROUNDS)), true);
        }
        // One that is not there is not made: when a block is first entered decides which code it is of.
        let index = match space.known(pc) {
            Some(index) if path.len() < MANY && len < LONG => index,
            _ => return (path, false),
        };
        let b = &space.blocks[index as usize];
        if path.contains(&index) || b.loops || matches!(b.state, State::Interpreted) {
            return (path, false);
        }
        path.push(index);
    }
}

/// Whether it has nothing that its code would depend on, or that only the run loop does.
fn is_scalar(b: &Block) -> bool {
    b.code.insns.iter().all(|i| {
        let class = i.op().row().class;
        !class.is_vector() && class != Class::Vset && i.op() != Op::FenceI
    })
}

/// Addresses behind calls that a trace has made, in the registers that hold them still.
#[derive(Default)]
struct Links([Option<u64>; 32]);

impl Links {
    /// Control goes through the block: where to, if it is known, or if it has always gone there.
    fn pass(&mut self, b: &Block) -> Option<u64> {
        let (last, others) = b.code.insns.split_last()?;
        // Some name registers of other files, of which nothing is known either.
        others.iter().for_each(|i| self.set(i.rd, None));
        let way = self.way(last, b);
        let calls = last.op().row().class == Class::Jump;
        self.set(last.rd, calls.then_some(b.code.end));
        way
    }

    fn set(&mut self, x: u8, to: Option<u64>) {
        if let Some(link) = self.0.get_mut(x as usize) {
            *link = to;
        }
    }

    fn way(&self, last: &Insn, b: &Block) -> Option<u64> {
        let (row, end) = (last.op().row(), b.code.end);
        if !row.class.transfers_control() {
            return Some(end);
        }
        let target = last.imm as u64;
        match row.base {
            Op::Jal => Some(target),
            Op::Jalr => {
                let to = self.0[last.rs1 as usize & 31]?.wrapping_add(target) & !1;
                (to != end).then_some(to)
            }
            _ if row.class != Class::Branch || target == end => None,
            _ => match b.ways {
                // Loops go round.
                (0, _) => (target <= b.code.start).then_some(target),
                (_, 0) => Some(end),
                (all, taken) if taken == all => Some(target),
                _ => None,
            },
        }
    }
}
