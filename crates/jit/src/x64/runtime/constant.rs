//! Constants that generated code reads.

use capvec_sim::crypto::sm4;
use capvec_timing::inline::tage;
use std::ops::Range;
use std::sync::LazyLock;

/// Long enough for the widest load.
#[repr(align(64))]
pub struct Constant(pub [u8; 64]);

impl Constant {
    /// Its host address.
    pub fn address(&'static self) -> u64 {
        self.0.as_ptr() as u64
    }
}

/// The addresses of a table.
pub fn place<T>(table: &[T]) -> Range<u64> {
    let all = table.as_ptr_range();
    all.start as u64..all.end as u64
}

/// The places of all constants, made if necessary, in an order that is the same in every process.
pub fn places() -> impl Iterator<Item = Range<u64>> {
    let multipliers = std::slice::from_ref(&MULTIPLIERS);
    let constants: [&[Constant]; 7] =
        [&SHUFFLES, &ROTATIONS[0], &ROTATIONS[1], &REVERSED, &BITS, &INDICES, multipliers];
    let tables: [&[u32]; 3] = [&*SM4, &*SM4_ROUNDS, &*SM4_KEYS];
    constants.map(place).into_iter().chain(tables.map(place))
}

/// PSHUFB indices that reverse the bytes of each element of 2, 4 and 8 bytes.
pub static SHUFFLES: [Constant; 3] = [reversed(2), reversed(4), reversed(8)];

const fn reversed(size: usize) -> Constant {
    let mut c = [0; 64];
    let mut k = 0;
    while k < 64 {
        // PSHUFB indices are relative to a lane of 16 bytes.
        c[k] = (k % 16 / size * size + size - 1 - k % size) as u8;
        k += 1;
    }
    Constant(c)
}

/// Four times the multiplier of the hashes of tagged tables, and four times its high half.
pub static MULTIPLIERS: Constant = {
    let (all, high) = (tage::MULTIPLIER.to_le_bytes(), (tage::MULTIPLIER >> 32).to_le_bytes());
    let mut c = [0; 64];
    let mut k = 0;
    while k < 64 {
        c[k] = if k < 32 { all[k % 8] } else { high[k % 8] };
        k += 1;
    }
    Constant(c)
};

/// PSHUFB indices that rotate elements of 4 and 8 bytes right by whole bytes.
pub static ROTATIONS: [[Constant; 8]; 2] = [rotations(4), rotations(8)];

const fn rotations(size: usize) -> [Constant; 8] {
    let mut all = [const { Constant([0; 64]) }; 8];
    let mut k = 0;
    while k < 8 * 64 {
        let (by, at) = (k / 64, k % 64);
        all[by].0[at] = (at % 16 / size * size + (at + by) % size) as u8;
        k += 1;
    }
    all
}

/// SM4's S-box and linear transform for each byte of a word, the lowest first: 256 words for each.
pub static SM4: LazyLock<[u32; 1024]> = LazyLock::new(|| {
    std::array::from_fn(|k| {
        let b = sm4::SBOX[k % 256] as u32;
        sm4::linear(b).rotate_left(k as u32 / 256 * 8)
    })
});

/// What `sm4ed` and `sm4ks` XOR for byte 0.
pub static SM4_ROUNDS: LazyLock<[u32; 256]> =
    LazyLock::new(|| std::array::from_fn(|b| sm4::sm4ed(0, b as u32, 0)));
/// See `SM4_ROUNDS`.
pub static SM4_KEYS: LazyLock<[u32; 256]> =
    LazyLock::new(|| std::array::from_fn(|b| sm4::sm4ks(0, b as u32, 0)));

/// A matrix for GF2P8AFFINEQB, row 0 in the most significant byte: bit k of a row selects bit k of the source for the
/// XOR that gives the row's bit of the result.
pub const fn matrix(rows: [u8; 8]) -> u64 {
    u64::from_be_bytes(rows)
}

/// The matrix that reverses the bits of a byte: row k has a one in column 7 - k.
pub const BREV8: u64 = matrix([0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01]);

/// PSHUFB tables that bit-reverse the low and the high nibble of a byte, and the mask of a nibble.
pub static REVERSED: [Constant; 3] = [halves(4), halves(0), Constant([15; 64])];

const fn halves(up: u32) -> Constant {
    let mut c = [0; 64];
    let mut k = 0;
    while k < 64 {
        c[k] = ((k % 16) as u8).reverse_bits() >> 4 << up;
        k += 1;
    }
    Constant(c)
}

/// For each element of 4 and 8 bytes, its own mask bit, the lowest first.
pub static BITS: [Constant; 2] = [bits(4), bits(8)];

const fn bits(size: usize) -> Constant {
    let mut c = [0; 64];
    let mut k = 0;
    // Only the elements in the first 32 bytes are used.
    while k < 8 && k * size < 64 {
        c[k * size] = 1 << k;
        k += 1;
    }
    Constant(c)
}

/// Element numbers 0, 1, 2, … of 2, 4 and 8 bytes.
pub static INDICES: [Constant; 3] = [counting(2), counting(4), counting(8)];

const fn counting(size: usize) -> Constant {
    let mut c = [0; 64];
    let mut k = 0;
    while k < 64 / size {
        c[k * size] = k as u8;
        k += 1;
    }
    Constant(c)
}
