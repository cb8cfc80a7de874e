//! Reads and writes of guest memory, each after a check of the table of permissions.

use super::{Memory, Perm, Scalar, table};

impl Memory {
    /// Loads at any alignment; `None` if a byte is not readable.
    #[inline(always)]
    pub fn load<T: Scalar>(&self, addr: u64) -> Option<T> {
        if !self.allows(addr, size_of::<T>() as u64, Perm::R) {
            return None;
        }
        // SAFETY: the range lies in the region and is mapped readable, which keeps it readable on the host.
        let v = unsafe { self.base.add(addr as usize).cast::<T>().read_unaligned() };
        Some(v.decode_le())
    }

    /// Stores at any alignment; `None`, with nothing written, if a byte is not writable.
    #[inline(always)]
    pub fn store<T: Scalar>(&self, addr: u64, v: T) -> Option<()> {
        let len = size_of::<T>() as u64;
        // SAFETY: the range lies in the region and is mapped writable, on the host too once it is opened.
        let store =
            || unsafe { self.base.add(addr as usize).cast::<T>().write_unaligned(v.encode_le()) };
        if self.allows(addr, len, Perm(table::WRITE)) {
            store();
            return Some(());
        }
        if !self.note_store(addr, len) {
            return None;
        }
        self.opened((addr, len), table::WRITE, store).ok()
    }

    /// Fetches the half-word at an even `addr`; `None` if it is not executable.
    pub fn fetch(&self, addr: u64) -> Option<u16> {
        if !self.allows(addr, 2, Perm::X) {
            return None;
        }
        // SAFETY: mapped pages are readable on the host once they are opened.
        let fetch = || unsafe { self.base.add(addr as usize).cast::<u16>().read_unaligned() };
        self.opened((addr, 2), table::READ, fetch).ok().map(u16::from_le)
    }

    /// Copies guest memory out under permission `need`. The error is the faulting address.
    pub fn read_as(&self, addr: u64, to: &mut [u8], need: Perm) -> Result<(), u64> {
        let need = Perm(need.0 | Perm::MAPPED);
        if to.is_empty() {
            return Ok(());
        }
        if !self.allows(addr, to.len() as u64, need) {
            return Err(self.first_fault(addr, to.len() as u64, need));
        }
        let len = to.len();
        // SAFETY: the range is mapped, and opened; `to` is ours and cannot overlap the region.
        let copy = || unsafe {
            std::ptr::copy_nonoverlapping(self.base.add(addr as usize), to.as_mut_ptr(), len);
        };
        self.opened((addr, len as u64), table::READ, copy).map_err(|_| addr)
    }

    /// Copies readable guest memory out. The error is the first address that is not readable.
    pub fn read(&self, addr: u64, to: &mut [u8]) -> Result<(), u64> {
        self.read_as(addr, to, Perm::R)
    }

    /// Copies into writable guest memory. The error is the first address that is not writable; then nothing is
    /// written.
    pub fn write(&self, addr: u64, from: &[u8]) -> Result<(), u64> {
        self.write_as(addr, from, Perm::W)
    }

    /// Copies into guest memory under permission `need`. `Perm::NONE` is for a loader, which writes to pages that the
    /// guest may not write.
    pub fn write_as(&self, addr: u64, from: &[u8], need: Perm) -> Result<(), u64> {
        let need = Perm(need.0 | Perm::MAPPED);
        if from.is_empty() {
            return Ok(());
        }
        if !self.allows(addr, from.len() as u64, need) {
            return Err(self.first_fault(addr, from.len() as u64, need));
        }
        self.note_writes(addr, from.len() as u64);
        self.region.changes.note(addr, from.len() as u64);
        // SAFETY: the range is mapped, so writable on the host once it is opened; `from` is ours.
        let copy = || unsafe {
            std::ptr::copy_nonoverlapping(from.as_ptr(), self.base.add(addr as usize), from.len());
        };
        self.opened((addr, from.len() as u64), table::WRITE, copy).map_err(|_| addr)
    }
}
