//! Which calls of a trace leave a frame on the stack (`runtime::stack`): all but those from which control returns within the trace.

use capvec_isa::Op;
use capvec_sim::block::Block;
use capvec_sim::insn::Insn;

/// The register of return addresses, ra. Calls that link to t0 are rare, and core models do not predict their returns.
const RA: u8 = 1;

/// Whether the instruction returns from a call.
pub fn returns(i: &Insn) -> bool {
    i.op().row().base == Op::Jalr && i.rd_is_x0() && i.rs1 == RA
}

/// The return address of the call at the end of a block, if it ends with one. A jump to the next instruction calls nothing.
fn call(block: &Block) -> Option<u64> {
    let last = block.insns.last()?;
    let calls = match last.op().row().base {
        Op::Jal => last.rd == RA && last.imm as u64 != block.end,
        Op::Jalr => last.rd == RA,
        _ => false,
    };
    calls.then_some(block.end)
}

/// The frames of a block.
#[derive(Default)]
pub struct Frames {
    /// The block ends with a call that leaves a frame: its return address.
    pub pushed: Option<u64>,
    /// Return addresses of earlier calls that leave frames only if control leaves the trace at this block, the last one last.
    pub open: Vec<u64>,
}

/// The frames of each block of a trace.
pub fn frames(blocks: &[&Block]) -> Vec<Frames> {
    let mut all: Vec<Frames> = blocks.iter().map(|_| Frames::default()).collect();
    // The calls from which control has not returned yet: the numbers of their blocks.
    let mut calls: Vec<usize> = Vec::new();
    for (n, block) in blocks.iter().enumerate() {
        all[n].pushed = call(block);
        if all[n].pushed.is_some() {
            calls.push(n);
        } else if block.insns.last().is_some_and(returns) {
            let next = blocks.get(n + 1).map(|next| next.start);
            match calls.pop() {
                Some(call) if next == Some(blocks[call].end) => {
                    all[call].pushed = None;
                    let to = blocks[call].end;
                    all[call + 1..=n].iter_mut().for_each(|inner| inner.open.push(to));
                }
                _ => calls.clear(),
            }
        }
    }
    // Inner calls return first.
    all.iter_mut().for_each(|frames| frames.open.reverse());
    all
}
