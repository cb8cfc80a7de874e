//! Watches how a checked call uses the stack. "The stack pointer shall be aligned to a 128-bit boundary upon procedure entry" and
//! "must remain aligned throughout procedure execution"; "procedures must not rely upon the persistence of stack-allocated data
//! whose addresses lie below the stack pointer" (RISC-V ELF psABI, "Integer Calling Convention"): a signal handler overwrites them.

use capvec_isa::Op;
use capvec_isa::disasm::disassemble_word;
use capvec_sim::block::{self, Built};
use capvec_sim::engine::Histogram;
use capvec_sim::insn::Insn;
use capvec_sim::mem::Perm;
use capvec_sim::{Engine, Hart, Stop, interp};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A wrong use of the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackFault {
    /// Number of the call, from 0 on, in the order in which the program makes them.
    pub call: usize,
    /// What is wrong, with the instruction.
    pub what: String,
}

/// Bytes below the stack pointer that belong to the stack.
const BELOW: u64 = 65536;
/// Bytes above the stack pointer of a call that are its caller's, and of which nobody gives it the address (`UNUSED` of own/abi.S).
const CALLERS: u64 = 1024;
/// Multiple of which the stack pointer has to be.
const ALIGNMENT: u64 = 16;
/// The stack pointer's number.
const SP: u8 = 2;
/// The immediate of the hints around a call (own/abi.S).
const HINT: i64 = 1;

/// Blocks of an address space, by address.
#[derive(Default)]
struct Blocks {
    /// `Memory::code_version` and `Memory::decoding_version`.
    versions: (u64, u64),
    all: HashMap<u64, Rc<Built>>,
}

/// The reference interpreter's semantics, with a look at the stack pointer after each instruction of a call.
#[derive(Default)]
pub struct StackWatch {
    spaces: HashMap<u64, Blocks>,
    /// The address space of the call that is being watched.
    watched: Option<u64>,
    /// The stack pointer when the call began.
    entry: u64,
    /// The stack pointer after the last instruction of the call.
    sp: u64,
    calls: usize,
    found: Rc<RefCell<Vec<StackFault>>>,
}

impl StackWatch {
    /// An engine, and what it will have found.
    pub fn new() -> (StackWatch, Rc<RefCell<Vec<StackFault>>>) {
        let watch = StackWatch::default();
        let found = Rc::clone(&watch.found);
        (watch, found)
    }

    /// The block at `h.pc`.
    fn block(&mut self, h: &mut Hart) -> Result<Rc<Built>, Stop> {
        let blocks = self.spaces.entry(h.mem.id()).or_default();
        let versions = (h.mem.code_version(), h.mem.decoding_version());
        if blocks.versions != versions {
            blocks.all.clear();
            blocks.versions = versions;
        }
        if let Some(found) = blocks.all.get(&h.pc) {
            return Ok(Rc::clone(found));
        }
        let handlers = interp::table(h.config.xlen, true);
        match block::build(&h.mem, &h.config, handlers, h.pc) {
            Ok(built) => {
                let built = Rc::new(built);
                blocks.all.insert(h.pc, Rc::clone(&built));
                Ok(built)
            }
            Err(trap) => {
                h.trap = trap;
                Err(Stop::Trap(trap))
            }
        }
    }

    /// Runs a block; the error is the trap that ended it.
    fn execute(&mut self, h: &mut Hart, start: u64, b: &Built) -> Result<(), Stop> {
        h.pc = b.end;
        for (k, i) in b.insns.iter().enumerate() {
            h.accesses.clear();
            let pc = start + u64::from(i.offset) * 2;
            if (i.exec)(h, i).is_err() {
                h.instret += k as u64;
                h.cycles += k as u64;
                return Err(Stop::Trap(h.raised_at(pc, i)));
            }
            self.look(h, i, pc);
        }
        h.accesses.clear();
        h.instret += b.insns.len() as u64;
        h.cycles += b.insns.len() as u64;
        Ok(())
    }

    /// The instruction at `pc` has been executed.
    fn look(&mut self, h: &Hart, i: &Insn, pc: u64) {
        match i.op() {
            Op::Srli if i.rd_is_x0() && i.rs1 == 0 && i.imm == HINT => {
                (self.watched, self.entry, self.sp) = (Some(h.mem.id()), h.x(SP), h.x(SP));
                self.calls += 1;
            }
            Op::Srai if i.rd_is_x0() && i.rs1 == 0 && i.imm == HINT => self.watched = None,
            _ if self.watched == Some(h.mem.id()) => {
                let sp = h.x(SP);
                let below = |addr: u64| addr < sp && sp - addr <= BELOW;
                let above = |addr: u64| addr >= self.entry && addr - self.entry < CALLERS;
                let mut stores = h.accesses.iter().filter(|a| a.store);
                if stores.clone().any(|a| below(a.addr)) {
                    self.report(h, i, pc, "stores below the stack pointer");
                }
                if stores.any(|a| above(a.addr)) {
                    self.report(h, i, pc, "stores to the stack of its caller");
                }
                if sp != self.sp && !sp.is_multiple_of(ALIGNMENT) {
                    self.report(h, i, pc, "the stack pointer is not a multiple of 16");
                }
                self.sp = sp;
            }
            _ => {}
        }
    }

    /// Adds a fault, unless the call has it already.
    #[cold]
    fn report(&self, h: &Hart, i: &Insn, pc: u64, what: &str) {
        let mut word = [0; 4];
        // It has been fetched, so it can be read.
        let _ = h.mem.read_as(pc, &mut word[..i.bytes() as usize], Perm::X);
        let text = disassemble_word(u32::from_le_bytes(word), h.config.xlen, pc);
        let what = format!("{what}: {}", text.unwrap_or_default());
        let fault = StackFault { call: self.calls - 1, what };
        let mut found = self.found.borrow_mut();
        if !found.iter().rev().take_while(|f| f.call == fault.call).any(|f| *f == fault) {
            found.push(fault);
        }
    }
}

impl Engine for StackWatch {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        let until = h.instret.saturating_add(budget);
        loop {
            let start = h.pc;
            let ended = self.block(h).and_then(|b| self.execute(h, start, &b));
            match ended {
                Err(stop) => return stop,
                Ok(()) if h.instret >= until => return Stop::Budget,
                Ok(()) => {}
            }
        }
    }

    fn forget(&mut self, space: u64) {
        self.spaces.remove(&space);
    }

    fn switch(&mut self) {}

    fn change_space(&mut self) {}

    fn histogram(&self) -> Option<Histogram> {
        None
    }
}
