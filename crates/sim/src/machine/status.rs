//! The fields of `mstatus` that a hart without supervisor mode has.

use crate::privilege::Privilege;

const MIE: u64 = 1 << 3;
const MPIE: u64 = 1 << 7;
const MPRV: u64 = 1 << 17;
const TW: u64 = 1 << 21;
const VS: u32 = 9;
const MPP: u32 = 11;
const FS: u32 = 13;
const UXL_64: u64 = 2 << 32;
/// SD, which is bit 31 on RV32. RV32 has no UXL.
const SD_64: u64 = 1 << 63;
const SD_32: u64 = 1 << 31;
/// The dirty state of a unit. All states but off read as dirty, which the manual allows.
const DIRTY: u64 = 3;

/// `mstatus`.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    mie: bool,
    mpie: bool,
    mprv: bool,
    tw: bool,
    mpp: Privilege,
    /// State of the floating-point unit, 0 for off.
    pub fs: u64,
    /// State of the vector unit, 0 for off.
    pub vs: u64,
}

impl Default for Status {
    fn default() -> Status {
        let mpp = Privilege::User;
        Status { mie: false, mpie: false, mprv: false, tw: false, mpp, fs: 0, vs: 0 }
    }
}

impl Status {
    /// The CSR's value on a hart of this XLEN.
    pub fn bits(self, xlen: u8) -> u64 {
        let (sd, uxl) = if xlen == 32 { (SD_32, 0) } else { (SD_64, UXL_64) };
        let flag = |set, bit| if set { bit } else { 0 };
        flag(self.mie, MIE)
            | flag(self.mpie, MPIE)
            | flag(self.mprv, MPRV)
            | flag(self.tw, TW)
            | (self.mpp as u64) << MPP
            | self.fs << FS
            | self.vs << VS
            | flag(self.fs == DIRTY || self.vs == DIRTY, sd)
            | uxl
    }

    /// Applies a write; units that the hart lacks stay off.
    pub fn write(&mut self, v: u64, has_f: bool, has_v: bool) {
        let state = |at, has| if has && v >> at & 3 != 0 { DIRTY } else { 0 };
        self.mie = v & MIE != 0;
        self.mpie = v & MPIE != 0;
        self.mprv = v & MPRV != 0;
        self.tw = v & TW != 0;
        match v >> MPP & 3 {
            0 => self.mpp = Privilege::User,
            3 => self.mpp = Privilege::Machine,
            // An unsupported mode: the field keeps its value.
            _ => {}
        }
        (self.fs, self.vs) = (state(FS, has_f), state(VS, has_v));
    }

    /// A trap into machine mode.
    pub fn enter(&mut self, from: Privilege) {
        (self.mpie, self.mie, self.mpp) = (self.mie, false, from);
    }

    /// Applies `mret`; returns the mode to continue in.
    pub fn leave(&mut self) -> Privilege {
        let to = self.mpp;
        (self.mie, self.mpie, self.mpp) = (self.mpie, true, Privilege::User);
        if to != Privilege::Machine {
            self.mprv = false;
        }
        to
    }
}
