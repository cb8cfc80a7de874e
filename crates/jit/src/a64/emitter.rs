//! The emitter: the assembler, and what host registers hold. That is all that the translation of an instruction on x registers
//! needs.
//!
//! Most values of 32-bit code are sign-extended words of which only the low half is read. A 32-bit operation of AArch64 clears the
//! upper half of its result, so the sign is extended lazily: before all 64 bits are read, or where control leaves the trace.

use super::asm::{Asm, OpField, Reg, Transfer, Width, ZR, field};
use super::registers::{HART, home, x_slot};
use crate::host_features::Host;

/// Code under construction.
pub struct Emitter {
    /// The assembler.
    pub a: Asm,
    /// What is known of the registers.
    pub known: Known,
    /// The cryptographic instructions that may be used.
    pub host: Host,
}

/// What is known of the registers at a position in the code. A set of guest registers has one bit for each.
#[derive(Clone, Copy)]
pub struct Known {
    /// Guest registers with homes that `Hart::x` does not hold.
    pub dirty: u32,
    /// Guest registers that hold sign-extended words, or will when their sign is extended.
    words: u32,
    /// Words whose sign is still to be extended, all of which have homes. The upper half is undefined.
    lazy: u32,
}

impl Known {
    /// Nothing, at a position that control reaches from elsewhere. x0 is a word.
    const NOTHING: Known = Known { dirty: u32::MAX, words: 1, lazy: 0 };
}

impl Emitter {
    /// Nothing emitted yet.
    pub fn new(host: Host) -> Emitter {
        Emitter { a: Asm::default(), known: Known::NOTHING, host }
    }

    /// Extends all signs.
    pub fn extend(&mut self) {
        let lazy = std::mem::take(&mut self.known.lazy);
        for r in (1..32).filter(|x| lazy >> x & 1 == 1).filter_map(home) {
            self.a.put(field(OpField::Sbfm, Width::X, r, r, 0, 31));
        }
    }

    /// A host register with the value of x register `x`: `scratch`, if it has no home.
    pub fn x(&mut self, x: u8, scratch: Reg) -> Reg {
        let r = self.x_low(x, scratch);
        if self.known.lazy >> x & 1 == 1 {
            self.a.put(field(OpField::Sbfm, Width::X, r, r, 0, 31));
            self.known.lazy &= !(1 << x);
        }
        r
    }

    /// The same for a value of which only the low half is read.
    pub fn x_low(&mut self, x: u8, scratch: Reg) -> Reg {
        if x == 0 {
            return ZR;
        }
        home(x).unwrap_or_else(|| {
            self.a.transfer(Transfer::Ldr, scratch, HART, x_slot(x));
            scratch
        })
    }

    /// The same for an operand of this width.
    pub fn x_at(&mut self, w: Width, x: u8, scratch: Reg) -> Reg {
        match w {
            Width::W => self.x_low(x, scratch),
            Width::X => self.x(x, scratch),
        }
    }

    /// Whether x register `x` holds a word.
    pub fn is_word(&self, x: u8) -> bool {
        self.known.words >> x & 1 == 1
    }

    /// The width at which two registers are compared: sign-extended words compare as their low halves do, signed or unsigned.
    pub fn compared(&self, x: u8, y: u8) -> Width {
        if self.is_word(x) && self.is_word(y) { Width::W } else { Width::X }
    }

    /// Whether the sign of x register `x` is still to be extended.
    pub fn is_lazy(&self, x: u8) -> bool {
        self.known.lazy >> x & 1 == 1
    }

    /// The host register in which to compute a value for x register `x`: `scratch`, if it has no home.
    pub fn target(&self, x: u8, scratch: Reg) -> Reg {
        home(x).unwrap_or(scratch)
    }

    /// x register `x` has been computed in the register that `target` gave.
    pub fn wrote(&mut self, x: u8, from: Reg) {
        if !(1..32).contains(&x) {
            // The destination is x0.
            return;
        }
        self.forget(x);
        match home(x) {
            Some(_) => self.known.dirty |= 1 << x,
            None => self.a.transfer(Transfer::Str, from, HART, x_slot(x)),
        }
    }

    /// The same for a result that is a sign-extended word.
    pub fn wrote_word(&mut self, x: u8, from: Reg) {
        self.wrote(x, from);
        if x < 32 {
            self.known.words |= 1 << x;
        }
    }

    /// The same for a word whose sign is still to be extended.
    pub fn wrote_w(&mut self, x: u8, from: Reg) {
        let lazy = home(x).is_some();
        if !lazy {
            self.a.put(field(OpField::Sbfm, Width::X, from, from, 0, 31));
        }
        self.wrote_word(x, from);
        if lazy {
            self.known.lazy |= 1 << x;
        }
    }

    /// The same for a result of this width.
    pub fn wrote_at(&mut self, w: Width, x: u8, from: Reg) {
        match w {
            Width::W => self.wrote_w(x, from),
            Width::X => self.wrote(x, from),
        }
    }

    /// Nothing is known of x register `x` any more.
    pub fn forget(&mut self, x: u8) {
        let others = if x < 32 { !(1 << x) } else { u32::MAX };
        self.known.words &= others | 1;
        self.known.lazy &= others;
    }
}
