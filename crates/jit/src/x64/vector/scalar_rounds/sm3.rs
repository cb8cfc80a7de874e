//! SM3.

use super::{D, Group, On, RAX, RCX, begin, load, store};
use crate::x64::asm::{Reg, Rm};
use crate::x64::emit::Vectors;
use crate::x64::vector_plan::Operation;
use capvec_sim::crypto::sm3;
use capvec_sim::insn::Insn;

/// Two rounds of SM3, numbers 2·imm and 2·imm + 1, on the state vd = {A, .., H} with words 0, 1, 4 and 5 of vs2.
pub fn rounds(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) {
    let free = begin(t, op, &[i.rs2], i.rd);
    for n in 0..op.bytes / 32 {
        let [words, state] = [i.rs2, i.rd].map(|r| Group::new(t, r, n, 32, 4));
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h, u] = free;
        for (k, r) in [a, b, c, d, e, f, g, h].into_iter().enumerate() {
            load(t, D, r, &state, k);
            On(&mut t.out.a, D).swap(r);
        }
        for k in 0..2 {
            round_sm3(t, [a, b, c, d, e, f, g, h], u, &words, k, 2 * i.imm as u32 + k as u32);
            (a, b, c, d, e, f, g, h) = (d, a, b, c, h, e, f, g);
        }
        for (k, r) in [a, b, c, d, e, f, g, h].into_iter().enumerate() {
            On(&mut t.out.a, D).swap(r);
            store(t, D, &state, k, r);
        }
    }
}

/// Round `j` of SM3 with words `k` and `k + 4`: leaves the new A in d, the new E in h; rotates b and f.
fn round_sm3(
    t: &mut Vectors<'_, '_>,
    [a, b, c, d, e, f, g, h]: [Reg; 8],
    u: Reg,
    words: &Group,
    k: usize,
    j: u32,
) {
    // d += W', h += W.
    load(t, D, RAX, words, k);
    load(t, D, RCX, words, k + 4);
    let mut o = On(&mut t.out.a, D);
    o.xor(RCX, Rm::R(RAX));
    o.swap(RAX);
    o.swap(RCX);
    o.add(h, Rm::R(RAX));
    o.add(d, Rm::R(RCX));
    // RAX = A <<< 12, RCX = SS1.
    o.rol(RAX, a, 12);
    o.0.mov_imm(RCX, sm3::constant(j).rotate_left(j % 32) as u64);
    o.add(RCX, Rm::R(RAX));
    o.add(RCX, Rm::R(e));
    o.rol(RCX, RCX, 7);
    o.xor(RAX, Rm::R(RCX));
    o.add(d, Rm::R(RAX));
    o.add(h, Rm::R(RCX));
    boolean_functions(&mut o, j, [a, b, c, d], [e, f, g, h], u);
    o.rol(b, b, 9);
    o.rol(f, f, 19);
    // E = P0(TT2).
    o.rol(RAX, h, 9);
    o.rol(RCX, h, 17);
    o.xor(h, Rm::R(RAX));
    o.xor(h, Rm::R(RCX));
}

/// d += FF(a, b, c), h += GG(e, f, g).
fn boolean_functions(
    o: &mut On<'_>,
    j: u32,
    [a, b, c, d]: [Reg; 4],
    [e, f, g, h]: [Reg; 4],
    u: Reg,
) {
    o.mov(RAX, a);
    o.mov(RCX, e);
    if j < 16 {
        o.xor(RAX, Rm::R(b));
        o.xor(RAX, Rm::R(c));
        o.xor(RCX, Rm::R(f));
        o.xor(RCX, Rm::R(g));
    } else {
        // (a & b) | ((a | b) & c); f where e is one, otherwise g.
        o.or(RAX, b);
        o.and(RAX, c);
        o.mov(u, a);
        o.and(u, b);
        o.or(RAX, u);
        o.and(RCX, f);
        o.andn(u, e, g);
        o.or(RCX, u);
    }
    o.add(d, Rm::R(RAX));
    o.add(h, Rm::R(RCX));
}

/// Words W16..W23 of SM3 from vs1 = W0..W7 and vs2 = W8..W15.
pub fn words(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) {
    let free = begin(t, op, &[i.rs1, i.rs2], i.rd);
    for n in 0..op.bytes / 32 {
        let [early, late, new] = [i.rs1, i.rs2, i.rd].map(|r| Group::new(t, r, n, 32, 4));
        // The new words stay in registers; vd may be vs1, whose lower words are not read again.
        for k in 0..8 {
            let d = free[k];
            let word = |t: &mut Vectors<'_, '_>, into: Reg, j: usize| match j {
                0..8 => swapped(t, into, &early, j),
                8..16 => swapped(t, into, &late, j - 8),
                _ => On(&mut t.out.a, D).mov(into, free[j - 16]),
            };
            word(t, d, k + 13);
            let mut o = On(&mut t.out.a, D);
            o.rol(d, d, 15);
            for j in [k, k + 7] {
                word(t, RAX, j);
                On(&mut t.out.a, D).xor(d, Rm::R(RAX));
            }
            // P1.
            let mut o = On(&mut t.out.a, D);
            o.rol(RAX, d, 15);
            o.rol(RCX, d, 23);
            o.xor(d, Rm::R(RAX));
            o.xor(d, Rm::R(RCX));
            word(t, RAX, k + 3);
            let mut o = On(&mut t.out.a, D);
            o.rol(RAX, RAX, 7);
            o.xor(d, Rm::R(RAX));
            word(t, RAX, k + 10);
            let mut o = On(&mut t.out.a, D);
            o.xor(d, Rm::R(RAX));
            o.mov(RAX, d);
            o.swap(RAX);
            store(t, D, &new, k, RAX);
        }
    }
}

fn swapped(t: &mut Vectors<'_, '_>, d: Reg, g: &Group, k: usize) {
    load(t, D, d, g, k);
    On(&mut t.out.a, D).swap(d);
}
