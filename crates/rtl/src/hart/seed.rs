//! The noise source of the core's `seed`, and what the CSR must then hold.

use super::ports::{Inputs, Outputs};
use crate::zkr::{self, Oscillator, Rules};

/// Cutoffs of `rtl/zkr/zkr.sv`; the tests of zkr derive them.
const CUTOFFS: (u32, u32) = (41, 793);
/// The CSR.
pub(super) const SEED: u16 = 0x015;

/// A raw bit in each cycle, and the rules that the CSR follows.
pub(super) struct Source {
    noise: Oscillator,
    rules: Rules,
    /// Cycles until its bits no longer change.
    works: u64,
}

impl Source {
    pub(super) fn new() -> Source {
        Source { noise: Oscillator::new(1), rules: Rules::new(CUTOFFS), works: u64::MAX }
    }

    /// From this cycle on its bits do not change.
    pub(super) fn stick_at(&mut self, cycle: u64) {
        self.works = cycle;
    }

    /// Its signals in a cycle.
    pub(super) fn drive(&mut self, inputs: &mut Inputs) {
        inputs.raw_valid = 1;
        inputs.raw = u32::from(self.works > 0 && self.noise.sample());
        self.works = self.works.saturating_sub(1);
    }

    /// Passes a cycle. Returns the CSR before it.
    pub(super) fn clock(&mut self, inputs: &Inputs, out: &Outputs) -> u32 {
        let seed = self.rules.seed();
        let csr = out.insn & 0x7f == 0x73 && out.insn >> 12 & 3 != 0;
        let accessed = csr && out.insn >> 20 == u32::from(SEED) && out.valid != 0 && out.trap == 0;
        self.rules.clock(&zkr::Inputs {
            raw_valid: inputs.raw_valid,
            raw: inputs.raw,
            access: accessed.into(),
            // An instruction that retires was allowed to access the CSR.
            write: 1,
            machine: 1,
            ..zkr::Inputs::default()
        });
        seed
    }
}
