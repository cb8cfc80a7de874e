//! Names: of the extension, of those that it implies, and of instructions.

use crate::faults::Faults;
use crate::file::{File, Insn};
use capvec_isa::{Ext, Op};
use capvec_text::suggest;

/// What a mnemonic and the name of an extension may look like.
fn is_word(text: &str, also: &str) -> bool {
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
            format!("C reserves {name}, and the header makes a function of that name"),
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

/// Checks the name of the extension.
pub fn extension_name(parsed: &File, faults: &mut Faults) {
    let name = parsed.ext.as_ref();
    if !is_word(name, "") || !name.starts_with('x') || name.len() < 2 {
        let remedy = "write lower-case letters and digits after an x, such as xrotate";
        faults.at(&parsed.ext, format!("{name:?} is not the name of a custom extension"), remedy);
    } else if Ext::from_name(name).is_some_and(|e| !e.is_custom()) {
        faults.at(
            &parsed.ext,
            format!("there is an extension {name} already"),
            "choose another name",
        );
    } else if name.ends_with(|c: char| c.is_ascii_digit()) && !has_version(name) {
        let remedy = "end the name in a letter, or in a version such as 0p1";
        faults.at(
            &parsed.ext,
            format!("{name}: ISA strings take the digits for a version"),
            remedy,
        );
    }
}

/// The extensions that this one implies.
pub fn implied(parsed: &File, faults: &mut Faults) -> Vec<Ext> {
    let mut implies = Vec::new();
    for other in &parsed.implies {
        match Ext::from_name(other.as_ref()) {
            Some(e) => implies.push(e),
            None => {
                let hint = suggest::hint(other.as_ref(), Ext::all().map(Ext::name));
                faults.at(
                    other,
                    format!("there is no extension {}{hint}", other.as_ref()),
                    "`capvec isa` lists them",
                );
            }
        }
    }
    implies
}

/// Whether a name ends in a version: `xvmulq0p1`.
fn has_version(name: &str) -> bool {
    let digits = |s: &str| s.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let minor = &name[..digits(name)];
    let Some(major) = minor.strip_suffix('p') else { return false };
    digits(major) < major.len()
}
