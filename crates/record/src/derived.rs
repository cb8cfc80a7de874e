//! Figures that are computed from the facts of a record and kept in it: ratios over scalar, published figures, fits.

use crate::published::kernels::{self, Kernel};
use crate::published::speeds;
use crate::view::explain::exts;
use crate::view::fit;
use crate::{ConfigurationRecord, Record, Row};
use anyhow::Result;
use std::collections::HashMap;

impl Record {
    /// Fills in speed-ups, published and best published figures, and fits.
    ///
    /// # Errors
    /// The published figures cannot be read.
    pub fn derive(&mut self) -> Result<()> {
        let kernels = kernels::kernels()?;
        let named = |c: &ConfigurationRecord| (c.core.clone(), c.vlen, c.capset.clone());
        let sets: HashMap<_, _> = self.configurations.iter().map(|c| (named(c), c)).collect();
        // On other architectures, a mask limits the library, not the processor.
        let known = self.target.architecture == "riscv64";
        for row in &mut self.rows {
            let key = (row.core.clone(), row.vlen, row.capset.clone());
            let Some(set) = sets.get(&key) else { continue };
            row.published_kbps = speeds::of(row, set)?;
            row.ratio = row.kbps.zip(row.published_kbps).map(|(k, p)| k / p);
            if known {
                Kernel::compare(&kernels, row, exts(&set.hart));
            }
        }
        relate(&mut self.rows);
        self.fits = fit::fits(&self.rows);
        Ok(())
    }
}

/// Fills in the ratios over the scalar set.
pub fn relate(rows: &mut [Row]) {
    let key = |r: &Row| (r.subject.clone(), r.vlen, r.case.clone(), r.direction.clone(), r.bytes);
    let scalar: HashMap<_, _> = rows
        .iter()
        .filter(|r| r.capset == "scalar")
        .filter_map(|r| Some((key(r), r.rate()?)))
        .collect();
    for row in rows {
        row.set_ratio(scalar.get(&key(row)).copied());
    }
}
