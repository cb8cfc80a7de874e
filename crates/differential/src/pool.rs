//! Register images for cases to start from.

use crate::case::{Image, Registers};
use crate::layout::WRITABLE;
use crate::values::{FORMATS, address, f_register, integer, stride};
use capvec_sim::testing::Rng;
use std::rc::Rc;

/// x registers that hold addresses.
pub const ADDRESSES: [u8; 8] = [2, 8, 9, 10, 11, 18, 19, 20];
/// Those of them whose addresses are multiples of 8, and that programs do not write: for atomic accesses,
/// because QEMU aborts on misaligned ones.
pub const ALIGNED: [u8; 2] = [18, 19];
/// x registers that hold strides.
pub const STRIDES: [u8; 2] = [6, 7];
/// The x register that programs leave alone.
pub const RESERVED: u8 = 3;
/// Vector registers that hold indices of one width.
pub const INDICES: std::ops::Range<u8> = 8..16;
/// The widths in bits that pools of images are made for. Any value of 8 bits is a good index.
pub const INDEX_WIDTHS: [u32; 3] = [16, 32, 64];

/// Fills `to` with elements of `bits` bits.
fn elements(to: &mut [u8], bits: u32, mut element: impl FnMut() -> u64) {
    let size = bits as usize / 8;
    to.chunks_mut(size).for_each(|c| c.copy_from_slice(&element().to_le_bytes()[..c.len()]));
}

fn vector_register(rng: &mut Rng, to: &mut [u8]) {
    let bits = rng.pick(&[8, 16, 32, 64]);
    match rng.below(8) {
        0..2 => rng.fill(to),
        2..4 => elements(to, bits, || integer(rng, bits)),
        4..7 => {
            let format = rng.pick(&FORMATS);
            elements(to, format.bits(), || format.value(rng));
        }
        _ => to.fill(rng.pick(&[0, 0xff, 0x80, 0x7f, 0x55])),
    }
}

fn index(rng: &mut Rng) -> u64 {
    match rng.below(8) {
        0..6 => 8 * rng.below(16),
        6 => rng.below(128),
        _ => rng.below(512),
    }
}

/// An image for programs whose indices have `index_bits` bits.
fn registers(rng: &mut Rng, vlenb: usize, index_bits: u32) -> Registers {
    let mut r = Registers::zero(vlenb);
    for (n, x) in (0u8..).zip(&mut r.x) {
        *x = match n {
            0 | RESERVED => 0,
            n if ALIGNED.contains(&n) => address(rng) & !7,
            n if ADDRESSES.contains(&n) => address(rng),
            n if STRIDES.contains(&n) => stride(rng),
            _ => {
                let bits = rng.pick(&[32, 64, 64]);
                let v = integer(rng, bits);
                // 32-bit values are held sign-extended, mostly.
                if bits == 32 && !rng.one_in(4) { v as i32 as u64 } else { v }
            }
        };
    }
    r.f.iter_mut().for_each(|f| *f = f_register(rng));
    for (n, v) in (0u8..).zip(r.v.chunks_mut(vlenb)) {
        match n {
            0 => match rng.below(4) {
                0 => v.fill(0xff),
                1 => elements(v, 64, || rng.next() & rng.next()),
                _ => rng.fill(v),
            },
            n if INDICES.contains(&n) && !rng.one_in(8) => {
                elements(v, index_bits, || index(rng));
            }
            _ => vector_register(rng, v),
        }
    }
    r
}

/// Register images and the memory of a batch.
pub struct Pool {
    /// As many images for each of `INDEX_WIDTHS`.
    pub registers: [Vec<Rc<Registers>>; 3],
    /// Memory that programs start with.
    pub image: Image,
}

impl Pool {
    /// `count` images for each width, for this VLEN in bytes.
    pub fn new(rng: &mut Rng, vlenb: usize, count: usize) -> Pool {
        let registers = INDEX_WIDTHS
            .map(|bits| (0..count).map(|_| Rc::new(registers(rng, vlenb, bits))).collect());
        let mut memory = vec![0; WRITABLE as usize];
        memory.chunks_mut(64).for_each(|c| vector_register(rng, c));
        Pool { registers, image: memory.into() }
    }
}
