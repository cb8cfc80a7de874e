//! Where a trace continues when one of its loads or stores faults: a table after its code, which is not executed. It is part of the code, so
//! it is kept and placed with it.
//!
//! An entry has two words: the offset of the instruction in the trace's code, and that of where it continues. They are in the order of
//! the first. The table ends with the number of entries, and so does the code.

/// Bytes of a word.
const WORD: usize = 4;

/// Appends the table of these entries to the code.
pub fn append(code: &mut Vec<u8>, entries: &[(usize, usize)]) {
    let word = |n: usize| (n as u32).to_le_bytes();
    for (at, to) in entries {
        code.extend_from_slice(&word(*at));
        code.extend_from_slice(&word(*to));
    }
    code.extend_from_slice(&word(entries.len()));
}

/// Where the instruction at this offset of a trace's code continues if it faults; `None` if it must not.
pub fn find(code: &[u8], at: usize) -> Option<usize> {
    let (rest, count) = code.split_last_chunk()?;
    let count = u32::from_le_bytes(*count) as usize;
    let first = rest.len().checked_sub(count.checked_mul(2 * WORD)?)?;
    let word = |bytes: &[u8; WORD]| u32::from_le_bytes(*bytes) as usize;
    let (entries, _) = rest.get(first..)?.as_chunks::<WORD>().0.as_chunks::<2>();
    let found = entries.binary_search_by_key(&at, |[from, _]| word(from)).ok()?;
    entries.get(found).map(|[_, to]| word(to))
}

#[cfg(test)]
mod tests {
    use super::{append, find};

    #[test]
    fn entries_are_found_and_nothing_else_is() {
        for count in 0..9 {
            let mut code = vec![0xcc; 40];
            let entries: Vec<(usize, usize)> = (0..count).map(|n| (3 + 4 * n, 90 - n)).collect();
            append(&mut code, &entries);
            for at in 0..code.len() {
                let expected = entries.iter().find(|(from, _)| *from == at).map(|(_, to)| *to);
                assert_eq!(find(&code, at), expected, "{at} of {count}");
            }
        }
        // What is no such table.
        assert_eq!((find(&[], 0), find(&[0xff; 3], 0), find(&[0xff; 40], 0)), (None, None, None));
    }
}
