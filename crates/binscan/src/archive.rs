//! Archives of object files (`.a`), in the format of System V and GNU: ar(5), and binutils' include/aout/ar.h.

/// The first bytes of an archive.
pub const MAGIC: &[u8] = b"!<arch>\n";
/// The first bytes of a thin archive, which only names its files.
pub const THIN: &[u8] = b"!<thin>\n";
const HEADER: usize = 60;
const END: &[u8] = b"`\n";
/// The field of a header with the member's size, in decimal.
const SIZE: std::ops::Range<usize> = 48..58;

/// The contents of the members, and `false` if a damaged header ended the walk.
pub fn members(bytes: &[u8]) -> (Vec<&[u8]>, bool) {
    let (mut found, mut at) = (Vec::new(), MAGIC.len());
    while let Some(header) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let size = header.get(SIZE).and_then(|s| std::str::from_utf8(s).ok()?.trim().parse().ok());
        let whole = header.get(HEADER - END.len()..HEADER) == Some(END);
        let member = size.filter(|_| whole).and_then(|n: usize| header.get(HEADER..)?.get(..n));
        let Some(member) = member else { return (found, false) };
        found.push(member);
        // Members begin at even offsets.
        at += HEADER + member.len() + member.len() % 2;
    }
    (found, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, bytes: &[u8]) -> Vec<u8> {
        let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, bytes.len());
        [header.as_bytes(), bytes, &b"\n"[..bytes.len() % 2]].concat()
    }

    #[test]
    fn members_begin_at_even_offsets() {
        let all = [MAGIC, &member("/", b"abc"), &member("b.o/", b"12")].concat();
        assert_eq!(members(&all), (vec![&b"abc"[..], b"12"], true));
        assert_eq!(members(&all[..all.len() - 1]), (vec![&b"abc"[..]], false), "cut short");
        assert_eq!(members(MAGIC), (Vec::new(), true));
        let huge = member("a", b"x").iter().map(|b| if *b == b'1' { b'9' } else { *b }).collect();
        assert_eq!(members(&[MAGIC.to_vec(), huge].concat()), (Vec::new(), false));
    }
}
