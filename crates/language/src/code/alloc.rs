//! Assigns the values of a program to the slots of a machine. Values that are never live at the same time may share one.
//!
//! Code runs forward only. So a value lives from the first instruction that writes it to the last that uses it, in the
//! order of the text.

use super::build::Builder;
use super::{Code, Insn, SLOTS};
use std::collections::HashMap;

/// A program that needs more than the slots of a machine.
pub(crate) struct TooMany;

struct Alloc {
    place: Vec<Option<u16>>,
    released: Vec<bool>,
    free: HashMap<u32, Vec<u16>>,
    next: usize,
}

/// What a machine executes.
#[derive(Debug)]
pub(crate) struct Final {
    pub code: Vec<Insn<u16>>,
    pub initial: Vec<(u16, u64)>,
    pub reasons: Vec<String>,
    /// Slots in use: those from 0 on.
    pub slots: usize,
    /// Whether there are only operations on at most 64 bits.
    pub plain: bool,
    /// Instructions that do not depend on what a lane passes on to the next; they come first.
    pub alike: usize,
}

/// Places all blocks; the second result is the place of each slot.
pub(crate) fn alloc(
    builder: Builder,
    alike: usize,
) -> Result<(Final, impl Fn(u32) -> usize), TooMany> {
    let blocks = builder.blocks.len();
    let mut state = Alloc {
        place: vec![None; blocks],
        released: vec![false; blocks],
        free: HashMap::new(),
        next: 0,
    };
    for n in (0..blocks).filter(|n| builder.blocks[*n].kept) {
        state.take(n, builder.blocks[n].len)?;
    }
    let last = last_uses(&builder);
    for (at, insn) in builder.code.iter().enumerate() {
        if insn.code == Code::Label {
            continue;
        }
        let used = slots(insn).map(|slot| builder.owner[slot as usize] as usize);
        for block in used.clone() {
            if state.place[block].is_none() {
                state.take(block, builder.blocks[block].len)?;
            }
        }
        for block in used {
            if last[block] == at && !builder.blocks[block].kept {
                state.release(block, builder.blocks[block].len);
            }
        }
    }
    let Builder { code, blocks, owner, initial, reasons, labels, .. } = builder;
    let slots = state.next;
    let place = move |slot: u32| {
        let block = owner.get(slot as usize).map_or(0, |n| *n as usize);
        let (Some(start), Some(b)) = (state.place.get(block).copied().flatten(), blocks.get(block))
        else {
            return 0;
        };
        usize::from(start) + (slot - b.start) as usize
    };
    let initial = initial.into_iter().map(|(slot, value)| (place(slot) as u16, value)).collect();
    let code = lay_out(&code, labels, &place);
    let plain = code.iter().all(|i| i.code < Code::Load && i.wide == 0);
    Ok((Final { code, initial, reasons, slots, plain, alike }, place))
}

impl Alloc {
    fn take(&mut self, block: usize, len: u32) -> Result<(), TooMany> {
        if let Some(place) = self.free.get_mut(&len).and_then(Vec::pop) {
            self.place[block] = Some(place);
            return Ok(());
        }
        if self.next + len as usize > SLOTS {
            return Err(TooMany);
        }
        self.place[block] = Some(self.next as u16);
        self.next += len as usize;
        Ok(())
    }

    /// An instruction may use a block twice, and so release it twice.
    fn release(&mut self, block: usize, len: u32) {
        let Some(place) = self.place[block] else { return };
        if !std::mem::replace(&mut self.released[block], true) {
            self.free.entry(len).or_default().push(place);
        }
    }
}

/// The slots that an instruction reads and writes.
fn slots(insn: &Insn<u32>) -> impl Iterator<Item = u32> + Clone + use<> {
    let writes = insn.pure() || matches!(insn.code, Code::Store | Code::Fetch);
    let read = [insn.a, insn.b, insn.c].into_iter().take(insn.operands());
    read.chain(writes.then_some(insn.d))
}

fn last_uses(builder: &Builder) -> Vec<usize> {
    let mut last = vec![0; builder.blocks.len()];
    for (at, insn) in builder.code.iter().enumerate() {
        for slot in slots(insn) {
            last[builder.owner[slot as usize] as usize] = at;
        }
    }
    last
}

/// Removes the labels: jumps hold the index at which they continue, in b and c.
fn lay_out(code: &[Insn<u32>], labels: u32, place: &impl Fn(u32) -> usize) -> Vec<Insn<u16>> {
    let mut at = vec![0u32; labels as usize];
    let mut next = 0;
    for insn in code {
        match (insn.code, at.get_mut(insn.c as usize)) {
            (Code::Label, Some(label)) => *label = next,
            (Code::Label, None) => {}
            _ => next += 1,
        }
    }
    let kept = code.iter().filter(|i| i.code != Code::Label);
    kept.map(|i| {
        let slot = |n: usize, slot: u32| if n < i.operands() { place(slot) as u16 } else { 0 };
        let (mut b, mut c) = (slot(1, i.b), slot(2, i.c));
        match i.code {
            Code::Jump | Code::JumpIfZero => {
                let target = at.get(i.c as usize).copied().unwrap_or(u32::MAX);
                (b, c) = ((target >> 16) as u16, target as u16);
            }
            Code::Illegal => c = i.c as u16,
            _ => {}
        }
        let Insn { code, x, y, wide, .. } = *i;
        Insn { code, x, y, wide, d: place(i.d) as u16, a: slot(0, i.a), b, c }
    })
    .collect()
}
