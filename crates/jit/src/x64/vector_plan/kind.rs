//! The kinds of vector operations, in terms of the host.

use iced_x86::Code;

/// What an operation does, in terms of the host. Codes are those for 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Unit-stride load, EEW in bits.
    Load(u32),
    /// Unit-stride store, EEW in bits.
    Store(u32),
    /// Constant-stride load, EEW in bits.
    LoadStrided(u32),
    /// Constant-stride store, EEW in bits.
    StoreStrided(u32),
    /// Element-wise, from vs2 and the second operand; may be masked.
    Element(Shape, Second),
    /// vslideup by the immediate.
    SlideUp,
    /// vslidedown by the immediate.
    SlideDown,
    /// An AES round; the flag says whether one lane is the key for all.
    Aes(Round, bool),
    /// (vd ^ vs1) · vs2 of GHASH, or vd · vs2.
    Ghash { add: bool },
    /// Two rounds of SHA-256 with words 0 and 1 of vs1, or 2 and 3.
    Sha256 { high: bool },
    /// Four words of SHA-256's message schedule.
    Schedule256,
    /// Two rounds of SHA-512.
    Sha512 { high: bool },
    /// Four words of SHA-512's message schedule.
    Schedule512,
    /// Two rounds of SM3.
    Sm3,
    /// Eight words of SM3's message expansion.
    Expand,
    /// Four rounds of SM4; `lane`: one lane holds the keys for all.
    Sm4 { lane: bool },
    /// The rounds `first..end` of Keccak-f\[1600\].
    Keccak { first: u8, end: u8 },
}

/// How an element of the result is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// vs2 op second.
    Plain(Code),
    /// second op vs2.
    Swapped(Code),
    /// vs2 op second, which is taken modulo SEW.
    Shift(Code),
    /// By the immediate.
    Immediate(Code),
    /// A permutation of each lane's bytes, with this index into `constant::SHUFFLES`.
    Shuffle(usize),
    /// Reverses the bits of each byte.
    Brev8,
    /// The second operand.
    Copy,
    /// The second operand where v0 is one, otherwise vs2.
    Merge(Code),
    /// The element number.
    Index,
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
    /// One instruction of the host.
    Host(Code),
    /// The round key is XORed before InvMixColumns.
    DecryptMiddle,
    /// The round key is XORed only.
    Zero,
}

impl Kind {
    /// The EEW of the data in bits, if the instruction encodes it.
    pub fn eew(self) -> Option<u32> {
        match self {
            Kind::Load(eew) | Kind::Store(eew) => Some(eew),
            Kind::LoadStrided(eew) | Kind::StoreStrided(eew) => Some(eew),
            _ => None,
        }
    }

    /// Whether it can be translated for less than a whole lane.
    pub fn can_be_cut(self) -> bool {
        use Kind::{Element, Load, LoadStrided, Store, StoreStrided};
        matches!(self, Load(_) | Store(_) | LoadStrided(_) | StoreStrided(_) | Element(..))
    }

    /// Whether it reads x register rs1.
    pub fn reads_x(self) -> bool {
        use Kind::{Element, Load, LoadStrided, Store, StoreStrided};
        match self {
            Load(_) | Store(_) | LoadStrided(_) | StoreStrided(_) => true,
            Element(_, second) => second == Second::X,
            _ => false,
        }
    }

    /// Whether it is a merge, which v0 does not mask: it chooses one of two elements.
    pub fn is_merge(self) -> bool {
        matches!(self, Kind::Element(Shape::Merge(_), _))
    }

    /// Whether its masked form can be translated.
    pub fn can_be_masked(self) -> bool {
        matches!(self, Kind::Element(..))
    }
}
