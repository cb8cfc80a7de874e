//! Pseudo-instructions (RISC-V Assembly Programmer's Manual, "Pseudoinstructions").

use crate::AsmError;
use crate::instruction::Labels;
use crate::operand::{number, x};

/// The name of a pseudo-instruction, how many operands it has, and what it stands for.
const SIMPLE: [(&str, usize, &str); 23] = [
    ("nop", 0, "addi zero, zero, 0"),
    ("c.nop", 0, "c.nop 0"),
    ("mv", 2, "addi {0}, {1}, 0"),
    ("not", 2, "xori {0}, {1}, -1"),
    ("neg", 2, "sub {0}, zero, {1}"),
    ("seqz", 2, "sltiu {0}, {1}, 1"),
    ("snez", 2, "sltu {0}, zero, {1}"),
    ("beqz", 2, "beq {0}, zero, {1}"),
    ("bnez", 2, "bne {0}, zero, {1}"),
    ("blez", 2, "bge zero, {0}, {1}"),
    ("bgez", 2, "bge {0}, zero, {1}"),
    ("bltz", 2, "blt {0}, zero, {1}"),
    ("bgtz", 2, "blt zero, {0}, {1}"),
    ("bgt", 3, "blt {1}, {0}, {2}"),
    ("ble", 3, "bge {1}, {0}, {2}"),
    ("bgtu", 3, "bltu {1}, {0}, {2}"),
    ("bleu", 3, "bgeu {1}, {0}, {2}"),
    ("j", 1, "jal zero, {0}"),
    ("jal", 1, "jal ra, {0}"),
    ("jr", 1, "jalr zero, 0({0})"),
    ("ret", 0, "jalr zero, 0(ra)"),
    ("csrr", 2, "csrrs {0}, {1}, zero"),
    ("csrw", 2, "csrrw zero, {0}, {1}"),
];

/// The instructions that the line stands for: itself, if it is not a pseudo-instruction.
pub fn expand(text: &str, pc: u64, xlen: u8, labels: &Labels) -> Result<Vec<String>, AsmError> {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let operands: Vec<&str> = rest.split(',').map(str::trim).filter(|o| !o.is_empty()).collect();
    if let Some((.., meaning)) = SIMPLE.iter().find(|p| p.0 == name && p.1 == operands.len()) {
        let filled = operands.iter().enumerate().fold(meaning.to_string(), |line, (i, operand)| {
            line.replace(&format!("{{{i}}}"), operand)
        });
        return Ok(vec![filled]);
    }
    match (name, &operands[..]) {
        ("li", [rd, value]) => {
            x(rd)?;
            constant(rd, number(value)?, xlen)
        }
        ("la", [rd, label]) => {
            let distance = labels.address(label, pc)?.wrapping_sub(pc) as i64;
            let upper = distance.wrapping_add(0x800) >> 12;
            if i64::from(upper as i32) << 12 >> 12 != upper {
                let (name, value) = ("la".into(), label.to_string());
                return Err(AsmError::Range { name, operand: "label".into(), value });
            }
            let low = distance.wrapping_sub(upper << 12);
            Ok(vec![format!("auipc {rd}, {}", upper & 0xf_ffff), format!("addi {rd}, {rd}, {low}")])
        }
        _ => Ok(vec![text.into()]),
    }
}

/// Instructions that load a constant: at most `lui` and `addiw` for 32 bits, with shifts and additions for 64.
fn constant(rd: &str, value: i64, xlen: u8) -> Result<Vec<String>, AsmError> {
    if xlen == 32 && i64::from(value as i32) != value && i64::from(value as u32) != value {
        let (name, operand) = ("li".into(), "rd, imm".into());
        return Err(AsmError::Range { name, operand, value: value.to_string() });
    }
    let value = if xlen == 32 { i64::from(value as i32) } else { value };
    let low = value << 52 >> 52;
    if low == value {
        return Ok(vec![format!("addi {rd}, zero, {value}")]);
    }
    if i64::from(value as i32) == value {
        let upper = value.wrapping_sub(low) >> 12 & 0xf_ffff;
        let mut lines = vec![format!("lui {rd}, {upper}")];
        if low != 0 {
            let add = if xlen == 32 { "addi" } else { "addiw" };
            lines.push(format!("{add} {rd}, {rd}, {low}"));
        }
        return Ok(lines);
    }
    // The upper part without its trailing zeros, then a shift, then the low twelve bits.
    let upper = value.wrapping_sub(low);
    let shift = upper.trailing_zeros();
    let mut lines = constant(rd, upper >> shift, xlen)?;
    lines.push(format!("slli {rd}, {rd}, {shift}"));
    if low != 0 {
        lines.push(format!("addi {rd}, {rd}, {low}"));
    }
    Ok(lines)
}
