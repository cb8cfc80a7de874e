//! Blocks: straight runs of pre-decoded instructions.
//!
//! A block starts where control arrives and ends after the first instruction that may transfer control, after fence.i, after
//! `MAX` instructions, or where fetching or decoding fails. An instruction that reads a counter or accesses a CSR of a
//! higher mode is a block of its own. Engines and core models agree on this, so counts and cycles do too.
//!
//! A block is decoded when control first enters it, and kept until the code is synchronised with memory (see
//! `Memory::code_version`) and the bytes that it was decoded from are found to have changed. So a store to code takes effect
//! on a known block at the next fence.i and not before. A program cannot rely on more (Unprivileged
//! ISA manual, chapter "Zifencei").

mod hash;
mod index;
mod source;

use crate::csr::is_own_block;
use crate::hart::{Config, Hart};
use crate::insn::{Handler, Insn};
use crate::mem::Memory;
use crate::timing::{Plan, Seen, Timing};
use crate::trap::{Cause, Trap, Why};
use capvec_isa::decode::length;
use capvec_isa::{Class, DecodeError, Decoded, Op, decode};
pub use index::{Index, MAX_INSNS};
pub use source::Source;
use std::cell::RefCell;

/// Maximum number of instructions of a block.
pub const MAX: usize = 64;

/// A straight run of instructions.
pub struct Block {
    /// Address of the first instruction.
    pub start: u64,
    /// Address after the last instruction.
    pub end: u64,
    /// Empty only if the block has been dropped.
    pub insns: Box<[Insn]>,
    /// The bytes that it was decoded from.
    pub source: Source,
    /// Costs under the core model.
    pub plan: Plan,
    /// How often it was entered, for observers.
    pub entered: u64,
}

impl Block {
    /// Whether it would be decoded in the same way now.
    pub fn is_unchanged(&self, mem: &Memory) -> bool {
        self.source.is_at(mem, self.start)
    }

    /// Static cycles of all its instructions.
    pub fn cycles(&self) -> u64 {
        self.plan.costs.total().into()
    }

    /// Whether it has not been dropped.
    pub fn is_live(&self) -> bool {
        !self.insns.is_empty()
    }

    /// Frees what it holds.
    pub fn drop_contents(&mut self) {
        (self.insns, self.source, self.plan) = Default::default();
        self.entered = 0;
    }

    /// Executes the instructions from index `from` on under a core model, and adds their cycles. The error is the
    /// index of the instruction that raised a trap; the caller then adds the static cycles of those before it. Calls
    /// `note` with each instruction that has executed.
    #[inline(always)]
    pub fn execute<T: Timing>(
        &self,
        timing: &mut T,
        h: &mut Hart,
        from: usize,
        mut note: impl FnMut(&Hart, usize),
    ) -> Result<(), usize> {
        h.pc = self.end;
        // `h.cycles` may lag: only a block of a single instruction can read the cycle counter.
        let mut cycles = h.cycles;
        let mut next = from;
        for d in self.plan.costs.dynamic().filter(|d| d.index as usize >= from) {
            let k = d.index as usize;
            if let Err(k) = span(h, &self.insns[next..=k], |h, k| note(h, next + k)) {
                h.cycles = cycles;
                return Err(next + k);
            }
            let seen = Seen { accesses: &h.accesses, vl: h.v.vl, vtype: h.v.vtype };
            cycles += timing.execute(cycles + d.issue as u64, d, &self.insns[k], &seen);
            h.accesses.clear();
            next = k + 1;
        }
        h.cycles = cycles;
        span(h, &self.insns[next..], |h, k| note(h, next + k)).map_err(|k| next + k)?;
        h.cycles += self.cycles();
        Ok(())
    }
}

/// Executes these instructions; the error is the index of the one that raised a trap. Calls `note` with each that has
/// executed.
#[inline(always)]
pub fn span(h: &mut Hart, insns: &[Insn], mut note: impl FnMut(&Hart, usize)) -> Result<(), usize> {
    for (k, i) in insns.iter().enumerate() {
        if (i.exec)(h, i).is_err() {
            return Err(k);
        }
        note(h, k);
    }
    Ok(())
}

