//! How well figures determine the fitted values: standard errors, parameters that trade off, and figures without which a parameter is
//! not determined. All of it treats the model as linear near the fit (N. R. Draper, H. Smith, Applied Regression Analysis, chapters 5 and 8).

use super::matrix::inverse;

/// Parameters whose correlation exceeds this trade off: the figures determine little but a combination of them.
const CORRELATED: f64 = 0.95;
/// A figure with this leverage determines a parameter alone, so nothing predicts it when it is left out.
const ALONE: f64 = 1.0 - 1e-6;

/// Two parameters that trade off against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Trade {
    /// The places of both.
    pub pair: [usize; 2],
    /// The correlation of their estimates.
    pub correlation: f64,
}

/// How well figures determine the values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The standard error of each value; `None` if it is not determined, or if there are no more figures than parameters.
    pub errors: Vec<Option<f64>>,
    /// Parameters on which no fitted figure depends.
    pub without_effect: Vec<usize>,
    /// Pairs that trade off.
    pub trades: Vec<Trade>,
    /// Of each fitted figure, whether the others determine all parameters.
    pub(super) determined_without: Vec<bool>,
}

impl Estimate {
    /// From the residuals of the fitted figures, and for each parameter their derivatives.
    pub(super) fn of(residuals: &[f64], slopes: &[Vec<f64>]) -> Estimate {
        let parameters = slopes.len();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let idle = |i: &usize| slopes[*i].iter().all(|s| *s == 0.0);
        let without_effect: Vec<usize> = (0..parameters).filter(idle).collect();
        let active: Vec<usize> = (0..parameters).filter(|i| !idle(i)).collect();
        // Scaled to unit length, so that units do not matter.
        let lengths: Vec<f64> =
            active.iter().map(|i| dot(&slopes[*i], &slopes[*i]).sqrt()).collect();
        let scaled: Vec<Vec<f64>> = active
            .iter()
            .zip(&lengths)
            .map(|(i, length)| slopes[*i].iter().map(|s| s / length).collect())
            .collect();
        let products: Vec<Vec<f64>> =
            scaled.iter().map(|a| scaled.iter().map(|b| dot(a, b)).collect()).collect();
        let mut estimate = Estimate {
            errors: vec![None; parameters],
            without_effect,
            trades: Vec::new(),
            determined_without: vec![false; residuals.len()],
        };
        let Some(inverse) = inverse(&products) else {
            estimate.trades = same(&products, &active);
            return estimate;
        };
        let spare = residuals.len().saturating_sub(active.len());
        let variance = (spare > 0).then(|| dot(residuals, residuals) / spare as f64);
        for (place, i) in active.iter().enumerate() {
            let error = |v: f64| (v * inverse[place][place]).sqrt() / lengths[place];
            estimate.errors[*i] = variance.map(error);
        }
        let correlation =
            |a: usize, b: usize| inverse[a][b] / (inverse[a][a] * inverse[b][b]).sqrt();
        estimate.trades = trades(&active, correlation);
        for (row, determined) in estimate.determined_without.iter_mut().enumerate() {
            let own: Vec<f64> = scaled.iter().map(|s| s[row]).collect();
            let through: Vec<f64> = inverse.iter().map(|r| dot(r, &own)).collect();
            let leverage = dot(&own, &through);
            *determined = leverage < ALONE;
        }
        estimate
    }
}

/// Pairs of parameters whose estimates are correlated.
fn trades(active: &[usize], correlation: impl Fn(usize, usize) -> f64) -> Vec<Trade> {
    let mut trades = Vec::new();
    for b in 0..active.len() {
        for a in 0..b {
            let correlation = correlation(a, b);
            if correlation.abs() >= CORRELATED {
                trades.push(Trade { pair: [active[a], active[b]], correlation });
            }
        }
    }
    trades
}

/// Where the figures determine only combinations: pairs whose derivatives are proportional, so that one undoes the other.
fn same(products: &[Vec<f64>], active: &[usize]) -> Vec<Trade> {
    trades(active, |a, b| -products[a][b])
}
