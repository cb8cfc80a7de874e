//! A record as record.json has it.

use crate::derived::explanation::Explanation;
use crate::derived::fit::Fit;
use crate::evaluated::Evaluated;
use crate::record::Record;
use serde::{Serialize, Serializer};

/// A whole run of `bench`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Record"))]
#[cfg_attr(test, schemars(bound = "R: schemars::JsonSchema + Default + Serialize"))]
pub(crate) struct RecordJson<'a, R> {
    #[serde(flatten)]
    facts: Record<R>,
    /// Cost of a call and of a byte, where three sizes or more were measured. Computed when the record is read; ignored in input.
    #[cfg_attr(test, schemars(default))]
    fits: &'a [Fit],
    /// For each case, how the best set is reached and what each extension adds. Computed when the record is read; ignored in input,
    /// except that a record without `dispatch`, which older versions wrote, keeps the explanations stored in it.
    #[cfg_attr(test, schemars(default))]
    explanations: &'a [Explanation],
}

impl Serialize for Evaluated {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (rows, speed) = (self.figures().collect(), self.speed_figures().collect());
        let facts = self.facts.with_rows(rows, speed);
        let (fits, explanations) = (&self.fits, &self.explanations);
        RecordJson { facts, fits, explanations }.serialize(serializer)
    }
}
