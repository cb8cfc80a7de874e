//! Access to the guest's memory on behalf of system calls. Every pointer comes from the guest and may be invalid.

use super::{Reads, STACK_LIMIT, Space};
use crate::base::errno::{Errno, Result};
use crate::base::time::{SECOND, from_timespec};
use crate::fs::abi::limit::PATH_MAX;
use capvec_sim::mem::{PAGE, Perm, Scalar};
use std::cell::RefCell;

/// Maximum number of strings in an argument list (`MAX_ARG_STRINGS` is larger, but memory runs out first), and of bytes
/// in a string.
const MAX_STRINGS: usize = 1 << 18;
const MAX_STRING: usize = 128 << 10;

/// The memory of a process as its system calls access it: an access below a stack that can grow makes it grow. What they read is
/// noted, except by `copy` and `text`.
#[derive(Clone, Copy)]
pub struct GuestMemory<'a> {
    /// The address space.
    pub space: &'a RefCell<Space>,
    /// Notes what the call in flight acts on.
    pub reads: &'a Reads,
}

impl GuestMemory<'_> {
    fn grow_stack(self, addr: u64) -> bool {
        self.space.borrow_mut().grow_stack(addr)
    }

    /// Retries as long as the fault was below a stack that can grow.
    fn with_growth(
        self,
        mut access: impl FnMut(&Space) -> std::result::Result<(), u64>,
    ) -> Result<()> {
        loop {
            let accessed = access(&self.space.borrow());
            match accessed {
                Ok(()) => return Ok(()),
                Err(at) if self.grow_stack(at) => {}
                Err(_) => return Err(Errno::EFAULT),
            }
        }
    }

    /// Copies from the guest what the call acts on.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn read(self, addr: u64, to: &mut [u8]) -> Result<()> {
        self.copy(addr, to)?;
        self.reads.note(addr, to.len() as u64);
        Ok(())
    }

    /// Copies from the guest without noting it: the call passes the bytes on, or the caller itself notes which of them it acts on.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn copy(self, addr: u64, to: &mut [u8]) -> Result<()> {
        self.with_growth(|space| space.mem.read(addr, to))
    }

    /// Copies to the guest; all or nothing.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn write(self, addr: u64, from: &[u8]) -> Result<()> {
        self.with_growth(|space| space.mem.write(addr, from))
    }

    /// Reads an integer.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn get<T: Scalar>(self, addr: u64) -> Result<T> {
        let load = || self.space.borrow().mem.load(addr);
        let loaded = load().or_else(|| self.grow_stack(addr).then(load).flatten());
        self.reads.note(addr, size_of::<T>() as u64);
        loaded.ok_or(Errno::EFAULT)
    }

    /// Writes an integer.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn put<T: Scalar>(self, addr: u64, v: T) -> Result<()> {
        let store = || self.space.borrow().mem.store(addr, v);
        let stored = store().or_else(|| self.grow_stack(addr).then(store).flatten());
        stored.ok_or(Errno::EFAULT)?;
        self.space.borrow().mem.note_change(addr, size_of::<T>() as u64);
        Ok(())
    }

    /// Reads `N` 64-bit words.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn get_words<const N: usize>(self, addr: u64) -> Result<[u64; N]> {
        let mut words = [0; N];
        for (i, w) in (0..).zip(&mut words) {
            *w = self.get(addr.wrapping_add(8 * i))?;
        }
        Ok(words)
    }

    /// Writes 64-bit words.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn put_words(self, addr: u64, words: &[u64]) -> Result<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.write(addr, &bytes)
    }

    /// Reads a `struct timespec` in nanoseconds.
    ///
    /// # Errors
    /// `EFAULT`, `EINVAL`.
    pub fn get_timespec(self, addr: u64) -> Result<u64> {
        let [sec, nsec] = self.get_words(addr)?;
        from_timespec(sec as i64, nsec as i64)
    }

    /// Writes a `struct timespec`.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn put_timespec(self, addr: u64, ns: u64) -> Result<()> {
        self.put_words(addr, &[ns / SECOND, ns % SECOND])
    }

    /// Reads a `struct timeval` in nanoseconds.
    ///
    /// # Errors
    /// `EFAULT`, `EINVAL`.
    pub fn get_timeval(self, addr: u64) -> Result<u64> {
        let [sec, usec] = self.get_words(addr)?;
        from_timespec(sec as i64, (usec as i64).saturating_mul(1000))
    }

    /// Reads a string up to its NUL.
    ///
    /// # Errors
    /// `EFAULT`; `too_long` when there is no NUL in the first `max` bytes.
    pub fn string(self, addr: u64, max: usize, too_long: Errno) -> Result<Vec<u8>> {
        let string = self.text(addr, max, too_long)?;
        self.reads.note(addr, string.len() as u64 + 1);
        Ok(string)
    }

    /// The same for a string that the call only passes on.
    ///
    /// # Errors
    /// As `string`.
    pub fn text(self, addr: u64, max: usize, too_long: Errno) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let mut at = addr;
        while out.len() < max {
            // Up to the page's end: the next page may not be mapped.
            let len = ((PAGE - at % PAGE) as usize).min(max - out.len());
            let mut chunk = vec![0; len];
            self.copy(at, &mut chunk)?;
            if let Some(end) = chunk.iter().position(|b| *b == 0) {
                out.extend(&chunk[..end]);
                return Ok(out);
            }
            out.extend(&chunk);
            at = at.wrapping_add(len as u64);
        }
        Err(too_long)
    }

    /// Reads a path.
    ///
    /// # Errors
    /// `EFAULT`, `ENAMETOOLONG`.
    pub fn path(self, addr: u64) -> Result<Vec<u8>> {
        self.string(addr, PATH_MAX, Errno::ENAMETOOLONG)
    }

    /// Reads a list of strings that ends with a null pointer.
    ///
    /// # Errors
    /// `EFAULT`, `E2BIG`.
    pub fn strings(self, addr: u64) -> Result<Vec<Vec<u8>>> {
        let mut out = Vec::new();
        let mut bytes = 0;
        // Linux takes a null list for an empty one.
        if addr == 0 {
            return Ok(out);
        }
        loop {
            let p: u64 = self.get(addr.wrapping_add(8 * out.len() as u64))?;
            if p == 0 {
                return Ok(out);
            }
            let s = self.string(p, MAX_STRING, Errno::E2BIG)?;
            bytes += s.len() + 9;
            if out.len() >= MAX_STRINGS || bytes as u64 > STACK_LIMIT {
                return Err(Errno::E2BIG);
            }
            out.push(s);
        }
    }

    /// The number of bytes from `addr` on, at most `len`, that allow the access `need`.
    ///
    /// # Errors
    /// `EFAULT` when the first byte does not.
    pub fn accessible(self, addr: u64, len: u64, need: Perm) -> Result<u64> {
        let first_fault = || {
            let mem = &self.space.borrow().mem;
            (!mem.allows(addr, len, need)).then(|| mem.first_fault(addr, len, need))
        };
        while let Some(fault) = first_fault() {
            if self.grow_stack(fault) {
                continue;
            }
            return match fault.wrapping_sub(addr) {
                0 => Err(Errno::EFAULT),
                n => Ok(n.min(len)),
            };
        }
        Ok(len)
    }
}
