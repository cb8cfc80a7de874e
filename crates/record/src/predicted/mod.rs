//! What core models predict, next to what was published: `capvec cores validate`.

mod view;

use crate::published::silicon::Line;
use serde::Serialize;

/// The version of the format.
pub const VERSION: u32 = 1;

/// Messages of this size and more are bulk, whose speed depends on the kernel alone.
const BULK: usize = 8192;

/// Predictions of core models.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Predicted {
    /// Version of the format.
    pub predicted: u32,
    /// The tool and its version.
    pub tool: String,
    /// The measured library's version.
    pub version: String,
    /// The build of OpenSSL's C that predicted figures of such programs, with its source and compiler; null without one.
    pub c_build: Option<String>,
    /// By core, and within a core in the order of publication.
    pub rows: Vec<Prediction>,
}

/// A prediction.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Prediction {
    /// The core model.
    pub core: String,
    /// Whether the model issues out of order.
    pub out_of_order: bool,
    /// Case.
    pub case: String,
    /// Capability set.
    pub set: String,
    /// Message size, in bytes.
    pub bytes: usize,
    /// Published cycles per byte.
    pub published: f64,
    /// Predicted cycles per byte; null if no program like the published one was run.
    pub predicted: Option<f64>,
    /// The least and the most of them in all random layouts of memory, if several were predicted; `predicted` is the median.
    pub range: Option<[f64; 2]>,
    /// Number of layouts.
    pub layouts: usize,
    /// Why there is no prediction.
    pub why: Option<String>,
    /// Why the prediction is further off than a first-order model should be, if it is and if that is known.
    pub reason: Option<String>,
    /// Parameters of the model were fitted to the published figure.
    pub fitted: bool,
    /// The program whose speed was published.
    pub program: String,
    /// Where it was published.
    pub source: String,
}

impl Prediction {
    /// A published figure, with the cycles per byte that are predicted for it: none if the program cannot be run, one for the fixed layout
    /// of memory, or those of random layouts.
    pub fn of(line: &Line, out_of_order: bool, predicted: &[f64]) -> Prediction {
        let mut sorted = predicted.to_vec();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len().saturating_sub(1) / 2).copied();
        let ends = sorted.first().copied().zip(sorted.last().copied());
        let mut prediction = Prediction {
            core: line.core.clone(),
            out_of_order,
            case: line.case.clone(),
            set: line.set.clone(),
            bytes: line.bytes,
            published: line.cycles_per_byte(),
            predicted: median,
            range: ends.filter(|_| sorted.len() > 1).map(|(least, most)| [least, most]),
            layouts: sorted.len(),
            why: line.incomparable().filter(|_| predicted.is_empty()),
            reason: None,
            fitted: line.fitted,
            program: line.program.clone(),
            source: line.source.clone(),
        };
        prediction.reason = line.deviation.clone().filter(|_| prediction.is_outside());
        prediction
    }

    /// Predicted over published speed: above 1, the model is too fast.
    pub fn ratio(&self) -> Option<f64> {
        self.predicted.map(|predicted| self.published / predicted)
    }

    /// How far the predicted speed is off, in percent.
    fn error(&self) -> Option<f64> {
        self.ratio().map(|ratio| (ratio - 1.0) * 100.0)
    }

    /// The error in percent that a first-order model is held to: 15 for bulk in order, 25 out of order, 30 for short messages.
    fn allowed(&self) -> f64 {
        match (self.bytes >= BULK, self.out_of_order) {
            (true, false) => 15.0,
            (true, true) => 25.0,
            (false, _) => 30.0,
        }
    }

    /// Whether the prediction is further off than that.
    fn is_outside(&self) -> bool {
        self.error().is_some_and(|error| error.abs() > self.allowed())
    }

    /// The errors in the layouts with the least and the most cycles, in percent.
    fn error_range(&self) -> Option<[f64; 2]> {
        self.range.map(|ends| ends.map(|cycles| (self.published / cycles - 1.0) * 100.0))
    }
}