/// Decodes the instruction at `pc`; returns it with its length in bytes and its bits.
fn fetch(mem: &Memory, config: &Config, pc: u64) -> Result<(Decoded, u64, u32), Trap> {
    if pc & 1 != 0 {
        return Err(Trap::new(Cause::InstructionMisaligned, pc));
    }
    let fault = |at| Trap::new(Cause::InstructionPage, at);
    let low = mem.fetch(pc).ok_or(fault(pc))?;
    let illegal = |bits, why| Trap { cause: Cause::Illegal, tval: bits, why: Some(why) };
    let Some(len) = length(low) else {
        // Longer than 32 bits: the trap value holds as much of it as fits and can be fetched.
        let high = mem.fetch(pc + 2).unwrap_or(0);
        return Err(illegal(low as u64 | (high as u64) << 16, Why::Unknown));
    };
    let word = match len {
        2 => low as u32,
        _ => low as u32 | (mem.fetch(pc + 2).ok_or(fault(pc + 2))? as u32) << 16,
    };
    match decode(word, config.xlen, config.exts) {
        Ok(d) => Ok((d, len as u64, word)),
        Err(DecodeError::Unknown) => Err(illegal(word as u64, Why::Unknown)),
        Err(DecodeError::Needs(op, set)) => Err(illegal(word as u64, Why::Needs(op, set))),
        Err(DecodeError::Reserved(op)) => Err(illegal(word as u64, Why::Reserved(op.name()))),
    }
}

fn stands_alone(d: &Decoded) -> bool {
    d.op.row().class == Class::Csr && is_own_block(d.imm as u16)
}

/// A decoded block without its costs.
pub struct Built {
    /// The instructions.
    pub insns: Box<[Insn]>,
    /// Address after the last one.
    pub end: u64,
    /// The bytes that they were decoded from.
    pub source: Source,
}

/// Decodes the instructions from `start` on. Fails if the first one traps.
pub fn build(
    mem: &Memory,
    config: &Config,
    handlers: &[Handler],
    start: u64,
) -> Result<Built, Trap> {
    // Most of the code that a program executes at its start is executed only a few times, so the cost of allocation matters.
    SCRATCH.with_borrow_mut(|insns| {
        insns.clear();
        let (end, cut) = decode_into(insns, mem, config, handlers, start)?;
        let source = Source::read(mem, start, end, cut);
        Ok(Built { insns: insns.as_slice().into(), end, source })
    })
}

thread_local! {
    /// The instructions of the block that is being decoded.
    static SCRATCH: RefCell<Vec<Insn>> = const { RefCell::new(Vec::new()) };
}

/// Decodes the instructions from `start` on. Returns where the block ends, and whether it ends because of what comes after it.
fn decode_into(
    insns: &mut Vec<Insn>,
    mem: &Memory,
    config: &Config,
    handlers: &[Handler],
    start: u64,
) -> Result<(u64, bool), Trap> {
    let mut pc = start;
    while insns.len() < MAX {
        let (d, len, _) = match fetch(mem, config, pc) {
            Ok(x) => x,
            Err(trap) if insns.is_empty() => return Err(trap),
            Err(_) => return Ok((pc, true)),
        };
        let alone = stands_alone(&d);
        if alone && !insns.is_empty() {
            return Ok((pc, true));
        }
        let exec = handlers[d.op as usize];
        #[cfg(feature = "sabotage")]
        let exec = crate::sabotage::handler(d.op, exec);
        insns.push(Insn::new(&d, exec, pc, ((pc - start) / 2) as u8));
        pc += len;
        if alone || ends(d.op) {
            break;
        }
    }
    Ok((pc, false))
}

/// The single instruction at `pc` and its bits.
pub fn one(
    mem: &Memory,
    config: &Config,
    handlers: &[Handler],
    pc: u64,
) -> Result<(Insn, u32), Trap> {
    let (d, _, word) = fetch(mem, config, pc)?;
    Ok((Insn::new(&d, handlers[d.op as usize], pc, 0), word))
}

/// Instructions after fence.i must be fetched again.
fn ends(op: Op) -> bool {
    op == Op::FenceI || op.row().class.transfers_control()
}
