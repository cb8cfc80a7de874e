//! Which calls of a trace leave a frame, where a code generator keeps a stack of them: all but those from which control returns within the trace.

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

/// The frames of each block of a trace. `loops`: control goes from the last block to the first.
pub fn frames(blocks: &[&Block], loops: bool) -> Vec<Frames> {
    let mut all: Vec<Frames> = blocks.iter().map(|_| Frames::default()).collect();
    // The calls from which control has not returned yet: the numbers of their blocks.
    let mut calls: Vec<usize> = Vec::new();
    for (n, block) in blocks.iter().enumerate() {
        all[n].pushed = call(block);
        if all[n].pushed.is_some() {
            calls.push(n);
        } else if block.insns.last().is_some_and(returns) {
            let first = blocks.first().filter(|_| loops);
            let next = blocks.get(n + 1).or(first);
            match calls.pop() {
                Some(call) if next.is_some_and(|next| next.start == blocks[call].end) => {
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

#[cfg(test)]
mod tests {
    use super::{Frames, frames};
    use capvec_isa::{Ext, Op};
    use capvec_sim::Memory;
    use capvec_sim::block::{Block, Built, build};
    use capvec_sim::hart::Agnostic;
    use capvec_sim::interp::table;
    use capvec_sim::mem::{PAGE, Perm};
    use capvec_sim::testing::{config, word};
    use capvec_sim::timing::Plan;

    const CODE: u64 = 0x1_0000;
    /// Where the call continues.
    const AFTER: u64 = CODE + 4;
    const FUNCTION: u64 = CODE + 12;

    /// The blocks at these addresses of a loop that calls a function.
    fn blocks(at: &[u64]) -> Vec<Block> {
        let add = word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (10, 10, 1));
        let words = [
            word(Op::Jal, |d| (d.rd, d.imm) = (1, 12)),
            add,
            word(Op::Jal, |d| d.imm = -8),
            add,
            word(Op::Jalr, |d| d.rs1 = 1),
        ];
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let mem = Memory::new().expect("an address space");
        mem.map(CODE, PAGE, Perm(7)).expect("a page");
        mem.write(CODE, &bytes).expect("it is writable");
        let config = config(&[Ext::Zifencei], 128, Agnostic::Undisturbed);
        let block = |start: &u64| {
            let Built { insns, end, source } =
                build(&mem, &config, table(64, false), *start).expect("code");
            Block { start: *start, end, insns, source, plan: Plan::default(), entered: 0 }
        };
        at.iter().map(block).collect()
    }

    fn of(at: &[u64], loops: bool) -> Vec<(Option<u64>, Vec<u64>)> {
        let blocks = blocks(at);
        let all = frames(&blocks.iter().collect::<Vec<_>>(), loops);
        all.into_iter().map(|Frames { pushed, open }| (pushed, open)).collect()
    }

    #[test]
    fn a_call_leaves_a_frame_unless_control_returns_within_the_trace() {
        let (leaves, within) = ((Some(AFTER), vec![]), (None, vec![AFTER]));
        let none = (None, vec![]);
        assert_eq!(of(&[CODE, FUNCTION], false), [leaves.clone(), none.clone()]);
        assert_eq!(
            of(&[CODE, FUNCTION, AFTER], false),
            [none.clone(), within.clone(), none.clone()]
        );
        // The return leads to the trace's head.
        let path = [AFTER, CODE, FUNCTION];
        assert_eq!(of(&path, true), [none.clone(), none.clone(), within]);
        assert_eq!(of(&path, false), [none.clone(), leaves, none]);
    }
}
