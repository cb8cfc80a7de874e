//! The model for tests, or a word on why there is none; what its parameters mean.

use capvec_isa::op::OPS;
use capvec_isa::{Ext, ExtSet, Op};
use capvec_rtl::{Core, Model, Parameters, Source, Verilator};
use std::path::Path;

/// Verilator; `None`, saying so, where it cannot be had.
pub fn verilator() -> Option<Verilator> {
    Verilator::find(&mut |p| eprintln!("{p}"))
        .map_err(|why| eprintln!("SKIPPED: the RTL is not compared: no Verilator: {why:#}"))
        .ok()
}

/// A core around a unit with these parameters, if there is a Verilator.
pub fn core(parameters: Parameters) -> Option<Core> {
    let verilator = verilator()?;
    let source = Source::load().expect("the unit's sources");
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("zvku");
    Some(Core::new(Model::build(&verilator, &source, parameters, &dir).expect("the model")))
}

/// Programs of a random test: CAPVEC_RTL_PROGRAMS if that is set.
pub fn programs(default: u64) -> u64 {
    std::env::var("CAPVEC_RTL_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Those of `ops` whose extension is on.
pub fn on<'a>(parameters: &Parameters, ops: &'a [Op]) -> impl Iterator<Item = Op> + 'a {
    let named = |e: &&str| Ext::from_name(&e.to_lowercase()).expect("an extension of the table");
    let exts = ExtSet::of(&parameters.on.iter().map(named).collect::<Vec<_>>()).closed();
    ops.iter().copied().filter(move |op| exts.intersects(op.row().exts))
}

/// The instruction that a word is.
pub fn op(word: u32) -> Option<Op> {
    OPS.iter().copied().find(|op| op.row().len == 4 && word & op.row().mask == op.row().value)
}
