//! Which part of a program depends on what an earlier run of it has computed.

use super::build::Builder;
use super::{Code, Insn};
use std::ops::Range;

/// Moves the instructions that depend on these slots after all others; returns the number of the others. So if the slots pass a
/// value from one lane to the next, only the rest has to wait for it. Programs that do more than compute stay as they are.
pub(crate) fn postpone(builder: &mut Builder, carried: &[Range<u32>]) -> usize {
    if !builder.code.iter().all(|i| i.wide == 0 && (i.code < Code::Load || i.code == Code::Label)) {
        return 0;
    }
    let mut late = vec![false; builder.owner.len()];
    for slots in carried {
        late[slots.start as usize..slots.end as usize].fill(true);
    }
    let mut written = vec![false; builder.owner.len()];
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for insn in builder.code.iter().filter(|i| i.code != Code::Label) {
        let d = insn.d as usize;
        // If a slot is written twice, its value depends on the order.
        if std::mem::replace(&mut written[d], true) {
            return 0;
        }
        late[d] = reads(insn).any(|slot| late[slot as usize]);
        if late[d] { &mut rest } else { &mut first }.push(*insn);
    }
    let count = first.len();
    first.extend(rest);
    builder.code = first;
    count
}

fn reads(insn: &Insn<u32>) -> impl Iterator<Item = u32> + use<> {
    [insn.a, insn.b, insn.c].into_iter().take(insn.operands())
}
