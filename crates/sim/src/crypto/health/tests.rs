//! The health tests of the entropy source.

use super::*;

fn assessment(sample_bits: u32, min_entropy: f64, alpha_log2: u32) -> Assessment {
    Assessment { sample_bits, min_entropy, alpha_log2 }
}

/// The cutoff from the distribution built one trial at a time: no logarithm, no closed form.
fn cutoff_by_convolution(window: usize, min_entropy: f64, alpha: f64) -> u32 {
    let p = (-min_entropy).exp2();
    let mut pmf = vec![0.0f64; window + 1];
    pmf[0] = 1.0;
    for trial in 1..=window {
        for k in (0..=trial).rev() {
            let below = if k > 0 { pmf[k - 1] * p } else { 0.0 };
            pmf[k] = pmf[k] * (1.0 - p) + below;
        }
    }
    let mut tail = 0.0;
    for k in (0..=window).rev() {
        tail += pmf[k];
        if tail > alpha {
            return k as u32 + 1;
        }
    }
    0
}

#[test]
fn cutoffs_are_those_published_for_alpha_2_to_minus_20() {
    // SP 800-90B (second draft, 2016) table 2: adaptive proportion cutoffs.
    for (h, cutoff) in [(0.2, 941), (0.4, 840), (0.6, 748), (0.8, 664), (1.0, 589)] {
        assert_eq!(assessment(1, h, 20).proportion_cutoff(), cutoff, "W=1024 H={h}");
    }
    for (h, cutoff) in [(0.5, 410), (1.0, 311), (2.0, 177), (4.0, 62), (8.0, 13)] {
        assert_eq!(assessment(8, h, 20).proportion_cutoff(), cutoff, "W=512 H={h}");
    }
    // Section 4.4.1: α = 2^-20 and H = 2 give C = 11.
    assert_eq!(assessment(8, 2.0, 20).repetition_cutoff(), 11);
    assert_eq!(assessment(1, 1.0, 20).repetition_cutoff(), 21);
    assert_eq!(assessment(1, 0.75, 30).repetition_cutoff(), 41);
}

#[test]
fn proportion_cutoff_agrees_with_convolution() {
    for alpha_log2 in [20, 30, 40] {
        let alpha = f64::from(alpha_log2).exp2().recip();
        for h in [0.3, 0.5, 0.75, 0.9, 1.0, 1.5, 3.0, 5.5, 8.0] {
            let many = assessment(8, h, alpha_log2);
            assert_eq!(many.proportion_cutoff(), cutoff_by_convolution(512, h, alpha), "{h}");
            if h <= 1.0 {
                let binary = assessment(1, h, alpha_log2);
                let expected = cutoff_by_convolution(1024, h, alpha);
                assert_eq!(binary.proportion_cutoff(), expected, "binary {h}");
            }
        }
    }
}

#[test]
fn a_run_fails_exactly_at_the_cutoff() {
    let mut tests = HealthTests::new(&assessment(1, 1.0, 20)).unwrap();
    assert_eq!(tests.check(0), None);
    for _ in 0..20 {
        assert_eq!(tests.check(1), None);
    }
    assert_eq!(tests.check(1), Some(Alarm::Repetition));
}

#[test]
fn a_skew_fails_exactly_at_the_cutoff_and_only_within_a_window() {
    // Pairs 1, 1, 0 keep runs short; the first sample makes up two thirds of the window.
    let mut tests = HealthTests::new(&assessment(1, 1.0, 20)).unwrap();
    let (mut ones, mut total) = (0, 0);
    let alarm = loop {
        let sample = u8::from(total % 3 != 2);
        (ones, total) = (ones + u32::from(sample), total + 1);
        if let Some(alarm) = tests.check(sample) {
            break alarm;
        }
        assert!(total < 1024);
    };
    assert_eq!((alarm, ones), (Alarm::Proportion, 589));

    // Counts start anew in each window: 512 ones in one and 587 in the next raise nothing.
    let mut tests = HealthTests::new(&assessment(1, 1.0, 20)).unwrap();
    for i in 0..1024 {
        assert_eq!(tests.check((i % 2) as u8), None);
    }
    for i in 0..880 {
        assert_eq!(tests.check(u8::from(i % 3 != 2)), None);
    }
}

#[test]
fn impossible_assessments_are_refused() {
    use AssessmentError::*;
    let refused = |bits, h, alpha| HealthTests::new(&assessment(bits, h, alpha)).unwrap_err();
    assert_eq!(refused(0, 1.0, 30), SampleBits(0));
    assert_eq!(refused(9, 1.0, 30), SampleBits(9));
    assert_eq!(refused(1, 1.5, 30), MinEntropy(1.5, 1));
    assert_eq!(refused(1, 0.0, 30), MinEntropy(0.0, 1));
    assert!(matches!(refused(1, f64::NAN, 30), MinEntropy(..)));
    assert_eq!(refused(1, 1.0, 19), Alpha(19));
    assert_eq!(refused(1, 1.0, 41), Alpha(41));
    assert_eq!(refused(1, 0.01, 30), Proportion(0.01));
}
