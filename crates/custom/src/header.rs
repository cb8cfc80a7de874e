//! A header that emits the instructions with compilers and assemblers that do not know them: macros with the mnemonics
//! for assembler, functions and `.insn` strings for C.

use crate::operand::{Operand, field};
use capvec_isa::custom::{NewExtension, NewInsn};
use capvec_isa::row::{Piece, Slot};
use std::fmt::Write;

/// ABI names of the integer registers, by number.
const ABI: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
];

/// The header's text.
pub fn text(extension: &NewExtension) -> String {
    let name = &extension.name;
    let guard = format!("CAPVEC_{}_H", name.to_uppercase());
    let mut s = format!(
        "/* Instructions of {name}, made by `capvec isa header` from {}.\n *\n \
         * Assembler: macros with the mnemonics, for files that pass the preprocessor. C: a function for each instruction on x\n \
         * registers; for vector instructions, the text of the instruction, with registers as numbers:\n \
         * __asm__ volatile(NAME(8, 4, 0)). The memory and registers that it changes are the caller's to declare. */\n\
         #ifndef {guard}\n#define {guard}\n\n#ifdef __ASSEMBLER__\n\n",
        comment(&extension.source)
    );
    for (n, abi) in ABI.iter().enumerate() {
        let _ = writeln!(
            s,
            ".set .Lcapvec_x{n}, {n}\n.set .Lcapvec_{abi}, {n}\n.set .Lcapvec_v{n}, {n}"
        );
    }
    s += ".set .Lcapvec_vm_, 1\n.set .Lcapvec_vm_v0.t, 0\n\n";
    for insn in &extension.insns {
        s += &assembler(insn);
    }
    s += "\n#else\n\n#ifndef CAPVEC_TEXT\n#define CAPVEC_TEXT_(x) #x\n#define CAPVEC_TEXT(x) CAPVEC_TEXT_(x)\n#endif\n\n";
    for insn in &extension.insns {
        s += &c(insn);
    }
    s + "\n#endif\n#endif\n"
}

/// Text that can stand in a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn operands(insn: &NewInsn) -> impl Iterator<Item = (&str, Operand)> {
    insn.args.split(", ").filter_map(|name| Some((name, Operand::named(name)?)))
}

/// The bits of a piece of an operand, at their place above bit `base`.
fn bits(value: &str, p: &Piece, base: u8) -> String {
    let mask = (1u64 << p.width) - 1;
    let low = if p.to == 0 { format!("({value})") } else { format!("(({value}) >> {})", p.to) };
    match p.at - base {
        0 => format!("({low} & {mask:#x})"),
        at => format!("({low} & {mask:#x}) << {at}"),
    }
}

fn assembler(insn: &NewInsn) -> String {
    let mut parameters = Vec::new();
    let mut word = vec![format!("{:#x}", insn.value)];
    for (name, operand) in operands(insn) {
        let value = match operand {
            Operand::Mask => ".Lcapvec_vm_\\vm".to_string(),
            Operand::Imm(_) => format!("\\{name}"),
            Operand::X(_) | Operand::V(_) => format!(".Lcapvec_\\{name}"),
        };
        parameters.push(format!("{name}{}", if operand == Operand::Mask { "=" } else { ":req" }));
        for p in field(&insn.fields, operand.slot()).map_or(&[][..], |f| &f.pieces[..]) {
            word.push(bits(&value, p, 0));
        }
    }
    format!(
        ".macro {} {}\n\t.4byte {}\n.endm\n",
        insn.name,
        parameters.join(", "),
        word.join(" | ")
    )
}

/// The operands of `.insn r`: opcode, funct3, funct7 and three registers, which together are all 32 bits. Registers in
/// other places, and immediates in the place of one, cannot be written like this.
struct RType {
    funct3: String,
    funct7: String,
    /// The slot, or the fixed number, of rd, rs1 and rs2.
    registers: [Result<Slot, u32>; 3],
}

