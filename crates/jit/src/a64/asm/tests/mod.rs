//! GNU as is the oracle: `gnu_as.txt` holds what it gave for instructions of every form, and a randomised test asks it where it is
//! installed.

mod cases;
mod vectors;

use super::encode::{Cond, OpMask, Reg, Width, ZR, op_mask, ret};
use super::memory::literal;
use super::{Asm, Unencodable};
use crate::interface::relocation::{Refers, Relocation};
use capvec_sim::testing::Rng;
use capvec_util::testing::skipped;
use cases::{Case, cases, mask};
use std::process::Command;

/// What GNU as gives for these instructions, in hexadecimal digits; `None` if it is not installed.
fn gnu_as(cases: &[Case]) -> Option<Vec<String>> {
    const TOOLS: &str = "aarch64-linux-gnu";
    let dir = tempfile::tempdir().expect("a directory");
    let file = |name| dir.path().join(name);
    let text: String = cases.iter().map(|(text, _)| format!("{text}\n")).collect();
    std::fs::write(file("a.s"), text).expect("it can be written");
    let mut run = Command::new(format!("{TOOLS}-as"));
    match run.args(["-march=armv8-a+crypto", "-o"]).args([file("a.o"), file("a.s")]).output() {
        Err(e) => {
            skipped("aarch64-linux-gnu-as", e);
            return None;
        }
        Ok(done) => assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr)),
    }
    let mut run = Command::new(format!("{TOOLS}-objcopy"));
    let run = run.args(["-O", "binary", "-j", ".text"]).args([file("a.o"), file("a.bin")]);
    assert!(run.status().expect("objcopy is installed with as").success());
    let bytes = std::fs::read(file("a.bin")).expect("it was written");
    Some(
        bytes
            .chunks(4)
            .map(|b| format!("{:08x}", u32::from_le_bytes(b.try_into().expect("four"))))
            .collect(),
    )
}

/// The committed answers of GNU as 2.40 are of the instructions that this seed gives.
#[test]
fn as_gnu_as_did() {
    let cases = cases(&mut Rng::seeded(64), 600);
    let table: Vec<&str> = include_str!("gnu_as.txt").lines().collect();
    assert_eq!(table.len(), cases.len());
    for ((text, word), line) in cases.iter().zip(table) {
        assert_eq!(format!("{word:08x} {text}"), line);
    }
}

#[test]
fn as_gnu_as_does() {
    let cases = cases(&mut Rng::new("as_gnu_as_does"), 4000);
    let Some(words) = gnu_as(&cases) else { return };
    for ((text, word), expected) in cases.iter().zip(words) {
        assert_eq!(format!("{word:08x}"), expected, "{text}");
    }
}

/// Every mask of 64 bits that can be encoded is encoded, and no other.
#[test]
fn masks() {
    let rng = &mut Rng::new("masks");
    for _ in 0..2000 {
        let mask = mask(rng);
        assert!(op_mask(OpMask::And, Width::X, ZR, ZR, mask).is_some(), "{mask:#x}");
    }
    for mask in [0, u64::MAX, 0b101, 0x90, 0x1234, 0xffff_0000_0000_fffe] {
        assert_eq!(op_mask(OpMask::And, Width::X, ZR, ZR, mask), None, "{mask:#x}");
    }
}

#[test]
fn literals_are_aligned_and_shared() {
    let mut a = Asm::default();
    for _ in 0..2 {
        a.load_literal(Reg(1), 0x1122_3344_5566_7788, Refers::Address);
    }
    a.put(ret());
    let (code, relocations) = a.finish().expect("it is near");
    assert_eq!(relocations, [Relocation { at: 16, refers: Refers::Address }]);
    assert_eq!(code[16..], 0x1122_3344_5566_7788_u64.to_le_bytes());
    let word = |at: usize| u32::from_le_bytes(code[at..at + 4].try_into().expect("four bytes"));
    assert_eq!([word(0), word(4)], [literal(Reg(1), 4), literal(Reg(1), 3)]);
}

/// Labels that are too far away for a conditional jump.
#[test]
fn far_labels_are_refused() {
    let mut a = Asm::default();
    let far = a.label();
    a.jump_if(Cond::Eq, far);
    (0..1 << 18).for_each(|_| a.put(ret()));
    a.bind(far);
    assert_eq!(a.finish().err(), Some(Unencodable));
}
