//! Program files: broken ones are refused, and none takes more memory than its size warrants.

use capvec_bare::testing::{exit, program};
use capvec_bare::{BareError, Image};

/// Data to which many headers or symbols refer is in memory only once.
#[test]
fn a_small_file_takes_little_memory() {
    let good = program(&exit(0));
    let entry = good[64..120].to_vec();
    // The maximum number of segments, each of which maps the whole file to the same address: 4 MB that would need 250 GB if
    // each segment were copied.
    let (count, tail) = (60_000_usize, vec![0; 4 << 20]);
    let mut many = good[..64].to_vec();
    many[56..58].copy_from_slice(&(count as u16).to_le_bytes());
    let mut header = entry;
    header[8..16].copy_from_slice(&0u64.to_le_bytes());
    let size = (64 + 56 * count + tail.len()) as u64;
    header[32..40].copy_from_slice(&size.to_le_bytes());
    header[40..48].copy_from_slice(&size.to_le_bytes());
    (0..count).for_each(|_| many.extend(&header));
    many.extend(tail);
    // No section headers.
    many[40..48].fill(0);
    many[58..64].fill(0);
    let Err(BareError::Malformed(text)) = Image::parse(&many) else {
        panic!("overlapping segments are refused")
    };
    assert!(text.contains("overlap"), "{text}");
    // The same number of symbols, whose names are suffixes of a single name.
    let names = [&[0][..], &vec![b'a'; 1 << 20], &[0]].concat();
    let symbol = |name: u32| [&name.to_le_bytes()[..], &[0x10, 0, 1, 0], &[0; 16]].concat();
    let symbols: Vec<u8> = (0..count as u32).flat_map(|i| symbol(1 + i)).collect();
    let mut named = good;
    let at = named.len();
    named.extend(symbols.iter().chain(&names));
    let sections = named.len() as u64;
    let section = |kind: u32, offset: usize, size: usize, link: u32, each: u64| {
        let words = [0, 0, offset as u64, size as u64].map(u64::to_le_bytes).concat();
        let ends = [&link.to_le_bytes()[..], &0u32.to_le_bytes(), &1u64.to_le_bytes()].concat();
        [&0u32.to_le_bytes()[..], &kind.to_le_bytes(), &words, &ends, &each.to_le_bytes()].concat()
    };
    named.extend([0; 64]);
    named.extend(section(2, at, symbols.len(), 2, 24));
    named.extend(section(3, at + symbols.len(), names.len(), 0, 0));
    named[40..48].copy_from_slice(&sections.to_le_bytes());
    named[58..64].copy_from_slice(&[64, 0, 3, 0, 2, 0]);
    let image = Image::parse(&named).expect("a program");
    assert_eq!(image.symbol("a"), None);
}

#[test]
fn broken_programs_are_refused() {
    let good = program(&exit(0));
    assert!(matches!(Image::parse(b"#!/bin/sh"), Err(BareError::Malformed(_))));
    for len in 0..good.len().min(200) {
        assert!(Image::parse(&good[..len]).is_err(), "{len} bytes");
    }
    let with = |at: usize, bytes: &[u8]| {
        let mut f = good.clone();
        f[at..at + bytes.len()].copy_from_slice(bytes);
        Image::parse(&f)
    };
    assert!(matches!(with(18, &[62, 0]), Err(BareError::Machine(_))), "x86-64");
    assert!(matches!(with(16, &[3, 0]), Err(BareError::Malformed(_))), "position-independent");
    let high = (1u64 << 60).to_le_bytes();
    assert!(matches!(with(64 + 24, &high), Err(BareError::Malformed(_))), "beyond the space");
    assert!(matches!(with(64 + 40, &[1, 0]), Err(BareError::Malformed(_))), "memsz below filesz");
}
