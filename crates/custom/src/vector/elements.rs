//! Elements of vector registers, as words of 64 bits.

use capvec_sim::vector::Vector as Registers;

pub fn get(v: &Registers, reg: u8, n: u64, eew: u32) -> u64 {
    match eew {
        1 => v.mask_bit(reg, n).into(),
        8 => v.get::<u8>(reg, n).into(),
        16 => v.get::<u16>(reg, n).into(),
        32 => v.get::<u32>(reg, n).into(),
        _ => v.get(reg, n),
    }
}

pub fn put(v: &mut Registers, reg: u8, n: u64, eew: u32, value: u64) {
    match eew {
        1 => v.set_mask_bit(reg, n, value & 1 == 1),
        8 => v.set(reg, n, value as u8),
        16 => v.set(reg, n, value as u16),
        32 => v.set(reg, n, value as u32),
        _ => v.set(reg, n, value),
    }
}

/// Elements of one width that lie `step` apart, the first of which is `first`.
#[derive(Clone, Copy)]
pub struct Elements {
    pub reg: u8,
    pub eew: u32,
    pub first: u64,
    pub step: u64,
}

impl Elements {
    /// Reads as many as there are words.
    #[inline]
    pub fn read(self, v: &Registers, words: &mut [u64]) {
        match self.eew {
            8 if self.step == 1 => self.run::<1>(v, words),
            16 if self.step == 1 => self.run::<2>(v, words),
            32 if self.step == 1 => self.run::<4>(v, words),
            64 if self.step == 1 => self.run::<8>(v, words),
            eew => {
                for (word, n) in words.iter_mut().zip(0..) {
                    *word = get(v, self.reg, self.first + n * self.step, eew);
                }
            }
        }
    }

    /// Writes as many as there are words.
    #[inline]
    pub fn write(self, v: &mut Registers, words: &[u64]) {
        match self.eew {
            8 if self.step == 1 => self.set_run::<1>(v, words),
            16 if self.step == 1 => self.set_run::<2>(v, words),
            32 if self.step == 1 => self.set_run::<4>(v, words),
            64 if self.step == 1 => self.set_run::<8>(v, words),
            eew => {
                for (word, n) in words.iter().zip(0..) {
                    put(v, self.reg, self.first + n * self.step, eew, *word);
                }
            }
        }
    }

    #[inline(always)]
    fn run<const BYTES: usize>(self, v: &Registers, words: &mut [u64]) {
        let bytes = &v.bytes(self.reg)[self.first as usize * BYTES..];
        for (word, element) in words.iter_mut().zip(bytes.as_chunks::<BYTES>().0) {
            let mut whole = [0; 8];
            whole[..BYTES].copy_from_slice(element);
            *word = u64::from_le_bytes(whole);
        }
    }

    #[inline(always)]
    fn set_run<const BYTES: usize>(self, v: &mut Registers, words: &[u64]) {
        let bytes = &mut v.bytes_mut(self.reg)[self.first as usize * BYTES..];
        for (word, element) in words.iter().zip(bytes.as_chunks_mut::<BYTES>().0) {
            element.copy_from_slice(&word.to_le_bytes()[..BYTES]);
        }
    }
}
