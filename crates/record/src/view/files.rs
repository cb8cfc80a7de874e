//! Records as files.

use crate::read::RECORDS;
use crate::{Evaluated, view};
use anyhow::Result;
use capvec_util::atomic_file;
use std::path::Path;

/// The file with what regions executed.
const REGIONS: &str = "regions.csv";

impl Evaluated {
    /// The record as JSON.
    ///
    /// # Errors
    /// JSON has no form for a figure; it has one for every figure that can be measured.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Writes record.json, results.csv and table.md, and regions.csv if there are regions.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub fn write(&self, dir: &Path) -> Result<()> {
        let [json, csv] = RECORDS;
        let all = [(csv, self.csv()), (json, self.json()?), ("table.md", view::markdown(self)?)];
        for (name, text) in all.into_iter().chain(self.regions_csv().map(|text| (REGIONS, text))) {
            atomic_file::write(&dir.join(name), &text)?;
        }
        Ok(())
    }
}