fn r_type(insn: &NewInsn) -> Option<RType> {
    let fixed = |at: u32, width: u32| insn.value >> at & ((1 << width) - 1);
    let places = [(7, Slot::Rd), (15, Slot::Rs1), (20, Slot::Rs2)];
    let registers = places.map(|(at, slot)| {
        let here = |s: Slot| {
            field(&insn.fields, s).is_some_and(|f| f.pieces.len() == 1 && f.pieces[0].at == at)
        };
        if here(slot) { Ok(slot) } else { Err(fixed(u32::from(at), 5)) }
    });
    let (mut funct3, mut funct7) = (vec![fixed(12, 3).to_string()], vec![fixed(25, 7).to_string()]);
    for f in &insn.fields {
        let register = matches!(f.slot, Slot::Rd | Slot::Rs1 | Slot::Rs2 | Slot::Rs3);
        if register && !registers.contains(&Ok(f.slot)) {
            return None;
        }
        for p in f.pieces.iter().filter(|_| !register) {
            let name = if f.slot == Slot::Vm { "vm" } else { "imm" };
            match (p.at, p.at + p.width) {
                (12.., ..=15) => funct3.push(bits(name, p, 12)),
                (25.., ..=32) => funct7.push(bits(name, p, 25)),
                _ => return None,
            }
        }
    }
    Some(RType { funct3: funct3.join(" | "), funct7: funct7.join(" | "), registers })
}

fn c(insn: &NewInsn) -> String {
    let symbol = insn.name.replace('.', "_");
    let Some(r) = r_type(insn) else {
        return format!("/* {}: use the assembler macro. */\n", insn.name);
    };
    let vector = operands(insn).any(|(_, o)| matches!(o, Operand::V(_)));
    if vector { vector_text(insn, &symbol, &r) } else { function(insn, &symbol, &r) }
}

/// `#define`, because an immediate has to be a constant of the text.
fn function(insn: &NewInsn, symbol: &str, r: &RType) -> String {
    let (opcode, mut parameters, mut inputs) = (insn.value & 127, Vec::new(), Vec::new());
    for (name, operand) in operands(insn).skip(1) {
        match operand {
            Operand::X(_) => {
                parameters.push(name);
                inputs.push(format!("[{name}_] \"r\"((unsigned long)({name}))"));
            }
            _ => parameters.push("imm"),
        }
    }
    inputs.push(format!("[f3_] \"i\"({})", r.funct3));
    inputs.push(format!("[f7_] \"i\"({})", r.funct7));
    let names = ["rd", "rs1", "rs2"];
    let registers: Vec<String> = r
        .registers
        .iter()
        .zip(names)
        .map(|(slot, name)| match slot {
            Ok(_) => format!("%[{name}_]"),
            Err(number) => format!("x{number}"),
        })
        .collect();
    format!(
        "/* {}: {} */\n#define {symbol}({}) \\\n    ({{ \\\n        unsigned long rd_; \\\n        \
         __asm__(\".insn r {opcode:#x}, %[f3_], %[f7_], {}\" \\\n                : [rd_] \"=r\"(rd_) \\\n                : {}); \\\n        rd_; \\\n    }})\n",
        insn.name,
        insn.args,
        parameters.join(", "),
        registers.join(", "),
        inputs.join(", ")
    )
}

fn vector_text(insn: &NewInsn, symbol: &str, r: &RType) -> String {
    let opcode = insn.value & 127;
    let mut parameters: Vec<&str> = Vec::new();
    for (name, operand) in operands(insn) {
        parameters.push(if matches!(operand, Operand::Imm(_)) { "imm" } else { name });
    }
    let number = |slot: &Result<Slot, u32>| match slot {
        Ok(slot) => {
            let name = operands(insn).find(|(_, o)| o.slot() == *slot).map_or("0", |(n, _)| n);
            format!("x\" CAPVEC_TEXT({name}) \"")
        }
        Err(number) => format!("x{number}"),
    };
    let registers: Vec<String> = r.registers.iter().map(number).collect();
    let value = |text: &str| {
        let imm = text.replace("(imm)", "(\" CAPVEC_TEXT(imm) \")");
        imm.replace("(vm)", "(\" CAPVEC_TEXT(vm) \")")
    };
    format!(
        "/* {}: {}. Registers are numbers{}. */\n#define {}({}) \\\n    \".insn r {opcode:#x}, {}, {}, {}\"\n",
        insn.name,
        insn.args,
        if parameters.contains(&"vm") { "; vm is 1 without a mask, 0 with v0" } else { "" },
        symbol.to_uppercase(),
        parameters.join(", "),
        value(&r.funct3),
        value(&r.funct7),
        registers.join(", ")
    )
}
