//! Programs for what random ones rarely have: register groups that overlap in every way, every form of vset, gathers with indices
//! below VLMAX, instructions that need the results of those before them, the end of memory, and every CSR.

use super::csr_writes;
use super::ports::Parameters;
use super::stimulus::{self, BASES};
use super::vector_stimulus::{self, Ops, instruction, stride};
use capvec_bare::testing::{load_address, word};
use capvec_isa::{Class, Op};
use capvec_sim::testing::{Rng, word as vector};
use capvec_sim::vector::VType;

/// Words of a program, apart from those that every program begins with; the data begin 2048 words after the first.
const MOST: usize = 1500;
/// Registers with vl and a second number.
const VL: u8 = 20;
const OTHER: u8 = 21;

/// All directed programs for a core.
pub fn programs(of: &Parameters, rng: &mut Rng) -> Vec<Vec<u32>> {
    let &Parameters { vlen, memory, drafts, .. } = of;
    let ops = vector_stimulus::ops(drafts);
    let all = [
        overlaps(&ops, rng),
        configurations(rng),
        gathers(vlen, rng),
        chains(&ops, vlen, rng),
        overtaken(&ops, vlen, rng),
        new_masks(vlen, rng),
        loaded_masks(vlen, rng),
        other_sizes(&ops, vlen, rng),
        ends(memory, rng),
        (0..4096).map(|csr| vec![word(Op::Csrrs, 6, 0, 0, csr)]).collect(),
        csr_writes::pieces(rng),
    ];
    let mut programs = vec![Vec::new()];
    for piece in all.into_iter().flatten() {
        let last = programs.last_mut().expect("never empty");
        if last.len() + piece.len() <= MOST {
            last.extend(piece);
        } else {
            programs.push(piece);
        }
    }
    let whole = |words: Vec<u32>| {
        // Before the first vset, an instruction that needs one is illegal.
        let early = vector(Op::VidV, |d| (d.rd, d.vm) = (8, true));
        let start = [vec![early], vector_stimulus::prologue(), words].concat();
        stimulus::program(&[], memory, 0, rng, &start, |_| vec![])
    };
    programs.into_iter().map(whole).collect()
}

/// Every legal vtype without its policies.
fn vtypes() -> impl Iterator<Item = VType> {
    (0..64).map(|bits| VType::decode(bits, 64)).filter(|v| !v.vill)
}

fn set(vl: u64, vtype: VType) -> [u32; 2] {
    let bits = vtype.bits(64) as i64;
    [word(Op::Addi, VL, 0, 0, vl as i64), word(Op::Vsetvli, 0, VL, 0, bits)]
}

/// Each of the core's own instructions at each vtype, with register groups that often overlap. Whether an instruction is legal
/// does not depend on vl, so few elements are enough.
fn overlaps(ops: &Ops, rng: &mut Rng) -> Vec<Vec<u32>> {
    let near = |rng: &mut Rng| {
        let half = if rng.one_in(3) { 16 } else { 0 };
        half + (rng.below(16) as u8 & !((1 << rng.below(4)) - 1))
    };
    let mut pieces = Vec::new();
    for op in ops.own.iter().copied() {
        let times = match op.row().class {
            Class::Vset => continue,
            Class::VloadIndexed | Class::VstoreIndexed => 12,
            Class::Vgather => 40,
            _ => 4,
        };
        for vtype in vtypes() {
            let mut piece = set(rng.below(3), vtype).to_vec();
            piece.extend(stride(OTHER, rng));
            piece.extend((0..times).map(|_| instruction(op, rng, near)));
            pieces.push(piece);
        }
        // After a vset that is refused, and with vstart.
        let refused = word(Op::Vsetvli, 0, VL, 0, 0x3f);
        pieces.push(vec![refused, instruction(op, rng, near)]);
        let [vl, bytes] = set(8, VType::decode(0, 64));
        let second = [word(Op::Addi, OTHER, 0, 0, 1), word(Op::Csrrw, 0, OTHER, 0, 8)];
        pieces.push(
            [vl, bytes].into_iter().chain(second).chain([instruction(op, rng, near)]).collect(),
        );
    }
    pieces
}

