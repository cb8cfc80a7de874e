//! Machine mode: its registers, and entering and leaving it (Privileged ISA manual, chapter "Machine-Level ISA").
//!
//! A hart with machine mode has user mode below it, but no supervisor mode, address translation, physical memory
//! protection or interrupt sources. So nothing is delegated, and `mip` reads 0.

mod csr;
pub(crate) mod registers;
mod status;

use crate::config::Config;
use crate::hart::Hart;
use crate::privilege::Privilege;
use crate::trap::{Cause, Trap};
use capvec_isa::{Ext, ExtSet};
pub(crate) use csr::envcfg;
pub use registers::Machine;
use status::Status;
use std::sync::Arc;

/// The extensions of the set that depend on `base`, directly or not, and `base` itself.
fn depending(exts: ExtSet, base: Ext) -> ExtSet {
    exts.iter().filter(|e| ExtSet::of(&[*e]).closed().has(base)).collect()
}

impl Hart {
    /// The configuration with all units on, whatever `mstatus` switches off.
    pub fn whole_config(&self) -> &Config {
        self.machine.as_ref().map_or(&*self.config, |m| &*m.whole)
    }

    /// Gives the hart a machine mode, resets it, and enters it.
    pub fn reset_machine(&mut self) {
        self.privilege = Privilege::Machine;
        self.mseccfg = 0;
        self.machine = Some(Box::new(Machine {
            status: Status::default(),
            mtvec: 0,
            mepc: 0,
            mcause: 0,
            mtval: 0,
            mscratch: 0,
            mie: 0,
            mcounteren: 0,
            menvcfg: 0,
            instret_offset: 0,
            cycle_offset: 0,
            whole: Arc::clone(&self.config),
        }));
        self.apply_status();
    }

    /// Takes the trap in machine mode; returns false, with nothing changed, if the hart has none.
    pub fn take_trap(&mut self, trap: Trap) -> bool {
        let (pc, from) = (self.pc, self.privilege);
        let Some(m) = &mut self.machine else { return false };
        m.mepc = pc;
        m.mcause = cause(trap.cause) as u64;
        m.mtval = if trap.cause == Cause::Breakpoint { pc } else { trap.tval };
        m.status.enter(from);
        self.pc = m.whole.address(m.mtvec) & !3;
        self.privilege = Privilege::Machine;
        true
    }

    /// Base address of the trap handler, if the hart has machine mode.
    pub fn trap_vector(&self) -> Option<u64> {
        self.machine.as_ref().map(|m| m.whole.address(m.mtvec) & !3)
    }

    /// Executes `mret`; returns false if the current mode may not.
    pub(crate) fn leave_machine(&mut self) -> bool {
        if self.privilege != Privilege::Machine {
            return false;
        }
        let Some(m) = &mut self.machine else { return false };
        self.privilege = m.status.leave();
        self.pc = m.whole.address(m.mepc);
        true
    }

    /// Removes the extensions whose unit is off in `mstatus`: their instructions do not decode and their CSRs do not
    /// exist, which is what "off" means ("Extension Context Status in mstatus Register").
    fn apply_status(&mut self) {
        let Some(m) = &self.machine else { return };
        let all = m.whole.exts;
        let mut exts = all;
        if m.status.fs == 0 {
            exts = exts.minus(depending(all, Ext::F));
            // V depends on D but is more than floating point: vmulh at SEW 64 is in V, not in Zve64x.
            exts = if all.has(Ext::V) { exts.with(Ext::V) } else { exts };
        }
        if m.status.vs == 0 {
            exts = exts.minus(depending(all, Ext::Zve32x));
        }
        if exts != self.config.exts {
            self.config = Arc::new(Config { exts, ..Config::clone(&m.whole) });
            self.mem.decoding_changed();
        }
    }
}

/// Without translation, an access outside memory is an access fault.
fn cause(cause: Cause) -> Cause {
    match cause {
        Cause::InstructionPage => Cause::InstructionAccess,
        Cause::LoadPage => Cause::LoadAccess,
        Cause::StorePage => Cause::StoreAccess,
        other => other,
    }
}
