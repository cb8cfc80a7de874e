//! Runs two engines in lockstep (`--engine both`): one runs the hart, the other a copy of it (`copy`). After each piece of
//! the run, both must be in the same state.

mod copy;

use capvec_sim::engine::Histogram;
use capvec_sim::mem::OutOfMemory;
use capvec_sim::{Engine, Hart, Memory, Stop};
use copy::Copy;
use std::collections::HashMap;
use std::fmt;

/// Piece lengths in instructions, used in turn: single blocks, so that the first block that differs can be named, and
/// longer runs, in which blocks follow each other without returning to the run loop.
const PIECES: [u64; 12] = [1, 1, 1, 1, 1, 1, 1, 1, 7, 60, 500, 20_000];

/// The first state in which the engines differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Address at which the piece began.
    pub start: u64,
    /// Instructions retired when it began.
    pub instret: u64,
    /// What differs: its name, the reference engine's value, the tested engine's value.
    pub what: Vec<(String, String, String)>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the engines differ after running from {:#x} ({} retired before):",
            self.start, self.instret
        )?;
        for (name, reference, tested) in &self.what {
            write!(f, "\n  {name}: {reference} by the interpreter, {tested} by the translator")?;
        }
        Ok(())
    }
}

/// Both engines. `tested` runs the caller's hart, `reference` a copy of it.
pub struct Both<F> {
    reference: Box<dyn Engine>,
    tested: Box<dyn Engine>,
    copies: HashMap<u64, Copy>,
    turn: usize,
    report: F,
}

impl<F: FnMut(&Difference)> Both<F> {
    /// Compares `tested` with `reference`; calls `report` with each difference.
    pub fn new(reference: Box<dyn Engine>, tested: Box<dyn Engine>, report: F) -> Both<F> {
        Both { reference, tested, copies: HashMap::new(), turn: 0, report }
    }

    /// The up-to-date copy of the hart's memory.
    fn copy(&mut self, mem: &Memory) -> Result<Copy, OutOfMemory> {
        if let Some(mut copy) = self.copies.remove(&mem.id()) {
            if let Ok(true) = copy.follow(mem) {
                return Ok(copy);
            }
            // Both decode everything again, so that both know the same blocks.
            self.reference.forget(copy.mem.id());
            self.tested.forget(mem.id());
        }
        Copy::new(mem)
    }

    /// Runs one piece on both engines.
    fn piece(&mut self, h: &mut Hart, reference_hart: &mut Hart, budget: u64) -> Stop {
        let (start, instret) = (h.pc, h.instret);
        let expected = self.reference.run(reference_hart, budget);
        let stop = self.tested.run(h, budget);
        let mut what = differences(reference_hart, h);
        if stop != expected {
            what.push(("stop".into(), format!("{expected:?}"), format!("{stop:?}")));
        }
        if !what.is_empty() {
            (self.report)(&Difference { start, instret, what });
        }
        stop
    }

    fn pieces(&mut self, h: &mut Hart, reference_hart: &mut Hart, budget: u64) -> Stop {
        let until = h.instret.saturating_add(budget);
        loop {
            self.turn = (self.turn + 1) % PIECES.len();
            let piece = PIECES[self.turn].min(until.saturating_sub(h.instret));
            let stop = self.piece(h, reference_hart, piece);
            if stop != Stop::Budget || h.instret >= until {
                return stop;
            }
        }
    }
}

/// The registers and counters in which two harts differ.
fn differences(a: &Hart, b: &Hart) -> Vec<(String, String, String)> {
    let mut what = Vec::new();
    let mut one = |name: String, a: u64, b: u64| {
        if a != b {
            what.push((name, format!("{a:#x}"), format!("{b:#x}")));
        }
    };
    (1..32).for_each(|r| one(format!("x{r}"), a.x(r), b.x(r)));
    (0..32).for_each(|r| one(format!("f{r}"), a.f[r], b.f[r]));
    one("pc".into(), a.pc, b.pc);
    one("instret".into(), a.instret, b.instret);
    one("cycles".into(), a.cycles, b.cycles);
    one("fcsr".into(), fcsr(a), fcsr(b));
    one("vl".into(), a.v.vl, b.v.vl);
    one("vtype".into(), a.v.vtype.bits(64), b.v.vtype.bits(64));
    one("vstart".into(), a.v.vstart, b.v.vstart);
    one("vcsr".into(), vcsr(a), vcsr(b));
    for r in 0..32 {
        let v = |h: &Hart| h.v.bytes(r)[..h.v.vlenb()].to_vec();
        let (a, b) = (v(a), v(b));
        if a != b {
            what.push((format!("v{r}"), format!("{a:02x?}"), format!("{b:02x?}")));
        }
    }
    if a.reservation != b.reservation {
        let text = |h: &Hart| format!("{:x?}", h.reservation);
        what.push(("reservation".into(), text(a), text(b)));
    }
    what
}

fn fcsr(h: &Hart) -> u64 {
    (h.frm as u64) << 5 | h.fflags as u64
}

fn vcsr(h: &Hart) -> u64 {
    (h.v.vxrm as u64) << 1 | h.v.vxsat as u64
}

impl<F: FnMut(&Difference)> Engine for Both<F> {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        let (start, instret) = (h.pc, h.instret);
        let mut copy = match self.copy(&h.mem) {
            Ok(c) => c,
            Err(e) => {
                let what = vec![("memory for the comparison".into(), e.to_string(), String::new())];
                (self.report)(&Difference { start, instret, what });
                return self.tested.run(h, budget);
            }
        };
        let mut reference_hart = h.on(copy.mem.clone());
        let stop = self.pieces(h, &mut reference_hart, budget);
        if let Some((at, a, b)) = copy.difference(&h.mem) {
            let what = vec![(format!("byte at {at:#x}"), format!("{a:#x}"), format!("{b:#x}"))];
            (self.report)(&Difference { start, instret, what });
        }
        // Both engines have executed the guest's fence.i.
        copy.note_versions(&h.mem);
        self.copies.insert(h.mem.id(), copy);
        stop
    }

    fn forget(&mut self, space: u64) {
        self.tested.forget(space);
        if let Some(c) = self.copies.remove(&space) {
            self.reference.forget(c.mem.id());
        }
    }

    fn switch(&mut self) {
        self.reference.switch();
        self.tested.switch();
    }

    fn change_space(&mut self) {
        self.reference.change_space();
        self.tested.change_space();
    }

    fn histogram(&self) -> Option<Histogram> {
        self.reference.histogram()
    }
}
