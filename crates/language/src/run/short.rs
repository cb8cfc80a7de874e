//! Executes short programs without branches: a machine's memory would cost more than the program.

use super::operation::{One, narrow_once};
use super::{Memory, Place};
use crate::Program;
use crate::code::{Code, Insn};

/// Words of a frame. A short program may use all but the last.
const SLOTS: usize = 16;

/// A short program: it may load but not store, and has no values of more than 64 bits.
#[derive(Debug)]
pub struct Short {
    code: Box<[Insn<u8>]>,
    initial: Frame,
}

/// The words of a short program, for one run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame([u64; SLOTS]);

impl Frame {
    /// A word of a port.
    #[inline(always)]
    pub fn word(&mut self, place: Place) -> &mut u64 {
        &mut self.0[usize::from(place.0) % SLOTS]
    }

    /// A word of a port and those after it.
    #[inline]
    pub fn words(&mut self, place: Place, count: usize) -> &mut [u64] {
        let start = usize::from(place.0);
        &mut self.0[start..start + count]
    }

    #[inline(always)]
    fn slot(&self, slot: u8) -> u64 {
        self.0[usize::from(slot) % SLOTS]
    }
}

impl Short {
    /// A word of a frame that no program uses.
    pub const NOWHERE: Place = Place(SLOTS as u16 - 1);

    /// The program, if it is short.
    pub(crate) fn of(program: &Program) -> Option<Short> {
        let code = &program.code;
        let suits = |i: &Insn<u16>| i.wide == 0 && (i.code < Code::Load || i.code == Code::Fetch);
        if code.slots >= SLOTS || !code.code.iter().all(suits) {
            return None;
        }
        let mut initial = Frame::default();
        for (slot, value) in &code.initial {
            initial.0[usize::from(*slot)] = *value;
        }
        // Slots are below SLOTS.
        let short = |i: &Insn<u16>| {
            let Insn { code, x, y, wide, .. } = *i;
            let [d, a, b, c] = [i.d, i.a, i.b, i.c].map(|slot| slot as u8);
            Insn { code, x, y, wide, d, a, b, c }
        };
        Some(Short { code: code.code.iter().map(short).collect(), initial })
    }

    /// The words before a run; inputs are 0.
    #[inline(always)]
    pub fn frame(&self) -> Frame {
        self.initial
    }

    /// Runs the program.
    ///
    /// # Errors
    /// If a load fails.
    #[inline(always)]
    pub fn run<M: Memory>(&self, frame: &mut Frame, memory: &mut M) -> Result<(), M::Fault> {
        for i in &self.code {
            let operands = [i.a, i.b, i.c].map(|slot| frame.slot(slot));
            let result = match i.code {
                Code::Fetch => memory.load(operands[0], i.x / 8)?,
                _ => narrow_once(i, One(operands)),
            };
            frame.0[usize::from(i.d) % SLOTS] = result;
        }
        Ok(())
    }
}
