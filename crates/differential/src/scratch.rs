//! A hart on which the generator tries instructions, so that it does not have to know what is legal.

use crate::case::{Case, Csrs, Registers, read_only_page};
use crate::layout::{CODE, DATA, PAGE, WRITABLE};
use crate::target::Target;
use capvec_sim::mem::Perm;
use capvec_sim::timing::Ideal;
use capvec_sim::vector::VType;
use capvec_sim::{Engine, Hart, Interpreter, Memory, Stop, Trap, Why};

/// Bytes of code. Each word gets a fresh address, so that nothing is decoded twice.
const ROOM: u64 = 1 << 20;
/// Bytes from one word to the next; an illegal half-word between them ends blocks.
const STEP: u64 = 8;

/// The hart.
pub struct Scratch {
    hart: Hart,
    engine: Interpreter<Ideal>,
    next: u64,
}

impl Scratch {
    /// A hart with the data pages mapped.
    ///
    /// # Errors
    /// No host memory.
    pub fn new(target: Target) -> anyhow::Result<Scratch> {
        let mem = Memory::new()?;
        mem.map(DATA, WRITABLE, Perm::RW)?;
        mem.map(DATA + WRITABLE, PAGE, Perm::R)?;
        // The page is mapped, so this cannot fail.
        let _ = mem.write_as(DATA + WRITABLE, &read_only_page(), Perm::NONE);
        let hart = Hart::new(target.config(), mem);
        Ok(Scratch { hart, engine: Interpreter::new(Ideal, false), next: CODE + ROOM })
    }

    /// Sets the registers.
    pub fn set_registers(&mut self, r: &Registers) {
        let h = &mut self.hart;
        (1..32).for_each(|n| h.write_x(n, r.x[n as usize]));
        h.f = r.f;
        h.v.bytes_mut(0).copy_from_slice(&r.v);
    }

    /// Sets the CSRs.
    pub fn set_csrs(&mut self, c: &Csrs) {
        let h = &mut self.hart;
        h.v.vtype = VType::decode(c.vtype, h.elen());
        h.v.vl = c.vl.min(h.v.vlmax());
        h.v.vstart = c.vstart;
        (h.v.vxsat, h.v.vxrm) = (c.vcsr & 1 != 0, (c.vcsr >> 1) as u8 & 3);
        (h.fflags, h.frm) = (c.fcsr as u8 & 31, (c.fcsr >> 5) as u8 & 7);
    }

    /// Why the case's last instruction is illegal, if it is.
    ///
    /// # Errors
    /// No host memory.
    pub fn why(target: Target, case: &Case) -> anyhow::Result<Option<Why>> {
        let mut scratch = Scratch::new(target)?;
        scratch.set_registers(&case.registers);
        scratch.set_csrs(&case.csrs);
        let mut why = None;
        for word in case.words.iter() {
            why = scratch.step(*word)?.and_then(|trap| trap.why);
        }
        Ok(why)
    }

    /// Low byte of the current vtype; all ones if it is illegal.
    pub fn vtype(&self) -> u8 {
        let vtype = self.hart.v.vtype.bits(64);
        if vtype >> 63 != 0 { u8::MAX } else { vtype as u8 }
    }

    /// The current vl.
    pub fn vl(&self) -> u64 {
        self.hart.v.vl
    }

    /// The current vstart.
    pub fn vstart(&self) -> u64 {
        self.hart.v.vstart
    }

    /// Sets vstart.
    pub fn set_vstart(&mut self, vstart: u64) {
        self.hart.v.vstart = vstart;
    }

    /// VLMAX for a vtype; 0 if it is illegal.
    pub fn vlmax(&self, vtype: u64) -> u64 {
        VType::decode(vtype, self.hart.elen()).vlmax(self.hart.v.vlen())
    }

    /// Executes one instruction other than a control transfer; returns its trap, if any.
    ///
    /// # Errors
    /// No host memory.
    pub fn step(&mut self, word: u32) -> anyhow::Result<Option<Trap>> {
        if self.next == CODE + ROOM {
            self.hart.mem.map(CODE, ROOM, Perm::R.union(Perm::X))?;
            self.next = CODE;
        }
        // The page is mapped, so this cannot fail.
        let _ = self.hart.mem.write_as(self.next, &word.to_le_bytes(), Perm::NONE);
        self.hart.pc = self.next;
        self.next += STEP;
        Ok(match self.engine.run(&mut self.hart, 1) {
            Stop::Trap(trap) => Some(trap),
            Stop::Budget | Stop::Paused(_) => None,
        })
    }
}
