//! SM3 (GB/T 32905-2016, ISO/IEC 10118-3): the scalar permutations of Zksh and the steps of Zvksh.
//!
//! SM3 is big-endian. Zvksh takes message and state words as they lie in memory, so each element
//! is byte-swapped on the way in and out; that is done here.

use std::array::from_fn;

/// P0, `sm3p0`.
pub fn p0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

/// P1, `sm3p1`.
pub fn p1(x: u32) -> u32 {
    x ^ x.rotate_left(15) ^ x.rotate_left(23)
}

/// `vsm3me.vv`: the message words W16..W23 from W0..W7 (vs1) and W8..W15 (vs2).
///
/// GB/T 32905-2016 section 5.3.2. The pseudocode of the manual's release 20260120 is wrong here
/// and was corrected in August 2026; the standard decides.
pub fn message_expand(vs1: [u32; 8], vs2: [u32; 8]) -> [u32; 8] {
    let mut w = [0; 24];
    for i in 0..8 {
        w[i] = vs1[i].swap_bytes();
        w[i + 8] = vs2[i].swap_bytes();
    }
    for j in 16..24 {
        w[j] = p1(w[j - 16] ^ w[j - 9] ^ w[j - 3].rotate_left(15))
            ^ w[j - 13].rotate_left(7)
            ^ w[j - 6];
    }
    from_fn(|i| w[i + 16].swap_bytes())
}

/// The boolean functions FF_j and GG_j, section 4.3.
fn round_functions(j: u32, [a, b, c]: [u32; 3], [e, f, g]: [u32; 3]) -> (u32, u32) {
    if j < 16 { (a ^ b ^ c, e ^ f ^ g) } else { ((a & b) | (a & c) | (b & c), (e & f) | (!e & g)) }
}

/// The constant T_j, section 4.2.
pub fn constant(j: u32) -> u32 {
    if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a }
}

/// `vsm3c.vi`: the compression rounds 2·`uimm` and 2·`uimm` + 1 (`uimm` 0..=31).
///
/// `state` is A..H with A as element 0. `message` holds w0, w1, –, –, w4, w5, –, – of the expanded
/// message counted from the first of the two rounds.
pub fn compress2(state: [u32; 8], message: [u32; 8], uimm: u32) -> [u32; 8] {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state.map(u32::swap_bytes);
    let w = message.map(u32::swap_bytes);
    for i in 0..2 {
        let j = 2 * uimm + i as u32;
        let (ff, gg) = round_functions(j, [a, b, c], [e, f, g]);
        let a12 = a.rotate_left(12);
        let ss1 = a12.wrapping_add(e).wrapping_add(constant(j).rotate_left(j % 32)).rotate_left(7);
        let tt1 = ff.wrapping_add(d).wrapping_add(ss1 ^ a12).wrapping_add(w[i] ^ w[i + 4]);
        let tt2 = gg.wrapping_add(h).wrapping_add(ss1).wrapping_add(w[i]);
        (d, c, b, a) = (c, b.rotate_left(9), a, tt1);
        (h, g, f, e) = (g, f.rotate_left(19), e, p0(tt2));
    }
    [a, b, c, d, e, f, g, h].map(u32::swap_bytes)
}
