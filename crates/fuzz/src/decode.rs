//! The decoder against the table that it is generated from.

use capvec_isa::decode::length;
use capvec_isa::{DecodeError, ExtSet, decode, disassemble, encode};
use capvec_sim::testing::ext_sets;

/// Four-byte words: whatever decodes must encode to itself and disassemble, with all extensions and with some.
pub fn run(data: &[u8]) {
    for exts in ext_sets() {
        check(data, exts.into_iter().collect());
    }
}

fn check(data: &[u8], all: ExtSet) {
    for bytes in data.chunks_exact(4) {
        let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let word = match length(word as u16) {
            Some(2) => word & 0xffff,
            Some(_) => word,
            None => continue,
        };
        for xlen in [32, 64] {
            match decode(word, xlen, all) {
                Ok(d) => {
                    assert_eq!(encode(&d), Some(word), "{word:#010x} as RV{xlen}: {d:?}");
                    assert!(!disassemble(&d, 0x1000).is_empty());
                    let needs = d.op.row().exts;
                    // Without the extensions that make it legal, it is another instruction or illegal.
                    let without = all.minus(needs);
                    if let Ok(other) = decode(word, xlen, without) {
                        assert!(!other.op.row().exts.intersects(needs) || other.op != d.op);
                    }
                }
                Err(DecodeError::Needs(op, _)) => {
                    // Drafts exclude each other.
                    let draft = op.row().exts.iter().any(|e| e.info().draft.is_some());
                    assert!(draft, "{word:#010x}: {op:?} needs more than all");
                }
                Err(_) => {}
            }
        }
    }
}
