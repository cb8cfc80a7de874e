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
        atomic_file::write(&dir.join(csv), &self.csv())?;
        // Of a large sweep, the text would take more memory than the record.
        atomic_file::write_by(&dir.join(json), |file| {
            serde_json::to_writer_pretty(&mut *file, self)?;
            file.write_all(b"\n")
        })?;
        atomic_file::write(&dir.join("table.md"), &view::markdown(self)?)?;
        let regions = self.regions_csv();
        regions.map_or(Ok(()), |text| atomic_file::write(&dir.join(REGIONS), &text))
    }
}
