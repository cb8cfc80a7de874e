//! Products of polynomials over GF(2): each tainted bit of a factor taints where the other factor's bits move it.

use crate::value::{Value, ones};
use capvec_isa::row::Taint;
use capvec_sim::crypto::bits::brev8;

/// The sums of products of bits, without cancellation.
fn spread(a: u64, b: u64) -> u128 {
    (0..64).filter(|k| b >> k & 1 != 0).fold(0, |sum, k| sum | u128::from(a) << k)
}

/// The lower half, the upper half, or the reversed product (Unprivileged ISA manual, chapter "B").
pub fn result(rule: Taint, a: Value, b: Value, width: u32) -> u64 {
    let product = spread(a.taint, b.bits | b.taint) | spread(b.taint, a.bits | a.taint);
    let shift = match rule {
        Taint::Clmul => 0,
        Taint::Clmulh => width,
        _ => width - 1,
    };
    (product >> shift) as u64 & ones(width)
}

/// A block of GHASH with its tainted bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block {
    /// The block.
    pub bits: u128,
    /// Its tainted bits.
    pub taint: u128,
}

impl Block {
    /// Coefficients in natural order (`capvec_sim::crypto::ghash`).
    fn natural(self) -> Block {
        Block { bits: reversed(self.bits), taint: reversed(self.taint) }
    }
}

fn reversed(block: u128) -> u128 {
    u128::from(brev8((block >> 64) as u64)) << 64 | u128::from(brev8(block as u64))
}

/// The tainted bits of the product of GHASH (SP 800-38D, section 6.3). It is linear in each factor.
pub fn ghash(y: Block, h: Block) -> u128 {
    let (y, h) = (y.natural(), h.natural());
    let mut taint = 0;
    let mut multiple = h.bits;
    for k in 0..128 {
        if y.taint >> k & 1 != 0 {
            taint |= multiple;
        }
        multiple = multiple << 1 ^ if multiple >> 127 != 0 { 0x87 } else { 0 };
    }
    if h.taint != 0 {
        taint |= any_product(y.bits | y.taint, h.taint);
    }
    reversed(taint)
}

/// The bits that may be set in a product, modulo x^128 + x^7 + x^2 + x + 1, of some bits of `a` and some bits of `b`.
fn any_product(a: u128, b: u128) -> u128 {
    let (mut low, mut high) = (0, 0);
    for k in (0..128).filter(|k| b >> k & 1 != 0) {
        low |= a << k;
        high |= if k == 0 { 0 } else { a >> (128 - k) };
    }
    let folded = |p: u128| p | p << 1 | p << 2 | p << 7;
    let carried = high >> 127 | high >> 126 | high >> 121;
    low | folded(high) | folded(carried)
}
