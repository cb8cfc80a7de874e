//! Decoder and encoder over the table.

use crate::ext::ExtSet;
use crate::generated::rows::ROWS;
use crate::op::Op;
use crate::registry;
use crate::row::{Row, Slot};
use std::sync::LazyLock;

/// An instruction with its operands. A compressed instruction has the operands of the base instruction that it
/// expands to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The instruction as encoded.
    pub op: Op,
    /// Destination register.
    pub rd: u8,
    /// First source register, or `zimm`.
    pub rs1: u8,
    /// Second source register.
    pub rs2: u8,
    /// Third source register, or store data.
    pub rs3: u8,
    /// Rounding mode, number of segment fields minus one, or aq and rl.
    pub aux: u8,
    /// Unmasked; also true for instructions without a mask.
    pub vm: bool,
    /// Immediate.
    pub imm: i64,
}

impl Decoded {
    /// The instruction with all operands zero, unmasked.
    pub const fn new(op: Op) -> Self {
        Decoded { op, rd: 0, rs1: 0, rs2: 0, rs3: 0, aux: 0, vm: true, imm: 0 }
    }

    fn get(&self, slot: Slot) -> i64 {
        match slot {
            Slot::Rd => self.rd as i64,
            Slot::Rs1 => self.rs1 as i64,
            Slot::Rs2 => self.rs2 as i64,
            Slot::Rs3 => self.rs3 as i64,
            Slot::Imm => self.imm,
            Slot::Aux => self.aux as i64,
            Slot::Vm => self.vm as i64,
        }
    }

    fn set(&mut self, slot: Slot, v: i64) {
        match slot {
            Slot::Rd => self.rd = v as u8,
            Slot::Rs1 => self.rs1 = v as u8,
            Slot::Rs2 => self.rs2 = v as u8,
            Slot::Rs3 => self.rs3 = v as u8,
            Slot::Imm => self.imm = v,
            Slot::Aux => self.aux = v as u8,
            Slot::Vm => self.vm = v != 0,
        }
    }
}

/// Why a word is not a legal instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// No row of the table matches.
    Unknown,
    /// The instruction needs any one of these extensions; the set includes those that imply them.
    Needs(Op, ExtSet),
    /// An operand has a reserved value.
    Reserved(Op),
}

/// Length in bytes of the instruction that starts with this half-word; `None` for the reserved lengths
/// above 32 bits.
pub const fn length(low: u16) -> Option<u8> {
    match low {
        l if l & 3 != 3 => Some(2),
        l if l & 0x1c != 0x1c => Some(4),
        _ => None,
    }
}

impl DecodeError {
    /// The error of several matching rows: that of the first, the most specific, explains best. Rows of drafts with one encoding
    /// are equally specific, so any of their extensions would do.
    fn or(self, other: DecodeError) -> DecodeError {
        match (self, other) {
            (DecodeError::Unknown, other) => other,
            (DecodeError::Needs(op, exts), DecodeError::Needs(twin, more))
                if op.row().mask == twin.row().mask =>
            {
                DecodeError::Needs(op, exts.union(more))
            }
            (first, _) => first,
        }
    }
}

const BUCKETS32: usize = 256;

fn bucket(word: u32) -> usize {
    if word & 3 == 3 {
        (word >> 2 & 31) as usize | (word >> 12 & 7) as usize * 32
    } else {
        BUCKETS32 + (word & 3) as usize * 8 + (word >> 13 & 7) as usize
    }
}

/// Rows by opcode and funct3, the most specific first.
static INDEX: LazyLock<Vec<Vec<&'static Row>>> = LazyLock::new(|| {
    let mut index: Vec<Vec<&'static Row>> = vec![Vec::new(); BUCKETS32 + 24];
    for row in &ROWS {
        for (n, list) in index.iter_mut().enumerate() {
            let (word, bits) = if n < BUCKETS32 {
                ((n as u32 & 31) << 2 | (n as u32 >> 5) << 12 | 3, 0x707f)
            } else {
                let k = (n - BUCKETS32) as u32;
                (k >> 3 | (k & 7) << 13, 0xe003)
            };
            let same_length = (row.len == 4) == (n < BUCKETS32);
            if same_length && (word ^ row.value) & row.mask & bits == 0 {
                list.push(row);
            }
        }
    }
    for list in &mut index {
        list.sort_by_key(|r| std::cmp::Reverse(r.mask.count_ones()));
    }
    index
});

/// Decodes the instruction in the low bits of `word`; ignores the high half for a 16-bit instruction.
///
/// # Errors
/// The word is not a legal instruction of a hart with this XLEN and these extensions.
pub fn decode(word: u32, xlen: u8, exts: ExtSet) -> Result<Decoded, DecodeError> {
    let word = if word & 3 == 3 { word } else { word & 0xffff };
    let own = || search(registry::rows(), word, xlen, exts);
    search(INDEX[bucket(word)].iter().copied(), word, xlen, exts)
        .or_else(|e| own().map_err(|o| e.or(o)))
}

fn search(
    rows: impl Iterator<Item = &'static Row>,
    word: u32,
    xlen: u8,
    exts: ExtSet,
) -> Result<Decoded, DecodeError> {
    let mut error = DecodeError::Unknown;
    for row in rows {
        if word & row.mask != row.value || (row.xlen != 0 && row.xlen != xlen) {
            continue;
        }
        match operands(row, word, exts) {
            Ok(d) => return Ok(d),
            Err(e) => error = error.or(e),
        }
    }
    Err(error)
}

fn operands(row: &'static Row, word: u32, exts: ExtSet) -> Result<Decoded, DecodeError> {
    let mut d = Decoded::new(row.op);
    for f in row.fields {
        let v = f.get(word);
        if f.nonzero && v == 0 {
            return Err(DecodeError::Reserved(row.op));
        }
        d.set(f.slot, v);
    }
    for &(slot, v) in row.consts {
        d.set(slot, v);
    }
    for need in [row.exts, row.base.row().exts] {
        if !exts.intersects(need) {
            return Err(DecodeError::Needs(row.op, need));
        }
    }
    Ok(d)
}

/// The instruction word of `d`; `None` if an operand cannot be encoded. The upper half of a 16-bit instruction is
/// zero.
pub fn encode(d: &Decoded) -> Option<u32> {
    let row = d.op.row();
    let mut word = row.value;
    for f in row.fields {
        word = f.set(word, d.get(f.slot))?;
    }
    row.consts.iter().all(|&(slot, v)| d.get(slot) == v).then_some(word)
}
