//! Access to the guest's memory on behalf of system calls. Every pointer comes from the guest and may be invalid.

use crate::base::errno::{Errno, Result};
use crate::fs::abi::limit::PATH_MAX;
use crate::kernel::Kernel;
use capvec_sim::mem::{PAGE, Perm, Scalar};

/// Maximum number of strings in an argument list (`MAX_ARG_STRINGS` is larger, but memory ends before), and of bytes in
/// a string.
const MAX_STRINGS: usize = 1 << 18;
const MAX_STRING: usize = 128 << 10;

impl Kernel {
    /// Retries as long as the fault was below a stack that can grow.
    fn with_growth(&self, mut f: impl FnMut() -> std::result::Result<(), u64>) -> Result<()> {
        while let Err(at) = f() {
            if !self.space().grow_stack(at) {
                return Err(Errno::EFAULT);
            }
        }
        Ok(())
    }

    /// Copies from the guest.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn read_guest(&self, addr: u64, to: &mut [u8]) -> Result<()> {
        self.with_growth(|| self.hart.mem.read(addr, to))
    }

    /// Copies to the guest; all or nothing.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn write_guest(&self, addr: u64, from: &[u8]) -> Result<()> {
        self.with_growth(|| self.hart.mem.write(addr, from))
    }

    /// Reads an integer.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn get<T: Scalar>(&self, addr: u64) -> Result<T> {
        match self.hart.mem.load(addr) {
            Some(v) => Ok(v),
            None if self.space().grow_stack(addr) => self.hart.mem.load(addr).ok_or(Errno::EFAULT),
            None => Err(Errno::EFAULT),
        }
    }

    /// Writes an integer.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn put<T: Scalar>(&self, addr: u64, v: T) -> Result<()> {
        match self.hart.mem.store(addr, v) {
            Some(()) => Ok(()),
            None if self.space().grow_stack(addr) => {
                self.hart.mem.store(addr, v).ok_or(Errno::EFAULT)
            }
            None => Err(Errno::EFAULT),
        }
    }

    /// Reads `N` 64-bit words.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn get_words<const N: usize>(&self, addr: u64) -> Result<[u64; N]> {
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
    pub fn put_words(&self, addr: u64, words: &[u64]) -> Result<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.write_guest(addr, &bytes)
    }

    /// Reads a string up to its NUL.
    ///
    /// # Errors
    /// `EFAULT`; `too_long` when there is no NUL in the first `max` bytes.
    pub fn string(&self, addr: u64, max: usize, too_long: Errno) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let mut at = addr;
        while out.len() < max {
            // Up to the page's end: the next page may not be mapped.
            let len = ((PAGE - at % PAGE) as usize).min(max - out.len());
            let mut chunk = vec![0; len];
            self.read_guest(at, &mut chunk)?;
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
    pub fn path(&self, addr: u64) -> Result<Vec<u8>> {
        self.string(addr, PATH_MAX, Errno::ENAMETOOLONG)
    }

    /// Reads a list of strings that ends with a null pointer.
    ///
    /// # Errors
    /// `EFAULT`, `E2BIG`.
    pub fn strings(&self, addr: u64) -> Result<Vec<Vec<u8>>> {
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
            if out.len() >= MAX_STRINGS || bytes as u64 > crate::space::STACK_LIMIT {
                return Err(Errno::E2BIG);
            }
            out.push(s);
        }
    }

    /// The number of bytes from `addr` on, at most `len`, that allow the access `need`.
    ///
    /// # Errors
    /// `EFAULT` when the first byte does not.
    pub fn accessible(&self, addr: u64, len: u64, need: Perm) -> Result<u64> {
        let mem = &self.hart.mem;
        while !mem.allows(addr, len, need) {
            let fault = mem.first_fault(addr, len, need);
            if self.space().grow_stack(fault) {
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
