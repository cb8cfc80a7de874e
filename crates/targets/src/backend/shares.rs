//! A run of the simulator divided by function or by latency class.

use super::{Calls, Share};
use capvec_linux::Options;
use capvec_profile::annotate::Annotator;
use capvec_profile::output::flat;
use capvec_profile::{Recorder, Shared};
use capvec_sim::Engine;
use capvec_timing::Core;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Records calls from the start of the run. The functions in `keeping` stay the callers of what they jump to.
pub fn record(
    mut engine: Box<dyn Engine>,
    options: &mut Options,
    timed: bool,
    keeping: &'static [&'static str],
) -> (Box<dyn Engine>, Rc<RefCell<Recorder>>) {
    let recorder = Rc::new(RefCell::new(Recorder::keeping(timed, keeping)));
    if engine.report_calls(Box::new(Shared(Rc::clone(&recorder)))) {
        options.profile = Some(Rc::clone(&recorder) as _);
    }
    (engine, recorder)
}

/// What each function itself executed. Functions of one name are one.
pub fn functions(recorder: Rc<RefCell<Recorder>>) -> Vec<Share> {
    let profile = recorder.borrow_mut().finish();
    let mut all: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    let rows = flat(&profile);
    for row in &rows {
        let name = &profile.functions[row.function as usize].name;
        let sum = all.entry(name).or_default();
        *sum = (sum.0 + row.own.insns, sum.1 + row.own.cycles);
    }
    all.into_iter()
        .map(|(name, (insns, cycles))| Share { name: name.into(), insns, cycles })
        .collect()
}

/// What the calls of one function took, divided by the functions that count as a whole.
pub fn calls(recorder: Rc<RefCell<Recorder>>, calls: &Calls) -> Vec<Share> {
    let profile = recorder.borrow_mut().finish();
    let mut all: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    // For each node, the name that it is charged to; each node comes after its parent.
    let mut charged: Vec<Option<&str>> = Vec::with_capacity(profile.nodes.len());
    for (k, node) in profile.nodes.iter().enumerate() {
        let name = profile.functions[node.function as usize].name.as_str();
        let above = match node.parent as usize {
            parent if parent == k => None,
            parent => charged[parent],
        };
        let name = match above {
            // The function itself only reads counters.
            None => (name == calls.below).then_some(calls.below),
            Some(whole) if calls.whole.contains(&whole) => Some(whole),
            Some(_) => Some(name),
        };
        charged.push(name);
        if let Some(name) = name {
            let sum = all.entry(name).or_default();
            *sum = (sum.0 + node.own.insns, sum.1 + node.own.cycles);
        }
    }
    all.remove(calls.below);
    let share =
        |(name, (insns, cycles)): (&str, (u64, u64))| Share { name: name.into(), insns, cycles };
    all.into_iter().map(share).collect()
}

/// Charges cycles to instructions: of the calls of function `below` only, if one is given.
pub fn annotate(
    core: &Core,
    below: Option<&'static str>,
    options: &mut Options,
) -> (Box<dyn Engine>, Annotator) {
    let annotator = Annotator::below(core.timing(), below);
    options.profile = Some(annotator.follower());
    (Box::new(annotator.clone()), annotator)
}

/// What the instructions of each latency class took.
pub fn classes(annotator: Annotator) -> Vec<Share> {
    let classes = annotator.listing().classes().into_iter();
    classes.map(|(name, n)| Share { name: name.into(), insns: n.insns, cycles: n.cycles }).collect()
}