/// vsets in each form, after which vl and vtype are read.
fn configurations(rng: &mut Rng) -> Vec<Vec<u32>> {
    let one = |rng: &mut Rng| {
        let bits = if rng.one_in(8) { 10 } else { 6 };
        let vtype = rng.below(1 << bits) as i64;
        let (rd, rs1) = (rng.pick(&[0, 5]), rng.pick(&[0, VL]));
        let vset = match rng.below(3) {
            0 => word(Op::Vsetvli, rd, rs1, 0, vtype),
            1 => vector(Op::Vsetivli, |d| {
                (d.rd, d.rs1, d.imm) = (rd, rng.pick(&[0, 1, 31]), vtype);
            }),
            _ => word(Op::Vsetvl, rd, rs1, OTHER, 0),
        };
        vec![
            word(Op::Addi, VL, 0, 0, rng.pick(&[0, 1, 3, 17, 100, -1])),
            word(Op::Addi, OTHER, 0, 0, vtype),
            vset,
            word(Op::Csrrs, 6, 0, 0, 0xc20),
            word(Op::Csrrs, 7, 0, 0, 0xc21),
        ]
    };
    (0..900).map(|_| one(rng)).collect()
}

/// Gathers, of whose random indices half are below VLMAX.
fn gathers(vlen: u32, rng: &mut Rng) -> Vec<Vec<u32>> {
    let (vd, vs2, vs1) = (24, 16, 8);
    let mut pieces = Vec::new();
    for vtype in vtypes() {
        for (op, bits) in [(Op::VrgatherVv, vtype.sew), (Op::Vrgatherei16Vv, 16)] {
            for _ in 0..6 {
                let vlmax = vtype.vlmax(vlen.into());
                let all = VType { sew: bits, lmul: 3, ..vtype };
                let mut piece = set(all.vlmax(vlen.into()), all).to_vec();
                let shift = bits.saturating_sub(vlmax.ilog2() + 1);
                piece.push(word(Op::Addi, OTHER, 0, 0, shift.into()));
                piece.push(vector(Op::VsrlVx, |d| {
                    (d.rd, d.rs2, d.rs1, d.vm) = (vs1, vs2, OTHER, true);
                }));
                let vl = if rng.one_in(2) { vlmax } else { 1 + rng.below(vlmax) };
                piece.extend(set(vl, vtype));
                if rng.one_in(4) {
                    piece.push(word(Op::Addi, 22, 0, 0, rng.below(vl) as i64));
                    piece.push(word(Op::Csrrw, 0, 22, 0, 8));
                }
                piece.push(vector(op, |d| {
                    (d.rd, d.rs2, d.rs1, d.vm) = (vd, vs2, vs1, !rng.one_in(3));
                }));
                pieces.push(piece);
            }
        }
    }
    pieces
}

/// Instructions in a row with the same few registers, among them the mask.
fn chains(ops: &Ops, vlen: u32, rng: &mut Rng) -> Vec<Vec<u32>> {
    let one = |rng: &mut Rng| {
        let sew = rng.pick(&[8, 32, 32, 32, 64, 64]);
        let vtype = VType { sew, lmul: rng.pick(&[0, 1]), vill: false, vta: false, vma: false };
        let mut piece = set(vtype.vlmax(vlen.into()), vtype).to_vec();
        for _ in 0..16 {
            let some = if rng.one_in(2) { &ops.own } else { &ops.unit };
            let op = rng.pick(some);
            if op.row().class != Class::Vset {
                piece.push(instruction(op, rng, |rng| rng.pick(&[0, 8, 10, 12])));
            }
        }
        piece
    };
    (0..300).map(|_| one(rng)).collect()
}

/// Instructions of zvku that may wait for a load, each followed by one that writes what it reads or writes.
fn overtaken(ops: &Ops, vlen: u32, rng: &mut Rng) -> Vec<Vec<u32>> {
    let one = |op: Op, rng: &mut Rng| {
        // With few beats, the later instruction soon reaches the word that the earlier one waits for.
        let (sew, lmul) = (rng.pick(&[32, 64]), rng.pick(&[0, 0, 1]));
        let vtype = VType { sew, lmul, vill: false, vta: false, vma: false };
        let mut piece = set(vtype.vlmax(vlen.into()), vtype).to_vec();
        let some = |rng: &mut Rng| rng.pick(&[8, 10, 12]);
        piece.push(vector(Op::Vle32V, |d| (d.rd, d.rs1, d.vm) = (some(rng), BASES[0], true)));
        piece.push(instruction(op, rng, some));
        piece.push(vector(Op::VaddVx, |d| (d.rd, d.rs2, d.rs1, d.vm) = (some(rng), 14, 5, true)));
        piece
    };
    (0..24).flat_map(|_| ops.unit.iter().copied()).map(|op| one(op, rng)).collect()
}

