//! What tests share: programs for a bare hart, assembled from the instruction table.

use capvec_isa::{Decoded, Op};

/// Where the code begins.
pub const CODE: u64 = 0x8000_0000;
/// Where the data begins: `tohost`, `fromhost`, then the signature.
pub const DATA: u64 = 0x8000_2000;
/// Address of `tohost`.
pub const TOHOST: u64 = DATA;
/// Address of `fromhost`.
pub const FROMHOST: u64 = DATA + 64;
/// Address of `begin_signature`.
pub const SIGNATURE: u64 = DATA + 128;
/// Bytes up to `end_signature`.
pub const SIGNATURE_LEN: u64 = 32;

const EHDR: usize = 64;
const PHDR: usize = 56;
const SHDR: usize = 64;
const SYMBOLS: [(&str, u64); 4] = [
    ("tohost", TOHOST),
    ("fromhost", FROMHOST),
    ("begin_signature", SIGNATURE),
    ("end_signature", SIGNATURE + SIGNATURE_LEN),
];

/// The word of an instruction. Panics if the operands have no encoding: a test's error.
pub fn word(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i64) -> u32 {
    capvec_sim::testing::word(op, |d| *d = Decoded { rd, rs1, rs2, imm, ..*d })
}

/// `lui` and `addiw` that load the low 32 bits of `value`, sign-extended, then cleared above them.
pub fn load_address(rd: u8, value: u64) -> Vec<u32> {
    let (value, low) = (value as u32 as i32, (value as i32) << 20 >> 20);
    let high = value.wrapping_sub(low) as u32 >> 12;
    vec![
        word(Op::Lui, rd, 0, 0, ((high << 12) as i32) as i64),
        word(Op::Addiw, rd, rd, 0, low as i64),
        word(Op::Slli, rd, rd, 0, 32),
        word(Op::Srli, rd, rd, 0, 32),
    ]
}

/// Ends the program with this code: writes it to `tohost` and loops.
pub fn exit(code: i64) -> Vec<u32> {
    let mut words = load_address(5, TOHOST);
    words.push(word(Op::Addi, 6, 0, 0, code << 1 | 1));
    words.push(word(Op::Sd, 0, 5, 6, 0));
    words.push(word(Op::Jal, 0, 0, 0, 0));
    words
}

fn le(out: &mut Vec<u8>, size: usize, values: &[u64]) {
    values.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes()[..size]));
}

fn section(out: &mut Vec<u8>, kind: u64, offset: u64, size: u64, link: u64, entry: u64) {
    le(out, 4, &[0, kind]);
    le(out, 8, &[0, 0, offset, size]);
    le(out, 4, &[link, 1]);
    le(out, 8, &[8, entry]);
}

/// An ELF file with these words at `CODE`, and the symbols of `DATA`.
pub fn program(words: &[u32]) -> Vec<u8> {
    let code: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut names = vec![0];
    let mut symbols = vec![0; 24];
    for (name, value) in SYMBOLS {
        le(&mut symbols, 4, &[names.len() as u64]);
        symbols.extend_from_slice(&[0x10, 0, 0xf1, 0xff]);
        le(&mut symbols, 8, &[value, 8]);
        names.extend_from_slice(name.as_bytes());
        names.push(0);
    }
    // Where it may be in a page of the address: Linux maps files by pages.
    let at_code = 4096;
    let at_symbols = at_code + code.len() as u64;
    let at_names = at_symbols + symbols.len() as u64;
    let at_sections = at_names + names.len() as u64;
    let mut f = b"\x7fELF\x02\x01\x01".to_vec();
    f.resize(16, 0);
    le(&mut f, 2, &[2, 243]);
    le(&mut f, 4, &[1]);
    le(&mut f, 8, &[CODE, EHDR as u64, at_sections]);
    le(&mut f, 4, &[0]);
    le(&mut f, 2, &[EHDR as u64, PHDR as u64, 2, SHDR as u64, 3, 0]);
    for (at, offset, filesz, memsz) in
        [(CODE, at_code, code.len() as u64, code.len() as u64), (DATA, at_code, 0, 4096)]
    {
        le(&mut f, 4, &[1, 7]);
        le(&mut f, 8, &[offset, at, at, filesz, memsz, 4096]);
    }
    f.resize(at_code as usize, 0);
    [&code, &symbols, &names].iter().for_each(|part| f.extend_from_slice(part));
    section(&mut f, 0, 0, 0, 0, 0);
    section(&mut f, 2, at_symbols, symbols.len() as u64, 2, 24);
    section(&mut f, 3, at_names, names.len() as u64, 0, 0);
    f
}
