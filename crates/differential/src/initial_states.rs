//! Initial states for programs.

use crate::case::{Image, Registers, State};
use crate::layout::WRITABLE;
use crate::values::{FORMATS, address, f_register, good_address, integer, stride};
use capvec_sim::testing::Rng;
use std::rc::Rc;

/// x registers that hold addresses.
pub const ADDRESSES: [u8; 8] = [2, 8, 9, 10, 11, 18, 19, 20];
/// Those that hold multiples of 8 and that programs do not write: for atomic accesses, because QEMU aborts on
/// misaligned ones.
pub const ALIGNED: [u8; 2] = [18, 19];
/// x registers that hold strides.
pub const STRIDES: [u8; 2] = [6, 7];
/// The x register that programs do not use.
pub const RESERVED: u8 = 3;
/// Vector registers that hold indices of one width.
pub const INDICES: std::ops::Range<u8> = 8..16;
/// Index widths in bits, each with a pool of its own. Any 8-bit value is a good index.
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

/// What the states of a pool have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Index into `INDEX_WIDTHS`.
    pub indices: usize,
    /// Accesses may fault: addresses lie near edges, and programs overwrite them.
    pub wild: bool,
    /// vl mostly is a multiple of the element group sizes.
    pub groups: bool,
}

impl Kind {
    /// Number of kinds.
    const COUNT: usize = 4 * INDEX_WIDTHS.len();

    fn all() -> impl Iterator<Item = Kind> {
        (0..Kind::COUNT).map(|n| Kind { indices: n / 4, wild: n & 2 != 0, groups: n & 1 != 0 })
    }

    fn number(self) -> usize {
        4 * self.indices + 2 * self.wild as usize + self.groups as usize
    }
}

/// Registers for programs with indices of `index_bits` bits.
fn registers(rng: &mut Rng, vlenb: usize, index_bits: u32, wild: bool) -> Registers {
    let address = |rng: &mut Rng| if wild { address(rng) } else { good_address(rng) };
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
                // 32-bit values are usually sign-extended.
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

/// An AVL, often VLMAX or more.
fn avl(rng: &mut Rng, vlenb: usize, groups: bool) -> u64 {
    let most = 8 * vlenb as u64;
    let some = |rng: &mut Rng| {
        let bits = rng.below(most.ilog2() as u64 + 1);
        rng.below(2 << bits)
    };
    match rng.below(16) {
        0..5 => u64::MAX,
        5..11 if groups => (some(rng) & !7).max(8),
        11..14 if groups => (some(rng) & !3).max(4),
        14 => rng.below(2),
        _ => some(rng),
    }
}

fn state(rng: &mut Rng, vlenb: usize, kind: Kind) -> State {
    let rm = rng.pick(&[0, 0, 1, 2, 3, 4, 4]);
    // Rarely a reserved rounding mode, which makes most FP instructions illegal.
    let rm = if rng.one_in(100) { 5 + rng.below(3) } else { rm };
    State {
        registers: Rc::new(registers(rng, vlenb, INDEX_WIDTHS[kind.indices], kind.wild)),
        vl: avl(rng, vlenb, kind.groups),
        vcsr: rng.below(8),
        fcsr: rm << 5 | rng.below(32) & rng.below(32),
    }
}

/// The states and the initial memory of a batch.
pub struct Pool {
    states: [Rc<[State]>; Kind::COUNT],
    /// Initial memory of programs.
    pub image: Image,
}

impl Pool {
    /// Makes `count` states of each kind for this VLEN in bytes.
    pub fn new(rng: &mut Rng, vlenb: usize, count: usize) -> Pool {
        let mut kinds = Kind::all();
        let states = std::array::from_fn(|_| match kinds.next() {
            Some(kind) => (0..count).map(|_| state(rng, vlenb, kind)).collect(),
            None => Rc::default(),
        });
        let mut memory = vec![0; WRITABLE as usize];
        memory.chunks_mut(64).for_each(|c| vector_register(rng, c));
        Pool { states, image: memory.into() }
    }

    /// The states of a kind.
    pub fn states(&self, kind: Kind) -> &Rc<[State]> {
        &self.states[kind.number()]
    }
}
