//! Counts by instruction, recorded whenever the guest reads its own counter of retired instructions: the instructions between two
//! reads are then known exactly.

use super::stepping::{Stepping, Watcher};
use capvec_isa::Op;
use capvec_sim::engine::Histogram;
use capvec_sim::timing::Ideal;
use capvec_sim::{Engine, Interpreter};
use std::sync::{Arc, Mutex};

/// Counts at one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Address space of the process.
    pub space: u64,
    /// Number of retired instructions until then, by `Op`.
    pub by_op: Vec<u64>,
}

/// Larger than any driver's number of reads: if a library reads the counter as well, later reads have no marks.
const MOST: usize = 1 << 14;

/// The list to which marks are added.
pub type Marks = Arc<Mutex<Vec<Mark>>>;

/// An engine that adds marks to the list. Its cycles are not those of a core model.
pub fn counting(marks: Marks) -> impl Engine {
    Stepping::new(Box::new(Interpreter::new(Ideal, true)), Counts(marks))
}

/// Adds a mark to the list at each read.
struct Counts(Marks);

impl Watcher for Counts {
    fn counter_read(&mut self, space: u64, engine: &dyn Engine) {
        let Some(Histogram { by_op }) = engine.histogram() else { return };
        let mut marks = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if marks.len() < MOST {
            marks.push(Mark { space, by_op });
        }
    }
}

/// The instructions between two marks, less those between two others.
pub fn between(work: (&Mark, &Mark), less: (&Mark, &Mark)) -> Vec<(Op, i64)> {
    let at = |m: &Mark, i: usize| m.by_op.get(i).map_or(0, |n| *n as i64);
    let each = Op::all().map(|op| {
        let i = op as usize;
        let span = |(a, b): (&Mark, &Mark)| at(b, i) - at(a, i);
        (op, span(work) - span(less))
    });
    each.filter(|(_, n)| *n != 0).collect()
}
