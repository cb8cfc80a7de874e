//! Access to control and status registers: those of user mode, and dispatch to those of machine mode.

use crate::csr::number::*;
use crate::csr::{is_counter, mseccfg};
use crate::hart::Hart;
use crate::mode::Mode;
use crate::privilege::Privilege;
use crate::trap::{Cause, Exec, Raised, Trap, Why};
use capvec_isa::{Ext, ExtSet, Op};

/// Extensions of which any one provides the CSR; `None` if nothing here does.
fn provider(csr: u16, xlen: u8) -> Option<ExtSet> {
    Some(match csr {
        CYCLEH | TIMEH | INSTRETH if xlen != 32 => return None,
        FFLAGS | FRM | FCSR => ExtSet::of(&[Ext::F]),
        VSTART | VXSAT | VXRM | VCSR | VL | VTYPE | VLENB => ExtSet::of(&[Ext::Zve32x]),
        SEED => ExtSet::of(&[Ext::Zkr]),
        _ if is_counter(csr) => ExtSet::of(&[Ext::Zicntr]),
        _ => return None,
    })
}

impl Hart {
    /// Checks that the CSR exists, and may be written if `write`.
    pub fn csr_check(&mut self, op: Op, csr: u16, write: bool) -> Exec {
        if self.machine_csr(csr) {
            return self.writable(csr, write);
        }
        let Some(need) = provider(csr, self.config.xlen) else {
            return self.illegal("no such CSR in this mode");
        };
        if !self.config.exts.intersects(need) {
            let why = Some(Why::Needs(op, need));
            self.trap = Trap { cause: Cause::Illegal, tval: 0, why };
            return Err(Raised);
        }
        if self.counter_hidden(csr) {
            return self.illegal("counter without its bit in mcounteren");
        }
        self.writable(csr, write)?;
        if csr == SEED { self.seed_check(write) } else { Ok(()) }
    }

    /// The two highest bits of the number say read-only (Privileged ISA manual, "CSR Address Mapping").
    fn writable(&mut self, csr: u16, write: bool) -> Exec {
        if write && csr >> 10 == 3 {
            return self.illegal("write to a read-only CSR");
        }
        Ok(())
    }

    /// Zkr: reading `seed` wipes it, so an access that does not write is illegal; and below machine mode
    /// `mseccfg` must grant the access (Unprivileged ISA manual, "Access Control to seed").
    fn seed_check(&mut self, write: bool) -> Exec {
        if !write {
            return self.illegal("read-only access to seed");
        }
        let granted = match self.privilege {
            Privilege::User => self.mseccfg & mseccfg::USEED != 0,
            Privilege::Supervisor => self.mseccfg & mseccfg::SSEED != 0,
            Privilege::Machine => true,
        };
        if granted { Ok(()) } else { self.illegal("seed without mseccfg.USEED or SSEED") }
    }

    /// Reads a CSR that has passed `csr_check`.
    pub fn csr_read<M: Mode>(&mut self, csr: u16) -> Exec<u64> {
        if csr == SEED {
            return Ok(self.entropy.read().to_csr() as u64);
        }
        match self.csr_value(csr, M::XLEN) {
            Some(v) => Ok(v),
            None => self.illegal("no such CSR in this mode"),
        }
    }

    /// The value of a CSR that is visible in the current mode and has no read side effect.
    pub fn csr_value(&self, csr: u16, xlen: u32) -> Option<u64> {
        Some(match csr {
            FFLAGS => self.fflags as u64,
            FRM => self.frm as u64,
            FCSR => (self.frm as u64) << 5 | self.fflags as u64,
            VSTART => self.v.vstart,
            VXSAT => self.v.vxsat as u64,
            VXRM => self.v.vxrm as u64,
            VCSR => (self.v.vxrm as u64) << 1 | self.v.vxsat as u64,
            CYCLE => self.counters().1,
            TIME => self.time(),
            INSTRET => self.counters().0,
            CYCLEH => self.counters().1 >> 32,
            TIMEH => self.time() >> 32,
            INSTRETH => self.counters().0 >> 32,
            VL => self.v.vl,
            VTYPE => self.v.vtype.bits(xlen),
            VLENB => self.v.vlenb() as u64,
            _ if self.machine_csr(csr) => self.machine_read(csr),
            _ => return None,
        })
    }

    /// Writes a CSR that has passed `csr_check` for writing.
    pub fn csr_write(&mut self, csr: u16, v: u64) -> Exec {
        match csr {
            FFLAGS => self.fflags = v as u8 & 31,
            FRM => self.frm = v as u8 & 7,
            FCSR => {
                self.fflags = v as u8 & 31;
                self.frm = (v >> 5) as u8 & 7;
            }
            // As many writable bits as the largest element index needs, VLMAX-1 at SEW=8, LMUL=8.
            VSTART => self.v.vstart = v & (self.v.vlen() - 1),
            VXSAT => self.v.vxsat = v & 1 != 0,
            VXRM => self.v.vxrm = v as u8 & 3,
            VCSR => {
                self.v.vxsat = v & 1 != 0;
                self.v.vxrm = (v >> 1) as u8 & 3;
            }
            // Zkr: the value is ignored; the write only marks the access as polling.
            SEED => {}
            _ if self.machine_csr(csr) => self.machine_write(csr, v),
            _ => return self.illegal("no such CSR in this mode"),
        }
        Ok(())
    }
}
