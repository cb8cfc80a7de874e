//! SHA-256 and SHA-512 (FIPS 180-4): the scalar functions of Zknh and the vector steps of Zvknh.

use std::ops::{BitAnd, BitXor, Not, Shr};

/// A word of SHA-256 (`u32`) or SHA-512 (`u64`).
pub trait Word:
    Copy + BitAnd<Output = Self> + BitXor<Output = Self> + Not<Output = Self> + Shr<u32, Output = Self>
{
    /// Rotation, rotation and shift of σ0 (lower-case sigma).
    const SIG0: [u32; 3];
    /// Rotation, rotation and shift of σ1.
    const SIG1: [u32; 3];
    /// The three rotations of Σ0 (upper-case sigma).
    const SUM0: [u32; 3];
    /// The three rotations of Σ1.
    const SUM1: [u32; 3];

    /// Rotation to the right by `n` bits.
    fn rotr(self, n: u32) -> Self;
    /// Addition modulo 2^w.
    fn plus(self, other: Self) -> Self;
}

// FIPS 180-4 section 4.1.2.
impl Word for u32 {
    const SIG0: [u32; 3] = [7, 18, 3];
    const SIG1: [u32; 3] = [17, 19, 10];
    const SUM0: [u32; 3] = [2, 13, 22];
    const SUM1: [u32; 3] = [6, 11, 25];

    fn rotr(self, n: u32) -> Self {
        self.rotate_right(n)
    }
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

// FIPS 180-4 section 4.1.3.
impl Word for u64 {
    const SIG0: [u32; 3] = [1, 8, 7];
    const SIG1: [u32; 3] = [19, 61, 6];
    const SUM0: [u32; 3] = [28, 34, 39];
    const SUM1: [u32; 3] = [14, 18, 41];

    fn rotr(self, n: u32) -> Self {
        self.rotate_right(n)
    }
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

/// σ0, `sha256sig0` and `sha512sig0`.
pub fn sig0<W: Word>(x: W) -> W {
    x.rotr(W::SIG0[0]) ^ x.rotr(W::SIG0[1]) ^ (x >> W::SIG0[2])
}

/// σ1, `sha256sig1` and `sha512sig1`.
pub fn sig1<W: Word>(x: W) -> W {
    x.rotr(W::SIG1[0]) ^ x.rotr(W::SIG1[1]) ^ (x >> W::SIG1[2])
}

/// Σ0, `sha256sum0` and `sha512sum0`.
pub fn sum0<W: Word>(x: W) -> W {
    x.rotr(W::SUM0[0]) ^ x.rotr(W::SUM0[1]) ^ x.rotr(W::SUM0[2])
}

/// Σ1, `sha256sum1` and `sha512sum1`.
pub fn sum1<W: Word>(x: W) -> W {
    x.rotr(W::SUM1[0]) ^ x.rotr(W::SUM1[1]) ^ x.rotr(W::SUM1[2])
}

fn ch<W: Word>(x: W, y: W, z: W) -> W {
    (x & y) ^ (!x & z)
}

fn maj<W: Word>(x: W, y: W, z: W) -> W {
    (x & y) ^ (x & z) ^ (y & z)
}

/// Two rounds of compression, as `vsha2cl.vv` (`w` = elements 0–1 of vs1) and `vsha2ch.vv`
/// (`w` = elements 2–3) do them.
///
/// `feba` is the group {a, b, e, f} of vs2 and `hgdc` the group {c, d, g, h} of vd, each with
/// element 0 (f and h) first; `w` holds message words plus round constants, the earlier first.
/// Returns the new {a, b, e, f}, element 0 first.
pub fn compress2<W: Word>(feba: [W; 4], hgdc: [W; 4], w: [W; 2]) -> [W; 4] {
    let [mut f, mut e, mut b, mut a] = feba;
    let [mut h, mut g, mut d, mut c] = hgdc;
    for word in w {
        let t1 = h.plus(sum1(e)).plus(ch(e, f, g)).plus(word);
        let t2 = sum0(a).plus(maj(a, b, c));
        (h, g, f, e) = (g, f, e, d.plus(t1));
        (d, c, b, a) = (c, b, a, t1.plus(t2));
    }
    [f, e, b, a]
}

/// `vsha2ms.vv`: the message words W16..W19.
///
/// `vd` = W0..W3, `vs2` = {W4, W9, W10, W11}, `vs1` = {W12, unused, W14, W15}, element 0 first.
pub fn message_schedule<W: Word>(vd: [W; 4], vs2: [W; 4], vs1: [W; 4]) -> [W; 4] {
    let [w0, w1, w2, w3] = vd;
    let [w4, w9, w10, w11] = vs2;
    let [w12, _, w14, w15] = vs1;
    let word = |m2: W, m7: W, m15: W, m16: W| sig1(m2).plus(m7).plus(sig0(m15)).plus(m16);
    let w16 = word(w14, w9, w1, w0);
    let w17 = word(w15, w10, w2, w1);
    [w16, w17, word(w16, w11, w3, w2), word(w17, w12, w4, w3)]
}
