//! The comparison of paths: what the library's code for a set of extensions sees of a vector, against what its scalar code sees.

use super::job::Checked;
use super::run::Configured;

/// A configuration next to scalar.
pub struct Comparison<'a> {
    /// `None` if this is scalar itself, or if scalar did not run.
    scalar: Option<&'a Configured>,
}

impl<'a> Comparison<'a> {
    /// Compares `own` with scalar, if scalar ran.
    pub fn of(own: &Configured, scalar: Option<&'a Configured>) -> Comparison<'a> {
        Comparison { scalar: scalar.filter(|s| s.capset.name != own.capset.name) }
    }

    fn seen(&self, vector: usize) -> Option<&'a Checked> {
        self.scalar?.results.get(vector)?.as_ref()
    }

    /// Whether scalar also ran this vector.
    pub fn has(&self, vector: usize) -> bool {
        self.seen(vector).is_some()
    }

    /// Whether scalar ran this vector and saw something else.
    pub fn differs(&self, vector: usize, got: &Checked) -> bool {
        self.seen(vector).is_some_and(|scalar| scalar.seen != got.seen)
    }
}
