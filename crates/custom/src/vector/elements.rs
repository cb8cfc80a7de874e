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
        let bytes = self.eew as usize / 8;
        let from = &v.bytes(self.reg)[self.first as usize * bytes..];
        match self.eew {
            8 if self.step == 1 => run(from, words, |[b]: &[u8; 1]| u64::from(*b)),
            16 if self.step == 1 => run(from, words, |b| u16::from_le_bytes(*b).into()),
            32 if self.step == 1 => run(from, words, |b| u32::from_le_bytes(*b).into()),
            64 if self.step == 1 => run(from, words, |b| u64::from_le_bytes(*b)),
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
        let bytes = self.eew as usize / 8;
        let to = &mut v.bytes_mut(self.reg)[self.first as usize * bytes..];
        match self.eew {
            8 if self.step == 1 => set_run(to, words, |w| [w as u8]),
            16 if self.step == 1 => set_run(to, words, |w| (w as u16).to_le_bytes()),
            32 if self.step == 1 => set_run(to, words, |w| (w as u32).to_le_bytes()),
            64 if self.step == 1 => set_run(to, words, u64::to_le_bytes),
            eew => {
                for (word, n) in words.iter().zip(0..) {
                    put(v, self.reg, self.first + n * self.step, eew, *word);
                }
            }
        }
    }
}

#[inline(always)]
fn run<const BYTES: usize>(from: &[u8], words: &mut [u64], word: impl Fn(&[u8; BYTES]) -> u64) {
    let elements = from.as_chunks::<BYTES>().0;
    words.iter_mut().zip(elements).for_each(|(to, element)| *to = word(element));
}

#[inline(always)]
fn set_run<const BYTES: usize>(to: &mut [u8], words: &[u64], bytes: impl Fn(u64) -> [u8; BYTES]) {
    let elements = to.as_chunks_mut::<BYTES>().0;
    words.iter().zip(elements).for_each(|(word, element)| *element = bytes(*word));
}
