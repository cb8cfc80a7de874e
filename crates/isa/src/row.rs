//! The structure of a row of the table.

use crate::class::Class;
use crate::ext_set::ExtSet;
use crate::generated::op::Op;

/// The operand that a field encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Destination register.
    Rd,
    /// First source register, or the 5-bit immediate `zimm` in its place.
    Rs1,
    /// Second source register.
    Rs2,
    /// Third source register, or the data register of a vector store.
    Rs3,
    /// Immediate, CSR number, or fence sets (fm, pred, succ from bit 8, 4, 0).
    Imm,
    /// Rounding mode, number of segment fields minus one, or aq (bit 1) and rl (bit 0).
    Aux,
    /// 1: unmasked.
    Vm,
}

/// A run of bits of an operand in the instruction word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Lowest bit in the instruction word.
    pub at: u8,
    /// Number of bits.
    pub width: u8,
    /// Lowest bit in the operand's value.
    pub to: u8,
}

/// One operand in the instruction word.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The operand.
    pub slot: Slot,
    /// The value is sign-extended.
    pub signed: bool,
    /// Zero is reserved.
    pub nonzero: bool,
    /// A three-bit register field, for x8 to x15.
    pub prime: bool,
    /// The positions of its bits.
    pub pieces: &'static [Piece],
}

impl Field {
    /// The operand's value in `word`.
    pub fn get(&self, word: u32) -> i64 {
        let mut v = 0u64;
        let mut top = 0;
        for p in self.pieces {
            v |= ((word as u64 >> p.at) & ((1 << p.width) - 1)) << p.to;
            top = top.max(p.to + p.width);
        }
        if self.prime {
            v += 8;
        }
        if self.signed { ((v << (64 - top)) as i64) >> (64 - top) } else { v as i64 }
    }

    /// `word` with the operand set to `value`; `None` if the value cannot be encoded.
    pub fn set(&self, word: u32, value: i64) -> Option<u32> {
        let raw = if self.prime { value - 8 } else { value } as u64;
        let mut w = word;
        for p in self.pieces {
            let m = ((1u64 << p.width) - 1) as u32;
            w = (w & !(m << p.at)) | (((raw >> p.to) as u32 & m) << p.at);
        }
        (self.get(w) == value && !(self.nonzero && value == 0)).then_some(w)
    }
}

/// What makes an instruction's latency data-independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dit {
    /// Nothing.
    None,
    /// Zkt lists it.
    Zkt,
    /// Zvkt lists it.
    Zvkt,
    /// Its own extension requires it.
    Always,
}

