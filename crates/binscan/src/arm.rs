//! AArch64 code, by masks of the cryptographic instructions (Arm Architecture Reference Manual, C4.1 "A64 instruction set
//! encoding"): all instructions are words.

use crate::elf::Code;
use crate::instruction_family::{Family, Found};

/// Mask, value, extension.
type Row = (u32, u32, &'static str, Family);

/// Register operands.
const RD_RN: u32 = 0xffff_fc00;
const RD_RN_RM: u32 = 0xffe0_fc00;

const ROWS: [Row; 33] = [
    (RD_RN, 0x4e28_4800, "aes", Family::Aes),         // AESE
    (RD_RN, 0x4e28_5800, "aes", Family::Aes),         // AESD
    (RD_RN, 0x4e28_6800, "aes", Family::Aes),         // AESMC
    (RD_RN, 0x4e28_7800, "aes", Family::Aes),         // AESIMC
    (RD_RN_RM, 0x0ee0_e000, "pmull", Family::Ghash),  // PMULL, 64 bits
    (RD_RN_RM, 0x4ee0_e000, "pmull", Family::Ghash),  // PMULL2, 64 bits
    (RD_RN_RM, 0x5e00_0000, "sha1", Family::Sha1),    // SHA1C
    (RD_RN_RM, 0x5e00_1000, "sha1", Family::Sha1),    // SHA1P
    (RD_RN_RM, 0x5e00_2000, "sha1", Family::Sha1),    // SHA1M
    (RD_RN_RM, 0x5e00_3000, "sha1", Family::Sha1),    // SHA1SU0
    (RD_RN, 0x5e28_0800, "sha1", Family::Sha1),       // SHA1H
    (RD_RN, 0x5e28_1800, "sha1", Family::Sha1),       // SHA1SU1
    (RD_RN_RM, 0x5e00_4000, "sha256", Family::Sha2),  // SHA256H
    (RD_RN_RM, 0x5e00_5000, "sha256", Family::Sha2),  // SHA256H2
    (RD_RN_RM, 0x5e00_6000, "sha256", Family::Sha2),  // SHA256SU1
    (RD_RN, 0x5e28_2800, "sha256", Family::Sha2),     // SHA256SU0
    (RD_RN_RM, 0xce60_8000, "sha512", Family::Sha2),  // SHA512H
    (RD_RN_RM, 0xce60_8400, "sha512", Family::Sha2),  // SHA512H2
    (RD_RN_RM, 0xce60_8800, "sha512", Family::Sha2),  // SHA512SU1
    (RD_RN, 0xcec0_8000, "sha512", Family::Sha2),     // SHA512SU0
    (0xffe0_8000, 0xce00_0000, "sha3", Family::Sha3), // EOR3
    (0xffe0_8000, 0xce20_0000, "sha3", Family::Sha3), // BCAX
    (RD_RN_RM, 0xce60_8c00, "sha3", Family::Sha3),    // RAX1
    (0xffe0_0000, 0xce80_0000, "sha3", Family::Sha3), // XAR
    (0xffe0_8000, 0xce40_0000, "sm3", Family::Sm3),   // SM3SS1
    (0xffe0_cc00, 0xce40_8000, "sm3", Family::Sm3),   // SM3TT1A
    (0xffe0_cc00, 0xce40_8400, "sm3", Family::Sm3),   // SM3TT1B
    (0xffe0_cc00, 0xce40_8800, "sm3", Family::Sm3),   // SM3TT2A
    (0xffe0_cc00, 0xce40_8c00, "sm3", Family::Sm3),   // SM3TT2B
    (RD_RN_RM, 0xce60_c000, "sm3", Family::Sm3),      // SM3PARTW1
    (RD_RN_RM, 0xce60_c400, "sm3", Family::Sm3),      // SM3PARTW2
    (RD_RN, 0xcec0_8400, "sm4", Family::Sm4),         // SM4E
    (RD_RN_RM, 0xce60_c800, "sm4", Family::Sm4),      // SM4EKEY
];

/// Finds all cryptographic instructions.
pub fn decode(code: &Code, found: &mut Found) {
    let words = code.bytes.chunks_exact(4);
    for (i, bytes) in words.enumerate() {
        let word = bytes.try_into().map_or(0, u32::from_le_bytes);
        // All rows have these bits: most words need no comparison with the rows.
        if word & 0x0e00_0000 != 0x0e00_0000 {
            continue;
        }
        if let Some((_, _, extension, family)) =
            ROWS.iter().find(|(mask, value, ..)| word & mask == *value)
        {
            found(code.address.wrapping_add(4 * i as u64), extension, *family);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that GNU as 2.44 has assembled, with their extensions.
    const ASSEMBLED: [(u32, &str); 12] = [
        (0x4e28_4820, "aes"),    // aese v0.16b, v1.16b
        (0x4ee2_e020, "pmull"),  // pmull2 v0.1q, v1.2d, v2.2d
        (0x0ee2_e020, "pmull"),  // pmull v0.1q, v1.1d, v2.1d
        (0x5e28_0820, "sha1"),   // sha1h s0, s1
        (0x5e28_2800, "sha256"), // sha256su0 v0.4s, v0.4s
        (0xce60_8400, "sha512"), // sha512h2 q0, q0, v0.2d
        (0xce80_0000, "sha3"),   // xar v0.2d, v0.2d, v0.2d, #0
        (0xce20_0000, "sha3"),   // bcax
        (0xce40_8c00, "sm3"),    // sm3tt2b
        (0xcec0_8400, "sm4"),    // sm4e v0.4s, v0.4s
        (0x4e20_8400, ""),       // add v0.16b, v0.16b, v0.16b
        (0xd65f_03c0, ""),       // ret
    ];

    #[test]
    fn words_that_an_assembler_made() {
        for (word, expected) in ASSEMBLED {
            let mut names = Vec::new();
            let bytes = word.to_le_bytes();
            decode(&Code { address: 0, offset: 0, bytes: &bytes }, &mut |_, e, _| names.push(e));
            assert_eq!(names.concat(), expected, "{word:#x}");
        }
    }

    /// No two rows match the same word.
    #[test]
    fn rows_are_disjoint() {
        for (i, a) in ROWS.iter().enumerate() {
            assert_eq!(a.1 & !a.0, 0);
            for b in &ROWS[..i] {
                assert_ne!((a.1 ^ b.1) & a.0 & b.0, 0, "{:#x} {:#x}", a.1, b.1);
            }
        }
    }
}
