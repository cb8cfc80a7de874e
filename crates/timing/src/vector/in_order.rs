//! An in-order unit: the crypto unit starts the steps of one instruction at a time, and so do the other units together. All times
//! are in ticks.

use super::queue::{Cost, Queued, REGISTERS, Span, Spans};
use super::shape::{Shape, Unit, Width};
use crate::reader::TICKS;
use capvec_isa::{Ext, ExtSet, Op};

/// Extensions whose instructions are all executed by the crypto unit, also those for which other cores use arithmetic units.
const CRYPTO: ExtSet = ExtSet::of(&[Ext::Zvbb, Ext::Zvkb, Ext::Xcapvecmulq0p1]);

/// How an instruction runs in an in-order unit.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// In the crypto unit.
    crypto: bool,
    /// All of its sources are read until its last step: it slides, or applies one element group to all others.
    rereads: bool,
    /// Element by element, when nothing else is being executed.
    pub(super) alone: bool,
}

impl Manner {
    pub(super) fn of(op: Op, shape: &Shape, alone: bool) -> Manner {
        let crypto = shape.unit == Unit::Crypto || op.row().exts.intersects(CRYPTO);
        let single = shape.vs2 == Some(Width::Single);
        Manner { crypto, rereads: shape.unit == Unit::Slide || single, alone }
    }
}

/// The times of a register.
#[derive(Clone, Copy, Default)]
struct Times {
    /// When a step can read it.
    ready: u64,
    /// When an instruction that reads it can be done at the earliest.
    complete: u64,
    /// When a step can write it: earlier ones have read it.
    read: u64,
}

/// The state of the unit.
#[derive(Default)]
pub(super) struct InOrder {
    /// When the crypto unit, and the others, can start an instruction.
    free: [u64; 2],
    /// When everything is done, and everything in the crypto unit.
    all_done: u64,
    crypto_done: u64,
    registers: [Times; REGISTERS],
}

/// The k-th register of a span.
fn register(span: &Span, k: u64) -> Option<usize> {
    (k < span.count).then(|| (span.first as usize + k as usize) % REGISTERS)
}

impl InOrder {
    /// Takes an instruction: it issues when the last step of the one before it in the same unit has started. If it runs alone,
    /// it starts when everything is done. Each of its steps waits for what it reads and writes.
    pub(super) fn take(&mut self, now: u64, manner: Manner, cost: Cost, spans: &Spans) -> Queued {
        let unit = usize::from(!manner.crypto);
        let issued = now.max(self.free[unit]);
        let mut at = issued;
        if manner.alone {
            at = at.max(self.all_done + cost.startup);
        }
        if manner.crypto {
            // Its results leave in order, one in a cycle.
            at = at.max((self.crypto_done + TICKS as u64).saturating_sub(cost.first));
        }
        let (sources, target) = (|| spans.sources.iter().flatten(), spans.target);
        let count = sources().chain(&target).map(|s| s.count).max().unwrap_or(1);
        let registers = count.clamp(1, REGISTERS as u64);
        let (pace, mut complete) = (cost.pace / registers, 0);
        // The part for the last register, which includes the remainder of the division.
        let left = |all: u64| all.saturating_sub((registers - 1) * pace);
        for k in 0..registers {
            let written = target.and_then(|s| register(&s, k));
            for r in sources().filter_map(|s| register(s, k)).chain(written) {
                at = at.max(self.registers[r].ready);
                complete = self.registers[r].complete.max(complete);
            }
            if let Some(r) = written {
                at = at.max(self.registers[r].read);
                self.registers[r].ready = at + cost.first;
                self.registers[r].complete = (at + left(cost.body)).max(complete + 1);
            }
            for r in sources().filter_map(|s| register(s, k)) {
                self.registers[r].read = self.registers[r].read.max(at + TICKS as u64);
            }
            at += pace;
        }
        let before = at - pace;
        let done = (before + left(cost.body)).max(complete + 1);
        let free = before + left(cost.pace).max(1);
        if manner.rereads {
            for r in (0..registers).flat_map(|k| sources().filter_map(move |s| register(s, k))) {
                self.registers[r].read = self.registers[r].read.max(free);
            }
        }
        self.free[unit] = free;
        self.all_done = self.all_done.max(done);
        if manner.crypto {
            self.crypto_done = done;
        }
        Queued { issued, done }
    }
}
