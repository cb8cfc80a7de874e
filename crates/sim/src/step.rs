//! Executes one instruction at a time and reports what it accessed, for logs and debuggers, which need no speed.

use crate::block;
use crate::hart::{Access, Hart};
use crate::insn::{Exec, Insn};
use crate::interp::table;
use crate::trap::{Cause, Trap, Why};
use capvec_isa::Class;

/// Flags that an instruction raised, whether or not they were set before. Instructions that write the flags' CSRs
/// raise none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Floating-point flags, as in `fflags`.
    pub fflags: u8,
    /// Fixed-point saturation.
    pub vxsat: bool,
}

/// An instruction that retired.
#[derive(Clone)]
pub struct Retired {
    /// Its address.
    pub pc: u64,
    /// Its bits.
    pub bits: u32,
    /// Decoded.
    pub insn: Insn,
    /// Flags that it raised.
    pub raised: Flags,
    /// Its memory accesses, in order.
    pub accesses: Vec<Access>,
}

/// Executes the instruction at `h.pc` and counts one retired instruction and one cycle.
///
/// # Errors
/// The trap that it raised; `h.pc` is unchanged.
pub fn step(h: &mut Hart) -> Result<Retired, Trap> {
    let pc = h.pc;
    let fetched = block::one(&h.mem, &h.config, table(h.config.xlen, true), pc);
    let (insn, bits) = fetched.inspect_err(|trap| h.trap = *trap)?;
    h.accesses.clear();
    h.pc = pc + insn.bytes();
    let (result, raised) = execute(h, &insn);
    if result.is_err() {
        h.pc = pc;
        h.accesses.clear();
        if h.trap.cause == Cause::Illegal {
            h.illegal_at(bits, h.trap.why.unwrap_or(Why::Unknown));
        }
        return Err(h.trap);
    }
    h.instret += 1;
    h.cycles += 1;
    Ok(Retired { pc, bits, insn, raised, accesses: std::mem::take(&mut h.accesses) })
}

fn execute(h: &mut Hart, insn: &Insn) -> (Exec, Flags) {
    if insn.op().row().class == Class::Csr {
        return ((insn.exec)(h, insn), Flags { fflags: 0, vxsat: false });
    }
    let accrued = (h.fflags, h.v.vxsat);
    (h.fflags, h.v.vxsat) = (0, false);
    let result = (insn.exec)(h, insn);
    let raised = Flags { fflags: h.fflags, vxsat: h.v.vxsat };
    h.fflags |= accrued.0;
    h.v.vxsat |= accrued.1;
    (result, raised)
}
