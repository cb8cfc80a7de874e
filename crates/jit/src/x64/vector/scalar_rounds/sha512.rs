//! SHA-512: the rounds, and the message schedule for hosts without AVX-512.

use super::{Group, On, Q, RAX, RCX, begin, load, store};
use crate::x64::asm::{Asm, Mem, Reg, Rm};
use crate::x64::emit::Vectors;
use crate::x64::vector_plan::Operation;
use capvec_sim::crypto::sha2::Word;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// Two rounds of SHA-512 on the state vs2 = {f, e, b, a}, vd = {h, g, d, c}, with words 0 and 1 of vs1, or 2 and 3.
pub fn rounds(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, high: bool) {
    let free = begin(t, op, &[i.rs1, i.rs2], i.rd);
    for n in 0..op.bytes / 32 {
        let [words, new, old] = [i.rs1, i.rs2, i.rd].map(|r| Group::new(t, r, n, 32, 8));
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h, u] = free;
        for (k, r) in [f, e, b, a].into_iter().enumerate() {
            load(t, Q, r, &new, k);
        }
        for (k, r) in [h, g, d, c].into_iter().enumerate() {
            load(t, Q, r, &old, k);
        }
        for k in 0..2 {
            let word = words.element(t, k + if high { 2 } else { 0 });
            round512(&mut t.out.a, [a, b, c, d, e, f, g, h], u, word);
            (a, b, c, d, e, f, g, h) = (h, a, b, c, d, e, f, g);
        }
        for (k, r) in [f, e, b, a].into_iter().enumerate() {
            store(t, Q, &old, k, r);
        }
    }
}

/// A round of SHA-512: leaves the new a in h, the new e in d.
fn round512(asm: &mut Asm, [a, b, c, d, e, f, g, h]: [Reg; 8], u: Reg, word: Mem) {
    let mut o = On(asm, Q);
    o.add(h, Rm::M(word));
    // Ch: f where e is one, otherwise g.
    o.mov(RAX, e);
    o.and(RAX, f);
    o.add(h, Rm::R(RAX));
    o.andn(RAX, e, g);
    o.add(h, Rm::R(RAX));
    let [first, rest @ ..] = <u64 as Word>::SUM1;
    o.ror(RAX, e, first);
    o.xor_rotated(RAX, e, u, &rest);
    o.add(h, Rm::R(RAX));
    o.add(d, Rm::R(h));
    let [first, rest @ ..] = <u64 as Word>::SUM0;
    o.ror(RAX, a, first);
    o.xor_rotated(RAX, a, u, &rest);
    o.add(h, Rm::R(RAX));
    // Maj: a where a and b agree, otherwise c.
    o.mov(RAX, a);
    o.and(RAX, b);
    o.add(h, Rm::R(RAX));
    o.mov(RAX, a);
    o.xor(RAX, Rm::R(b));
    o.and(RAX, c);
    o.add(h, Rm::R(RAX));
}

/// W16..W19 of SHA-512 from vd = W0..W3, vs2 = {W4, W9, W10, W11}, vs1 = {W12, –, W14, W15}.
pub fn words(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) {
    let free = begin(t, op, &[i.rs1, i.rs2], i.rd);
    let u = free[8];
    for n in 0..op.bytes / 32 {
        let [late, middle, new] = [i.rs1, i.rs2, i.rd].map(|r| Group::new(t, r, n, 32, 8));
        for k in 0..4 {
            // Keeps the first new words in registers: the last are made from them.
            let d = free[k];
            load(t, Q, d, &new, k);
            let next = if k < 3 { (&new, k + 1) } else { (&middle, 0) };
            load(t, Q, RCX, next.0, next.1);
            sigma(&mut t.out.a, d, u, <u64 as Word>::SIG0);
            let ninth = if k < 3 { (&middle, k + 1) } else { (&late, 0) };
            load(t, Q, RCX, ninth.0, ninth.1);
            let mut o = On(&mut t.out.a, Q);
            o.add(d, Rm::R(RCX));
            if k < 2 {
                load(t, Q, RCX, &late, k + 2);
            } else {
                o.mov(RCX, free[k - 2]);
            }
            sigma(&mut t.out.a, d, u, <u64 as Word>::SIG1);
            store(t, Q, &new, k, d);
        }
    }
}

/// d += XOR of RCX rotated, rotated and shifted right. Clobbers RAX and `u`.
fn sigma(asm: &mut Asm, d: Reg, u: Reg, [first, second, shift]: [u32; 3]) {
    let mut o = On(asm, Q);
    o.ror(RAX, RCX, first);
    o.xor_rotated(RAX, RCX, u, &[second]);
    o.0.imm(Code::Shr_rm64_imm8, Rm::R(RCX), shift as i32);
    o.xor(RAX, Rm::R(RCX));
    o.add(d, Rm::R(RAX));
}
