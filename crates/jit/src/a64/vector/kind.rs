//! The kinds of vector operations, in terms of the host.

use crate::a64::asm::{Op3V, OpBits};

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Unit-stride load, EEW in bits.
    Load(u32),
    /// Unit-stride store, EEW in bits.
    Store(u32),
    /// Element-wise, from vs2 and the second operand.
    Element(Element, Second),
    /// A shift or rotation of vs2 by the second operand.
    Shift(Shift, Second),
    /// An AES round; the flag says whether one lane is the key for all.
    Aes(Round, bool),
    /// (vd ^ vs1) · vs2 of GHASH, or vd · vs2.
    Ghash { add: bool },
}

/// How an element of the result is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// vs2 op second.
    Lanes(Op3V),
    /// The same for bits.
    Bits(OpBits),
    /// second - vs2.
    SubtractFrom,
    /// second.
    Copy,
    /// vs2 with the bits of each byte reversed.
    ReverseBits,
    /// vs2 with its bytes reversed.
    ReverseBytes,
}

/// The second operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// vs1.
    V,
    /// x register rs1.
    X,
    /// The immediate.
    I,
    /// None.
    No,
}

/// An AES round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    EncryptMiddle,
    EncryptFinal,
    DecryptMiddle,
    DecryptFinal,
    /// The key is added only.
    Zero,
}

/// A shift or rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    Left,
    Logical,
    Arithmetic,
    RotateLeft,
    RotateRight,
}

impl Shift {
    /// Whether what is shifted out comes in on the other side.
    pub fn rotates(self) -> bool {
        matches!(self, Shift::RotateLeft | Shift::RotateRight)
    }

    /// Whether it moves bits to the left.
    pub fn is_left(self) -> bool {
        matches!(self, Shift::Left | Shift::RotateLeft)
    }
}
