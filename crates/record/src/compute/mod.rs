//! Figures that are computed from the facts of a record: ratios over scalar, published figures, fits, explanations.

pub mod explain;
pub mod least_squares;

use crate::best::operation;
use crate::derived::row::Derived;
use crate::published::kernels::{self, Kernel};
use crate::published::speeds;
use crate::quotient::quotient;
use crate::sets::{Sets, exts};
use crate::{Evaluated, Explanation, Kind, Record, Row};
use anyhow::Result;
use std::collections::HashMap;
use std::hash::Hash;

/// The ratio of a row's speed over that of a scalar row, or of their instructions.
pub(crate) type OverScalar = fn(&Row, &Row) -> Option<f64>;

impl Record {
    /// Computes everything that follows from the facts.
    ///
    /// # Errors
    /// The published figures cannot be read.
    pub fn evaluate(self) -> Result<Evaluated> {
        self.evaluate_by(over_scalar, &[])
    }

    /// The same, with ratios computed by `over`. `stored` are the explanations of the file.
    pub(crate) fn evaluate_by(self, over: OverScalar, stored: &[Explanation]) -> Result<Evaluated> {
        let (mut derived, mut derived_speed) = self.published()?;
        relate(&self.rows, &mut derived, over);
        relate(&self.speed, &mut derived_speed, over);
        let fits = least_squares::fits(&self.rows);
        let explanations = explain::of(&self, stored);
        Ok(Evaluated { facts: self, derived, derived_speed, fits, explanations })
    }

    /// Whether the target is of the architecture of the published figures. Neither a CSV nor an old record of the simulator
    /// names it; in a CSV, only capability sets of RISC-V are understood.
    fn is_riscv64(&self) -> bool {
        match self.target.architecture.as_str() {
            "" => self.target.kind == Kind::Modelled || self.configurations.is_empty(),
            name => name == "riscv64",
        }
    }

    /// The published figures for the rows, and for those of `openssl speed`.
    fn published(&self) -> Result<(Vec<Derived>, Vec<Derived>)> {
        let kernels = kernels::kernels()?;
        let sets = Sets::of(&self.configurations);
        // On other architectures, a mask limits the library, not the processor.
        let riscv64 = self.is_riscv64();
        let one = |row: &Row| -> Result<Derived> {
            let mut derived = Derived::default();
            let Some(set) = sets.find(row) else { return Ok(derived) };
            derived.published_kbps = speeds::of(row, &set)?;
            derived.ratio = quotient(row.kbps(), derived.published_kbps);
            if riscv64 {
                Kernel::compare(&kernels, row, || exts(&set.hart), &mut derived);
            }
            Ok(derived)
        };
        let rows = self.rows.iter().map(one).collect::<Result<Vec<Derived>>>()?;
        // The program runs the same library as the driver.
        let driver: HashMap<_, &Derived> = self.rows.iter().map(place).zip(&rows).collect();
        let one = |row: &Row| match driver.get(&place(row)) {
            Some(driver) => Derived {
                published_kbps: driver.published_kbps,
                ratio: quotient(row.kbps(), driver.published_kbps),
                kernel_needs: driver.kernel_needs.clone(),
                best_published_ipb: driver.best_published_ipb,
                best_published_source: driver.best_published_source.clone(),
                estimate_ipb: driver.estimate_ipb,
                ..Derived::default()
            },
            None => Derived::default(),
        };
        let speed = self.speed.iter().map(one).collect();
        Ok((rows, speed))
    }
}

/// What a row of `openssl speed` and that of the driver have in common.
fn place(r: &Row) -> impl Hash + Eq + use<> {
    (r.core.clone(), r.vlen, r.capset.clone(), r.case.clone(), r.direction.clone(), r.bytes)
}

/// The ratio of speeds, or of instructions if neither row has a speed.
pub(crate) fn over_scalar(own: &Row, scalar: &Row) -> Option<f64> {
    let same = own.speed().is_some() == scalar.speed().is_some();
    quotient(own.rate(), scalar.rate()).filter(|_| same)
}

/// Fills in the ratios over the scalar set.
fn relate(rows: &[Row], derived: &mut [Derived], over: OverScalar) {
    let figures = |r: &&Row| r.capset == "scalar" && r.rate().is_some();
    let scalar: HashMap<_, &Row> = rows.iter().filter(figures).map(|r| (operation(r), r)).collect();
    for (row, derived) in rows.iter().zip(derived) {
        let ratio = scalar.get(&operation(row)).and_then(|scalar| over(row, scalar));
        derived.set_ratio(ratio, row.speed().is_some());
    }
}

#[cfg(test)]
mod tests;
