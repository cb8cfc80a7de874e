//! One instruction at a time, with what it did to memory: for logs and debuggers, which need no speed.

use crate::block;
use crate::exec::handlers;
use crate::hart::{Access, Hart};
use crate::insn::{Handler, Insn};
use crate::mode::Observed64;
use crate::trap::{Cause, Trap, Why};

const HANDLERS: &[Handler] = &handlers::<Observed64>();

/// An instruction that retired.
#[derive(Clone)]
pub struct Retired {
    /// Its address.
    pub pc: u64,
    /// Its bits.
    pub bits: u32,
    /// Decoded.
    pub insn: Insn,
    /// What it accessed, in order.
    pub accesses: Vec<Access>,
}

/// Executes the instruction at `h.pc`: one retired instruction and one cycle.
///
/// # Errors
/// The trap that it raised instead; `h.pc` stays.
pub fn step(h: &mut Hart) -> Result<Retired, Trap> {
    let pc = h.pc;
    let fetched = block::one(&h.mem, &h.config, HANDLERS, pc);
    let (insn, bits) = fetched.inspect_err(|trap| h.trap = *trap)?;
    h.accesses.clear();
    h.pc = pc + insn.bytes();
    if (insn.exec)(h, &insn).is_err() {
        h.pc = pc;
        h.accesses.clear();
        if h.trap.cause == Cause::Illegal {
            h.illegal_at(bits, h.trap.why.unwrap_or(Why::Unknown));
        }
        return Err(h.trap);
    }
    h.instret += 1;
    h.cycles += 1;
    Ok(Retired { pc, bits, insn, accesses: std::mem::take(&mut h.accesses) })
}
