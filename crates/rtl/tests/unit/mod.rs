//! A unit for tests, and helpers for its parameters.

use crate::common;
use capvec_isa::Op;
use capvec_isa::op::OPS;
use capvec_rtl::{Harness, Model, Parameters};

/// The harness of a unit with these parameters, if Verilator is available.
pub fn harness(parameters: Parameters) -> Option<Harness> {
    let verilator = common::verilator()?;
    let source = common::source(&["zvku"]);
    let model = Model::build(&verilator, &source, parameters, &common::directory());
    Some(Harness::new(model.expect("the model")))
}

/// The instruction that a word encodes.
pub fn op(word: u32) -> Option<Op> {
    OPS.iter().copied().find(|op| op.row().len == 4 && word & op.row().mask == op.row().value)
}
