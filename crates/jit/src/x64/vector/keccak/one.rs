//! One element group: a host register holds two lanes of a column, so that a round takes 80 operations instead of the 90 of one
//! lane in each register.

use super::steps::{CHI, CONSTANT, State, XOR3, rho_offset, rotate, ternary, walk};
use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::asm::{Asm, Reg, at};
use crate::x64::emit::Vectors;
use crate::x64::runtime::constant::place;
use iced_x86::Code;
use std::ops::Range;

const X: Wide = Wide::X;
const TEMP: V = V(30);
/// Points to OFFSETS.
const TABLE: Reg = Reg::RCX;
/// Exchanges the halves of a register.
const HALVES: u32 = 0x4e;

/// A state in guest memory, at this offset.
pub struct One(pub u32);

/// The lanes of column x with y = 2k and 2k + 1; for k = 2, the one with y = 4 in both halves.
fn pair(x: u8, k: u8) -> V {
    V(3 * (x % 5) + k)
}

/// The same after π.
fn moved(x: u8, k: u8) -> V {
    V(15 + pair(x, k).0)
}

/// The parity of a column, in both halves of a register. It is no longer needed when lanes move.
fn parity(x: u8) -> V {
    V(15 + x % 5)
}

fn lane(x: u8, y: u8) -> u32 {
    8 * u32::from(x + 5 * y)
}

impl State for One {
    fn load(&self, t: &mut Vectors<'_, '_>) {
        for x in 0..5 {
            for k in 0..2 {
                let [low, high] = [2 * k, 2 * k + 1].map(|y| t.memory(self.0 + lane(x, y)));
                t.out.a.v_load_low(pair(x, k), low);
                t.out.a.v_load_high(pair(x, k), high);
            }
            let last = t.memory(self.0 + lane(x, 4));
            t.out.a.v2(Code::EVEX_Vpbroadcastq_xmm_k1z_xmmm64, X, pair(x, 2), Vm::M(last));
        }
    }

    fn prepare(&self, a: &mut Asm) {
        a.mov_address(TABLE, OFFSETS.0.as_ptr() as u64);
    }

    fn round(&self, a: &mut Asm) {
        theta(a);
        rho(a);
        pi(a);
        chi(a);
        a.v_load_low(TEMP, at(CONSTANT, 0));
        xor(a, pair(0, 0), pair(0, 0), TEMP);
    }

    fn store(&self, t: &mut Vectors<'_, '_>) {
        for x in 0..5 {
            for k in 0..2 {
                let [low, high] = [2 * k, 2 * k + 1].map(|y| t.memory(self.0 + lane(x, y)));
                t.out.a.v_store_low(low, pair(x, k));
                t.out.a.v_store_high(high, pair(x, k));
            }
            let last = t.memory(self.0 + lane(x, 4));
            t.out.a.v_store_low(last, pair(x, 2));
        }
    }
}

fn xor(a: &mut Asm, d: V, x: V, y: V) {
    a.v3(Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64, X, d, x, Vm::R(y));
}

/// FIPS 202, algorithm 1.
fn theta(a: &mut Asm) {
    for x in 0..5 {
        let column = parity(x);
        xor(a, column, pair(x, 0), pair(x, 1));
        a.v2i(Code::EVEX_Vpshufd_xmm_k1z_xmmm128b32_imm8, X, TEMP, column, HALVES);
        ternary(a, column, TEMP, pair(x, 2), XOR3);
    }
    for x in 0..5 {
        rotate(a, TEMP, parity(x + 1), 1);
        for k in 0..3 {
            ternary(a, pair(x, k), parity(x + 4), TEMP, XOR3);
        }
    }
}

/// How far lanes are rotated: those of a column are a row of the table, whose pairs are loaded whole.
#[repr(align(16))]
struct Offsets([[u64; 6]; 5]);

static OFFSETS: Offsets = offsets();

/// The place of the table.
pub fn offsets_place() -> Range<u64> {
    place(&OFFSETS.0)
}

const fn offsets() -> Offsets {
    let (walk, mut offsets) = (walk(), [[0; 6]; 5]);
    let mut t = 0;
    while t < 24 {
        let (x, y) = walk[t];
        offsets[x as usize][y as usize] = rho_offset(t) as u64;
        t += 1;
    }
    Offsets(offsets)
}

/// FIPS 202, algorithm 2.
fn rho(a: &mut Asm) {
    for x in 0..5 {
        for k in 0..2 {
            let by = Vm::M(at(TABLE, 48 * i64::from(x) + 16 * i64::from(k)));
            a.v3(Code::EVEX_Vprolvq_xmm_k1z_xmm_xmmm128b64, X, pair(x, k), pair(x, k), by);
        }
        let [.., last, _] = OFFSETS.0[usize::from(x)];
        rotate(a, pair(x, 2), pair(x, 2), last as u32);
    }
}

/// FIPS 202, algorithm 3: the lane that moves to (x, y) was in column x + 3y and row x, so the lanes of a new column all come
/// from the same half of their registers.
fn pi(a: &mut Asm) {
    for x in 0..5 {
        let unpack = match x % 2 {
            0 => Code::EVEX_Vpunpcklqdq_xmm_k1z_xmm_xmmm128b64,
            _ => Code::EVEX_Vpunpckhqdq_xmm_k1z_xmm_xmmm128b64,
        };
        let from = |y: u8| pair(x + 3 * y, x / 2);
        for k in 0..2 {
            a.v3(unpack, X, moved(x, k), from(2 * k), Vm::R(from(2 * k + 1)));
        }
        match x {
            4 => a.v_mov(X, moved(x, 2), Vm::R(from(4))),
            _ => a.v3(unpack, X, moved(x, 2), from(4), Vm::R(from(4))),
        }
    }
}

/// FIPS 202, algorithm 4.
fn chi(a: &mut Asm) {
    for k in 0..3 {
        for x in 0..5 {
            a.v_mov(X, pair(x, k), Vm::R(moved(x, k)));
            ternary(a, pair(x, k), moved(x + 1, k), moved(x + 2, k), CHI);
        }
    }
}
