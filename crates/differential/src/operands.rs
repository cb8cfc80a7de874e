//! Random operands for a row of the instruction table.

use crate::initial_states::{ADDRESSES, ALIGNED, INDICES, RESERVED, STRIDES};
use capvec_isa::row::{Field, Row, Slot};
use capvec_isa::{Class, Op};
use capvec_sim::testing::Rng;

/// The register file of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum File {
    X,
    F,
    V,
}

/// The register file of a slot, from the row's operand template.
fn file(row: &Row, slot: Slot) -> Option<File> {
    let suffix = match slot {
        Slot::Rd => "d",
        Slot::Rs1 => "s1",
        Slot::Rs2 => "s2",
        Slot::Rs3 => "s3",
        _ => return None,
    };
    row.args.split(|c: char| !c.is_alphanumeric()).find_map(|name| {
        let first = name.strip_suffix(suffix)?;
        match first {
            "r" => Some(File::X),
            "f" => Some(File::F),
            "v" => Some(File::V),
            _ => None,
        }
    })
}

/// User-mode CSRs, except counters and `seed`; vstart twice, because the most depends on it.
const CSRS: [i64; 11] =
    [0x001, 0x002, 0x003, 0x008, 0x009, 0x00a, 0x00f, 0xc20, 0xc21, 0xc22, 0x008];

/// A vtype, usually legal.
pub fn vtype(rng: &mut Rng) -> u64 {
    if rng.one_in(24) {
        return rng.next() & 0x7ff;
    }
    let sew = rng.pick(&[0, 1, 2, 2, 3, 3]);
    let lmul = rng.pick(&[0, 0, 0, 1, 1, 2, 3, 7, 7, 6, 5]);
    rng.below(4) << 6 | sew << 3 | lmul
}

/// Whether the base must be one of `ALIGNED`: QEMU aborts on misaligned atomic accesses and on fault-only-first loads
/// of an element that crosses a page.
pub fn needs_aligned(row: &Row) -> bool {
    row.class == Class::Amo || row.name.ends_with("ff.v")
}

/// Whole-register loads and stores.
pub fn is_whole_register(row: &Row) -> bool {
    let access = matches!(row.class, Class::Vload | Class::Vstore);
    access && row.fields.iter().all(|f| f.slot != Slot::Vm) && !row.name.ends_with("m.v")
}

fn x_register(rng: &mut Rng, row: &Row, f: &Field) -> i64 {
    let (low, count) = if f.prime { (8, 8) } else { (0, 32) };
    let wanted: &[u8] = match f.slot {
        // Jumps return through ra.
        Slot::Rs1 if row.base == Op::Jalr => &[1, 1, 1, 8],
        Slot::Rs1 if needs_aligned(row) => return rng.pick(&ALIGNED) as i64,
        Slot::Rs1 if row.args.contains("(rs1)") => &ADDRESSES,
        Slot::Rs2 if matches!(row.class, Class::VloadStrided | Class::VstoreStrided) => &STRIDES,
        // Not the registers whose addresses later instructions need.
        Slot::Rd => &[0, 4, 5, 12, 13, 14, 15, 16, 17, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31],
        _ => &[],
    };
    let fits = |r: &u8| (low..low + count).contains(&(*r as i64));
    let wanted: Vec<u8> = wanted.iter().copied().filter(fits).collect();
    if !wanted.is_empty() && !rng.one_in(12) {
        return rng.pick(&wanted) as i64;
    }
    let any = low + rng.below(count as u64) as i64;
    if any == RESERVED as i64 { 4 } else { any }
}

fn v_register(rng: &mut Rng, row: &Row, slot: Slot, word: u32) -> i64 {
    let indexed = matches!(row.class, Class::VloadIndexed | Class::VstoreIndexed);
    if indexed && slot == Slot::Rs2 && !rng.one_in(8) {
        let align = rng.pick(&[1, 2, 4, 8]);
        return (rng.pick(&[8, 9, 10, 12, 14]) & !(align - 1)).max(INDICES.start) as i64;
    }
    // Sometimes the same as another operand.
    if rng.one_in(8) {
        return (word >> rng.pick(&[7, 15, 20]) & 31) as i64;
    }
    let align = rng.pick(&[1, 1, 2, 2, 4, 4, 8, 8]);
    (rng.below(32) & !(align - 1)) as i64
}

fn immediate(rng: &mut Rng, row: &Row, f: &Field, word: u32) -> i64 {
    let random = f.get(word);
    match row.base {
        Op::Jal | Op::Beq | Op::Bne | Op::Blt | Op::Bge | Op::Bltu | Op::Bgeu => {
            // The target is in the landing pad that follows.
            return row.len as i64 + 2 * rng.below(12) as i64;
        }
        Op::Jalr => return rng.below(24) as i64,
        _ => {}
    }
    if row.class == Class::Csr {
        return rng.pick(&CSRS);
    }
    if row.args.contains("vtype") {
        return vtype(rng) as i64 & 0x3ff;
    }
    match rng.below(8) {
        0..4 => random,
        4 => 0,
        5 => -1,
        // Loads and stores: close to the base.
        _ => random % 64,
    }
}

fn aux(rng: &mut Rng, row: &Row, random: i64) -> i64 {
    if row.args.contains("rm") {
        return if rng.one_in(32) { random } else { rng.pick(&[0, 1, 2, 3, 4, 7, 7, 7]) };
    }
    if row.class.is_vector() && rng.below(2) == 0 { 0 } else { random }
}

/// An instruction word of `row` with random operands.
pub fn word(rng: &mut Rng, row: &Row) -> u32 {
    let free = if row.len == 4 { !row.mask } else { !row.mask & 0xffff };
    let mut word = row.value | rng.next() as u32 & free;
    let mut set = 0u32;
    for f in row.fields {
        let bits = f.pieces.iter().fold(0, |m, p| m | ((1u32 << p.width) - 1) << p.at);
        // Shares bits with an operand that has been set.
        if bits & set != 0 {
            continue;
        }
        let value = match (f.slot, file(row, f.slot)) {
            (_, Some(File::X)) => x_register(rng, row, f),
            (slot, Some(File::V)) => v_register(rng, row, slot, word),
            (Slot::Imm, _) => immediate(rng, row, f, word),
            (Slot::Aux, _) => aux(rng, row, f.get(word)),
            (Slot::Vm, _) => (rng.below(5) < 3) as i64,
            _ => f.get(word),
        };
        if let Some(w) = f.set(word, value) {
            word = w;
        }
        set |= bits;
    }
    word
}
