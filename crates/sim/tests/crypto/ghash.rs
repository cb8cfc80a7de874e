use capvec_sim::crypto::ghash::{add_multiply, multiply};
use capvec_sim::testing::Rng;
use ghash::GHash;
use ghash::universal_hash::UniversalHash;

#[test]
fn whole_ghash_is_that_of_rustcrypto() {
    let mut rng = Rng::new("whole_ghash_is_that_of_rustcrypto");
    for _ in 0..100 {
        let key: [u8; 16] = rng.bytes();
        let blocks: Vec<[u8; 16]> = (0..8).map(|_| rng.bytes()).collect();
        let mut oracle = GHash::new(&key.into());
        let h = u128::from_le_bytes(key);
        let mut y = 0;
        for block in blocks {
            oracle.update(&[block.into()]);
            y = add_multiply(y, u128::from_le_bytes(block), h);
        }
        assert_eq!(y.to_le_bytes(), oracle.finalize().as_slice());
    }
}

/// The pseudocode of the manual, one bit at a time.
fn bit_serial(y: u128, h: u128) -> u128 {
    let brev8 = |x: u128| u128::from_le_bytes(x.to_le_bytes().map(u8::reverse_bits));
    let (s, mut h, mut z) = (brev8(y), brev8(h), 0);
    for bit in 0..128 {
        if s >> bit & 1 == 1 {
            z ^= h;
        }
        let reduce = h >> 127 == 1;
        h <<= 1;
        if reduce {
            h ^= 0x87;
        }
    }
    brev8(z)
}

#[test]
fn product_is_the_manuals_pseudocode() {
    let mut rng = Rng::new("product_is_the_manuals_pseudocode");
    for _ in 0..1000 {
        let (a, b) = (u128::from_le_bytes(rng.bytes()), u128::from_le_bytes(rng.bytes()));
        assert_eq!(multiply(a, b), bit_serial(a, b));
    }
    // The unit of the field is the block whose first bit is set.
    let a = u128::from_le_bytes(rng.bytes());
    assert_eq!((multiply(a, 0x80), multiply(0x80, a), multiply(a, 0)), (a, a, 0));
}
