//! Instruction families: what a cryptographic instruction is for.

use serde::Serialize;

/// Instructions at most this many bytes apart belong to one cluster: a round of any cipher is shorter.
pub const NEAR: u64 = 256;

/// What an instruction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// The AES block cipher.
    Aes,
    /// Carry-less multiplication, for GHASH and for checksums.
    Ghash,
    /// SHA-1.
    Sha1,
    /// SHA-224 to SHA-512.
    Sha2,
    /// SHA-3 and SHAKE.
    Sha3,
    /// The hash SM3.
    Sm3,
    /// The block cipher SM4.
    Sm4,
    /// ChaCha's rotations by Zvkb; no architecture has instructions for ChaCha alone.
    Chacha,
    /// Useful to many algorithms: vectors, rotations.
    General,
}

impl Family {
    /// The families that belong to one algorithm, in display order.
    pub const OWN: [Family; 8] = [
        Family::Aes,
        Family::Ghash,
        Family::Sha1,
        Family::Sha2,
        Family::Sha3,
        Family::Sm3,
        Family::Sm4,
        Family::Chacha,
    ];

    /// Display name.
    pub fn name(self) -> &'static str {
        match self {
            Family::Aes => "AES",
            Family::Ghash => "CLMUL",
            Family::Sha1 => "SHA-1",
            Family::Sha2 => "SHA-2",
            Family::Sha3 => "SHA-3",
            Family::Sm3 => "SM3",
            Family::Sm4 => "SM4",
            Family::Chacha => "ChaCha",
            Family::General => "general",
        }
    }
}

/// Called by a decoder for each instruction that it finds, with its address, its extension and its family.
pub type Found<'a> = dyn FnMut(u64, &'static str, Family) + 'a;
