//! Which parts of the guest's vector registers the host's vector registers hold within a block.
//!
//! The guest's registers are one array of bytes; a host register can hold a piece of 16, 32 or 64 bytes of it. Dirty
//! pieces are written back where they are read at another width, before handlers are called, and at exits.

use super::asm::{V, Vm, Wide};
use crate::Host;
use crate::x64::asm::Rm;
use crate::x64::asm::{Asm, Reg, at};
use crate::x64::enter::{FRAME_VECTOR, STACK};

/// Points to the guest's vector registers while an instruction that accesses them is emitted.
const VECTOR: Reg = Reg::RDX;

/// Most temporary registers of an instruction: the first six.
pub const ALL_TEMPORARY: u8 = 6;
/// From here on, only AVX-512 instructions can name registers.
const HIGH: u8 = 16;
const ALL: usize = 32;

/// A part of the guest's vector registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset of its first byte.
    pub at: u32,
    /// Its length.
    pub w: Wide,
}

impl Piece {
    fn end(self) -> u32 {
        self.at + self.w.bytes()
    }

    fn overlaps(self, other: Piece) -> bool {
        self.at < other.end() && other.at < self.end()
    }
}

#[derive(Clone, Copy, Debug)]
struct Held {
    piece: Piece,
    /// The guest's register is stale.
    dirty: bool,
    /// Time of last use.
    used: u32,
}

/// The contents of the host's vector registers.
#[derive(Clone)]
pub struct File {
    held: [Option<Held>; ALL],
    /// Registers that the current operation uses, one bit each.
    locked: u32,
    clock: u32,
    /// Registers below HIGH hold more than 16 bytes, which would slow SSE instructions down.
    upper: bool,
    /// VECTOR is loaded.
    pointed: bool,
    /// Number of registers: those from HIGH on need AVX-512.
    registers: u8,
    /// Number of temporary registers, the first ones.
    temporary: u8,
}

/// What must be written back at one position of the code.
pub struct Dirty(File);

impl File {
    /// An empty file with `temporary` registers for temporaries.
    pub fn new(host: Host, temporary: u8) -> File {
        let registers = if host.vectors { ALL as u8 } else { HIGH };
        let (held, upper, pointed) = ([None; ALL], false, false);
        File { held, locked: 0, clock: 0, upper, pointed, registers, temporary }
    }

    /// The scratch registers are no longer ours, and no register is locked.
    pub fn begin(&mut self) {
        (self.pointed, self.locked) = (false, 0);
    }

    /// Unlocks the registers of the previous operation.
    pub fn unlock(&mut self) {
        self.locked = 0;
    }

    /// The memory operand of the guest's vector registers at byte `offset`.
    pub fn place(&mut self, a: &mut Asm, offset: u32) -> iced_x86::MemoryOperand {
        if !self.pointed {
            a.mov(VECTOR, Rm::M(at(STACK, 0)));
            a.mov(VECTOR, Rm::M(at(VECTOR, FRAME_VECTOR)));
            self.pointed = true;
        }
        at(VECTOR, offset as i64)
    }

    /// Temporary register `n` of the current operation, for a value of width `w`.
    pub fn temporary(&mut self, n: u8, w: Wide) -> V {
        debug_assert!(n < self.temporary);
        self.upper |= w != Wide::X;
        V(n)
    }

    /// The register that holds the piece, for reading. If it holds more, the piece is its low part.
    pub fn read(&mut self, a: &mut Asm, p: Piece) -> V {
        if let Some(v) = self.find(p) {
            return self.touch(v);
        }
        self.sync(a, p.at, p.w.bytes());
        let v = self.take(a, p);
        let place = self.place(a, p.at);
        a.v_mov(p.w, v, Vm::M(place));
        v
    }

    /// The piece as an operand: a register if it is in one, otherwise memory.
    pub fn operand(&mut self, a: &mut Asm, p: Piece) -> Vm {
        match self.find(p) {
            Some(v) => Vm::R(self.touch(v)),
            None => {
                self.sync(a, p.at, p.w.bytes());
                Vm::M(self.place(a, p.at))
            }
        }
    }

    /// A register for the piece, which will be overwritten completely.
    pub fn write(&mut self, a: &mut Asm, p: Piece) -> V {
        let same = self.held.iter().position(|h| h.is_some_and(|h| h.piece == p));
        // Overlapping pieces may hold bytes outside this one.
        for k in 0..ALL {
            if Some(k) != same && self.held[k].is_some_and(|h| h.piece.overlaps(p)) {
                self.clean(a, k);
                self.held[k] = None;
            }
        }
        let v = match same {
            Some(k) => self.touch(V(k as u8)),
            None => self.take(a, p),
        };
        if let Some(h) = &mut self.held[v.0 as usize] {
            h.dirty = true;
        }
        v
    }

