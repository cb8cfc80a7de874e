//! Figures that are computed from the facts of a record and kept in it for programs that read the file: ratios over scalar,
//! published figures, fits, explanations. Reading a record computes them anew, whatever the file says.

pub mod explain;
pub mod least_squares;

use crate::best::operation;
use crate::derived::row::Derived;
use crate::published::kernels::{self, Kernel};
use crate::published::speeds;
use crate::quotient::quotient;
use crate::sets::{Sets, exts};
use crate::{Kind, Record, Row};
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
    pub fn derive(&mut self) -> Result<()> {
        self.derive_by(over_scalar)
    }

    /// The same, with ratios computed by `over`.
    pub(crate) fn derive_by(&mut self, over: OverScalar) -> Result<()> {
        self.rows
            .iter_mut()
            .chain(&mut self.speed)
            .for_each(|row| row.derived = Derived::default());
        self.publish()?;
        for rows in [&mut self.rows, &mut self.speed] {
            relate(rows, over);
        }
        self.fits = least_squares::fits(&self.rows);
        self.explanations = explain::of(self);
        Ok(())
    }

    /// Whether the target is of the architecture of the published figures. Neither a CSV nor an old record of the simulator
    /// names it; in a CSV, only capability sets of RISC-V are understood.
    fn is_riscv64(&self) -> bool {
        match self.target.architecture.as_str() {
            "" => self.target.kind == Kind::Modelled || self.configurations.is_empty(),
            name => name == "riscv64",
        }
    }

    /// Fills in the published figures.
    fn publish(&mut self) -> Result<()> {
        let kernels = kernels::kernels()?;
        let sets = Sets::of(&self.configurations);
        // On other architectures, a mask limits the library, not the processor.
        let riscv64 = self.is_riscv64();
        for row in &mut self.rows {
            let Some(set) = sets.find(row) else { continue };
            row.derived.published_kbps = speeds::of(row, &set)?;
            row.derived.ratio = quotient(row.kbps, row.derived.published_kbps);
            if riscv64 {
                Kernel::compare(&kernels, row, || exts(&set.hart));
            }
        }
        // The program runs the same library as the driver.
        let driver: HashMap<_, &Row> = self.rows.iter().map(|r| (place(r), r)).collect();
        for row in &mut self.speed {
            let Some(driver) = driver.get(&place(row)) else { continue };
            row.derived.published_kbps = driver.derived.published_kbps;
            row.derived.ratio = quotient(row.kbps, row.derived.published_kbps);
            row.derived.kernel_needs.clone_from(&driver.derived.kernel_needs);
            row.derived.best_published_ipb = driver.derived.best_published_ipb;
            row.derived.best_published_source.clone_from(&driver.derived.best_published_source);
            row.derived.estimate_ipb = driver.derived.estimate_ipb;
        }
        Ok(())
    }
}

/// What a row of `openssl speed` and that of the driver have in common.
fn place(r: &Row) -> impl Hash + Eq + use<> {
    (r.core.clone(), r.vlen, r.capset.clone(), r.case.clone(), r.direction.clone(), r.bytes)
}

/// The ratio of speeds, or of instructions if neither row has a speed.
fn over_scalar(own: &Row, scalar: &Row) -> Option<f64> {
    let same = own.speed().is_some() == scalar.speed().is_some();
    quotient(own.rate(), scalar.rate()).filter(|_| same)
}

/// Fills in the ratios over the scalar set.
fn relate(rows: &mut [Row], over: OverScalar) {
    let figures = |r: &&Row| r.capset == "scalar" && r.rate().is_some();
    let scalar: HashMap<_, &Row> = rows.iter().filter(figures).map(|r| (operation(r), r)).collect();
    let ratio = |r: &Row| over(r, scalar.get(&operation(r))?);
    let ratios: Vec<Option<f64>> = rows.iter().map(ratio).collect();
    for (row, ratio) in rows.iter_mut().zip(ratios) {
        row.set_ratio(ratio);
    }
}

#[cfg(test)]
mod tests;
