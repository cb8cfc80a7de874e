//! An assembler for a few lines: text as the disassembler prints it becomes instruction words.
//!
//! It knows every row of the instruction table, custom instructions included, labels, comments, and the most common
//! pseudo-instructions. It has no directives, sections or relocations: programs are written for a real assembler.

#![warn(missing_docs)]

mod error;
mod instruction;
mod operand;
mod pseudo;

pub use error::AsmError;

use capvec_isa::Isa;
use instruction::Labels;

/// One instruction of the text, before its label is known.
struct Line<'a> {
    /// Number of the line, from 1.
    number: usize,
    text: &'a str,
    addr: u64,
}

/// Assembles lines for a hart with this ISA. The first instruction is at address `at`. Lines are separated by newlines or
/// semicolons; `#` starts a comment; `name:` is a label, which branches, jumps and `la` may name.
///
/// # Errors
/// Names the line, and the mnemonic or operand that is wrong.
///
/// ```
/// let isa = "rv64gc".parse().unwrap();
/// let code = capvec_asm::assemble("again: addi a0, a0, -1; bnez a0, again", 0x1000, isa).unwrap();
/// assert_eq!(code, [0x13, 0x05, 0xf5, 0xff, 0xe3, 0x1e, 0x05, 0xfe]);
/// ```
pub fn assemble(text: &str, at: u64, isa: Isa) -> Result<Vec<u8>, AsmError> {
    let (lines, labels) = places(text, at, isa)?;
    let mut code = Vec::new();
    for line in lines {
        for word in words(line.text, line.addr, isa, &labels).map_err(|e| e.on(line.number))? {
            let bytes = word.to_le_bytes();
            code.extend_from_slice(if word & 3 == 3 { &bytes } else { &bytes[..2] });
        }
    }
    Ok(code)
}

/// The lines with their addresses, and the labels. How long an instruction is does not depend on a label.
fn places(text: &str, at: u64, isa: Isa) -> Result<(Vec<Line<'_>>, Labels), AsmError> {
    let (mut lines, mut labels, mut addr) = (Vec::new(), Labels::default(), at);
    for (index, full) in text.lines().enumerate() {
        let code = full.split('#').next().unwrap_or_default();
        for mut part in code.split(';').map(str::trim) {
            while let Some((name, rest)) = part.split_once(':') {
                let name = name.trim();
                if !labels.define(name, addr) {
                    return Err(AsmError::Label(name.into()).on(index + 1));
                }
                part = rest.trim();
            }
            if part.is_empty() {
                continue;
            }
            let length = words(part, addr, isa, &Labels::unknown()).map_err(|e| e.on(index + 1))?;
            let length: u64 = length.iter().map(|w| if w & 3 == 3 { 4 } else { 2 }).sum();
            lines.push(Line { number: index + 1, text: part, addr });
            addr += length;
        }
    }
    Ok((lines, labels))
}

/// The words of one instruction or pseudo-instruction.
fn words(text: &str, addr: u64, isa: Isa, labels: &Labels) -> Result<Vec<u32>, AsmError> {
    let expanded = pseudo::expand(text, addr, isa.xlen, labels)?;
    let each = expanded.iter().scan(addr, |pc, line| {
        let at = *pc;
        // Pseudo-instructions expand to instructions of four bytes.
        *pc += 4;
        Some(instruction::encode(line, at, isa, labels))
    });
    each.collect()
}