/// How taint passes through an instruction: which bits of the destination depend on which bits of the sources, column
/// `taint` of the table. `crates/taint` carries the rules out. Each is sound: a bit that it leaves clean does not change,
/// whatever values the tainted bits have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taint {
    /// Each tainted bit taints the whole destination. Always sound.
    Any,
    /// The destination depends on no operand.
    Clean,
    /// Bits are moved, copied or extended, and the places do not depend on operands.
    Move,
    /// The same, but the last operand decides the places: shifts, slides, gathers.
    MoveBy,
    /// Bit by bit; taint does not depend on values.
    Xor,
    /// Bit by bit; a clean 0 decides the result.
    And,
    /// Bit by bit; a clean 1 decides the result.
    Or,
    /// `And` with the second operand complemented.
    Andn,
    /// `Or` with the second operand complemented.
    Orn,
    /// A carry taints the bits above as far as it can reach.
    Add,
    /// The same with a borrow, whichever operand is subtracted.
    Sub,
    /// Lower half of a product: taints the bits from the lowest tainted one up.
    Mul,
    /// `Add` of 32 bits, sign-extended.
    AddW,
    /// `Sub` of 32 bits, sign-extended.
    SubW,
    /// `Mul` of 32 bits, sign-extended.
    MulW,
    /// One bit: whether the operands are equal.
    Eq,
    /// One bit: their order as signed numbers.
    Lt,
    /// One bit: their order as unsigned numbers.
    Ltu,
    /// The smaller signed number: one operand, if public bits decide which.
    Min,
    /// The smaller unsigned number.
    Minu,
    /// The larger signed number.
    Max,
    /// The larger unsigned number.
    Maxu,
    /// Upper half of a product of signed numbers: taints the bits in which products of the possible factors differ.
    Mulh,
    /// The same of unsigned numbers.
    Mulhu,
    /// The same of a signed and an unsigned number.
    Mulhsu,
    /// Lower half of a carry-less product: tainted bits of a factor go where the other factor's bits move them.
    Clmul,
    /// Upper half of a carry-less product.
    Clmulh,
    /// Reversed carry-less product.
    Clmulr,
    /// The first operand, or zero if the second is zero.
    CzeroEqz,
    /// The first operand, or zero if the second is not zero.
    CzeroNez,
    /// The second operand selects a bit, which is cleared.
    Bclr,
    /// The bit is set.
    Bset,
    /// The bit is inverted.
    Binv,
    /// The bit is the result.
    Bext,
    /// The number of leading zeros: taints the bits in which the possible numbers differ.
    Clz,
    /// The number of trailing zeros.
    Ctz,
    /// The number of ones.
    Cpop,
    /// Each byte: whether it is zero.
    Orc,
    /// Each four bits of the second operand select four bits of the first.
    Xperm4,
    /// Each byte of the second operand selects a byte of the first.
    Xperm8,
    /// An XOR of functions of single bytes of the operands: S-boxes, rotations, linear maps.
    Bytes,
    /// One of two operands, by a bit of v0.
    Merge,
    /// Sum with a carry in v0.
    Adc,
    /// Difference with a borrow in v0.
    Sbc,
    /// One bit: the carry out of such a sum.
    Carry,
    /// One bit: the borrow out of such a difference.
    Borrow,
    /// `Mul` and `Add`, or `Sub`, with the old destination.
    Macc,
    /// `Any` for each vector element by itself.
    Each,
    /// The same, with fixed-point rounding and saturation.
    Fixed,
    /// A reduction into element 0, one element after the other; `Any` for floating-point numbers.
    Reduce,
    /// Earlier elements decide the result: counts of ones in a mask, and its first one. For other instructions `Any`, except
    /// that the old destination is no source.
    Scan,
    /// `Any` for each element group by itself; the destination is a source.
    Group,
    /// A middle round of AES encryption: each column depends on four bytes of the state and one column of the key.
    AesEm,
    /// The last round of encryption, byte by byte.
    AesEf,
    /// A middle round of decryption.
    AesDm,
    /// The last round of decryption, byte by byte.
    AesDf,
    /// Addition of the first round key, bit by bit.
    AesZ,
    /// A step of the key schedule for keys of 128 bits.
    AesKf1,
    /// A step of the key schedule for keys of 256 bits.
    AesKf2,
    /// The message schedule of SHA-2, word by word.
    Sha2Ms,
    /// Two rounds of SHA-2 with the upper two words of the message.
    Sha2Ch,
    /// Two rounds of SHA-2 with the lower two words of the message.
    Sha2Cl,
    /// The message expansion of SM3, word by word.
    Sm3Me,
    /// Two rounds of SM3.
    Sm3C,
    /// Four rounds of SM4.
    Sm4R,
    /// Four steps of SM4's key schedule.
    Sm4K,
    /// The product of GHASH: linear in each factor.
    Ghash,
    /// Rounds of Keccak.
    Keccak,
}

impl Taint {
    /// The name that the rule has in the table.
    pub fn name(self) -> String {
        let mut name = String::new();
        for c in format!("{self:?}").chars() {
            if c.is_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.extend(c.to_lowercase());
        }
        name
    }
}

/// The fixed bits of an encoding.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// Length in bytes.
    pub len: u8,
    /// The XLEN that it exists for; 0 for any.
    pub xlen: u8,
    /// Which bits are fixed.
    pub mask: u32,
    /// Their values.
    pub value: u32,
}

impl Pattern {
    /// Whether a word of some XLEN has both.
    pub fn overlaps(self, other: Pattern) -> bool {
        let xlen = self.xlen == other.xlen || self.xlen == 0 || other.xlen == 0;
        let common = self.mask & other.mask;
        xlen && self.len == other.len && (self.value ^ other.value) & common == 0
    }
}

/// One instruction of the table.
#[derive(Debug)]
pub struct Row {
    /// The instruction.
    pub op: Op,
    /// Mnemonic.
    pub name: &'static str,
    /// Fixed bits of the encoding.
    pub mask: u32,
    /// Their values.
    pub value: u32,
    /// Length in bytes: 2 or 4.
    pub len: u8,
    /// The XLEN that it exists for; 0 for any.
    pub xlen: u8,
    /// Any one of these makes it legal; a compressed instruction also needs its base instruction's.
    pub exts: ExtSet,
    /// The instruction whose semantics it has: itself, or the expansion of a compressed one.
    pub base: Op,
    /// Latency class.
    pub class: Class,
    /// Data-independent timing.
    pub dit: Dit,
    /// How taint passes through it.
    pub taint: Taint,
    /// Assembly operands, as a template of operand names.
    pub args: &'static str,
    /// The specification.
    pub source: &'static str,
    /// Operands in the instruction word.
    pub fields: &'static [Field],
    /// Operands that are constant in a compressed instruction.
    pub consts: &'static [(Slot, i64)],
}

impl Row {
    /// Its fixed bits.
    pub fn pattern(&self) -> Pattern {
        let Row { len, xlen, mask, value, .. } = *self;
        Pattern { len, xlen, mask, value }
    }
}
