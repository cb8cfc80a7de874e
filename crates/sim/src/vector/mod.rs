//! Vector state, and what vector instructions share (Unprivileged ISA manual, chapter "V").

mod check;
mod element;
mod file;
mod form;
mod group;
mod keccak_groups;
mod ops;
mod vtype;

pub use check::Group;
pub use element::Elem;
pub use form::{Form, Operand};
pub use group::Source;
pub use ops::*;
pub use vtype::VType;

/// The vector registers and their CSRs.
#[derive(Clone)]
pub struct Vector {
    vlenb: usize,
    regs: file::RegisterFile,
    /// Vector length: number of elements to process.
    pub vl: u64,
    /// Selected element width, group multiplier and policies.
    pub vtype: VType,
    /// First element to process.
    pub vstart: u64,
    /// Fixed-point rounding mode, 0..=3: rnu, rne, rdn, rod.
    pub vxrm: u8,
    /// Fixed-point saturation flag.
    pub vxsat: bool,
}

impl Vector {
    /// Zeroed registers of `vlen` bits; vtype is illegal until the first vset.
    pub fn new(vlen: u32) -> Vector {
        let vlenb = vlen as usize / 8;
        Vector {
            vlenb,
            regs: file::RegisterFile::new(32 * vlenb),
            vl: 0,
            vtype: VType::ILLEGAL,
            vstart: 0,
            vxrm: 0,
            vxsat: false,
        }
    }

    /// Bytes of a register.
    pub fn vlenb(&self) -> usize {
        self.vlenb
    }

    /// VLEN in bits.
    pub fn vlen(&self) -> u64 {
        self.vlenb as u64 * 8
    }

    /// VLMAX under the current vtype.
    pub fn vlmax(&self) -> u64 {
        self.vtype.vlmax(self.vlen())
    }

    /// The bytes from register `r` to the end of the register file; callers index within the group.
    pub fn bytes(&self, r: u8) -> &[u8] {
        &self.regs[r as usize * self.vlenb..]
    }

    /// `bytes` for writing.
    pub fn bytes_mut(&mut self, r: u8) -> &mut [u8] {
        &mut self.regs[r as usize * self.vlenb..]
    }

    /// Copies these bytes of the group at `from` to the group at `to`.
    pub fn copy(&mut self, to: u8, from: u8, bytes: std::ops::Range<usize>) {
        let (to, from) = (to as usize * self.vlenb, from as usize * self.vlenb);
        self.regs.copy_within(from + bytes.start..from + bytes.end, to + bytes.start);
    }

    /// Element `i` of the group that starts at register `r`.
    #[inline(always)]
    pub fn get<T: Elem>(&self, r: u8, i: u64) -> T {
        let at = r as usize * self.vlenb + i as usize * size_of::<T>();
        T::read(&self.regs[at..at + size_of::<T>()])
    }

    /// Sets element `i` of the group that starts at register `r`.
    #[inline(always)]
    pub fn set<T: Elem>(&mut self, r: u8, i: u64, v: T) {
        let at = r as usize * self.vlenb + i as usize * size_of::<T>();
        v.write(&mut self.regs[at..at + size_of::<T>()]);
    }

    /// Bit `i` of mask register `r`.
    #[inline(always)]
    pub fn mask_bit(&self, r: u8, i: u64) -> bool {
        self.regs[r as usize * self.vlenb + i as usize / 8] >> (i % 8) & 1 != 0
    }

    /// Sets bit `i` of mask register `r`.
    #[inline(always)]
    pub fn set_mask_bit(&mut self, r: u8, i: u64, v: bool) {
        let byte = &mut self.regs[r as usize * self.vlenb + i as usize / 8];
        *byte = *byte & !(1 << (i % 8)) | (v as u8) << (i % 8);
    }
}
