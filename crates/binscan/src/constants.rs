//! Tables that portable code has: of an algorithm whose library nothing else tells.

use crate::family::Family;
use memchr::memmem;
use serde::Serialize;

/// The beginning of a table.
struct Table {
    what: &'static str,
    family: Family,
    bytes: &'static [u8],
}

/// FIPS 197, 5.1.1 and its combination with MixColumns (Te0, little-endian words); FIPS 180-4, 4.2.2 and 4.2.3; FIPS 202,
/// table of round constants; GB/T 32907, S box.
const TABLES: [Table; 6] = [
    Table {
        what: "AES S-box",
        family: Family::Aes,
        bytes: &[0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b],
    },
    Table {
        what: "AES T-table",
        family: Family::Aes,
        bytes: &[0xa5, 0x63, 0x63, 0xc6, 0x84, 0x7c, 0x7c, 0xf8, 0x99, 0x77, 0x77, 0xee],
    },
    Table {
        what: "SHA-256 constants",
        family: Family::Sha2,
        bytes: &[0x98, 0x2f, 0x8a, 0x42, 0x91, 0x44, 0x37, 0x71, 0xcf, 0xfb, 0xc0, 0xb5],
    },
    Table {
        what: "SHA-512 constants",
        family: Family::Sha2,
        bytes: &[
            0x22, 0xae, 0x28, 0xd7, 0x98, 0x2f, 0x8a, 0x42, 0xcd, 0x65, 0xef, 0x23, 0x91, 0x44,
        ],
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
];

/// A table that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Constant {
    /// Which.
    pub what: &'static str,
    /// Whose.
    pub family: Family,
    /// Offset of the first one in the file.
    pub offset: usize,
}

/// Looks for them.
pub fn find(bytes: &[u8]) -> Vec<Constant> {
    let found = |t: &Table| {
        let offset = memmem::find(bytes, t.bytes)?;
        Some(Constant { what: t.what, family: t.family, offset })
    };
    TABLES.iter().filter_map(found).collect()
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
    fn beginnings_of_tables_are_right() {
        let own: Vec<u8> = (0..12).map(sbox).collect();
        assert_eq!(TABLES[0].bytes, own);
        // A word of Te0 is (2, 1, 1, 3) times the S-box, highest byte first.
        let double = |s: u8| s << 1 ^ if s & 0x80 != 0 { 0x1b } else { 0 };
        let word = |x: u8| [double(sbox(x)) ^ sbox(x), sbox(x), sbox(x), double(sbox(x))];
        assert_eq!(TABLES[1].bytes, [word(0), word(1), word(2)].concat());
        // First 32 and 64 bits of the fractional parts of cube roots of 2, 3 and 5.
        let root = |n: f64| ((n.cbrt().fract() * 4294967296.0) as u32).to_le_bytes();
        assert_eq!(TABLES[2].bytes, [root(2.0), root(3.0), root(5.0)].concat());
        assert_eq!(TABLES[3].bytes[4..8], root(2.0));
        assert_eq!(TABLES[3].bytes[12..], root(3.0)[..2]);
    }

    #[test]
    fn they_are_found_where_they_are() {
        let mut bytes = vec![0x55; 100];
        bytes.splice(40..52, TABLES[5].bytes.iter().copied());
        let all = find(&bytes);
        assert_eq!((all.len(), all[0].what, all[0].offset), (1, "SM4 S-box", 40));
    }
}
