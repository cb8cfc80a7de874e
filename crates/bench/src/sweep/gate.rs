//! The gate: vectors that a case must pass in a configuration, in addition to its known answers.

use crate::run::{Configuration, Runner};
use anyhow::Result;

/// Vectors that figures depend on.
pub trait Gate: Send + Sync {
    /// Number of vectors, over all cases of the plan.
    fn vectors(&self) -> usize;

    /// The cases without vectors, as indices into the plan: the gate does not check them.
    fn unchecked(&self) -> Vec<usize>;

    /// A digest of everything that is checked.
    fn id(&self) -> String;

    /// What is wrong with each of these cases of the plan, in this configuration.
    ///
    /// # Errors
    /// The guest cannot be run at all.
    fn check(
        &self,
        runner: &Runner,
        c: &Configuration,
        cases: &[usize],
    ) -> Result<Vec<Option<String>>>;
}
