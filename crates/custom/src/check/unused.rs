//! Operands that the semantics do not name.

use crate::faults::Faults;
use crate::file::Insn;
use std::ops::Range;

/// Warns of operands that make no difference to what the instruction computes.
pub fn unused<'n>(
    text: &str,
    insn: &Insn,
    names: impl Iterator<Item = &'n str>,
    faults: &mut Faults,
) {
    for name in names {
        let what = format!("the semantics of {} do not use {name}", insn.name.as_ref());
        let remedy = match name {
            "v0" => "use it, or leave it out of args",
            _ => "use it; or leave it out of args, and put fixed bits in its place in enc",
        };
        faults.warn(place(text, insn.args.span(), name), what, remedy.into());
    }
}

/// Where the list of operands names this one.
fn place(text: &str, args: Range<usize>, name: &str) -> Range<usize> {
    let list = text.get(args.clone()).unwrap_or_default();
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let whole = |at: &usize| {
        !is_word(list[..*at].chars().next_back())
            && !is_word(list[at + name.len()..].chars().next())
    };
    match list.match_indices(name).map(|(at, _)| at).find(whole) {
        Some(at) => args.start + at..args.start + at + name.len(),
        None => args,
    }
}
