//! Selects the blocks of a trace: from a hot block along the path that control has taken so far.

use crate::block::{Block, State};
use crate::interface::frames::frames;
use crate::space::Space;
use capvec_isa::{Class, Op};
use capvec_sim::insn::Insn;

/// Maximum number of instructions of a trace.
const MAX_TRACE_INSNS: usize = 512;
/// Most blocks of a trace.
const MAX_TRACE_BLOCKS: usize = 24;
/// A short loop is unrolled at most this many times, so that its accesses, which lie close together, share permission
/// checks.
const MAX_UNROLL: usize = 4;
/// Maximum number of instructions of an unrolled loop.
const MAX_UNROLLED_INSNS: usize = 96;

/// The blocks of the trace that starts at block `head`, and whether control goes from the last back to the first.
pub fn select(space: &Space, head: u32) -> (Vec<u32>, bool) {
    let (mut path, loops) = follow(space, head);
    if space.is_large() && !loops {
        // In a large program, a function has a trace of its own, instead of one for each of its callers.
        let blocks: Vec<_> = path.iter().map(|n| &*space.blocks[*n as usize].code).collect();
        let call = frames(&blocks, false).iter().position(|frames| frames.pushed.is_some());
        path.truncate(call.map_or(path.len(), |call| call + 1));
    }
    (path, loops)
}

/// The path of control from block `head`, and whether it leads back there.
fn follow(space: &Space, head: u32) -> (Vec<u32>, bool) {
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
        let successor = links.follow(b);
        let Some(pc) = successor else { return (path, false) };
        if pc == space.blocks[head as usize].code.start {
            return (path.repeat((MAX_UNROLLED_INSNS / len).clamp(1, MAX_UNROLL)), true);
        }
        // Blocks are never built ahead of their first entry: the entry decides which version of the code they hold.
        let index = match space.index.get(pc) {
            Some(index) if path.len() < MAX_TRACE_BLOCKS && len < MAX_TRACE_INSNS => index,
            _ => return (path, false),
        };
        let b = &space.blocks[index as usize];
        let ends = match b.state {
            State::Interpreted => true,
            State::Code(_) => space.is_large(),
            State::Cold(_) => false,
        };
        if ends || b.loops || path.contains(&index) {
            return (path, false);
        }
        path.push(index);
    }
}

/// Whether the block can be part of a longer trace: no vector instruction, since code depends on the vector state,
/// and no fence.i, which only the run loop handles.
fn is_scalar(b: &Block) -> bool {
    b.code.insns.iter().all(|i| !i.op().row().class.is_vector() && i.op() != Op::FenceI)
}

/// Return addresses of the trace's calls, by the register that still holds them.
#[derive(Default)]
struct Links([Option<u64>; 32]);

impl Links {
    /// Follows control through the block. Returns where it goes, if there is only one such address or has been only one so
    /// far.
    fn follow(&mut self, b: &Block) -> Option<u64> {
        let (last, others) = b.code.insns.split_last()?;
        // `rd` may name an f or v register; forgetting the x register of that number is harmless.
        others.iter().for_each(|i| self.set(i.rd, None));
        let successor = self.successor(last, b);
        let calls = last.op().row().class == Class::Jump;
        self.set(last.rd, calls.then_some(b.code.end));
        successor
    }

    fn set(&mut self, x: u8, to: Option<u64>) {
        if let Some(link) = self.0.get_mut(x as usize) {
            *link = to;
        }
    }

    fn successor(&self, last: &Insn, b: &Block) -> Option<u64> {
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
            _ => match b.exits {
                // A loop's backward branch.
                (0, _) => (target <= b.code.start).then_some(target),
                (_, 0) => Some(end),
                (all, taken) if taken == all => Some(target),
                _ => None,
            },
        }
    }
}
