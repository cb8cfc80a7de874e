//! Fits of functions whose result is known.

use super::*;

fn free(key: &str, start: f64, low: f64, high: f64) -> Free {
    let value = Value { key: key.into(), before: start, step: 1.0 / 16.0 };
    Free { keys: vec![value], start, low, high, step: 1.0 / 16.0 }
}

/// A core whose cycles per byte are a · loads + b · stores + other.
fn linear(counts: &[[f64; 3]]) -> impl Fn(&[f64], &[usize]) -> Result<Vec<f64>> + '_ {
    |v, places| {
        let of = |place: &usize| {
            let [a, b, c] = counts[*place];
            v[0] * a + v[1] * b + c
        };
        Ok(places.iter().map(of).collect())
    }
}

const ALL: [usize; 5] = [0, 1, 2, 3, 4];

const COUNTS: [[f64; 3]; 5] =
    [[10.0, 1.0, 5.0], [2.0, 9.0, 5.0], [5.0, 5.0, 1.0], [1.0, 2.0, 8.0], [7.0, 3.0, 2.0]];

#[test]
fn values_are_recovered_from_what_they_predict() {
    let truth = linear(&COUNTS)(&[2.5, 7.25], &ALL).unwrap();
    let problem = Problem {
        free: vec![free("a", 6.0, 0.0, 20.0), free("b", 1.0, 0.0, 20.0)],
        published: truth.clone(),
        held: vec![false, false, false, true, false],
    };
    let fitted = problem.fit(&mut linear(&COUNTS)).unwrap();
    assert_eq!(fitted.values, [2.5, 7.25]);
    assert_eq!(fitted.after, truth, "the held-out figure, too");
    assert!(fitted.before != truth && fitted.runs <= 2 * RUNS + 4, "{}", fitted.runs);
    assert!(fitted.estimate.trades.is_empty() && fitted.estimate.without_effect.is_empty());
}

#[test]
fn bounds_hold() {
    let problem = Problem {
        free: vec![free("a", 1.0, 0.0, 2.0), free("b", 1.0, 0.0, 20.0)],
        published: linear(&COUNTS)(&[2.5, 7.25], &ALL).unwrap(),
        held: vec![false; 5],
    };
    let fitted = problem.fit(&mut linear(&COUNTS)).unwrap();
    assert_eq!(fitted.values[0], 2.0);
    assert!(fitted.values[1] > 7.25, "{:?}", fitted.values);
}

/// Compares the step with fits that really leave a figure out: it is exact for a linear function of the values.
#[test]
fn errors_of_left_out_figures_are_those_of_a_fit_without_them() {
    let predicted = |v: f64, x: f64| (v * x).exp();
    let xs = [0.5, 1.0, 1.5, 2.0];
    let noise = [0.02, -0.05, 0.03, 0.01];
    let published: Vec<f64> =
        xs.iter().zip(noise).map(|(x, e)| predicted(1.0, *x) * f64::exp(e)).collect();
    let fit = |held: Vec<bool>| {
        let fine = Free { step: 1e-6, ..free("a", 0.9, 0.5, 1.5) };
        let problem = Problem { free: vec![fine], published: published.clone(), held };
        problem.fit(&mut |v, of| Ok(of.iter().map(|i| predicted(v[0], xs[*i])).collect())).unwrap()
    };
    let all = fit(vec![false; 4]);
    for (row, figure) in published.iter().enumerate() {
        let without = fit((0..4).map(|i| i == row).collect());
        let expected = (without.after[row] / figure).ln();
        let by_step = all.left_out[row].unwrap();
        assert!((by_step - expected).abs() < 1e-4, "{row}: {by_step} {expected}");
    }
}

/// Compares the step with the best of all values. Three figures are those of 2 and 20; the last one, which depends most on the second
/// parameter, is that of 2 and 2. Without it, the others would be fitted best far beyond the bounds.
#[test]
fn a_figure_is_left_out_within_the_bounds() {
    let counts = [[5.0, 0.3, 1.0], [9.0, 0.2, 1.0], [7.0, 0.4, 1.0], [5.0, 5.0, 1.0]];
    let published = vec![17.0, 23.0, 23.0, 21.0];
    let free = vec![free("a", 1.0, 0.0, 8.0), free("b", 1.0, 0.0, 8.0)];
    let problem = Problem { free, published: published.clone(), held: vec![false; 4] };
    let fitted = problem.fit(&mut linear(&counts)).unwrap();
    let residuals = |a: i32, b: i32| -> Vec<f64> {
        let values = [f64::from(a) / 16.0, f64::from(b) / 16.0];
        let predicted = linear(&counts)(&values, &[0, 1, 2, 3]).unwrap();
        predicted.iter().zip(&published).map(|(p, q)| (p / q).ln()).collect()
    };
    let all = (0..=128).flat_map(|a| (0..=128).map(move |b| residuals(a, b)));
    let others = |r: &[f64]| r[..3].iter().map(|r| r * r).sum::<f64>();
    let best = all.min_by(|a, b| others(a).total_cmp(&others(b))).unwrap();
    let by_step = fitted.left_out[3].unwrap();
    assert!((by_step - best[3]).abs() < 0.05, "{by_step} {best:?}");
}

