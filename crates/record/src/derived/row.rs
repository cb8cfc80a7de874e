//! Figures of a row that are computed from facts.

use serde::Serialize;

/// What is computed from a row's facts, those of the scalar row, and published figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(default))]
pub struct Derived {
    /// Speed over that of the scalar set of the same run.
    pub speedup: Option<f64>,
    /// Published speed, if one was published for this core, set and size.
    #[serde(rename = "published_kBps")]
    pub published_kbps: Option<f64>,
    /// Predicted over published.
    pub ratio: Option<f64>,
    /// Extensions that the following published kernel or estimate needs; empty if neither is known for the case, VLEN and set, or
    /// if the message is short.
    pub kernel_needs: String,
    /// Retired instructions per byte of the best published kernel of others, without set-up (`published/kernels.csv`).
    #[serde(rename = "best_published_insns_per_byte")]
    pub best_published_ipb: Option<f64>,
    /// `insns_per_byte` over that.
    pub over_best_published: Option<f64>,
    /// Retired instructions per byte that one way of writing the kernel takes, derived by hand.
    #[serde(rename = "estimate_insns_per_byte")]
    pub estimate_ipb: Option<f64>,
    /// `insns_per_byte` over that.
    pub over_estimate: Option<f64>,
    /// Source of the best published kernel.
    pub best_published_source: String,
    /// Instructions of the scalar set of the same run over those of this row, on targets without times.
    pub insns_ratio: Option<f64>,
}

impl Derived {
    /// Sets the ratio over the scalar row: a speed-up, or a ratio of instructions if the row has no times.
    pub(crate) fn set_ratio(&mut self, ratio: Option<f64>, timed: bool) {
        self.speedup = ratio.filter(|_| timed);
        self.insns_ratio = ratio.filter(|_| !timed);
    }

    /// The ratio over the scalar set, of speeds or of instructions: `view::meaning::over_scalar` says which.
    pub fn over_scalar(&self) -> Option<f64> {
        self.speedup.or(self.insns_ratio)
    }
}
