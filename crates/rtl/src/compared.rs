//! Figures of the core, next to what a core model predicts and to what was published.

use crate::figures::Figure;
use crate::published;
use serde::Serialize;

/// The figures of a case, next to a prediction and to what was published.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Vector register length in bits.
    pub vlen: u32,
    /// Width of the datapath in bits.
    pub dlen: u32,
    /// The case.
    pub case: String,
    /// Blocks that it processes.
    pub blocks: u64,
    /// Retired instructions of the second run.
    pub insns: u64,
    /// Cycles of the first run.
    pub cold_cycles: u64,
    /// Cycles of the second run.
    pub cycles: u64,
    /// Cycles that the core model predicts for the second run.
    pub predicted_cycles: u64,
    /// Published cycles of Marian.
    pub published_cycles: Option<u64>,
    /// Published instructions of Marian.
    pub published_insns: Option<u64>,
}

impl Compared {
    /// Puts a figure next to its prediction.
    pub fn new(vlen: u32, dlen: u32, measured: Figure, predicted_cycles: u64) -> Compared {
        let published = published::of(&measured.case);
        Compared {
            vlen,
            dlen,
            blocks: measured.blocks,
            insns: measured.warm.instructions,
            cold_cycles: measured.cold.cycles,
            cycles: measured.warm.cycles,
            predicted_cycles,
            published_cycles: published.map(|p| p.cycles),
            published_insns: published.map(|p| p.instructions),
            case: measured.case,
        }
    }

    /// Cycles per block of the second run.
    pub fn per_block(&self) -> f64 {
        self.cycles as f64 / self.blocks as f64
    }

    /// The error of the prediction, in percent.
    pub fn error(&self) -> f64 {
        100.0 * (self.predicted_cycles as f64 / self.cycles as f64 - 1.0)
    }
}
