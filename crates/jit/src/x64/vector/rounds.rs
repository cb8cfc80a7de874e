//! Rounds for which the host has no vector instructions: SHA-512, SM3 and SM4, in general-purpose registers, with the
//! state in memory.

use crate::x64::asm::{Asm, Mem, Reg, Rm, Width, indexed};
use crate::x64::emit::Vectors;
use crate::x64::runtime::constant::SM4;
use crate::x64::runtime::convention::HOMES;
use crate::x64::vector_plan::Operation;
use capvec_sim::crypto::{sha2::Word, sm3};
use capvec_sim::insn::Insn;
use iced_x86::Code;

const Q: Width = Width::Q;
const D: Width = Width::D;
const RAX: Reg = Reg::RAX;
const RCX: Reg = Reg::RCX;

/// An element group in memory.
struct Group {
    at: u32,
    size: u32,
}

impl Group {
    /// Group `n` of register `reg`; a group has `bytes` bytes in elements of `size` bytes.
    fn new(t: &Vectors<'_, '_>, reg: u8, n: u32, bytes: u32, size: u32) -> Group {
        Group { at: reg as u32 * t.vlenb + n * bytes, size }
    }

    fn element(&self, t: &mut Vectors<'_, '_>, k: usize) -> Mem {
        t.memory(self.at + k as u32 * self.size)
    }
}

/// Spills all guest registers, which frees all nine host registers. Brings the sources up to date in memory, where
/// the destination will be written.
fn begin(t: &mut Vectors<'_, '_>, op: &Operation, sources: &[u8], rd: u8) -> [Reg; 9] {
    t.out.regs.evict(&mut t.out.a);
    let vlenb = t.vlenb;
    for reg in sources {
        t.sync(*reg as u32 * vlenb, op.bytes);
    }
    t.overwrite(rd as u32 * vlenb, op.bytes);
    HOMES.map(|(_, r)| r)
}

fn load(t: &mut Vectors<'_, '_>, w: Width, d: Reg, g: &Group, k: usize) {
    let m = g.element(t, k);
    let code = if w == Q { Code::Mov_r64_rm64 } else { Code::Mov_r32_rm32 };
    t.out.a.op2(code, d, Rm::M(m));
}

fn store(t: &mut Vectors<'_, '_>, w: Width, g: &Group, k: usize, s: Reg) {
    let m = g.element(t, k);
    let code = if w == Q { Code::Mov_rm64_r64 } else { Code::Mov_rm32_r32 };
    t.out.a.op2_to(code, Rm::M(m), s);
}

/// Operations on general-purpose registers at a width.
struct On<'a>(&'a mut Asm, Width);

impl On<'_> {
    fn op(&mut self, q: Code, d32: Code, d: Reg, s: Rm) {
        self.0.op2(if self.1 == Q { q } else { d32 }, d, s);
    }

    fn mov(&mut self, d: Reg, s: Reg) {
        self.op(Code::Mov_r64_rm64, Code::Mov_r32_rm32, d, Rm::R(s));
    }

    fn add(&mut self, d: Reg, s: Rm) {
        self.op(Code::Add_r64_rm64, Code::Add_r32_rm32, d, s);
    }

    fn xor(&mut self, d: Reg, s: Rm) {
        self.op(Code::Xor_r64_rm64, Code::Xor_r32_rm32, d, s);
    }

    fn and(&mut self, d: Reg, s: Reg) {
        self.op(Code::And_r64_rm64, Code::And_r32_rm32, d, Rm::R(s));
    }

    fn or(&mut self, d: Reg, s: Reg) {
        self.op(Code::Or_r64_rm64, Code::Or_r32_rm32, d, Rm::R(s));
    }

    /// `d = !a & b`.
    fn andn(&mut self, d: Reg, a: Reg, b: Reg) {
        let (q, w) = (Code::VEX_Andn_r64_r64_rm64, Code::VEX_Andn_r32_r32_rm32);
        self.0.vex(if self.1 == Q { q } else { w }, d, a, Rm::R(b));
    }

    /// `d` = `s` rotated right.
    fn ror(&mut self, d: Reg, s: Reg, by: u32) {
        let (q, w) = (Code::VEX_Rorx_r64_rm64_imm8, Code::VEX_Rorx_r32_rm32_imm8);
        self.0.op2_imm(if self.1 == Q { q } else { w }, d, Rm::R(s), by as i32);
    }

    /// `d` = `s` rotated left, 32 bits.
    fn rol(&mut self, d: Reg, s: Reg, by: u32) {
        self.ror(d, s, 32 - by);
    }

    /// `d` ^= `s` rotated by each amount. Clobbers `u`.
    fn xor_rotated(&mut self, d: Reg, s: Reg, u: Reg, by: &[u32]) {
        for by in by {
            self.ror(u, s, *by);
            self.xor(d, Rm::R(u));
        }
    }

    fn swap(&mut self, d: Reg) {
        self.0.op1(Code::Bswap_r32, d);
    }
}

/// Two rounds of SHA-512 on the state vs2 = {f, e, b, a}, vd = {h, g, d, c}, with words 0 and 1 of vs1, or 2 and 3.
pub fn sha512(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, high: bool) {
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
pub fn sha512_words(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) {
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

/// Two rounds of SM3, numbers 2·imm and 2·imm + 1, on the state vd = {A, .., H} with words 0, 1, 4 and 5 of vs2.
pub fn sm3(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) {
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
pub fn sm3_words(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) {
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

/// Four rounds of SM4 on the state vd with the keys vs2, or its first element group.
pub fn sm4(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, lane: bool) {
    let [table, mut x0, mut x1, mut x2, mut x3, ..] = begin(t, op, &[i.rs2], i.rd);
    t.out.a.mov_imm(table, SM4.as_ptr() as u64);
    for n in 0..op.bytes / 16 {
        let keys = Group::new(t, i.rs2, if lane { 0 } else { n }, 16, 4);
        let state = Group::new(t, i.rd, n, 16, 4);
        for (k, r) in [x0, x1, x2, x3].into_iter().enumerate() {
            load(t, D, r, &state, k);
        }
        for k in 0..4 {
            load(t, D, RAX, &keys, k);
            let mut o = On(&mut t.out.a, D);
            for x in [x1, x2, x3] {
                o.xor(RAX, Rm::R(x));
            }
            for byte in 0..4 {
                // After three shifts only the last byte is left.
                if byte < 3 {
                    o.0.op2(Code::Movzx_r32_rm8, RCX, Rm::R(RAX));
                    o.0.imm(Code::Shr_rm32_imm8, Rm::R(RAX), 8);
                }
                let index = if byte < 3 { RCX } else { RAX };
                o.xor(x0, Rm::M(indexed(table, index, 4, byte * 1024)));
            }
            (x0, x1, x2, x3) = (x1, x2, x3, x0);
        }
        for (k, r) in [x0, x1, x2, x3].into_iter().enumerate() {
            store(t, D, &state, k, r);
        }
    }
}
