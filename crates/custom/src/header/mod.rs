//! A header that emits the instructions with compilers and assemblers that do not know them.

mod assembler;
mod c;

use crate::operand::Operand;
use capvec_isa::custom::{NewExtension, NewField, NewInsn};
use capvec_isa::row::Piece;

/// The header's text.
pub fn text(extension: &NewExtension) -> String {
    let name = &extension.name;
    let guard = format!("CAPVEC_{}_H", name.to_uppercase());
    let source = comment(&extension.source);
    let mut s = format!(
        "/* Instructions of {name}, made by `capvec isa header` from {source}.\n{ABOUT}#ifndef {guard}\n#define {guard}\n\n"
    );
    s += "#ifdef __ASSEMBLER__\n\n";
    s += &assembler::text(&extension.insns);
    s += "\n#else\n\n";
    s += &c::text(&extension.insns);
    s + "\n#endif\n#endif\n"
}

const ABOUT: &str = " *
 * Assembler files that pass the preprocessor: macros with the mnemonics and operands. C and C++: a function-like macro
 * for each instruction on x and f registers, which gives rd or fd. For a vector instruction, the text for inline assembly, with all
 * registers as numbers: __asm__ volatile(NAME(8, 4, 10)) for v8, v4 and, where it has an x operand, a0 (x10). A mask is 0
 * for v0.t, or 1. Say in the clobbers which registers and memory the assembly uses. Immediates are constants. An operand
 * that cannot be encoded is an error. */
";

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

/// A condition that holds for the values that a field can encode.
fn encodable(value: &str, f: &NewField) -> String {
    let mask: u64 = f.pieces.iter().map(|p| ((1u64 << p.width) - 1) << p.to).sum();
    let top = f.pieces.iter().map(|p| p.to + p.width).max().unwrap_or(0);
    let gaps = !mask & ((1u64 << top) - 1);
    if !f.signed {
        return format!("((({value}) & ~{mask:#x}) == 0)");
    }
    let limit = 1u64 << (top - 1);
    format!("(({value}) >= -{limit:#x} && ({value}) < {limit:#x} && (({value}) & {gaps:#x}) == 0)")
}
