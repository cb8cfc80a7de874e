//! Variables that hold numbers: how the library reads their values, and how it reports its own.

use capvec_record::Arch;

/// The numbers in what the library reports: `OPENSSL_armcap=0x6ffd`, `OPENSSL_ia32cap=0x1:0x2 env:...`.
pub fn words(settings: &str) -> Option<Vec<u64>> {
    let value = settings.split_once("cap=")?.1.split(' ').next()?;
    value.split(':').map(|w| u64::from_str_radix(w.trim_start_matches("0x"), 16).ok()).collect()
}

/// The words that the library uses if it detects `words` and the variable holds `value`.
pub fn read(variable: &str, value: &str, words: &[u64]) -> Vec<u64> {
    if variable == Arch::X86_64.variable() {
        return intel(value, words);
    }
    // strtoul(value, NULL, 0) into an unsigned int, which replaces what is detected (crypto/armcap.c).
    vec![strtoul(value) & u64::from(u32::MAX)]
}

/// Digits of a number in C, and their base.
fn digits(text: &str) -> (impl Iterator<Item = u64>, u64) {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => (hex, 16),
        None if text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    (digits.chars().map_while(move |c| c.to_digit(radix)).map(u64::from), radix.into())
}

/// A number as C's strtoul reads it with base 0: text that is not a number is 0, and a minus sign negates.
fn strtoul(text: &str) -> u64 {
    let text = text.trim_start();
    let negative = text.strip_prefix('-');
    let (digits, radix) = digits(negative.or(text.strip_prefix('+')).unwrap_or(text));
    let n = digits.fold(0u64, |n, d| n.saturating_mul(radix).saturating_add(d));
    if negative.is_some() { n.wrapping_neg() } else { n }
}

/// A number as OpenSSL reads it in OPENSSL_ia32cap: no spaces, no sign, no overflow check.
fn number(text: &str) -> u64 {
    let (digits, radix) = digits(text);
    digits.fold(0u64, |n, d| n.wrapping_mul(radix).wrapping_add(d))
}

/// The words of OPENSSL_ia32cap (crypto/cpuid.c of OpenSSL 3.0 and 3.5). `~` precedes bits to clear in a word; words
/// after the last one given are cleared.
fn intel(value: &str, detected: &[u64]) -> Vec<u64> {
    /// Set once the library has queried the processor.
    const QUERIED: u64 = 1 << 10;
    /// Without it, AES-NI, PCLMUL, XOP and AVX are cleared too.
    const FXSR: u64 = 1 << 24;
    const WITH_FXSR: u64 = 1 << 33 | 1 << 43 | 1 << 57 | 1 << 60;
    /// Without AVX10, its details in the high half of the next word are cleared.
    const AVX10: u64 = 1 << 19;
    let parts: Vec<&str> = value.split(':').collect();
    // The processor is not queried if nothing of the first word is to stay.
    let asked = value.starts_with(['~', ':']);
    // Releases with two words accept no omitted word but the first.
    let skips = detected.len() > 2;
    let word = |(i, detected): (usize, &u64)| {
        let detected = if asked { *detected } else { 0 };
        match parts.get(i) {
            Some(&"") if i == 0 || (skips && i + 1 < parts.len()) => detected,
            Some(&"") | None => 0,
            Some(text) => match text.strip_prefix('~') {
                Some(mask) => detected & !number(mask),
                None => number(text),
            },
        }
    };
    let mut words: Vec<u64> = detected.iter().enumerate().map(word).collect();
    if let Some(low) = words.first_mut() {
        if value.strip_prefix('~').is_some_and(|mask| number(mask) & FXSR != 0) {
            *low &= !WITH_FXSR;
        }
        *low |= QUERIED;
    }
    if words.get(3).is_some_and(|w| w & AVX10 == 0)
        && let Some(details) = words.get_mut(4)
    {
        *details &= u64::from(u32::MAX);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With each of these values, OpenSSL 3.0.19 on an x86-64 server and 3.5.7 under qemu-x86_64 10.0 report these words.
    #[test]
    fn values_of_ia32cap_are_read_as_the_library_reads_them() {
        let old = [0xfffa_3203_4f8b_ffff, 0x1b41_5fde_f1bf_27eb];
        let new = [0xfffa_320b_0fcb_fffd, 0x8041_020c_219c_47a9, 0x1c80_a400_0010, 0, 0];
        let whole = [new[0], new[1]];
        let cases: [(&str, [u64; 2], [u64; 3]); 9] = [
            ("~0x200000200000000", [0xfdfa_3201_4f8b_ffff, 0], [0xfdfa_3209_0fcb_fffd, 0, 0]),
            (":~0x20", [old[0], 0x1b41_5fde_f1bf_27cb], [new[0], 0x8041_020c_219c_4789, 0]),
            ("~0x0:", [old[0], 0], [new[0], 0, 0]),
            ("~0x0:~0x20:", [old[0], 0x1b41_5fde_f1bf_27cb], [new[0], 0x8041_020c_219c_4789, 0]),
            ("0x0", [0x400, 0], [0x400, 0, 0]),
            ("~0x0", [old[0], 0], [new[0], 0, 0]),
            (
                "~0x1000000:~0x0",
                [0xedfa_3201_4e8b_ffff, old[1]],
                [0xedfa_3209_0ecb_fffd, new[1], 0],
            ),
            ("::", [old[0], 0], [whole[0], whole[1], 0]),
            (":", [old[0], 0], [new[0], 0, 0]),
        ];
        for (value, two, five) in cases {
            assert_eq!(intel(value, &old), two, "{value}");
            assert_eq!(intel(value, &new), [five[0], five[1], five[2], 0, 0], "{value}");
        }
        // According to its source, the processor is not queried, so there is nothing to clear bits in.
        assert_eq!(intel("0x5:~0x20", &old), [0x405, 0]);
        assert_eq!(intel("", &old), [0x400, 0]);
        let avx10 = [1 << 10, 0, 0, 1 << 19, 0x7_0000_0001];
        assert_eq!(intel("~0:~0:~0:~0x80000:~0", &avx10), [1 << 10, 0, 0, 0, 1]);
    }

    #[test]
    fn numbers_are_parsed_as_in_c() {
        assert_eq!(
            ["0x1F", "017", "15", " +9z", "-1", "z"].map(strtoul),
            [31, 15, 15, 9, u64::MAX, 0]
        );
        assert_eq!(strtoul("0x1ffffffffffffffff"), u64::MAX);
        assert_eq!(number("0x1ffffffffffffffff"), u64::MAX);
        assert_eq!([" 1", "+1", "-1"].map(number), [0, 0, 0]);
    }
}
