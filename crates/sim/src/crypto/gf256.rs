//! Arithmetic in GF(2^8), from which the S-boxes and MixColumns are computed.

/// Product of `a` and `b` in GF(2)\[x\] modulo `poly`, a polynomial of degree 8 with its leading
/// bit included (AES: 0x11b, FIPS 197 section 4.2).
pub const fn mul(a: u8, b: u8, poly: u16) -> u8 {
    let mut product = 0u16;
    let mut power = a as u16;
    let mut bit = 0;
    while bit < 8 {
        if b >> bit & 1 == 1 {
            product ^= power;
        }
        power <<= 1;
        if power & 0x100 != 0 {
            power ^= poly;
        }
        bit += 1;
    }
    product as u8
}

/// Multiplicative inverse as a^254 (the group has order 255), with 0 mapped to 0.
pub const fn inverse(a: u8, poly: u16) -> u8 {
    let mut result = 1;
    let mut count = 0;
    while count < 254 {
        result = mul(result, a, poly);
        count += 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fips_197_section_4_2_examples() {
        assert_eq!(mul(0x57, 0x83, 0x11b), 0xc1);
        assert_eq!(mul(0x57, 0x13, 0x11b), 0xfe);
    }

    #[test]
    fn inverse_times_itself_is_one() {
        for poly in [0x11b, 0x1f5] {
            assert_eq!(inverse(0, poly), 0);
            for a in 1..=255 {
                assert_eq!(mul(a, inverse(a, poly), poly), 1, "a={a:#x} poly={poly:#x}");
            }
        }
    }
}
