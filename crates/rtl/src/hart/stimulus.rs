//! Random programs for the core: instructions of its extensions with mostly useful operands, damaged words, and a trap
//! handler that continues after the instruction that trapped.

use capvec_bare::testing::{CODE, DATA, load_address, word};
use capvec_isa::op::OPS;
use capvec_isa::row::Slot;
use capvec_isa::{Class, Decoded, Ext, ExtSet, Op, encode};
use capvec_sim::testing::Rng;

/// Registers that the handler uses and programs do not write.
const HANDLER: [u8; 2] = [30, 31];
/// Register with an address in the code, for jumps through a register.
const LINK: u8 = 29;
/// Registers with addresses in or near memory; the last points to the code, where nothing stores.
pub(super) const BASES: [u8; 5] = [10, 11, 12, 13, 14];
/// CSRs in which a random number would lead control astray.
const STEERING: [i64; 2] = [0x305, 0x341];
const CSRS: [i64; 28] = [
    0x001, 0x008, 0x009, 0x00a, 0x00f, 0x015, 0x105, 0x300, 0x301, 0x304, 0x306, 0x30a, 0x323,
    0x340, 0x342, 0x343, 0x344, 0x747, 0xb00, 0xb02, 0xb03, 0xc00, 0xc01, 0xc02, 0xc20, 0xc21,
    0xc22, 0xf14,
];

/// The instructions of a core without vectors.
pub fn scalar_ops() -> Vec<Op> {
    let exts = ExtSet::of(&[Ext::I, Ext::M, Ext::C, Ext::Zicsr]).closed();
    let has = |op: &Op| {
        let row = op.row();
        let base = row.base.row();
        exts.intersects(row.exts) && exts.intersects(base.exts) && row.xlen != 32
    };
    OPS.iter().copied().filter(has).collect()
}

/// The handler: reads `mstatus`, and advances `mepc` past the instruction there.
fn handler() -> Vec<u32> {
    let csr = |op, rd, rs1, n: i64| word(op, rd, rs1, 0, n);
    vec![
        csr(Op::Csrrs, 30, 0, 0x300),
        csr(Op::Csrrs, 31, 0, 0x341),
        word(Op::Lhu, 30, 31, 0, 0),
        word(Op::Andi, 30, 30, 0, 3),
        word(Op::Sltiu, 30, 30, 0, 3),
        word(Op::Addi, 31, 31, 0, 4),
        word(Op::Slli, 30, 30, 0, 1),
        word(Op::Sub, 31, 31, 30, 0),
        csr(Op::Csrrw, 0, 31, 0x341),
        word(Op::Mret, 0, 0, 0, 0),
    ]
}

/// A program of about `len` random instructions of `ops`, in a memory of `memory` bytes. `prologue` runs before them,
/// with `BASES` set; `others` may add words of its own.
pub fn program(
    ops: &[Op],
    memory: u64,
    len: usize,
    rng: &mut Rng,
    prologue: &[u32],
    mut others: impl FnMut(&mut Rng) -> Vec<u32>,
) -> Vec<u32> {
    let handler = handler();
    let mut words = vec![word(Op::Jal, 0, 0, 0, 4 * (handler.len() as i64 + 1))];
    words.extend(&handler);
    words.extend(load_address(5, CODE + 4));
    words.push(word(Op::Csrrw, 0, 5, 0, 0x305));
    // Enables the vector unit.
    words.push(word(Op::Addi, 5, 0, 0, 1 << 9));
    words.push(word(Op::Csrrs, 0, 5, 0, 0x300));
    let end = 0x8000_0000 + memory;
    for (n, base) in BASES.into_iter().enumerate() {
        let near = [DATA + 256, DATA + 1024, DATA + 2048, end - rng.below(64), 0x8000_0000];
        words.extend(load_address(base, near[n] + rng.below(64)));
    }
    for r in [5, 6, 7, 8, 9, 15, 16, 17, 18] {
        words.extend(load_address(r, rng.next() as u32 as u64));
        words.push(word(Op::Slli, r, r, 0, rng.below(33) as i64));
    }
    words.push(word(Op::Mul, 19, 5, 6, 0));
    words.extend(prologue);
    let mut halves: Vec<u16> = words.iter().flat_map(|w| [*w as u16, (*w >> 16) as u16]).collect();
    for _ in 0..len {
        for w in random(ops, rng, &mut others) {
            halves.push(w as u16);
            if w & 3 == 3 {
                halves.push((w >> 16) as u16);
            }
        }
    }
    // The end, reached in sequence or by a jump beyond it.
    let padding = 16 + halves.len() % 2;
    halves.extend(std::iter::repeat_n(1, padding));
    let mut words: Vec<u32> =
        halves.chunks(2).map(|c| u32::from(c[0]) | u32::from(c[1]) << 16).collect();
    words.extend(capvec_bare::testing::exit(0));
    words
}

