//! What every type of record shows.

use crate::grid::Section;
use anyhow::Result;
use capvec_text::shell::word;

/// A record with tables.
pub trait Tables {
    /// Every table, in the order in which they are shown.
    ///
    /// # Errors
    /// The published figures cannot be read.
    fn sections(&self) -> Result<Vec<Section>>;

    /// Every table, drawn by `draw`.
    ///
    /// # Errors
    /// As [`Tables::sections`].
    fn drawn(&self, draw: impl Fn(&Section) -> String) -> Result<String>
    where
        Self: Sized,
    {
        Ok(self.sections()?.iter().map(draw).collect())
    }
}

/// A record of another command than `capvec bench`, for a page of several records.
pub trait Summary: Tables {
    /// What was measured or examined, and how: names and values.
    fn facts(&self) -> Vec<(&'static str, String)>;

    /// What a reader must know before the figures.
    fn warnings(&self) -> Vec<String>;

    /// The target or core; `None` if it is not known.
    fn place(&self) -> Option<String>;

    /// The most important figures, and what each counts; `on` says where, such as " on native".
    fn headline(&self, on: &str) -> Vec<(String, String)>;
}

/// A command line of capvec that can be pasted into a shell.
pub fn command(words: &[String]) -> String {
    let words = words.iter().map(|w| word(w));
    std::iter::once("capvec".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_given_again() {
        let words = ["bench", "--caps", "string:a b", "--cases", "it's"];
        assert_eq!(
            command(&words.map(String::from)),
            "capvec bench --caps 'string:a b' --cases 'it'\\''s'"
        );
    }
}
