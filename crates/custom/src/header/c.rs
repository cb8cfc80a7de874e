//! What C and C++ need: a function-like macro for an instruction on x registers, the text of a vector instruction.

use super::{bits, encodable, operands};
use crate::operand::{Operand, field};
use capvec_isa::custom::NewInsn;
use capvec_isa::row::{Piece, Slot};

const HEAD: &str = "\
#ifndef CAPVEC_TEXT
#define CAPVEC_TEXT_(x) #x
#define CAPVEC_TEXT(x) CAPVEC_TEXT_(x)
#ifdef __cplusplus
#define CAPVEC_CHECK(condition, text) static_assert(condition, text)
#else
#define CAPVEC_CHECK(condition, text) _Static_assert(condition, text)
#endif
#endif

";

pub fn text(insns: &[NewInsn]) -> String {
    let each = insns.iter().map(|insn| {
        let symbol = insn.name.replace('.', "_");
        match operands(insn).any(|(_, o)| matches!(o, Operand::V(_))) {
            true => vector(insn, &symbol),
            false => scalar(insn, &symbol),
        }
    });
    HEAD.to_string() + &each.collect::<String>()
}

/// `.4byte` with every operand as a number.
fn vector(insn: &NewInsn, symbol: &str) -> String {
    let parameter = |(name, operand): (&str, Operand)| {
        if matches!(operand, Operand::Imm(_)) { "imm".to_string() } else { name.to_string() }
    };
    let parameters: Vec<String> = operands(insn).map(parameter).collect();
    let mut word = vec![format!("{:#x}", insn.value)];
    for (parameter, (_, operand)) in parameters.iter().zip(operands(insn)) {
        let value = format!("\" CAPVEC_TEXT({parameter}) \"");
        for p in field(&insn.fields, operand.slot()).map_or(&[][..], |f| &f.pieces[..]) {
            word.push(bits(&value, p, 0));
        }
    }
    format!(
        "/* {}: {} */\n#define {}({}) \\\n    \".4byte {}\"\n",
        insn.name,
        insn.args,
        symbol.to_uppercase(),
        parameters.join(", "),
        word.join(" | ")
    )
}

/// A part of `.insn r` or `.insn r4`: its name there, its lowest bit, its width, and the register that may stand in it.
type Part = (&'static str, u8, u8, Option<Slot>);

const RD: Part = ("rd", 7, 5, Some(Slot::Rd));
const FUNCT3: Part = ("f3", 12, 3, None);
const RS1: Part = ("rs1", 15, 5, Some(Slot::Rs1));
const RS2: Part = ("rs2", 20, 5, Some(Slot::Rs2));
/// Bits 31 to 7 of `.insn r opcode, funct3, funct7, rd, rs1, rs2`.
const R: [Part; 5] = [FUNCT3, ("f7", 25, 7, None), RD, RS1, RS2];
/// Bits 31 to 7 of `.insn r4 opcode, funct3, funct2, rd, rs1, rs2, rs3`.
const R4: [Part; 6] = [FUNCT3, ("f2", 25, 2, None), RD, RS1, RS2, ("rs3", 27, 5, Some(Slot::Rs3))];

/// `.insn` with the registers that the compiler chooses. Where no register stands, a number is written as a register:
/// the bits are those of an immediate, or fixed.
fn scalar(insn: &NewInsn, symbol: &str) -> String {
    let has = |slot| field(&insn.fields, slot).is_some();
    let (form, parts): (&str, &[Part]) = if has(Slot::Rs3) { ("r4", &R4) } else { ("r", &R) };
    let (mut arguments, mut inputs) = (Vec::new(), Vec::new());
    for part in parts {
        let (name, register) = (part.0, part.3.filter(|slot| has(*slot)));
        if let Some(slot) = register {
            let whole = Piece { at: part.1, width: 5, to: 0 };
            let here = field(&insn.fields, slot).is_some_and(|f| f.pieces[..] == [whole]);
            if !here {
                return format!("/* {}: only the assembler macro can write it. */\n", insn.name);
            }
            arguments.push(format!("%[{name}_]"));
            continue;
        }
        let prefix = if part.3.is_some() { "x" } else { "" };
        arguments.push(format!("{prefix}%[{name}_]"));
        inputs.push(format!("[{name}_] \"i\"({})", number(insn, part)));
    }
    let mut parameters = Vec::new();
    let mut checks = String::new();
    for (name, operand) in operands(insn).skip(1) {
        if let Operand::X(_) = operand {
            parameters.push(name);
            inputs.push(format!("[{name}_] \"r\"((unsigned long)({name}))"));
        } else if let Some(f) = field(&insn.fields, operand.slot()) {
            parameters.push("imm");
            checks += &format!(
                "        CAPVEC_CHECK({}, \"{}: the immediate cannot be encoded\"); \\\n",
                encodable("imm", f),
                insn.name
            );
        }
    }
    format!(
        "/* {}: {} */\n#define {symbol}({}) \\\n    __extension__({{ \\\n        unsigned long rd_; \\\n{checks}        __asm__(\".insn {form} {:#x}, {}\" \\\n                : [rd_] \"=r\"(rd_) \\\n                : {}); \\\n        rd_; \\\n    }})\n",
        insn.name,
        insn.args,
        parameters.join(", "),
        insn.value & 127,
        arguments.join(", "),
        inputs.join(", ")
    )
}

/// The bits of a part in which no register stands.
fn number(insn: &NewInsn, part: &Part) -> String {
    let (base, width) = (part.1, part.2);
    let fixed = insn.value >> base & ((1 << width) - 1);
    let mut sum = vec![fixed.to_string()];
    let fields = insn.fields.iter().filter(|f| f.slot == Slot::Imm);
    for p in fields.flat_map(|f| &f.pieces) {
        // The bits of the piece that lie within the part.
        let (low, high) = (p.at.max(base), (p.at + p.width).min(base + width));
        if low < high {
            let inside = Piece { at: low, width: high - low, to: p.to + (low - p.at) };
            sum.push(bits("imm", &inside, base));
        }
    }
    sum.join(" | ")
}
