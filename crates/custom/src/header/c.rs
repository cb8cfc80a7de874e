//! What C and C++ need: a function-like macro for an instruction on x and f registers, the text of a vector instruction.

use super::{bits, encodable, operands};
use crate::check::is_memory;
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
#define CAPVEC_OPERAND(condition, text) \".if !(\" condition \")\\n\\t.error \\\"\" text \"\\\"\\n\\t.endif\\n\\t\"
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
    let written = || operands(insn).filter(|(_, o)| *o != Operand::V0);
    let parameters: Vec<String> = written().map(parameter).collect();
    let (mut word, mut checks) = (vec![format!("{:#x}", insn.value)], String::new());
    for (parameter, (_, operand)) in parameters.iter().zip(written()) {
        let Some(f) = field(&insn.fields, operand) else { continue };
        let value = format!("\" CAPVEC_TEXT({parameter}) \"");
        word.extend(f.pieces.iter().map(|p| bits(&value, p, 0)));
        // The text is assembled long after the compiler could check it, so the assembler does.
        checks += &format!(
            "    CAPVEC_OPERAND(\"{}\", \\\n        \"{}: {parameter} cannot be encoded\") \\\n",
            encodable(&value, f),
            insn.name
        );
    }
    format!(
        "/* {}: {} */\n#define {}({}) \\\n{checks}    \".4byte {}\"\n",
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

/// `.insn` with the registers that the compiler chooses. Parts without a register hold fixed bits or bits of an
/// immediate, which are written as the number of a register.
fn scalar(insn: &NewInsn, symbol: &str) -> String {
    let of = |slot| operands(insn).find(|(_, o)| o.slot() == Some(slot));
    let (form, parts): (&str, &[Part]) =
        if of(Slot::Rs3).is_some() { ("r4", &R4) } else { ("r", &R) };
    let (mut arguments, mut inputs) = (Vec::new(), Vec::new());
    for part in parts {
        let name = part.0;
        arguments.push(format!("%[{name}_]"));
        if let Some((operand, kind)) = part.3.and_then(of) {
            let whole = Piece { at: part.1, width: 5, to: 0 };
            if field(&insn.fields, kind).is_none_or(|f| f.pieces[..] != [whole]) {
                return format!("/* {}: only the assembler macro can write it. */\n", insn.name);
            }
            if !kind.is_destination() {
                let (constraint, ty) = register(insn, kind);
                inputs.push(format!("[{name}_] \"{constraint}\"(({ty})({operand}))"));
            }
            continue;
        }
        if part.3.is_some() {
            arguments.last_mut().into_iter().for_each(|a| a.insert(0, 'x'));
        }
        inputs.push(format!("[{name}_] \"i\"({})", number(insn, part)));
    }
    let (mut parameters, mut checks) = (Vec::new(), String::new());
    for (name, operand) in operands(insn).filter(|(_, o)| !o.is_destination()) {
        if !matches!(operand, Operand::Imm(_)) {
            parameters.push(name);
        } else if let Some(f) = field(&insn.fields, operand) {
            parameters.push("imm");
            checks += &format!(
                "        CAPVEC_CHECK({}, \"{}: the immediate cannot be encoded\"); \\\n",
                encodable("imm", f),
                insn.name
            );
        }
    }
    let asm = format!(
        "\".insn {form} {:#x}, {}\" \\\n                : ",
        insn.value & 127,
        arguments.join(", ")
    );
    let inputs = inputs.join(", ");
    let head = format!("/* {}: {} */\n#define {symbol}", insn.name, insn.args);
    let parameters = parameters.join(", ");
    // What accesses memory stays where it is.
    let (volatile, clobber) =
        if is_memory(insn.class) { (" volatile", " : \"memory\"") } else { ("", "") };
    match operands(insn).find(|(_, o)| o.is_destination()) {
        None => format!(
            "{head}({parameters}) \\\n    __extension__({{ \\\n{checks}        __asm__{volatile}({asm}: {inputs}{clobber}); \\\n    }})\n"
        ),
        Some((_, operand)) => {
            let (constraint, ty) = register(insn, operand);
            format!(
                "{head}({parameters}) \\\n    __extension__({{ \\\n        {ty} rd_; \\\n{checks}        __asm__{volatile}({asm}[rd_] \"={constraint}\"(rd_) \\\n                : {inputs}{clobber}); \\\n        rd_; \\\n    }})\n"
            )
        }
    }
}

/// The constraint of a register operand, and the type of its value.
fn register(insn: &NewInsn, operand: Operand) -> (&'static str, &'static str) {
    match operand {
        Operand::F(_) if insn.model.flen == 32 => ("f", "float"),
        Operand::F(_) => ("f", "double"),
        _ => ("r", "unsigned long"),
    }
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
