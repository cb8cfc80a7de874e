//! Drops what nobody reads, and joins two instructions into one.
//!
//! A slot is written once and read afterwards, except where both branches of a condition copy their values to it. So a
//! computation may move down to its only reader.

use super::build::Builder;
use super::{Code, Insn};

const NOWHERE: u32 = u32::MAX;

struct Uses {
    /// How often each slot is read; for blocks of several slots, the count is at the first.
    read: Vec<u32>,
    /// The only instruction that writes a slot.
    written: Vec<u32>,
}

/// Improves the code of a program.
pub(crate) fn shrink(builder: &mut Builder) {
    let mut uses = count(builder);
    sweep(builder, &mut uses);
    fuse(builder, &uses);
    deliver(builder, &uses);
}

/// Computes values directly into the slots of outputs, if they are used for nothing else. While the program can still end
/// early, its outputs stay as they are.
fn deliver(builder: &mut Builder, uses: &Uses) {
    let ends = |i: &Insn<u32>| matches!(i.code, Code::Illegal | Code::Fetch);
    let safe = builder.code.iter().rposition(ends).map_or(0, |at| at + 1);
    for at in safe..builder.code.len() {
        let insn = builder.code[at];
        if insn.code != Code::Mov || insn.wide != 0 || !kept(builder, insn.d) {
            continue;
        }
        let from = uses.written[insn.a as usize] as usize;
        // Elements of arrays may have been stored to since.
        let block = builder.blocks[builder.owner[insn.a as usize] as usize];
        let alone = block.len == 1 && !block.kept && uses.read[insn.a as usize] == 1;
        let Some(source) = builder.code.get_mut(from).filter(|_| alone && from >= safe) else {
            continue;
        };
        if source.code < Code::Load && source.wide == 0 && source.d == insn.a {
            source.d = insn.d;
            builder.code[at] = gone();
        }
    }
}

fn kept(builder: &Builder, slot: u32) -> bool {
    builder.blocks[builder.owner[slot as usize] as usize].kept
}

/// The first slot of the block.
fn first(builder: &Builder, slot: u32) -> usize {
    builder.blocks[builder.owner[slot as usize] as usize].start as usize
}

fn count(builder: &Builder) -> Uses {
    let slots = builder.owner.len();
    let mut uses = Uses { read: vec![0; slots], written: vec![NOWHERE; slots] };
    for (at, insn) in builder.code.iter().enumerate() {
        for slot in operands(insn) {
            uses.read[first(builder, slot)] += 1;
        }
        if insn.pure() {
            let written = &mut uses.written[insn.d as usize];
            // A second writer: then no instruction is the only one.
            *written = if *written == NOWHERE { at as u32 } else { NOWHERE - 1 };
        }
    }
    uses
}

fn operands(insn: &Insn<u32>) -> impl Iterator<Item = u32> + use<> {
    [insn.a, insn.b, insn.c].into_iter().take(insn.operands())
}

/// Removes pure instructions without readers, the last ones first.
fn sweep(builder: &mut Builder, uses: &mut Uses) {
    let mut code = std::mem::take(&mut builder.code);
    for insn in code.iter_mut().rev() {
        let start = first(builder, insn.d);
        let kept = builder.blocks[builder.owner[insn.d as usize] as usize].kept;
        let acts = insn.pure() || insn.code == Code::Store;
        if acts && !kept && uses.read[start] == 0 {
            for slot in operands(insn) {
                uses.read[first(builder, slot)] -= 1;
            }
            *insn = gone();
        }
    }
    builder.code = code;
}

/// A label that nobody jumps to.
fn gone() -> Insn<u32> {
    Insn { code: Code::Label, x: 0, y: 0, wide: 0, d: 0, a: 0, b: 0, c: NOWHERE }
}

fn fuse(builder: &mut Builder, uses: &Uses) {
    for at in 0..builder.code.len() {
        let insn = builder.code[at];
        if insn.wide != 0 {
            continue;
        }
        let made = match insn.code {
            Code::Xor => xor(builder, uses, insn.a, insn.b, insn)
                .or_else(|| xor(builder, uses, insn.b, insn.a, insn)),
            Code::RotlBy if insn.x == 64 => only(builder, uses, insn.a, Code::Xor)
                .map(|(n, x)| (n, Insn { code: Code::RotlXor, a: x.a, b: x.b, ..insn })),
            _ => None,
        };
        if let Some((source, joined)) = made {
            builder.code[source] = gone();
            builder.code[at] = joined;
        }
    }
}

/// `kept ^ x`, where x is computed for this alone.
fn xor(
    builder: &mut Builder,
    uses: &Uses,
    kept: u32,
    x: u32,
    insn: Insn<u32>,
) -> Option<(usize, Insn<u32>)> {
    if let Some((n, inner)) = only(builder, uses, x, Code::Xor) {
        return Some((n, Insn { code: Code::Xor3, a: kept, b: inner.a, c: inner.b, ..insn }));
    }
    if let Some((n, inner)) = only(builder, uses, x, Code::RotlBy).filter(|_| insn.x == 64) {
        return Some((n, Insn { code: Code::XorRotl, y: inner.y, a: kept, b: inner.a, ..insn }));
    }
    let (n, and) = only(builder, uses, x, Code::And)?;
    for (maybe, other) in [(and.a, and.b), (and.b, and.a)] {
        if let Some((m, not)) = only(builder, uses, maybe, Code::Not) {
            builder.code[m] = gone();
            let joined = Insn { code: Code::XorAndNot, a: kept, b: not.a, c: other, ..insn };
            return Some((n, joined));
        }
    }
    None
}

/// The instruction of this code that computes a slot of one word, if the slot is read once and written once.
fn only(builder: &Builder, uses: &Uses, slot: u32, code: Code) -> Option<(usize, Insn<u32>)> {
    let block = builder.blocks[builder.owner[slot as usize] as usize];
    let at = uses.written[slot as usize] as usize;
    let found = builder.code.get(at).filter(|i| i.code == code && i.wide == 0 && i.d == slot)?;
    (block.len == 1 && !block.kept && uses.read[slot as usize] == 1).then_some((at, *found))
}
