//! Machine-mode CSRs.

use super::registers::Machine;
use crate::csr::{is_counter, mseccfg};
use crate::hart::Hart;
use crate::privilege::Privilege;
use capvec_isa::{Ext, ExtSet};

mod n {
    pub const MSTATUS: u16 = 0x300;
    pub const MISA: u16 = 0x301;
    pub const MIE: u16 = 0x304;
    pub const MTVEC: u16 = 0x305;
    pub const MCOUNTEREN: u16 = 0x306;
    pub const MENVCFG: u16 = 0x30a;
    pub const MSTATUSH: u16 = 0x310;
    pub const MENVCFGH: u16 = 0x31a;
    pub const MCOUNTINHIBIT: u16 = 0x320;
    pub const MHPMEVENT3: u16 = 0x323;
    pub const MHPMEVENT31: u16 = 0x33f;
    pub const MSCRATCH: u16 = 0x340;
    pub const MEPC: u16 = 0x341;
    pub const MCAUSE: u16 = 0x342;
    pub const MTVAL: u16 = 0x343;
    pub const MIP: u16 = 0x344;
    pub const MSECCFG: u16 = 0x747;
    pub const MSECCFGH: u16 = 0x757;
    pub const TSELECT: u16 = 0x7a0;
    pub const TDATA3: u16 = 0x7a3;
    pub const MCYCLE: u16 = 0xb00;
    pub const MINSTRET: u16 = 0xb02;
    pub const MHPMCOUNTER31: u16 = 0xb1f;
    pub const MCYCLEH: u16 = 0xb80;
    pub const MINSTRETH: u16 = 0xb82;
    pub const MHPMCOUNTER31H: u16 = 0xb9f;
    pub const MVENDORID: u16 = 0xf11;
    pub const MCONFIGPTR: u16 = 0xf15;
}

/// Interrupts that can be enabled: software, timer and external, of machine mode.
const MIE_BITS: u64 = 1 << 3 | 1 << 7 | 1 << 11;
/// `cycle`, `time` and `instret`.
const COUNTERS: u64 = 7;
/// `menvcfg`: how user mode may use cache-block instructions.
pub(crate) mod envcfg {
    /// `cbo.inval`: 0 illegal, 1 flushes, 3 invalidates.
    pub const CBIE: u64 = 3 << 4;
    /// `cbo.clean` and `cbo.flush`.
    pub const CBCFE: u64 = 1 << 6;
    /// `cbo.zero`.
    pub const CBZE: u64 = 1 << 7;
}

/// `misa`: XLEN and a bit for each letter.
fn misa(exts: ExtSet, xlen: u8) -> u64 {
    let letter = |c: u8| 1u64 << (c - b'a');
    // B is the name of all three together, whether or not it was given (Unprivileged ISA manual, "B").
    let three = ExtSet::of(&[Ext::Zba, Ext::Zbb, Ext::Zbs]);
    let exts = if exts.contains(three) { exts.with(Ext::B) } else { exts };
    let named = exts.iter().filter(|e| e.name().len() == 1).map(|e| letter(e.name().as_bytes()[0]));
    let mxl = if xlen == 32 { 1 << 30 } else { 2 << 62 };
    mxl | named.fold(letter(b'u'), |bits, b| bits | b)
}

/// The counter after a write of `v`; RV32 writes one half of it.
fn counter(old: u64, v: u64, high: bool, xlen: u8) -> u64 {
    match (xlen, high) {
        (32, false) => old >> 32 << 32 | v as u32 as u64,
        (32, true) => v << 32 | old as u32 as u64,
        _ => v,
    }
}

impl Machine {
    fn exists(&self, csr: u16) -> bool {
        match csr {
            n::MSTATUS..=n::MISA | n::MIE..=n::MCOUNTEREN | n::MENVCFG | n::MCOUNTINHIBIT => true,
            n::MHPMEVENT3..=n::MHPMEVENT31 | n::MSCRATCH..=n::MIP | n::TSELECT..=n::TDATA3 => true,
            n::MCYCLE | n::MINSTRET..=n::MHPMCOUNTER31 | n::MVENDORID..=n::MCONFIGPTR => true,
            n::MSECCFG => self.whole.exts.has(Ext::Zkr),
            n::MSECCFGH => self.whole.xlen == 32 && self.whole.exts.has(Ext::Zkr),
            n::MSTATUSH | n::MENVCFGH | n::MCYCLEH => self.whole.xlen == 32,
            n::MINSTRETH..=n::MHPMCOUNTER31H => self.whole.xlen == 32,
            _ => false,
        }
    }

