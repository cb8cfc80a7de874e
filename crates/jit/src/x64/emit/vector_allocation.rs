//! Allocation of vector registers: which parts of the guest's vector registers are in host registers within a block.
//!
//! The guest's registers are one array of bytes; a host register can hold a piece of 16, 32 or 64 bytes of it. Dirty
//! pieces are written back where they are read at another width, before handlers are called, and at exits.

use crate::host_features::Host;
use crate::x64::asm::Rm;
use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::asm::{Asm, Mem, Reg, at};
use crate::x64::runtime::stack::Cells;
use std::mem::offset_of;

/// Points to the guest's vector registers while an instruction that accesses them is emitted.
const VECTOR: Reg = Reg::RDX;

/// From here on, only AVX-512 instructions can name registers.
const EVEX_ONLY: u8 = 16;
const REGISTERS: usize = 32;

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
pub struct VectorRegs {
    held: [Option<Held>; REGISTERS],
    /// Registers that the current operation uses, one bit each.
    locked: u32,
    clock: u32,
    /// Registers below `EVEX_ONLY` hold more than 16 bytes, which would slow SSE instructions down.
    upper_dirty: bool,
    /// VECTOR is loaded.
    pointer_loaded: bool,
    /// Number of registers: those from `EVEX_ONLY` on need AVX-512.
    registers: u8,
    /// Number of temporary registers, the first ones.
    temporary: u8,
    /// Address of the stack's cells.
    stack: u64,
}

/// What the registers hold at one position of the code, for an exit or a slow path that is emitted later.
pub struct VectorSnapshot(Option<Box<VectorRegs>>);

impl VectorRegs {
    /// No register holds anything; the first `temporary` registers are for temporaries.
    pub fn new(host: Host, temporary: u8, stack: u64) -> VectorRegs {
        let registers = if host.avx512 { REGISTERS as u8 } else { EVEX_ONLY };
        let (held, upper_dirty, pointer_loaded) = ([None; REGISTERS], false, false);
        let (locked, clock) = (0, 0);
        VectorRegs { held, locked, clock, upper_dirty, pointer_loaded, registers, temporary, stack }
    }

    /// An instruction begins: the scratch registers hold nothing of ours, and no register is locked.
    pub fn begin(&mut self) {
        (self.pointer_loaded, self.locked) = (false, 0);
    }

    /// Unlocks the registers of the previous operation.
    pub fn unlock(&mut self) {
        self.locked = 0;
    }

    /// The memory operand of the guest's vector registers at byte `offset`.
    pub fn memory(&mut self, a: &mut Asm, offset: u32) -> Mem {
        if !self.pointer_loaded {
            a.mov_address(VECTOR, self.stack);
            a.mov(VECTOR, Rm::M(at(VECTOR, offset_of!(Cells, vector) as i64)));
            self.pointer_loaded = true;
        }
        at(VECTOR, offset as i64)
    }

    /// Temporary register `n` of the current operation, for a value of width `w`.
    pub fn temporary(&mut self, n: u8, w: Wide) -> V {
        debug_assert!(n < self.temporary);
        self.upper_dirty |= w != Wide::X;
        V(n)
    }

    /// The register that holds the piece, for reading. If it holds more, the piece is its low part.
    pub fn read(&mut self, a: &mut Asm, p: Piece) -> V {
        if let Some(v) = self.find(p) {
            return self.touch(v);
        }
        self.sync(a, p.at, p.w.bytes());
        let v = self.allocate(a, p);
        let place = self.memory(a, p.at);
        a.v_mov(p.w, v, Vm::M(place));
        v
    }

    /// The piece as an operand: a register if it is in one, otherwise memory.
    pub fn operand(&mut self, a: &mut Asm, p: Piece) -> Vm {
        match self.find(p) {
            Some(v) => Vm::R(self.touch(v)),
            None => {
                self.sync(a, p.at, p.w.bytes());
                Vm::M(self.memory(a, p.at))
            }
        }
    }

