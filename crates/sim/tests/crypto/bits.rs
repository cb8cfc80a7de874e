use capvec_sim::crypto::{bits, clmul};
use capvec_sim::testing::Rng;

/// Schoolbook multiplication, one bit at a time.
fn carry_less(a: u64, b: u64) -> u128 {
    (0..64).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ u128::from(a) << i)
}

#[test]
fn carry_less_products() {
    let mut rng = Rng::new("carry_less_products");
    let special = [0, 1, 2, 1 << 63, u64::MAX];
    for i in 0..1000usize {
        let a = special.get(i % 8).copied().unwrap_or_else(|| rng.next());
        let b = special.get(i / 8 % 8).copied().unwrap_or_else(|| rng.next());
        let product = carry_less(a, b);
        assert_eq!(clmul::clmul(a, b), product as u64);
        assert_eq!(clmul::clmulh(a, b), (product >> 64) as u64);
        assert_eq!(clmul::clmulr(a, b), (product >> 63) as u64);
        // The manual's identity: clmulr is clmul of bit-reversed operands, bit-reversed.
        let reversed = clmul::clmul(a.reverse_bits(), b.reverse_bits()).reverse_bits();
        assert_eq!(clmul::clmulr(a, b), reversed);
        let short = carry_less(u64::from(a as u32), u64::from(b as u32));
        assert_eq!(clmul::clmulh32(a as u32, b as u32), (short >> 32) as u32);
        assert_eq!(clmul::clmulr32(a as u32, b as u32), (short >> 31) as u32);
    }
}

/// Bit `i` of `x`.
fn bit(x: u64, i: u32) -> u64 {
    x >> i & 1
}

#[test]
fn bits_within_bytes() {
    let mut rng = Rng::new("bits_within_bytes");
    for _ in 0..1000 {
        let x = rng.next() & rng.next() & rng.next();
        let reversed = bits::brev8(x);
        let ones = bits::orc_b(x);
        for i in 0..64 {
            assert_eq!(bit(reversed, i), bit(x, i ^ 7));
            assert_eq!(bit(ones, i), u64::from(x >> (i & !7) & 0xff != 0));
        }
    }
}

#[test]
fn crossbar_permutations() {
    let mut rng = Rng::new("crossbar_permutations");
    for _ in 0..1000 {
        let (table, index) = (rng.next(), rng.next());
        // Most random byte indices are out of range, so make half of them small.
        let index = index & if rng.next() & 1 == 0 { 0x0f07_0f07_0f07_0f07 } else { u64::MAX };
        for i in 0..16 {
            let wanted = table >> (4 * (index >> (4 * i) & 15)) & 15;
            assert_eq!(bits::xperm4(table, index) >> (4 * i) & 15, wanted);
        }
        for i in 0..8 {
            let at = index >> (8 * i) & 0xff;
            let wanted = if at < 8 { table >> (8 * at) & 0xff } else { 0 };
            assert_eq!(bits::xperm8(table, index) >> (8 * i) & 0xff, wanted);
        }
        let (table, index) = (table as u32, index as u32);
        for i in 0..8 {
            let at = index >> (4 * i) & 15;
            let wanted = if at < 8 { table >> (4 * at) & 15 } else { 0 };
            assert_eq!(bits::xperm4_32(table, index) >> (4 * i) & 15, wanted);
        }
        for i in 0..4 {
            let at = index >> (8 * i) & 0xff;
            let wanted = if at < 4 { table >> (8 * at) & 0xff } else { 0 };
            assert_eq!(bits::xperm8_32(table, index) >> (8 * i) & 0xff, wanted);
        }
    }
}

#[test]
fn zip_interleaves_the_halves() {
    for i in 0..16 {
        assert_eq!(bits::zip(1 << i), 1 << (2 * i));
        assert_eq!(bits::zip(1 << (i + 16)), 1 << (2 * i + 1));
    }
    let mut rng = Rng::new("zip_interleaves_the_halves");
    for _ in 0..1000 {
        let x = rng.next() as u32;
        assert_eq!(bits::unzip(bits::zip(x)), x);
        assert_eq!(bits::zip(bits::unzip(x)), x);
    }
}

#[test]
fn pack_joins_lower_halves() {
    let (a, b) = (0x1122_3344_5566_7788, 0x99aa_bbcc_ddee_ff00);
    assert_eq!(bits::pack(a, b, 32), 0xddee_ff00_5566_7788);
    assert_eq!(bits::pack(a, b, 16), 0xff00_7788);
    assert_eq!(bits::pack(a, b, 8), 0x0088);
}
