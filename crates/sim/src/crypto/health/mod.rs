//! Continuous health tests of an entropy source, NIST SP 800-90B section 4.4.

use thiserror::Error;

/// What the health tests assume of the noise source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment {
    /// Bits of one raw sample, 1..=8.
    pub sample_bits: u32,
    /// Assessed min-entropy of one sample in bits, above 0 and at most `sample_bits`.
    pub min_entropy: f64,
    /// −log2 of the probability α of a false alarm per test, 20..=40.
    pub alpha_log2: u32,
}

/// An assessment that no health test can be built from.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum AssessmentError {
    /// `sample_bits` outside 1..=8.
    #[error("entropy source: sample width {0} is outside 1..=8 bits")]
    SampleBits(u32),
    /// `min_entropy` not in (0, sample_bits].
    #[error("entropy source: min-entropy {0} per sample is not above 0 and at most {1} bits")]
    MinEntropy(f64, u32),
    /// `alpha_log2` outside 20..=40, the range SP 800-90B section 4.3 recommends.
    #[error("entropy source: false-alarm exponent {0} is outside 20..=40")]
    Alpha(u32),
    /// The adaptive proportion test could never fail.
    #[error("entropy source: min-entropy {0} is too low for the adaptive proportion test")]
    Proportion(f64),
}

impl Assessment {
    /// Window of the adaptive proportion test in samples: 1024 for a binary source, else 512
    /// (section 4.4.2).
    pub fn window(&self) -> u32 {
        if self.sample_bits == 1 { 1024 } else { 512 }
    }

    /// Cutoff C of the repetition count test: C = 1 + ⌈−log2 α / H⌉ (section 4.4.1).
    pub fn repetition_cutoff(&self) -> u32 {
        1 + (f64::from(self.alpha_log2) / self.min_entropy).ceil() as u32
    }

    /// Cutoff C of the adaptive proportion test: C = 1 + critbinom(W, 2^−H, 1 − α), the smallest
    /// C with P(X ≥ C) ≤ α for X binomial with W trials of probability p = 2^−H (section 4.4.2).
    ///
    /// The upper tail is summed from X = W downwards, each term from the one above by
    /// P(k−1) = P(k) · k/(W−k+1) · (1−p)/p, in logarithms because p^W underflows.
    pub fn proportion_cutoff(&self) -> u32 {
        let window = self.window();
        let alpha = f64::from(self.alpha_log2).exp2().recip();
        let ln_p = -self.min_entropy * std::f64::consts::LN_2;
        let ln_odds = (-ln_p.exp_m1()).ln() - ln_p;
        let mut ln_term = f64::from(window) * ln_p;
        let mut tail = 0.0;
        for k in (1..=window).rev() {
            tail += ln_term.exp();
            if tail > alpha {
                return k + 1;
            }
            ln_term += (f64::from(k) / f64::from(window - k + 1)).ln() + ln_odds;
        }
        1
    }

    fn validate(&self) -> Result<(), AssessmentError> {
        if !(1..=8).contains(&self.sample_bits) {
            return Err(AssessmentError::SampleBits(self.sample_bits));
        }
        if !(self.min_entropy > 0.0 && self.min_entropy <= f64::from(self.sample_bits)) {
            return Err(AssessmentError::MinEntropy(self.min_entropy, self.sample_bits));
        }
        if !(20..=40).contains(&self.alpha_log2) {
            return Err(AssessmentError::Alpha(self.alpha_log2));
        }
        if self.proportion_cutoff() > self.window() {
            return Err(AssessmentError::Proportion(self.min_entropy));
        }
        Ok(())
    }
}

/// The test that found a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alarm {
    /// The repetition count test.
    Repetition,
    /// The adaptive proportion test.
    Proportion,
}

/// Both continuous tests and their running state.
#[derive(Clone, Debug)]
pub struct HealthTests {
    window: u32,
    repetition_cutoff: u32,
    proportion_cutoff: u32,
    /// The last sample and how often it came in a row.
    run: Option<(u8, u32)>,
    /// The first sample of the window, its occurrences, and the samples seen of the window.
    proportion: Option<(u8, u32, u32)>,
}

impl HealthTests {
    /// Tests with the cutoffs of `assessment`.
    ///
    /// # Errors
    /// If a value of the assessment is outside its range.
    pub fn new(assessment: &Assessment) -> Result<Self, AssessmentError> {
        assessment.validate()?;
        Ok(Self {
            window: assessment.window(),
            repetition_cutoff: assessment.repetition_cutoff(),
            proportion_cutoff: assessment.proportion_cutoff(),
            run: None,
            proportion: None,
        })
    }

    /// Forgets the samples seen.
    pub fn restart(&mut self) {
        self.run = None;
        self.proportion = None;
    }

    /// Takes one raw sample and says whether a test fails on it.
    pub fn check(&mut self, sample: u8) -> Option<Alarm> {
        let repeated = self.repetition_fails(sample);
        let skewed = self.proportion_fails(sample);
        if repeated { Some(Alarm::Repetition) } else { skewed.then_some(Alarm::Proportion) }
    }

    fn repetition_fails(&mut self, sample: u8) -> bool {
        let count = match self.run {
            Some((last, count)) if last == sample => count.saturating_add(1),
            _ => 1,
        };
        self.run = Some((sample, count));
        count >= self.repetition_cutoff
    }

    fn proportion_fails(&mut self, sample: u8) -> bool {
        let (first, count, seen) = match self.proportion {
            Some((first, count, seen)) if seen < self.window => {
                (first, count + u32::from(first == sample), seen + 1)
            }
            _ => (sample, 1, 1),
        };
        self.proportion = Some((first, count, seen));
        count >= self.proportion_cutoff
    }
}

#[cfg(test)]
mod tests;
