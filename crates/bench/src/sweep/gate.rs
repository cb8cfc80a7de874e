//! What stands before figures: vectors that a case must pass in a configuration, besides its known answers.

use crate::run::{Configuration, Runner};
use anyhow::Result;

/// Vectors that figures depend on.
pub trait Gate: Send + Sync {
    /// Number of vectors, over all cases of the plan.
    fn vectors(&self) -> usize;

    /// The cases without vectors, by their places in the plan: the gate says nothing of them.
    fn unchecked(&self) -> Vec<usize>;

    /// A digest of all that is asked.
    fn id(&self) -> String;

    /// What is wrong with each of these cases of the plan, in this configuration.
    ///
    /// # Errors
    /// The guest could not be run at all.
    fn check(
        &self,
        runner: &Runner,
        c: &Configuration,
        cases: &[usize],
    ) -> Result<Vec<Option<String>>>;
}