    /// The register that holds the piece, for a partial update.
    pub fn modify(&mut self, a: &mut Asm, p: Piece) -> V {
        let exact = self.held.iter().any(|h| h.is_some_and(|h| h.piece == p));
        if exact {
            return self.write(a, p);
        }
        self.sync(a, p.at, p.w.bytes());
        let v = self.write(a, p);
        let place = self.place(a, p.at);
        a.v_mov(p.w, v, Vm::M(place));
        v
    }

    /// Brings these bytes of the guest's registers up to date.
    pub fn sync(&mut self, a: &mut Asm, at: u32, len: u32) {
        for k in 0..ALL {
            if self.held[k].is_some_and(|h| h.piece.at < at + len && at < h.piece.end()) {
                self.clean(a, k);
            }
        }
    }

    /// Prepares for code that writes these bytes of the guest's registers in memory.
    pub fn overwrite(&mut self, a: &mut Asm, at: u32, len: u32) {
        self.sync(a, at, len);
        for h in &mut self.held {
            *h = h.filter(|h| h.piece.at >= at + len || at >= h.piece.end());
        }
    }

    /// Writes all pieces back and forgets them, before others use the host's registers.
    pub fn release(&mut self, a: &mut Asm) {
        (0..ALL).for_each(|k| self.clean(a, k));
        self.held = [None; ALL];
        if self.upper {
            a.v_zero_upper();
        }
        self.upper = false;
    }

    /// Wraps a call that clobbers only the host's vector registers: writes everything back before it and reloads it
    /// after.
    pub fn across(&mut self, a: &mut Asm, call: impl FnOnce(&mut Asm)) {
        (0..ALL).for_each(|k| self.clean(a, k));
        if self.upper {
            a.v_zero_upper();
        }
        call(a);
        self.pointed = false;
        for k in 0..ALL {
            if let Some(h) = self.held[k] {
                let place = self.place(a, h.piece.at);
                a.v_mov(h.piece.w, V(k as u8), Vm::M(place));
            }
        }
    }

    /// The state that an exit from here must write back.
    pub fn dirty(&self) -> Dirty {
        Dirty(File { pointed: false, ..self.clone() })
    }

    /// A register that holds the piece, if there is one.
    fn find(&self, p: Piece) -> Option<V> {
        let holds = |h: &Option<Held>| h.is_some_and(|h| h.piece.at == p.at && h.piece.w >= p.w);
        // Pieces overlap only if none is dirty, so any one will do.
        self.held.iter().position(holds).map(|k| V(k as u8))
    }

    fn touch(&mut self, v: V) -> V {
        self.clock += 1;
        self.locked |= 1 << v.0;
        if let Some(h) = &mut self.held[v.0 as usize] {
            h.used = self.clock;
        }
        v
    }

    /// A register for the piece: a free one, or the least recently used.
    fn take(&mut self, a: &mut Asm, p: Piece) -> V {
        let usable = (HIGH..self.registers).chain(self.temporary..HIGH).map(usize::from);
        let age = |k: &usize| self.held[*k].map_or(0, |h| h.used + 1);
        let free = usable.filter(|k| self.locked >> k & 1 == 0);
        // No operation locks all registers.
        let k = free.min_by_key(age).unwrap_or(self.temporary as usize);
        self.clean(a, k);
        self.held[k] = Some(Held { piece: p, dirty: false, used: 0 });
        self.upper |= k < HIGH as usize && p.w != Wide::X;
        self.touch(V(k as u8))
    }

    fn clean(&mut self, a: &mut Asm, k: usize) {
        let Some(h) = self.held[k].filter(|h| h.dirty) else { return };
        let place = self.place(a, h.piece.at);
        a.v_store(h.piece.w, place, V(k as u8));
        self.held[k] = Some(Held { dirty: false, ..h });
    }
}

impl Dirty {
    /// `File::across` with the state of that position.
    pub fn across(mut self, a: &mut Asm, call: impl FnOnce(&mut Asm)) {
        self.0.across(a, call);
    }

    /// Writes all dirty pieces back.
    pub fn restore(mut self, a: &mut Asm) {
        self.0.release(a);
    }
}
