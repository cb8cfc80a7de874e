//! Errors of a file, each with its place and remedy.

use capvec_language::{Errors, Source, Warning};
use std::ops::Range;
use toml::Spanned;

/// A place in the file, what is wrong there, and the remedy.
type Fault = (Range<usize>, String, String);

/// Errors and warnings that were found so far.
#[derive(Default)]
pub struct Faults {
    errors: Vec<Fault>,
    warnings: Vec<Fault>,
}

impl Faults {
    /// Adds an error at a value of the file.
    pub fn at<T>(
        &mut self,
        place: &Spanned<T>,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.errors.push((place.span(), what.into(), remedy.into()));
    }

    /// Adds a warning at these bytes of the file.
    pub fn warn(&mut self, place: Range<usize>, what: String, remedy: String) {
        self.warnings.push((place, what, remedy));
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.errors.len()
    }

    /// The errors, if there are any; otherwise the warnings.
    pub fn into_result(self, file: &str, text: &str) -> Result<Vec<Warning>, Errors> {
        let source = Source { file, line: 1, text };
        let warning = |(at, what, remedy)| Warning::of(&source, at, what, remedy);
        match self.errors.is_empty() {
            true => Ok(self.warnings.into_iter().filter_map(warning).collect()),
            false => Err(Errors::of(&source, self.errors)),
        }
    }
}
