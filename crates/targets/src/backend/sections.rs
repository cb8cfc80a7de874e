//! An engine that counts by instruction, and records its counts whenever the guest reads its own counter of retired
//! instructions: the instructions between two reads are then known exactly.

use capvec_isa::Op;
use capvec_sim::engine::Histogram;
use capvec_sim::timing::Ideal;
use capvec_sim::{Engine, Hart, Interpreter, Stop};
use std::sync::{Arc, Mutex};

/// Counts at one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Address space of the process.
    pub space: u64,
    /// Number of retired instructions until then, by `Op`.
    pub by_op: Vec<u64>,
}

/// Larger than any driver's number of reads: if a library reads the counter as well, there are no sections.
const MOST: usize = 1 << 14;

/// The list to which marks are added.
pub type Marks = Arc<Mutex<Vec<Mark>>>;

/// The interpreter, block by block. Cycles are not those of a core model.
pub struct Sections {
    inner: Interpreter<Ideal>,
    marks: Marks,
}

impl Sections {
    /// An engine without marks yet.
    pub fn new(marks: Marks) -> Sections {
        Sections { inner: Interpreter::new(Ideal, true), marks }
    }

    fn mark(&self, h: &Hart) {
        let Some(Histogram { by_op }) = self.inner.histogram() else { return };
        let mut marks = self.marks.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if marks.len() < MOST {
            marks.push(Mark { space: h.mem.id(), by_op });
        }
    }
}

/// Whether the next instruction reads the counter: `csrrs rd, instret, x0`, which is always a block of its own.
pub(super) fn reads_counter(h: &Hart) -> bool {
    const RDINSTRET: u32 = 0xc02 << 20 | 0b010 << 12 | 0b111_0011;
    const RD: u32 = 31 << 7;
    let low = h.mem.fetch(h.pc);
    if low.is_none_or(|l| u32::from(l) & 0x7f != RDINSTRET & 0x7f) {
        return false;
    }
    let high = h.mem.fetch(h.pc.wrapping_add(2));
    let word = low.zip(high).map(|(low, high)| u32::from(low) | u32::from(high) << 16);
    word.is_some_and(|w| w & !RD == RDINSTRET)
}

impl Engine for Sections {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        let until = h.instret.saturating_add(budget);
        loop {
            let reads = reads_counter(h);
            let stop = self.inner.run(h, 1);
            if reads && matches!(stop, Stop::Budget) {
                self.mark(h);
            }
            if !matches!(stop, Stop::Budget) || h.instret >= until {
                return stop;
            }
        }
    }

    fn forget(&mut self, space: u64) {
        self.inner.forget(space);
    }

    fn switch(&mut self) {
        self.inner.switch();
    }

    fn change_space(&mut self) {
        self.inner.change_space();
    }

    fn histogram(&self) -> Option<Histogram> {
        self.inner.histogram()
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