    fn writable_envcfg(&self) -> u64 {
        let has = |e, bits| if self.whole.exts.has(e) { bits } else { 0 };
        has(Ext::Zicbom, envcfg::CBIE | envcfg::CBCFE) | has(Ext::Zicboz, envcfg::CBZE)
    }
}

impl Hart {
    /// Whether machine mode has this CSR and the current mode may access it.
    pub(crate) fn machine_csr(&self, csr: u16) -> bool {
        self.privilege == Privilege::Machine && self.machine.as_ref().is_some_and(|m| m.exists(csr))
    }

    /// Whether the current mode may do what `bits` of `menvcfg` grant to user mode; `otherwise` if machine mode is
    /// not modelled.
    pub(crate) fn user_may(&self, bits: u64, otherwise: bool) -> bool {
        let granted = self.machine.as_ref().map_or(otherwise, |m| m.menvcfg & bits != 0);
        self.privilege == Privilege::Machine || granted
    }

    /// Whether `mcounteren` keeps user mode from this counter.
    pub(crate) fn counter_hidden(&self, csr: u16) -> bool {
        // The low bits of the CSR's number are the number of its bit, also for an upper half.
        let enabled = |m: &Machine| m.mcounteren >> (csr & 31) & 1 != 0;
        is_counter(csr)
            && self.privilege != Privilege::Machine
            && self.machine.as_ref().is_some_and(|m| !enabled(m))
    }

    /// `instret` and `cycle` as software sees them.
    pub(crate) fn counters(&self) -> (u64, u64) {
        let ahead = self.machine.as_ref().map_or((0, 0), |m| (m.instret_offset, m.cycle_offset));
        (self.instret.wrapping_add(ahead.0), self.cycles.wrapping_add(ahead.1))
    }

    /// The value of a machine-mode CSR, whatever the current mode; 0 if it does not exist.
    pub fn machine_read(&self, csr: u16) -> u64 {
        let Some(m) = &self.machine else { return 0 };
        match csr {
            n::MSTATUS => m.status.bits(m.whole.xlen),
            n::MISA => misa(m.whole.exts, m.whole.xlen),
            n::MIE => m.mie,
            n::MTVEC => m.mtvec,
            n::MCOUNTEREN => m.mcounteren,
            n::MENVCFG => m.menvcfg,
            n::MSCRATCH => m.mscratch,
            n::MEPC => m.mepc,
            n::MCAUSE => m.mcause,
            n::MTVAL => m.mtval,
            n::MSECCFG => self.mseccfg,
            n::MINSTRET => self.counters().0,
            n::MCYCLE => self.counters().1,
            n::MINSTRETH => self.counters().0 >> 32,
            n::MCYCLEH => self.counters().1 >> 32,
            // Unregistered implementation, hart 0, no event counters, no triggers, no pending interrupt, nothing
            // inhibited.
            _ => 0,
        }
    }

    /// Writes a CSR that `machine_csr` has granted. Unimplemented fields keep their value (WARL).
    pub(crate) fn machine_write(&mut self, csr: u16, v: u64) {
        let (instret, cycles) = (self.instret, self.cycles);
        let (all_instret, all_cycles) = self.counters();
        let Some(m) = &mut self.machine else { return };
        match csr {
            n::MSTATUS => {
                let has = |e| m.whole.exts.has(e);
                m.status.write(v, has(Ext::F), has(Ext::Zve32x));
                self.apply_status();
            }
            n::MIE => m.mie = v & MIE_BITS,
            // Direct and vectored; the others are reserved.
            n::MTVEC => m.mtvec = v & !2,
            n::MCOUNTEREN => m.mcounteren = v & COUNTERS,
            n::MENVCFG => m.menvcfg = v & m.writable_envcfg(),
            n::MSCRATCH => m.mscratch = v,
            n::MEPC => m.mepc = v & if m.whole.exts.has(Ext::C) { !1 } else { !3 },
            n::MCAUSE => m.mcause = v,
            n::MTVAL => m.mtval = v,
            // Without supervisor mode, SSEED is 0.
            n::MSECCFG => self.mseccfg = v & mseccfg::USEED,
            // The new value is not incremented for the writing instruction itself.
            n::MINSTRET | n::MINSTRETH => {
                let v = counter(all_instret, v, csr == n::MINSTRETH, m.whole.xlen);
                m.instret_offset = v.wrapping_sub(instret + 1);
            }
            n::MCYCLE | n::MCYCLEH => {
                let v = counter(all_cycles, v, csr == n::MCYCLEH, m.whole.xlen);
                m.cycle_offset = v.wrapping_sub(cycles);
            }
            _ => {}
        }
    }
}