#[test]
fn what_the_figures_do_not_determine_is_reported() {
    // Only the sum of both matters.
    let counts = [3.0, 5.0, 4.0];
    let sum =
        |v: &[f64], of: &[usize]| Ok(of.iter().map(|i| (v[0] + v[1]) * counts[*i] + 1.0).collect());
    let held = vec![false; 3];
    let both = vec![free("a", 2.0, 0.0, 8.0), free("b", 2.0, 0.0, 8.0)];
    let published = vec![19.0, 31.5, 24.9];
    let problem = Problem { free: both, published: published.clone(), held: held.clone() };
    let fitted = problem.fit(&mut { sum }).unwrap();
    assert_eq!(fitted.estimate.trades[0].pair, [0, 1]);
    assert!(fitted.estimate.trades[0].correlation < -0.99);
    // The second has no effect.
    let first = |v: &[f64], of: &[usize]| Ok(of.iter().map(|i| v[0] * counts[*i] + 1.0).collect());
    let free = vec![free("a", 2.0, 0.0, 8.0), free("b", 2.0, 0.0, 8.0)];
    let problem = Problem { free, published, held };
    let fitted = problem.fit(&mut { first }).unwrap();
    assert_eq!(fitted.estimate.without_effect, [1]);
    assert_eq!(fitted.values[1], 2.0, "it keeps its value");
    assert!(fitted.estimate.errors[0].is_some() && fitted.estimate.errors[1].is_none());
}

/// Near the fit, only one of the parameters has an effect; with its value before, the other would have one.
#[test]
fn a_value_that_figures_need_is_kept() {
    let greater = |v: &[f64], of: &[usize]| Ok(vec![v[0].max(v[1]).max(0.5); of.len()]);
    let free = vec![free("a", 1.0, 0.0, 8.0), free("b", 4.0, 0.0, 8.0)];
    let problem = Problem { free, published: vec![1.0; 3], held: vec![false; 3] };
    let fitted = problem.fit(&mut { greater }).unwrap();
    assert!(fitted.after[0] < 1.5, "{fitted:?}");
}

#[test]
fn too_few_figures_and_failures_are_reported() {
    let both = || vec![free("a", 2.0, 0.0, 8.0), free("b", 2.0, 0.0, 8.0)];
    let problem = Problem { free: both(), published: vec![1.0; 2], held: vec![false, true] };
    let e = problem.fit(&mut |_, of| Ok(vec![1.0; of.len()])).unwrap_err().to_string();
    assert!(e.contains("figures to fit (1) is less than that of parameters (2)"), "{e}");
    let problem = Problem { free: both(), published: vec![1.0; 2], held: vec![false; 2] };
    let mut calls = 0;
    let mut fails = |_: &[f64], _: &[usize]| {
        calls += 1;
        if calls > 3 { bail!("it died") } else { Ok(vec![1.0; 2]) }
    };
    assert_eq!(problem.fit(&mut fails).unwrap_err().to_string(), "it died");
}

/// Tied keys keep their ratios, each rounded to a multiple of its own step.
#[test]
fn tied_keys_keep_their_ratios() {
    let value = |key: &str, before, step| Value { key: key.into(), before, step };
    let keys = vec![value("fetch.cycles", 9.5, 1.0 / 16.0), value("dcache.miss", 76.0, 1.0)];
    let free = Free { keys, start: 9.5, low: 0.0, high: 40.0, step: 1.0 / 16.0 };
    let settings: Vec<(&str, f64)> = free.settings(10.0).collect();
    assert_eq!(settings, [("fetch.cycles", 10.0), ("dcache.miss", 80.0)]);
    assert_eq!(free.name(), "fetch.cycles + dcache.miss");
}
