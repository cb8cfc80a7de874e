//! Ranges of guest memory that one call reads or writes in order (`struct iovec`).

use super::GuestMemory;
use crate::base::errno::{Errno, Result};
use capvec_sim::mem::Perm;

/// Maximum number of bytes moved between the guest and a file at a time.
pub const CHUNK: u64 = 1 << 20;
/// Maximum number of bytes in one call (`MAX_RW_COUNT`).
pub const MAX_COUNT: u64 = 0x7fff_f000;
/// Maximum number of `iovec` entries in one call (`UIO_MAXIOV`).
const MAX_VECTORS: u64 = 1024;

/// A range of guest memory: address and length.
pub type Range = (u64, u64);

impl GuestMemory<'_> {
    /// The ranges of a `struct iovec` array.
    ///
    /// # Errors
    /// `EINVAL`, `EFAULT`.
    pub fn iovec(self, addr: u64, count: u64) -> Result<Vec<Range>> {
        if count > MAX_VECTORS {
            return Err(Errno::EINVAL);
        }
        let mut left = MAX_COUNT;
        let mut ranges = Vec::new();
        for i in 0..count {
            let [base, len] = self.get_words(addr.wrapping_add(16 * i))?;
            if len > i64::MAX as u64 {
                return Err(Errno::EINVAL);
            }
            let len = len.min(left);
            left -= len;
            if len != 0 {
                ranges.push((base, len));
            }
        }
        Ok(ranges)
    }

    /// The ranges up to the first byte that cannot be written.
    ///
    /// # Errors
    /// `EFAULT` when that is the very first byte.
    pub fn usable(self, ranges: &[Range]) -> Result<Vec<Range>> {
        let mut usable = Vec::new();
        for &(addr, len) in ranges.iter().filter(|r| r.1 > 0) {
            match self.accessible(addr, len, Perm::W) {
                Ok(n) => usable.push((addr, n)),
                Err(e) if usable.is_empty() => return Err(e),
                Err(_) => break,
            }
            if usable.last().is_some_and(|r| r.1 < len) {
                break;
            }
        }
        Ok(usable)
    }

    /// Copies data to the ranges, from their `skip`th byte on.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn scatter(self, ranges: &[Range], skip: u64, data: &[u8]) -> Result<()> {
        let (mut skip, mut rest) = (skip, data);
        for &(addr, len) in ranges {
            let from = skip.min(len);
            skip -= from;
            let (now, later) = rest.split_at(rest.len().min((len - from) as usize));
            self.write(addr.wrapping_add(from), now)?;
            rest = later;
        }
        Ok(())
    }

    /// The bytes of the ranges from the `skip`th on, up to a chunk, which the call passes on.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn gather(self, ranges: &[Range], skip: u64) -> Result<Vec<u8>> {
        let mut data = Vec::new();
        let mut at = 0;
        for &(addr, len) in ranges {
            let from = skip.saturating_sub(at).min(len);
            at += len;
            let take = (len - from).min(CHUNK - data.len() as u64);
            if take == 0 {
                continue;
            }
            let usable = match self.accessible(addr + from, take, Perm::R) {
                Ok(n) => n,
                Err(_) if !data.is_empty() => break,
                Err(e) => return Err(e),
            };
            let old = data.len();
            data.resize(old + usable as usize, 0);
            self.copy(addr + from, &mut data[old..])?;
            if usable < take {
                break;
            }
        }
        Ok(data)
    }
}
