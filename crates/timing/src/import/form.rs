//! The forms of tables.

use super::timing::Timing;
use super::{llvm_mca, rvv_bench};

/// The forms of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// What `rvv-bench`'s programs in `instructions/` print, or a page of rvv-bench-results.
    RvvBench,
    /// What `llvm-mca -instruction-tables` prints.
    LlvmMca,
}

impl Form {
    /// The name in the sources of parameters.
    pub fn name(self) -> &'static str {
        match self {
            Form::RvvBench => "rvv-bench",
            Form::LlvmMca => "llvm-mca",
        }
    }

    /// The VLEN that the text states.
    pub fn vlen(self, text: &str) -> Option<u32> {
        match self {
            Form::RvvBench => rvv_bench::vlen(text),
            Form::LlvmMca => None,
        }
    }

    /// The timings in a text; empty if it is not of this form.
    pub fn read(self, text: &str) -> Vec<Timing> {
        match self {
            Form::RvvBench => rvv_bench::read(text),
            Form::LlvmMca => llvm_mca::read(text),
        }
    }
}
