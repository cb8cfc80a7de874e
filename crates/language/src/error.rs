//! Errors in the form in which rustc shows them.

use std::fmt;
use std::ops::Range;

/// Bytes of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end }
    }

    /// The text of the span.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// Maximum number of errors that are shown.
pub(crate) const FAULTS: usize = 20;

/// An error before it is placed into lines.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub span: Span,
    pub what: String,
    pub remedy: String,
}

/// A text and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file, as errors name it.
    pub file: &'a str,
    /// The line of the file at which the text starts, from 1: a text may be part of another file.
    pub line: usize,
    /// The program.
    pub text: &'a str,
}

/// One error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file, as the source names it.
    pub file: String,
    /// The line in the file, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
    shown: String,
    marked: usize,
}

/// All errors of a text, in its order; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors(pub Vec<Error>);

/// Longer lines are cut around the error.
const SHOWN: usize = 120;

impl Errors {
    /// Errors of the file that the program is part of, in the same form: the bytes of the text, what is wrong, and the
    /// remedy of each.
    pub fn of(source: &Source, faults: Vec<(Range<usize>, String, String)>) -> Errors {
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let fault = |(at, what, remedy): (Range<usize>, String, String)| {
            let span = Span { start: small(at.start), end: small(at.end) };
            Fault { span, what, remedy }
        };
        Errors::new(source, faults.into_iter().map(fault).collect())
    }

    pub(crate) fn new(source: &Source, mut faults: Vec<Fault>) -> Errors {
        faults.sort_by_key(|f| f.span.start);
        Errors(faults.into_iter().map(|f| place(source, f)).collect())
    }
}

fn place(source: &Source, fault: Fault) -> Error {
    let mut at = (fault.span.start as usize).min(source.text.len());
    while !source.text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &source.text[..at];
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    let line = source.text[start..].lines().next().unwrap_or_default();
    let column = before[start..].chars().count();
    let marked = fault.span.of(source.text).lines().next().unwrap_or_default().chars().count();
    let cut = column.saturating_sub(SHOWN / 2);
    let shown = line.chars().skip(cut).take(SHOWN).map(|c| if c.is_control() { ' ' } else { c });
    Error {
        file: source.file.into(),
        line: source.line + before.matches('\n').count(),
        column: column + 1,
        what: fault.what,
        remedy: fault.remedy,
        marked: marked.clamp(1, SHOWN - SHOWN / 2),
        shown: std::iter::repeat_n("… ", usize::from(cut > 0))
            .chain([&*shown.collect::<String>()])
            .collect(),
    }
}

/// What is probably not meant, although it has a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning(Error);

impl Warning {
    /// A warning of the file that the program is part of: the bytes of the text, what is suspicious, and the remedy.
    pub fn of(source: &Source, at: Range<usize>, what: String, remedy: String) -> Option<Warning> {
        Errors::of(source, vec![(at, what, remedy)]).0.pop().map(Warning)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.show("warning", f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.show("error", f)
    }
}

impl Error {
    fn show(&self, kind: &str, f: &mut fmt::Formatter) -> fmt::Result {
        let Error { file, line, column, what, remedy, shown, marked } = self;
        let margin = " ".repeat(line.to_string().len());
        let cut = (column - 1).saturating_sub(SHOWN / 2);
        let indent = " ".repeat(column - 1 - cut + if cut > 0 { 2 } else { 0 });
        writeln!(f, "{kind}: {what}\n{margin}--> {file}:{line}:{column}\n{margin} |")?;
        write!(f, "{line} | {shown}\n{margin} | {indent}{}", "^".repeat(*marked))?;
        if remedy.is_empty() { Ok(()) } else { write!(f, "\n{margin} = help: {remedy}") }
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (n, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if n == 0 { "" } else { "\n\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
impl std::error::Error for Errors {}
