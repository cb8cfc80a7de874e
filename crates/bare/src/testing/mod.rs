//! Shared by tests: bare-hart programs, assembled from the instruction table.

pub mod compile;

use capvec_isa::{Decoded, Op};

/// Address of the code.
pub const CODE: u64 = 0x8000_0000;
/// Address of the data: `tohost`, `fromhost`, then the signature.
pub const DATA: u64 = 0x8000_2000;
/// Address of `tohost`.
pub const TOHOST: u64 = DATA;
/// Address of `fromhost`.
pub const FROMHOST: u64 = DATA + 64;
/// Address of `begin_signature`.
pub const SIGNATURE: u64 = DATA + 128;
/// Size of the signature, up to `end_signature`.
pub const SIGNATURE_LEN: u64 = 32;

const SYMBOLS: [(&str, u64); 4] = [
    ("tohost", TOHOST),
    ("fromhost", FROMHOST),
    ("begin_signature", SIGNATURE),
    ("end_signature", SIGNATURE + SIGNATURE_LEN),
];

/// An instruction word. Panics if an operand cannot be encoded, which is the test's error.
pub fn word(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i64) -> u32 {
    capvec_sim::testing::word(op, |d| *d = Decoded { rd, rs1, rs2, imm, ..*d })
}

/// Instructions that load the low 32 bits of `value`, zero-extended: `lui` and `addiw`, then shifts that clear the upper half.
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

/// The same for RV32.
pub fn exit_32(code: i64) -> Vec<u32> {
    vec![
        word(Op::Lui, 5, 0, 0, TOHOST as u32 as i32 as i64),
        word(Op::Addi, 6, 0, 0, code << 1 | 1),
        word(Op::Sw, 0, 5, 6, 0),
        word(Op::Jal, 0, 0, 0, 0),
    ]
}

fn le(out: &mut Vec<u8>, size: usize, values: &[u64]) {
    values.iter().for_each(|v| out.extend_from_slice(&v.to_le_bytes()[..size]));
}

/// Sizes of the file header, a segment header, a section header and a symbol, by XLEN (System V ABI, "Object Files").
fn sizes(xlen: u8) -> [u64; 4] {
    if xlen == 32 { [52, 32, 40, 16] } else { [64, 56, 64, 24] }
}

fn section(out: &mut Vec<u8>, word: usize, [kind, offset, size, link, entry]: [u64; 5]) {
    le(out, 4, &[0, kind]);
    le(out, word, &[0, 0, offset, size]);
    le(out, 4, &[link, 1]);
    le(out, word, &[8, entry]);
}

/// A readable, writable and executable segment.
fn segment(out: &mut Vec<u8>, word: usize, [at, offset, filesz, memsz]: [u64; 4]) {
    let flags = |out: &mut Vec<u8>, here| {
        if here {
            le(out, 4, &[7])
        }
    };
    le(out, 4, &[1]);
    flags(out, word == 8);
    le(out, word, &[offset, at, at, filesz, memsz]);
    flags(out, word == 4);
    le(out, word, &[4096]);
}

/// A global symbol with this value, its name at `name`.
fn symbol(out: &mut Vec<u8>, word: usize, name: u64, value: u64) {
    let kind = [0x10, 0, 0xf1, 0xff];
    le(out, 4, &[name]);
    if word == 8 {
        out.extend(kind);
    }
    le(out, word, &[value, 8]);
    if word == 4 {
        out.extend(kind);
    }
}

/// An ELF file for RV64 with these words at `CODE`, and the symbols of `DATA`.
pub fn program(words: &[u32]) -> Vec<u8> {
    program_for(64, words)
}

/// The same for a hart of this XLEN.
pub fn program_for(xlen: u8, words: &[u32]) -> Vec<u8> {
    let word = xlen as usize / 8;
    let [header, of_segment, of_section, of_symbol] = sizes(xlen);
    let code: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut names = vec![0];
    let mut symbols = vec![0; of_symbol as usize];
    for (name, value) in SYMBOLS {
        symbol(&mut symbols, word, names.len() as u64, value);
        names.extend_from_slice(name.as_bytes());
        names.push(0);
    }
    // Congruent to the address modulo the page size: Linux maps files by pages.
    let at_code = 4096;
    let at_symbols = at_code + code.len() as u64;
    let at_names = at_symbols + symbols.len() as u64;
    let at_sections = at_names + names.len() as u64;
    let mut f = b"\x7fELF".to_vec();
    f.extend([if xlen == 32 { 1 } else { 2 }, 1, 1]);
    f.resize(16, 0);
    le(&mut f, 2, &[2, 243]);
    le(&mut f, 4, &[1]);
    le(&mut f, word, &[CODE, header, at_sections]);
    le(&mut f, 4, &[0]);
    le(&mut f, 2, &[header, of_segment, 2, of_section, 3, 0]);
    let len = code.len() as u64;
    segment(&mut f, word, [CODE, at_code, len, len]);
    segment(&mut f, word, [DATA, at_code, 0, 4096]);
    f.resize(at_code as usize, 0);
    [&code, &symbols, &names].iter().for_each(|part| f.extend_from_slice(part));
    section(&mut f, word, [0; 5]);
    section(&mut f, word, [2, at_symbols, symbols.len() as u64, 2, of_symbol]);
    section(&mut f, word, [3, at_names, names.len() as u64, 0, 0]);
    f
}
