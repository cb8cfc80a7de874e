//! Compiles the semantics of an instruction, for one SEW and XLEN.

use crate::file::Insn;
use crate::operand::{Operand, Port};
use capvec_language::{Errors, Port as Typed, Program, Source, Type, compile};
use std::ops::Range;
use toml::Spanned;

/// The file that an instruction is in.
pub struct Place<'a> {
    /// Its name, for errors.
    pub file: &'a str,
    /// All of it.
    pub text: &'a str,
}

impl Place<'_> {
    /// File and line of a value.
    pub fn of<T>(&self, value: &Spanned<T>) -> String {
        let before = self.text.get(..value.span().start).unwrap_or_default();
        format!("{}:{}", self.file, 1 + before.matches('\n').count())
    }

    /// File, line and column of a value.
    pub fn exactly<T>(&self, value: &Spanned<T>) -> String {
        let before = self.text.get(..value.span().start).unwrap_or_default();
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        format!("{}:{column}", self.of(value))
    }
}

/// The program for these widths: SEW of a vector instruction, XLEN unless the program does not depend on it.
pub fn compiled(
    place: &Place<'_>,
    insn: &Insn,
    ports: &[Port],
    egs: u32,
    [sew, xlen]: [Option<u32>; 2],
) -> Result<Program, Errors> {
    let format = match insn.fmt.as_ref().map(|f| f.as_ref().as_str()) {
        Some("s") => 32,
        _ => 64,
    };
    let element = |width: u32| match egs {
        1 => Type::bits(width),
        _ => Type::array(width, egs),
    };
    // One of them is always given.
    let scalar = xlen.or(sew).unwrap_or(64);
    let ty = |p: &Port| match p.operand {
        Operand::V(_) | Operand::V0 => element(p.width.bits(sew.unwrap_or(64))),
        Operand::F(_) => Type::bits(sew.unwrap_or(format)),
        _ => Type::bits(scalar),
    };
    let typed = |p: &Port| Typed { name: p.name.clone(), ty: ty(p), direction: p.direction };
    let ports: Vec<Typed> = ports.iter().map(typed).collect();
    let named = [("SEW", sew), ("XLEN", xlen)];
    let params: Vec<(&str, u128)> =
        named.into_iter().filter_map(|(name, n)| Some((name, n?.into()))).collect();
    let variant: Vec<String> = params.iter().map(|(name, n)| format!("{name} {n}")).collect();
    located(place, insn, &ports, &params, &variant.join(", "))
}

/// Compiles the semantics where they stand in the file: everything before them is blanked out, so that lines and columns
/// are those of the file.
fn located(
    place: &Place<'_>,
    insn: &Insn,
    ports: &[Typed],
    params: &[(&str, u128)],
    variant: &str,
) -> Result<Program, Errors> {
    let value = insn.semantics.as_ref();
    let Range { start, end } = insn.semantics.span();
    if value.trim().is_empty() {
        let what = format!("{} has no semantics", insn.name.as_ref());
        let remedy = "assign its results, as in \"rd = rs1;\"".to_string();
        let source = Source { file: place.file, line: 1, text: place.text };
        return Err(Errors::of(&source, vec![(start..end, what, remedy)]));
    }
    let raw = place.text.get(start..end).unwrap_or_default();
    // A string with escapes differs from its text: only its line is known.
    let (line, text) = match raw.find(value.as_str()) {
        Some(at) => {
            let blank = |c: char| if c == '\n' { c } else { ' ' };
            let before: String = place.text[..start + at].chars().map(blank).collect();
            (1, before + value)
        }
        None => (1 + place.text[..start].matches('\n').count(), value.clone()),
    };
    compile(&Source { file: place.file, line, text: &text }, ports, params).map_err(|mut errors| {
        for error in &mut errors.0 {
            error.what = format!("{} ({}, {variant})", error.what, insn.name.as_ref());
        }
        errors
    })
}
