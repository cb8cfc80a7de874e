//! Checks an instruction's table, all but its semantics.

mod cost;
mod encoding;
mod operands;
mod ports;

pub use cost::{class, cost, group, is_memory, widths};
pub use encoding::{encoding, mask_is_bit_25};
pub use operands::{format, operands};
pub use ports::{ports, start};

use crate::faults::Faults;
use crate::file::Insn;
use capvec_isa::Op;

/// What a mnemonic and the name of an extension may look like.
pub fn is_word(text: &str, also: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || also.contains(c))
        && text.len() <= 40
}

/// Words that cannot be the name of a function or macro in C, and `main`.
const C_WORDS: &str = " asm auto break case char const continue default do double else enum extern float for goto if inline int long main \
                       register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while ";

/// A mnemonic that is free.
pub fn mnemonic(insn: &Insn, others: &[Insn], faults: &mut Faults) {
    let name = insn.name.as_ref();
    let (what, remedy) = if !is_word(name, ".") {
        (
            format!("{name:?} is not a mnemonic"),
            "write lower-case letters, digits and dots, such as vrot.vx",
        )
    } else if others.iter().any(|other| other.name.as_ref() == name) {
        (format!("{name} is defined twice"), "choose another name")
    } else if C_WORDS.contains(&format!(" {name} ")) {
        (
            format!("{name} is a keyword of C, and the header makes a function of it"),
            "choose another name",
        )
    } else if Op::from_name(name)
        .is_some_and(|op| !op.row().exts.iter().all(|e| e.info().draft.is_some()))
    {
        (
            format!("{name} is an instruction already"),
            "choose another name: assemblers know that one",
        )
    } else {
        return;
    };
    faults.at(&insn.name, what, remedy);
}
