//! Whether samples of times differ by more than noise.

/// Samples whose probability under equality is below this count as different. Records have hundreds of rows, of which
/// one in a hundred looks different by chance; a limit on the size of the difference is needed as well.
const ALPHA: f64 = 0.01;
/// Fewest samples on each side: with five and five, complete separation has a probability of 2 / C(10, 5) = 0.008, below
/// [`ALPHA`]; with four and four, of 2 / C(8, 4) = 0.029.
const FEWEST: usize = 5;
/// Largest number of pairs of samples for which the orders are counted exactly.
const COUNTED: usize = 400;

/// The result of a test; empty with too few samples.
pub(super) struct Test {
    pub value: Option<f64>,
    pub real: Option<bool>,
}

/// The Mann–Whitney U test, two-sided: it assumes nothing about the distribution of times, and outliers do not decide
/// it (H. B. Mann, D. R. Whitney, Annals of Mathematical Statistics 18, 1947).
pub(super) fn differ(old: &[f64], new: &[f64]) -> Test {
    if old.len() < FEWEST || new.len() < FEWEST {
        return Test { value: None, real: None };
    }
    let p = mann_whitney(old, new);
    Test { value: Some(p), real: Some(p < ALPHA) }
}

fn mann_whitney(old: &[f64], new: &[f64]) -> f64 {
    // Twice U, so that halves for ties stay integers.
    let mut all: Vec<(f64, bool)> = old.iter().map(|v| (*v, true)).collect();
    all.extend(new.iter().map(|v| (*v, false)));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut twice_u, mut below, mut ties) = (0usize, 0usize, 0.0);
    for group in all.chunk_by(|a, b| a.0 == b.0) {
        let olds = group.iter().filter(|v| v.1).count();
        let news = group.len() - olds;
        twice_u += news * (2 * below + olds);
        below += olds;
        let t = group.len() as f64;
        ties += t * t * t - t;
    }
    let (n, m) = (old.len(), new.len());
    if ties == 0.0 && n * m <= COUNTED {
        return exact(n, m, (twice_u / 2).min(n * m - twice_u / 2));
    }
    let (nf, mf, all) = (n as f64, m as f64, (n + m) as f64);
    let variance = nf * mf / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let off = ((twice_u as f64 - nf * mf) / 2.0).abs() - 0.5;
    erfc(off.max(0.0) / variance.sqrt() / std::f64::consts::SQRT_2)
}

/// Probability that U is `u` or more extreme, on either side, if every order of the samples is equally likely.
fn exact(n: usize, m: usize, u: usize) -> f64 {
    // ways[k]: fraction of the orders of i old and j new samples with U = k, built up sample by sample.
    let mut rows: Vec<Vec<f64>> = vec![vec![1.0]; m + 1];
    for i in 1..=n {
        let mut next: Vec<Vec<f64>> = vec![vec![1.0]];
        for j in 1..=m {
            let (a, b) = (i as f64 / (i + j) as f64, j as f64 / (i + j) as f64);
            let mut ways = vec![0.0; i * j + 1];
            // The largest is an old sample, which adds the j new ones below it to U; or a new one, which adds nothing.
            for (k, p) in rows[j].iter().enumerate() {
                ways[k + j] += a * p;
            }
            for (k, p) in next[j - 1].iter().enumerate() {
                ways[k] += b * p;
            }
            next.push(ways);
        }
        rows = next;
    }
    (2.0 * rows[m].iter().take(u + 1).sum::<f64>()).min(1.0)
}

/// The complementary error function: M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 7.1.26; error below
/// 1.5e-7, for x ≥ 0.
fn erfc(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let polynomial = t
        * (0.254_829_592
            + t * (-0.284_496_736
                + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    polynomial * (-x * x).exp()
}

/// Without samples: whether medians differ by more than three standard deviations, which 1.4826 times the median
/// absolute deviation estimates (for a normal distribution).
pub(super) fn too_far(change: f64, old: f64, new: f64) -> bool {
    change.abs() > 3.0 * 1.4826 * old.hypot(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} {b}");
    }

    /// By brute force over all orders: every choice of which values are the old ones.
    #[test]
    fn exact_probabilities_are_those_of_all_orders() {
        let (n, m) = (4usize, 5usize);
        let mut counts = vec![0u32; n * m + 1];
        for choice in 0u32..1 << (n + m) {
            if choice.count_ones() as usize == n {
                let u = (0..n + m)
                    .filter(|i| choice >> i & 1 == 0)
                    .map(|i| (choice & ((1 << i) - 1)).count_ones());
                counts[u.sum::<u32>() as usize] += 1;
            }
        }
        let all: u32 = counts.iter().sum();
        assert_eq!(all, 126);
        for u in 0..n * m / 2 {
            let tail: u32 = counts[..=u].iter().sum();
            close(exact(n, m, u), f64::from(2 * tail) / f64::from(all), 1e-12);
        }
    }

    /// Of the 252 orders of five and five samples, two separate the sides completely.
    #[test]
    fn separated_samples_differ_and_mixed_ones_do_not() {
        let apart = differ(&[1.1, 2.2, 3.3, 4.4, 5.5], &[6.0, 7.0, 8.0, 9.0, 10.0]);
        close(apart.value.unwrap(), 2.0 / 252.0, 1e-12);
        assert_eq!(apart.real, Some(true));
        let mixed = differ(&[1.0, 3.0, 5.0, 7.0, 9.0], &[2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(mixed.real, Some(false));
        let same = differ(&[1.0; 9], &[1.0; 9]);
        close(same.value.unwrap(), 1.0, 1e-9);
        assert_eq!(differ(&[1.0; 4], &[2.0; 9]).real, None);
    }

    /// With many samples, the approximation is close to the exact count.
    #[test]
    fn the_approximation_agrees_with_the_count() {
        let old: Vec<f64> = (0..20).map(|i| f64::from(i * 7 % 20)).collect();
        let new: Vec<f64> = (0..20).map(|i| f64::from(i * 3 % 20) + 4.5).collect();
        let p = mann_whitney(&old, &new);
        // A tie among irrelevant values makes the test use the approximation.
        let mut tied = old.clone();
        tied[0] = tied[1];
        close(mann_whitney(&tied, &new), p, 0.01);
    }

    /// Values of the table 7.1 of the same book.
    #[test]
    fn the_error_function_agrees_with_the_book() {
        for (x, erf) in
            [(0.0, 0.0), (0.5, 0.520_499_877_8), (1.0, 0.842_700_792_9), (2.0, 0.995_322_265_0)]
        {
            close(erfc(x), 1.0 - erf, 2e-7);
        }
    }

    #[test]
    fn without_samples_the_spread_decides() {
        assert!(too_far(0.10, 0.01, 0.01) && !too_far(0.05, 0.01, 0.01));
        assert!(too_far(0.001, 0.0, 0.0));
    }
}
