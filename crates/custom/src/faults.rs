//! Errors of a file, each with its place and remedy.

use capvec_semantics::{Errors, Source};
use std::ops::Range;
use toml::Spanned;

/// Errors that were found so far.
#[derive(Default)]
pub struct Faults(Vec<(Range<usize>, String, String)>);

impl Faults {
    /// Adds an error at a value of the file.
    pub fn at<T>(
        &mut self,
        place: &Spanned<T>,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.0.push((place.span(), what.into(), remedy.into()));
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The errors, if there are any.
    pub fn into_result(self, file: &str, text: &str) -> Result<(), Errors> {
        match self.0.is_empty() {
            true => Ok(()),
            false => Err(Errors::of(&Source { file, line: 1, text }, self.0)),
        }
    }
}