/// Masked instructions of the core's units right after zvku has been given one that writes the mask and waits for a load. Only few
/// would read the old mask if they did not wait, so there are many.
fn new_masks(vlen: u32, rng: &mut Rng) -> Vec<Vec<u32>> {
    let vtype = VType { sew: 32, lmul: -1, vill: false, vta: false, vma: false };
    let piece = |rng: &mut Rng| {
        let mut piece = set(vtype.vlmax(vlen.into()), vtype).to_vec();
        piece.push(vector(Op::Vle32V, |d| (d.rd, d.rs1, d.vm) = (8, BASES[0], true)));
        piece.push(vector(Op::VandnVv, |d| (d.rd, d.rs2, d.rs1, d.vm) = (0, 8, 16, true)));
        let rd = rng.pick(&[12, 14]);
        piece.push(vector(Op::VaddVx, |d| (d.rd, d.rs2, d.rs1, d.vm) = (rd, 14, 5, false)));
        piece
    };
    (0..1440).map(|_| piece(rng)).collect()
}

/// Masked instructions of zvku right after a load of their mask.
fn loaded_masks(vlen: u32, rng: &mut Rng) -> Vec<Vec<u32>> {
    let piece = |rng: &mut Rng| {
        let vtype =
            VType { sew: 8, lmul: rng.pick(&[-1, 0, 1]), vill: false, vta: false, vma: false };
        let mut piece = vec![word(Op::Addi, OTHER, BASES[0], 0, rng.below(1024) as i64)];
        piece.extend(set(vtype.vlmax(vlen.into()), vtype));
        let load = rng.pick(&[Op::VlmV, Op::Vl1re8V]);
        piece.push(vector(load, |d| (d.rd, d.rs1, d.vm) = (0, OTHER, true)));
        piece.push(vector(Op::VandnVv, |d| (d.rd, d.rs2, d.rs1, d.vm) = (12, 8, 16, false)));
        piece
    };
    (0..48).map(|_| piece(rng)).collect()
}

/// Instructions with an operand that is not a register group, each followed by a move to or from a register of that operand: .vs
/// forms, and vkeccak, whose state may be larger than the group.
fn other_sizes(ops: &Ops, vlen: u32, rng: &mut Rng) -> Vec<Vec<u32>> {
    let state = (2048 / vlen).max(1);
    let one = |op: Op, rng: &mut Rng| {
        let keccak = op.row().class == Class::Vkeccak;
        let (sew, lmul) = if keccak { (64, rng.pick(&[0, 3])) } else { (32, rng.pick(&[1, 2])) };
        let vtype = VType { sew, lmul, vill: false, vta: false, vma: false };
        // Otherwise the moves soon make all these registers equal.
        let mut piece = vec![word(Op::Addi, OTHER, BASES[0], 0, rng.below(1024) as i64)];
        piece.push(vector(Op::Vl1re8V, |d| (d.rd, d.rs1) = (4, OTHER)));
        piece.extend(set(vtype.vlmax(vlen.into()), vtype));
        let (vs2, vs1) = (rng.pick(&[16, 31]), rng.pick(&[30, 31]));
        piece.push(match keccak {
            true => vector(op, |d| (d.rd, d.imm) = (16, rng.below(2) as i64)),
            false => vector(op, |d| (d.rd, d.rs2, d.rs1) = (8, vs2, vs1)),
        });
        let other = match keccak {
            true => 16 + rng.below(state.into()) as u8,
            false => rng.pick(&[vs2, vs1]),
        };
        let (rd, rs2) = if rng.one_in(3) { (4, other) } else { (other, 4) };
        piece.push(vector(Op::Vmv1rV, |d| (d.rd, d.rs2) = (rd, rs2)));
        piece
    };
    let is_other = |op: &Op| op.row().class == Class::Vkeccak || op.name().ends_with(".vs");
    let some = ops.unit.iter().copied().filter(is_other);
    some.flat_map(|op| [op; 24]).map(|op| one(op, rng)).collect()
}

/// Loads and stores that reach the last byte of memory, or the first one after it.
fn ends(memory: u64, rng: &mut Rng) -> Vec<Vec<u32>> {
    let end = 0x8000_0000 + memory;
    let mut pieces = Vec::new();
    for op in [Op::Vle8V, Op::Vse8V, Op::Vle64V, Op::Vse64V] {
        let sew = if matches!(op, Op::Vle8V | Op::Vse8V) { 8 } else { 64 };
        for beyond in 0..2 {
            let vtype = VType { sew, lmul: 0, vill: false, vta: false, vma: false };
            let elements = 1 + rng.below(2);
            let mut piece = set(elements + beyond, vtype).to_vec();
            piece.extend(load_address(OTHER, end - elements * u64::from(sew) / 8));
            piece.push(vector(op, |d| (d.rd, d.rs3, d.rs1, d.vm) = (8, 8, OTHER, true)));
            pieces.push(piece);
        }
    }
    pieces
}
