//! The CSR `seed` and its entropy source (`rtl/zkr`), and a noise source for it.

mod rules;

pub use rules::{BIST, DEAD, ES16, RAW, Rules, WAIT, WINDOW};

use crate::build::Design;
use crate::model;
use capvec_sim::testing::Rng;

/// Inputs of a cycle: `struct inputs` of `ports.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    /// There is a raw bit.
    pub raw_valid: u32,
    /// The raw bit.
    pub raw: u32,
    /// An alarm, which is fatal only in the start-up test.
    pub alarm: u32,
    /// A fatal alarm.
    pub fatal: u32,
    /// An instruction accesses the CSR.
    pub access: u32,
    /// The instruction writes.
    pub write: u32,
    /// The instruction runs in machine mode.
    pub machine: u32,
    /// The instruction's mode may access the CSR.
    pub allowed: u32,
}

/// Outputs of a cycle: `struct outputs` of `ports.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Outputs {
    /// The access is illegal.
    pub illegal: u32,
    /// The CSR.
    pub seed: u32,
}

/// The source; its parameters are the defaults in its file.
#[derive(Clone, Debug)]
pub struct Parameters;

impl model::Parameters for Parameters {
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn design(&self) -> Design {
        // The ports do not depend on the widths.
        Design {
            top: "zkr",
            parameters: Vec::new(),
            options: &[],
            vlen: 128,
            dlen: 64,
            ports: include_str!("ports.h"),
        }
    }
}

/// The source.
pub type Model = model::Model<Parameters>;

/// A model of a ring oscillator that is sampled at a lower, fixed rate: its phase drifts, and each period is longer or shorter by
/// chance. Its bits are biased and correlated, like those of a real one.
pub struct Oscillator {
    rng: Rng,
    /// In units of a 65536th of a period.
    phase: u64,
}

impl Oscillator {
    /// With random numbers of this seed.
    pub fn new(seed: u64) -> Oscillator {
        Oscillator { rng: Rng::seeded(seed), phase: 0 }
    }

    /// The next raw bit: the high part of a period is a little longer than the low one.
    pub fn sample(&mut self) -> bool {
        const DRIFT: u64 = 23_000;
        const JITTER: u64 = 40_000;
        self.phase = (self.phase + DRIFT + self.rng.below(JITTER)) & 0xffff;
        self.phase < 34_000
    }
}
