//! Random instructions for the unit: legal ones, and ones that are illegal for every possible reason.

use crate::harness::Request;
use crate::ports::{DRAFTS, EXTENSIONS};
use capvec_isa::op::OPS;
use capvec_isa::row::Slot;
use capvec_isa::{Ext, ExtSet, Op};
use capvec_sim::testing::{Rng, word};
use capvec_sim::vector::VType;

/// The extensions with these names of the unit's parameters.
pub fn extensions(names: &[&str]) -> Vec<Ext> {
    let named = |e: &&str| Ext::from_name(&e.to_lowercase()).expect("an extension of the table");
    names.iter().map(named).collect()
}

/// The moduli of vmulq: those of ML-DSA and of ML-KEM.
const MODULI: [u32; 2] = [8_380_417, 3329];

/// Fills registers with random bytes; in one program of three, with words at which arithmetic changes: around 0, the moduli of
/// vmulq, and the largest numbers of 16 and 32 bits.
pub fn fill(registers: &mut [u8], rng: &mut Rng) {
    rng.fill(registers);
    if !rng.one_in(3) {
        return;
    }
    for bytes in registers.chunks_exact_mut(4) {
        if !rng.one_in(4) {
            bytes.copy_from_slice(&edge(rng).to_le_bytes());
        }
    }
}

/// A number of 32 bits, or two of 16 bits.
fn edge(rng: &mut Rng) -> u32 {
    let [q, small] = MODULI;
    let half = |rng: &mut Rng| {
        rng.pick(&[0, 1, small - 1, small, small + 1, 2 * small, 0x7fff, 0x8000, 0xffff])
    };
    match rng.below(2) {
        0 => half(rng) | half(rng) << 16,
        _ => rng.pick(&[0, 1, q - 1, q, q + 1, 2 * q, 1 << 31, u32::MAX, u32::MAX / q * q]),
    }
}

/// The instructions of these extensions.
pub fn ops(names: &[&str]) -> Vec<Op> {
    let exts = ExtSet::of(&extensions(names)).closed();
    let unit = ExtSet::of(&extensions(&[&EXTENSIONS[..], &DRAFTS].concat()));
    let exts = exts.intersection(unit);
    OPS.iter().copied().filter(|op| exts.intersects(op.row().exts)).collect()
}

/// Element group size of an instruction, 1 without groups: makes legal vl and vstart likely.
fn group(op: Op) -> u64 {
    match op.name() {
        n if n.starts_with("vsm3") => 8,
        n if n.starts_with("vkeccak") => 32,
        n if op.row().value & 0x7f == 0x77 || n.starts_with("vaes") => 4,
        _ => 1,
    }
}

/// A SEW that is usually legal.
fn sew(op: Op, rng: &mut Rng) -> u32 {
    match op.name() {
        n if n.starts_with("vclmul") || n.starts_with("vkeccak") => 64,
        n if n.starts_with("vsha2") => rng.pick(&[32, 64]),
        n if n.ends_with("q.vv") || n.ends_with("q.vx") => rng.pick(&[16, 32]),
        _ if group(op) > 1 => 32,
        _ => rng.pick(&[8, 16, 32, 64]),
    }
}

/// A request of this instruction: mostly legal, but each rule is violated sometimes.
pub fn request(op: Op, vlen: u32, rng: &mut Rng) -> Request {
    let (vtype, bits) = vtype(op, vlen, rng);
    let vlmax = vtype.vlmax(vlen.into());
    let egs = group(op);
    let whole = |n: u64, rng: &mut Rng| if rng.one_in(8) { n } else { n - n % egs };
    let vl = match rng.below(4) {
        0 => vlmax,
        1 => whole(rng.below(vlmax.min(4 * egs) + 1), rng),
        _ => whole(rng.below(vlmax + 1), rng),
    };
    let vstart = match rng.below(12) {
        0 => whole(rng.below(vlen.into()), rng),
        1 | 2 => whole(rng.below(vl + 1), rng),
        _ => 0,
    };
    let insn = instruction(op, vtype.lmul, rng);
    let rs1_is_x0 = insn >> 15 & 31 == 0;
    Request {
        insn,
        vtype: bits,
        vill: rng.one_in(60),
        vl: vl as u32,
        vstart: vstart.min(u64::from(vlen) - 1) as u32,
        rs1: match rs1_is_x0 {
            true => 0,
            false if rng.one_in(4) => edge(rng).into(),
            false => rng.next(),
        },
    }
}

/// A vtype that is usually legal. Only large LMUL have room for a state of Keccak.
fn vtype(op: Op, vlen: u32, rng: &mut Rng) -> (VType, u8) {
    loop {
        let sew = if rng.one_in(8) { rng.pick(&[8, 16, 32, 64]) } else { sew(op, rng) };
        let bits = rng.below(8) | u64::from(sew.trailing_zeros() - 3) << 3 | rng.below(4) << 6;
        let vtype = VType::decode(bits, 64);
        let small = group(op) == 32 && vtype.vlmax(vlen.into()) < 32;
        if !vtype.vill && (!small || rng.one_in(20)) {
            return (vtype, bits as u8);
        }
    }
}

/// The word, with registers that are mostly aligned; sometimes a bit of it is changed.
fn instruction(op: Op, lmul: i8, rng: &mut Rng) -> u32 {
    let registers = 1 << lmul.max(0);
    let register = |rng: &mut Rng| {
        let any = rng.below(32) as u8;
        if rng.one_in(10) { any } else { any & !(registers - 1) }
    };
    let has = |slot| op.row().fields.iter().any(|f| f.slot == slot);
    let mut insn = word(op, |d| {
        d.rd = register(rng);
        d.rs2 = if rng.one_in(6) { d.rd } else { register(rng) };
        if has(Slot::Rs1) {
            d.rs1 = register(rng);
        }
        d.vm = !has(Slot::Vm) || !rng.one_in(3);
        if has(Slot::Imm) {
            let six = op.row().fields.iter().any(|f| f.slot == Slot::Imm && f.pieces.len() > 1);
            // Immediates of vkeccak other than 0 and 1 are reserved.
            let flag = group(op) == 32 && !rng.one_in(8);
            let values = match six {
                true => 64,
                false if flag => 2,
                false => 32,
            };
            d.imm = rng.below(values) as i64;
        }
    });
    if rng.one_in(12) {
        insn ^= 1 << rng.below(32);
    }
    insn
}
