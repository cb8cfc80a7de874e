//! What a decoder finds in code.

use serde::Serialize;

/// What instructions are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    Aes,
    /// Carry-less multiplication: for GHASH, and for checksums.
    Ghash,
    Sha1,
    Sha2,
    Sha3,
    Sm3,
    Sm4,
    /// Of use to many algorithms: vectors, rotations.
    General,
}

impl Family {
    /// Those of one algorithm, in the order in which they are shown.
    pub const OWN: [Family; 7] = [
        Family::Aes,
        Family::Ghash,
        Family::Sha1,
        Family::Sha2,
        Family::Sha3,
        Family::Sm3,
        Family::Sm4,
    ];

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Family::Aes => "AES",
            Family::Ghash => "CLMUL",
            Family::Sha1 => "SHA-1",
            Family::Sha2 => "SHA-2",
            Family::Sha3 => "SHA-3",
            Family::Sm3 => "SM3",
            Family::Sm4 => "SM4",
            Family::General => "general",
        }
    }
}

/// What a decoder tells of: an instruction of this extension at this address.
pub type Found<'a> = dyn FnMut(u64, &'static str, Family) + 'a;
