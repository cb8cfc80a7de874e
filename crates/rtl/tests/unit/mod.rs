//! A unit for tests, and helpers for its parameters.

use crate::common;
use capvec_isa::op::OPS;
use capvec_isa::{Ext, ExtSet, Op};
use capvec_rtl::{Core, Model, Parameters, Source};

/// A core around a unit with these parameters, if Verilator is available.
pub fn core(parameters: Parameters) -> Option<Core> {
    let verilator = common::verilator()?;
    let source = Source::load(&["zvku"]).expect("the unit's sources");
    let model = Model::build(&verilator, &source, parameters, &common::directory());
    Some(Core::new(model.expect("the model")))
}

/// The instructions of `ops` whose extension is enabled.
pub fn on<'a>(parameters: &Parameters, ops: &'a [Op]) -> impl Iterator<Item = Op> + 'a {
    let named = |e: &&str| Ext::from_name(&e.to_lowercase()).expect("an extension of the table");
    let exts = ExtSet::of(&parameters.on.iter().map(named).collect::<Vec<_>>()).closed();
    ops.iter().copied().filter(move |op| exts.intersects(op.row().exts))
}

/// The instruction that a word encodes.
pub fn op(word: u32) -> Option<Op> {
    OPS.iter().copied().find(|op| op.row().len == 4 && word & op.row().mask == op.row().value)
}