    /// A register for the piece, which will be overwritten completely.
    pub fn write(&mut self, a: &mut Asm, p: Piece) -> V {
        let same = self.held.iter().position(|h| h.is_some_and(|h| h.piece == p));
        // Overlapping pieces may hold bytes outside this one.
        for k in 0..REGISTERS {
            if Some(k) != same && self.held[k].is_some_and(|h| h.piece.overlaps(p)) {
                self.write_back(a, k);
                self.held[k] = None;
            }
        }
        let v = match same {
            Some(k) => self.touch(V(k as u8)),
            None => self.allocate(a, p),
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
        let place = self.memory(a, p.at);
        a.v_mov(p.w, v, Vm::M(place));
        v
    }

    /// Brings these bytes of the guest's registers up to date.
    pub fn sync(&mut self, a: &mut Asm, at: u32, len: u32) {
        for k in 0..REGISTERS {
            if self.held[k].is_some_and(|h| h.piece.at < at + len && at < h.piece.end()) {
                self.write_back(a, k);
            }
        }
    }

    /// Prepares for code that writes these bytes of the guest's registers in memory, so that no host register holds them.
    pub fn overwrite(&mut self, a: &mut Asm, at: u32, len: u32) {
        self.sync(a, at, len);
        for h in &mut self.held {
            *h = h.filter(|h| h.piece.at >= at + len || at >= h.piece.end());
        }
    }

    /// Writes all pieces back and frees the registers, before a call that clobbers them.
    pub fn release(&mut self, a: &mut Asm) {
        self.begin();
        (0..REGISTERS).for_each(|k| self.write_back(a, k));
        self.held = [None; REGISTERS];
        if self.upper_dirty {
            a.v_zero_upper();
        }
        self.upper_dirty = false;
    }

    /// Wraps a call that clobbers only the host's vector registers: writes everything back before it and reloads it
    /// after.
    pub fn around_call(&mut self, a: &mut Asm, call: impl FnOnce(&mut Asm)) {
        (0..REGISTERS).for_each(|k| self.write_back(a, k));
        if self.upper_dirty {
            a.v_zero_upper();
        }
        call(a);
        self.pointer_loaded = false;
        for k in 0..REGISTERS {
            if let Some(h) = self.held[k] {
                let place = self.memory(a, h.piece.at);
                a.v_mov(h.piece.w, V(k as u8), Vm::M(place));
            }
        }
    }

    /// What the registers hold here.
    pub fn snapshot(&self) -> VectorSnapshot {
        let used = self.upper_dirty || self.held.iter().any(Option::is_some);
        VectorSnapshot(used.then(|| Box::new(VectorRegs { pointer_loaded: false, ..self.clone() })))
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
    fn allocate(&mut self, a: &mut Asm, p: Piece) -> V {
        let usable = (EVEX_ONLY..self.registers).chain(self.temporary..EVEX_ONLY).map(usize::from);
        let age = |k: &usize| self.held[*k].map_or(0, |h| h.used + 1);
        let free = usable.filter(|k| self.locked >> k & 1 == 0);
        // No operation locks all registers.
        let k = free.min_by_key(age).unwrap_or(self.temporary as usize);
        self.write_back(a, k);
        self.held[k] = Some(Held { piece: p, dirty: false, used: 0 });
        self.upper_dirty |= k < EVEX_ONLY as usize && p.w != Wide::X;
        self.touch(V(k as u8))
    }

    fn write_back(&mut self, a: &mut Asm, k: usize) {
        let Some(h) = self.held[k].filter(|h| h.dirty) else { return };
        let place = self.memory(a, h.piece.at);
        a.v_store(h.piece.w, place, V(k as u8));
        self.held[k] = Some(Held { dirty: false, ..h });
    }
}

impl VectorSnapshot {
    /// `VectorRegs::around_call` with the state of that position.
    pub fn around_call(self, a: &mut Asm, call: impl FnOnce(&mut Asm)) {
        match self.0 {
            Some(mut vregs) => vregs.around_call(a, call),
            None => call(a),
        }
    }

    /// Whether no vector registers of the host are in use.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Writes all dirty pieces back.
    pub fn restore(self, a: &mut Asm) {
        self.0.into_iter().for_each(|mut vregs| vregs.release(a));
    }
}
