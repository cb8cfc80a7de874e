//! Fits parameters of a core model to published figures: `capvec cores fit`.

mod free;
mod left_out;
mod matrix;
mod uncertainty;

pub use free::{Free, Value};
pub use uncertainty::{Estimate, Trade};

use anyhow::{Result, bail, ensure};
use bobyqa::{Bobyqa, Config, Status};

/// Gives the predictions for the figures with these indices, with these values of the free parameters.
pub type Predict<'a> = dyn FnMut(&[f64], &[usize]) -> Result<Vec<f64>> + 'a;

/// What is fitted: cycles per byte.
pub struct Problem {
    /// The free parameters.
    pub free: Vec<Free>,
    /// The published figures.
    pub published: Vec<f64>,
    /// Which of them are held out.
    pub held: Vec<bool>,
}

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Values of the free parameters: multiples of what the model resolves. One on which no figure depends keeps its value.
    pub values: Vec<f64>,
    /// Predictions with the values that the parameters had before.
    pub before: Vec<f64>,
    /// Predictions with the fitted ones.
    pub after: Vec<f64>,
    /// How well the figures determine the values.
    pub estimate: Estimate,
    /// ln(predicted / published) of each fitted figure when the parameters are fitted to the others; `None` if they do not determine
    /// all parameters then.
    pub left_out: Vec<Option<f64>>,
    /// How often the model was run with other values.
    pub runs: usize,
}

/// How many points the search may try, for each free parameter.
const RUNS: usize = 40;
/// The first steps of the search, as a part of the range between the bounds.
const FIRST_STEP: f64 = 0.125;

impl Problem {
    /// Whether there are enough figures.
    ///
    /// # Errors
    /// There are fewer figures than parameters.
    pub fn check(&self) -> Result<()> {
        let fitted = self.held.iter().filter(|held| !**held).count();
        let free = self.free.len();
        ensure!(
            fitted >= free,
            "the number of figures to fit ({fitted}) is less than that of parameters ({free}); free fewer of them, or hold out fewer figures"
        );
        Ok(())
    }

    /// Minimises the sum of the squares of relative errors, ln(predicted / published), within the bounds.
    ///
    /// # Errors
    /// Those of [`Problem::check`]; or the model cannot be run.
    pub fn fit(&self, predict: &mut Predict<'_>) -> Result<Fitted> {
        self.check()?;
        let places = |of: &dyn Fn(bool) -> bool| -> Vec<usize> {
            self.held.iter().enumerate().filter(|(_, held)| of(**held)).map(|(i, _)| i).collect()
        };
        let (all, own) = (places(&|_| true), places(&|held| !held));
        let mut model = Model { predict, figures: own, known: Vec::new() };
        let start: Vec<f64> = self.free.iter().map(|f| f.start).collect();
        let before = (model.predict)(&start, &all)?;
        let found = self.search(&mut model)?;
        let mut values = self.improved(&mut model, found)?;
        let estimate = self.estimate(&mut model, &values)?;
        // Where the search has left such a parameter means nothing, if the figures are the same with the value before.
        for place in estimate.without_effect {
            let mut other = values.clone();
            other[place] = start[place];
            if model.at(&other)? == model.at(&values)? {
                values = other;
            }
        }
        let estimate = self.estimate(&mut model, &values)?;
        let left_out = self.left_out(&mut model, &values, &estimate.determined_without)?;
        let after = (model.predict)(&values, &all)?;
        Ok(Fitted { values, before, after, estimate, left_out, runs: model.known.len() })
    }

    /// Values with the least sum of squares that the search finds.
    fn search(&self, model: &mut Model<'_, '_>) -> Result<Vec<f64>> {
        let count = self.free.len();
        let coarsest = self.free.iter().map(|f| f.step / f.range()).fold(0.0, f64::max);
        let mut config = Config::new(count);
        config.rho_begin = FIRST_STEP;
        // Between two values that the model resolves, nothing changes.
        config.rho_end = (coarsest / 2.0).min(FIRST_STEP);
        config.max_fun = RUNS * count;
        config.prima_parity = false;
        let mut solver = Bobyqa::new(count, config)?;
        // All parameters are searched between 0 and 1, so that one step fits all.
        let mut x: Vec<f64> = self.free.iter().map(|f| (f.start - f.low) / f.range()).collect();
        let mut failed = None;
        let mut best: Option<(f64, Vec<f64>)> = None;
        let objective = |x: &[f64]| {
            let values = self.values(x);
            match model.at(&values) {
                Ok(predicted) => {
                    let sum = self.sum(&predicted);
                    if best.as_ref().is_none_or(|(least, _)| sum < *least) {
                        best = Some((sum, values));
                    }
                    sum
                }
                Err(e) => {
                    failed.get_or_insert(e);
                    f64::MAX
                }
            }
        };
        let outcome = solver.minimize(objective, &mut x, &vec![0.0; count], &vec![1.0; count]);
        if let Some(error) = failed {
            return Err(error);
        }
        match (outcome.status, best) {
            (Status::InvalidArgs | Status::AllocationFailed, _) | (_, None) => {
                bail!("the search failed: {}", outcome.status)
            }
            (_, Some((_, values))) => Ok(values),
        }
    }

    /// How well the figures determine these values.
    fn estimate(&self, model: &mut Model<'_, '_>, values: &[f64]) -> Result<Estimate> {
        let fitted = model.at(values)?;
        let slopes = self.slopes(model, values, &fitted)?;
        Ok(Estimate::of(&self.residuals(&fitted), &slopes))
    }

    /// The derivatives of the fitted residuals by each parameter, from differences.
    fn slopes(&self, model: &mut Model<'_, '_>, at: &[f64], here: &[f64]) -> Result<Vec<Vec<f64>>> {
        let mut slopes = Vec::new();
        for (i, free) in self.free.iter().enumerate() {
            let mut near = at.to_vec();
            near[i] = free.near(at[i]);
            let by = near[i] - at[i];
            let there = model.at(&near)?;
            slopes.push(there.iter().zip(here).map(|(b, a)| (b / a).ln() / by).collect());
        }
        Ok(slopes)
    }

    fn values(&self, x: &[f64]) -> Vec<f64> {
        self.free.iter().zip(x).map(|(f, x)| f.round(f.low + x * f.range())).collect()
    }

    /// ln(predicted / published) of the fitted figures.
    fn residuals(&self, predicted: &[f64]) -> Vec<f64> {
        let published = self.published.iter().zip(&self.held).filter(|(_, held)| !**held);
        predicted.iter().zip(published).map(|(a, (b, _))| (a / b).ln()).collect()
    }

    fn sum(&self, predicted: &[f64]) -> f64 {
        self.residuals(predicted).iter().map(|r| r * r).sum()
    }
}

/// The model, which predicts the fitted figures, and is not run twice with the same values.
struct Model<'a, 'p> {
    predict: &'a mut Predict<'p>,
    figures: Vec<usize>,
    known: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Model<'_, '_> {
    fn at(&mut self, values: &[f64]) -> Result<Vec<f64>> {
        if let Some((_, predicted)) = self.known.iter().find(|(known, _)| known == values) {
            return Ok(predicted.clone());
        }
        let predicted = (self.predict)(values, &self.figures)?;
        ensure!(predicted.len() == self.figures.len(), "a prediction for each figure");
        ensure!(predicted.iter().all(|v| *v > 0.0), "a model that takes no time cannot be fitted");
        self.known.push((values.to_vec(), predicted.clone()));
        Ok(predicted)
    }
}

#[cfg(test)]
mod tests;
