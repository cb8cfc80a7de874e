//! The memory of the vector registers.

use std::ops::{Deref, DerefMut};

/// A cache line of the host. An access of 64 bytes that is aligned to one never touches two.
const LINE: usize = 64;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

/// v0..v31 consecutively, so that a register group is contiguous, and aligned to a cache line of the host. With the heap's own
/// alignment of 16 bytes, it would depend on chance whether host instructions of 32 and 64 bytes cross lines: AES-128-GCM of
/// 16 KiB took 0.84 or 1.05 s.
#[derive(Clone)]
pub struct RegisterFile {
    lines: Box<[Line]>,
    len: usize,
}

impl RegisterFile {
    /// `len` bytes of zero.
    pub fn new(len: usize) -> RegisterFile {
        RegisterFile { lines: vec![Line([0; LINE]); len.div_ceil(LINE)].into_boxed_slice(), len }
    }
}

impl Deref for RegisterFile {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        // SAFETY: the lines are `div_ceil(len, LINE) * LINE` consecutive initialised bytes without padding.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl DerefMut for RegisterFile {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `deref`; every byte is valid for every value, and `self` is borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::RegisterFile;

    #[test]
    fn every_length_is_aligned_zeroed_and_writable() {
        for len in [0, 1, 63, 64, 65, 32 * 16, 32 * 8192] {
            let mut file = RegisterFile::new(len);
            assert_eq!((file.len(), file.as_ptr() as usize % 64), (len, 0));
            assert!(file.iter().all(|b| *b == 0));
            if let Some(last) = file.last_mut() {
                *last = 7;
                let copy = file.clone();
                assert_eq!((copy.last(), copy.as_ptr() as usize % 64), (Some(&7), 0));
            }
        }
    }
}
