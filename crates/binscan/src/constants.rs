//! Tables of portable code, which show an algorithm even if its library is unknown.

use crate::elf::File;
use crate::instruction_family::Family;
use memchr::memmem;
use serde::Serialize;

/// The beginning of a table.
struct Table {
    what: &'static str,
    family: Family,
    bytes: &'static [u8],
}

/// FIPS 197, 5.1.1 and 5.3.2, and their combinations with MixColumns (Te0, as words of either byte order); FIPS 202, table
/// of round constants; GB/T 32907, S box.
const TABLES: [Table; 7] = [
    Table {
        what: "AES S-box",
        family: Family::Aes,
        bytes: &[0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b],
    },
    Table {
        what: "AES inverse S-box",
        family: Family::Aes,
        bytes: &[0x52, 0x09, 0x6a, 0xd5, 0x30, 0x36, 0xa5, 0x38, 0xbf, 0x40, 0xa3, 0x9e],
    },
    Table {
        what: "AES T-table",
        family: Family::Aes,
        bytes: &[0xa5, 0x63, 0x63, 0xc6, 0x84, 0x7c, 0x7c, 0xf8, 0x99, 0x77, 0x77, 0xee],
    },
    Table {
        what: "AES T-table",
        family: Family::Aes,
        bytes: &[0xc6, 0x63, 0x63, 0xa5, 0xf8, 0x7c, 0x7c, 0x84, 0xee, 0x77, 0x77, 0x99],
    },
    Table {
        what: "Keccak constants",
        family: Family::Sha3,
        bytes: &[0x01, 0, 0, 0, 0, 0, 0, 0, 0x82, 0x80, 0, 0, 0, 0, 0, 0, 0x8a, 0x80],
    },
    Table {
        what: "SM4 S-box",
        family: Family::Sm4,
        bytes: &[0xd6, 0x90, 0xe9, 0xfe, 0xcc, 0xe1, 0x3d, 0xb7, 0x16, 0xb6, 0x14, 0xc2],
    },
    // GB/T 32907, key schedule: its words in the order of their use.
    Table {
        what: "SM4 key constants",
        family: Family::Sm4,
        bytes: &[0x15, 0x0e, 0x07, 0x00, 0x31, 0x2a, 0x23, 0x1c, 0x4d, 0x46, 0x3f, 0x38],
    },
];

/// A table, or a set of constants, that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Constant {
    /// Its description.
    pub what: &'static str,
    /// The family of its algorithm.
    pub family: Family,
    /// Offset of the first one in the file.
    pub offset: usize,
}

/// Finds the tables in a file.
pub fn find(file: &File) -> Vec<Constant> {
    tables(file.bytes)
}

fn tables(bytes: &[u8]) -> Vec<Constant> {
    let mut found: Vec<Constant> = Vec::new();
    for t in &TABLES {
        if let Some(offset) = memmem::find(bytes, t.bytes)
            && !found.iter().any(|c| c.what == t.what)
        {
            found.push(Constant { what: t.what, family: t.family, offset });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The S-box from its definition: inverse in GF(2^8), then the affine map (FIPS 197, 5.1.1).
    fn sbox(x: u8) -> u8 {
        let times = |mut a: u8, mut b: u8| {
            let mut p = 0;
            while b != 0 {
                p ^= if b & 1 != 0 { a } else { 0 };
                a = a << 1 ^ if a & 0x80 != 0 { 0x1b } else { 0 };
                b >>= 1;
            }
            p
        };
        let inverse = (0..=255).find(|y| times(x, *y) == 1).unwrap_or(0);
        (0..5).fold(0x63, |s, n| s ^ u8::rotate_left(inverse, n))
    }

    #[test]
    fn tables_begin_with_the_computed_values() {
        let own: Vec<u8> = (0..12).map(sbox).collect();
        assert_eq!(TABLES[0].bytes, own);
        let mut inverse = [0; 256];
        (0..=255).for_each(|x| inverse[usize::from(sbox(x))] = x);
        assert_eq!(TABLES[1].bytes, &inverse[..12]);
        // A word of Te0 is (2, 1, 1, 3) times the S-box, highest byte first.
        let double = |s: u8| s << 1 ^ if s & 0x80 != 0 { 0x1b } else { 0 };
        let word = |x: u8| [double(sbox(x)) ^ sbox(x), sbox(x), sbox(x), double(sbox(x))];
        assert_eq!(TABLES[2].bytes, [word(0), word(1), word(2)].concat());
        let reversed = |x: u8| word(x).into_iter().rev().collect::<Vec<u8>>();
        assert_eq!(TABLES[3].bytes, [reversed(0), reversed(1), reversed(2)].concat());
        // Bytes of CK are multiples of 7 (GB/T 32907, 7.3), highest first.
        let ck = |i: u8| (0..4).rev().map(|j| (4 * i + j).wrapping_mul(7)).collect::<Vec<u8>>();
        assert_eq!(TABLES[6].bytes, [ck(0), ck(1), ck(2)].concat());
    }

    #[test]
    fn tables_are_found_at_their_offset() {
        let mut bytes = vec![0x55; 100];
        bytes.splice(40..52, TABLES[5].bytes.iter().copied());
        let all = tables(&bytes);
        assert_eq!((all.len(), all[0].what, all[0].offset), (1, "SM4 S-box", 40));
    }
}