fn random(ops: &[Op], rng: &mut Rng, others: &mut impl FnMut(&mut Rng) -> Vec<u32>) -> Vec<u32> {
    if rng.one_in(3) {
        let words = others(rng);
        if !words.is_empty() {
            return words;
        }
    }
    if rng.one_in(40) {
        return vec![word(Op::Auipc, LINK, 0, 0, 0), jump(rng)];
    }
    loop {
        let op = rng.pick(ops);
        if op.row().base == Op::Jalr {
            continue;
        }
        let Some(mut w) = instruction(op, rng) else { continue };
        if rng.one_in(30) {
            w ^= 1 << rng.below(if w & 3 == 3 { 32 } else { 16 });
        }
        if is_tame(w) {
            return vec![w];
        }
    }
}

/// A jump through `LINK`, over a few instructions.
fn jump(rng: &mut Rng) -> u32 {
    word(Op::Jalr, rng.pick(&[0, 1, 5, 20]), LINK, 0, 8 + 4 * rng.below(3) as i64)
}

fn instruction(op: Op, rng: &mut Rng) -> Option<u32> {
    let mut d = Decoded::new(op);
    let base = op.row().base;
    let class = base.row().class;
    d.rd = 1 + rng.below(29) as u8;
    d.rs1 = match class {
        Class::Load => rng.pick(&BASES),
        Class::Store => rng.pick(&BASES[..4]),
        _ => rng.below(32) as u8,
    };
    d.rs2 = rng.below(32) as u8;
    for f in op.row().fields.iter().filter(|f| f.slot == Slot::Imm) {
        let bits = f.pieces.iter().map(|p| p.to + p.width).max().unwrap_or(0);
        let low = f.pieces.iter().map(|p| p.to).min().unwrap_or(0);
        let any = (rng.next() & ((1 << bits) - 1)) as i64;
        let any = if f.signed { any << (64 - bits) >> (64 - bits) } else { any };
        d.imm = any >> low << low;
    }
    match class {
        Class::Csr => d.imm = rng.pick(&CSRS),
        Class::Branch | Class::Jump => d.imm = 4 + 2 * rng.below(8) as i64,
        Class::Load | Class::Store if d.imm > 200 => d.imm &= 0x7f & !7,
        _ => {}
    }
    encode(&d)
}

/// Whether control stays in the program. The word is decoded for that, since a damaged word may be anything.
fn is_tame(w: u32) -> bool {
    let all: ExtSet = Ext::ratified().collect();
    let Ok(d) = capvec_isa::decode(w, 64, all) else { return true };
    let row = d.op.row().base.row();
    let kept = HANDLER.contains(&d.rd) || d.rd == LINK || BASES.contains(&d.rd);
    if kept && row.args.starts_with("rd") {
        return false;
    }
    match row.class {
        Class::Jump if d.op.row().base == Op::Jalr => false,
        Class::Jump | Class::Branch => d.imm > 0 && d.imm < 32,
        Class::Store => BASES[..4].contains(&d.rs1),
        Class::Csr => !STEERING.contains(&d.imm),
        _ => true,
    }
}
