//! Steps from values to better ones, within the bounds: the last ones of a fit, and from it to the fit without one of the figures.

use super::{Model, Problem};
use anyhow::Result;

/// Passes over the parameters after which a step counts as found; parameters that trade off take many.
const PASSES: usize = 10_000;
/// A step is found when a pass moves no parameter by more than this part of what the model resolves.
const FOUND: f64 = 1e-3;
/// Parts of a step that are tried, until one fits the other figures better than no step.
const PARTS: [f64; 4] = [1.0, 0.5, 0.25, 0.125];

/// The most steps after the search.
const STEPS: usize = 8;

impl Problem {
    /// Steps from where the search ended, as long as they lower the sum of squares. Without them, a left-out figure could be predicted better
    /// than a fitted one.
    pub(super) fn improved(&self, model: &mut Model<'_, '_>, found: Vec<f64>) -> Result<Vec<f64>> {
        let mut values = found;
        for _ in 0..STEPS {
            let here = model.at(&values)?;
            let slopes = self.slopes(model, &values, &here)?;
            let step = self.step(None, &values, &self.residuals(&here), &slopes);
            let mut better = None;
            for part in PARTS {
                let next = self.moved(&values, &step, part);
                if self.sum(&model.at(&next)?) < self.sum(&here) {
                    better = Some(next);
                    break;
                }
            }
            match better {
                Some(next) => values = next,
                None => break,
            }
        }
        Ok(values)
    }

    /// The values after a part of a step.
    fn moved(&self, values: &[f64], step: &[f64], part: f64) -> Vec<f64> {
        let all = self.free.iter().zip(values).zip(step);
        all.map(|((free, value), by)| free.round(value + part * by)).collect()
    }

    /// ln(predicted / published) of each of these fitted figures when the parameters are fitted to the others. The model tells which step
    /// does that if it is linear near `fitted`; it is then run with the values there, since a long step leaves the part that is linear.
    pub(super) fn left_out(
        &self,
        model: &mut Model<'_, '_>,
        fitted: &[f64],
        determined: &[bool],
    ) -> Result<Vec<Option<f64>>> {
        let here = model.at(fitted)?;
        let slopes = self.slopes(model, fitted, &here)?;
        let residuals = self.residuals(&here);
        let without = |all: &[f64], row: usize| -> f64 {
            all.iter().enumerate().filter(|(i, _)| *i != row).map(|(_, r)| r * r).sum()
        };
        let mut errors = Vec::new();
        for (row, own) in residuals.iter().enumerate() {
            if !determined[row] {
                errors.push(None);
                continue;
            }
            let step = self.step(Some(row), fitted, &residuals, &slopes);
            let mut error = *own;
            for part in PARTS {
                let values = self.moved(fitted, &step, part);
                let there = self.residuals(&model.at(&values)?);
                if without(&there, row) <= without(&residuals, row) {
                    error = there[row];
                    break;
                }
            }
            errors.push(Some(error));
        }
        Ok(errors)
    }

    /// The step from these values that, in the linear model, fits all figures but this one best within the bounds: one parameter after
    /// another, which converges because the sum of squares is convex.
    fn step(
        &self,
        without: Option<usize>,
        values: &[f64],
        residuals: &[f64],
        slopes: &[Vec<f64>],
    ) -> Vec<f64> {
        let mut left = residuals.to_vec();
        let mut step = vec![0.0; values.len()];
        for _ in 0..PASSES {
            let mut found = true;
            for (place, (free, slope)) in self.free.iter().zip(slopes).enumerate() {
                let others =
                    || slope.iter().zip(&left).enumerate().filter(|(i, _)| Some(*i) != without);
                let square: f64 = others().map(|(_, (s, _))| s * s).sum();
                if square == 0.0 {
                    continue;
                }
                let best = step[place] - others().map(|(_, (s, r))| s * r).sum::<f64>() / square;
                let best = best.clamp(free.low - values[place], free.high - values[place]);
                let by = best - step[place];
                step[place] = best;
                left.iter_mut().zip(slope).for_each(|(r, s)| *r += s * by);
                found &= by.abs() <= free.step * FOUND;
            }
            if found {
                break;
            }
        }
        step
    }
}
