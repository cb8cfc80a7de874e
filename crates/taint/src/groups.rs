//! Rules for element groups: ciphers and hashes.

use crate::carryless::{self, Block};
use crate::ciphers;
use crate::lanes::{element, set_element};
use crate::roles::Roles;
use crate::value::Value;
use crate::words::Word;
use capvec_isa::row::Taint;
use capvec_isa::{Class, Op};
use capvec_sim::Hart;
use capvec_sim::crypto::sha2;
use capvec_sim::insn::Insn;
use capvec_sim::vector::Vector;
use std::array::from_fn;

/// Bytes of an AES state.
const STATE: usize = 16;

/// A register, and the number of a group in the registers from it on.
type Place = (u8, u64);

/// The operands of one group.
struct Group<'a> {
    h: &'a Hart,
    shadow: &'a mut Hart,
    i: &'a Insn,
    /// Number of the group, and number of the second source's group.
    group: u64,
    second: u64,
    sew: u32,
}

/// Whether the rule is one for element groups.
pub fn has(rule: Taint) -> bool {
    use Taint::{AesDf, AesDm, AesEf, AesEm, AesKf1, AesKf2, AesZ, Ghash, Group, Keccak};
    use Taint::{Sha2Ch, Sha2Cl, Sha2Ms, Sm3C, Sm3Me, Sm4K, Sm4R};
    let aes = matches!(rule, AesDf | AesDm | AesEf | AesEm | AesKf1 | AesKf2 | AesZ);
    let hash = matches!(rule, Ghash | Keccak | Sha2Ch | Sha2Cl | Sha2Ms | Sm3C | Sm3Me);
    aes || hash || matches!(rule, Group | Sm4K | Sm4R)
}

/// Taints each element group of the destination.
pub fn run(shadow: &mut Hart, h: &Hart, i: &Insn, roles: &Roles) {
    if roles.rule == Taint::Keccak {
        return keccak(shadow, h, i);
    }
    let (elements, sew) = (if roles.class == Class::Vsm3 { 8 } else { 4 }, h.v.vtype.sew);
    // With other widths, it is about to trap.
    if sew != 32 && (sew, roles.class) != (64, Class::Vsha2) {
        return;
    }
    for group in h.v.vstart / elements..h.v.vl / elements {
        let second = if roles.scalar_group { 0 } else { group };
        Group { h, shadow, i, group, second, sew }.run(roles, elements as usize);
    }
}

impl Group<'_> {
    fn run(&mut self, roles: &Roles, elements: usize) {
        let [vd, vs2, vs1] = self.places();
        match roles.rule {
            Taint::Sha2Ms | Taint::Sha2Ch | Taint::Sha2Cl if self.sew == 64 => {
                self.sha2::<64>(roles)
            }
            Taint::Sha2Ms | Taint::Sha2Ch | Taint::Sha2Cl => self.sha2::<32>(roles),
            Taint::Sm3Me => {
                let new = ciphers::sm3_expand(self.taints(vs1), self.taints(vs2));
                self.set(new.map(u64::from));
            }
            Taint::Sm3C => {
                let (state, message) = (self.words(vd), self.words(vs2));
                let new = ciphers::sm3_compress(state, message, self.i.imm as u32);
                self.set(new.map(|w| w.0.taint));
            }
            Taint::Sm4R => {
                let new = ciphers::sm4_rounds(self.taints(vd), self.taints(vs2), ciphers::SM4);
                self.set(new.map(u64::from));
            }
            Taint::Sm4K => {
                let new = ciphers::sm4_rounds(self.taints(vs2), [0; 4], ciphers::SM4_KEY);
                self.set(new.map(u64::from));
            }
            Taint::AesKf1 => {
                let key = self.taints(vs2);
                self.set(ciphers::aes_schedule(key, key[3], true).map(u64::from));
            }
            Taint::AesKf2 => {
                let (key, last) = (self.taints(vd), self.taints::<4>(vs2)[3]);
                // Odd rounds substitute without rotating (FIPS 197, section 5.2, keys of 256 bits).
                let rotated = self.i.imm & 1 == 0;
                self.set(ciphers::aes_schedule(key, last, rotated).map(u64::from));
            }
            Taint::Ghash => self.ghash(roles),
            rule => self.bytes(rule, roles, elements),
        }
    }

    /// The groups at vd, vs2 and vs1.
    fn places(&self) -> [Place; 3] {
        let i = self.i;
        [(i.rd, self.group), (i.rs2, self.second), (i.rs1, self.group)]
    }

    fn element(&self, v: &Vector, (reg, group): Place, k: usize, elements: usize) -> u64 {
        element(v, reg, group * elements as u64 + k as u64, self.sew)
    }

    fn taints<const N: usize>(&self, at: Place) -> [u32; N] {
        from_fn(|k| self.element(&self.shadow.v, at, k, N) as u32)
    }

    fn words<const W: u32, const N: usize>(&self, at: Place) -> [Word<W>; N] {
        from_fn(|k| {
            let bits = self.element(&self.h.v, at, k, N);
            Word(Value { bits, taint: self.element(&self.shadow.v, at, k, N) })
        })
    }

    fn set<const N: usize>(&mut self, taints: [u64; N]) {
        for (k, taint) in (0..).zip(taints) {
            let k = self.group * N as u64 + k;
            set_element(&mut self.shadow.v, self.i.rd, k, self.sew, taint);
        }
    }

    fn sha2<const W: u32>(&mut self, roles: &Roles)
    where
        Word<W>: sha2::Word,
    {
        let [vd, vs2, vs1]: [[Word<W>; 4]; 3] = self.places().map(|at| self.words(at));
        let new = match roles.rule {
            Taint::Sha2Ms => sha2::message_schedule(vd, vs2, vs1),
            Taint::Sha2Ch => sha2::compress2(vs2, vd, [vs1[2], vs1[3]]),
            _ => sha2::compress2(vs2, vd, [vs1[0], vs1[1]]),
        };
        self.set(new.map(|w| w.0.taint));
    }

    fn ghash(&mut self, roles: &Roles) {
        let block = |at: Place| {
            let words: [Word<32>; 4] = self.words(at);
            let join = |of: fn(Value) -> u64| {
                words.iter().rev().fold(0, |sum, w| sum << 32 | u128::from(of(w.0)))
            };
            Block { bits: join(|v| v.bits), taint: join(|v| v.taint) }
        };
        let [vd, vs2, vs1] = self.places();
        let mut y = block(vd);
        if roles.v.s1 {
            let x = block(vs1);
            y = Block { bits: y.bits ^ x.bits, taint: y.taint | x.taint };
        }
        let taint = carryless::ghash(y, block(vs2));
        self.set::<4>(from_fn(|k| u64::from((taint >> (32 * k)) as u32)));
    }

    /// A rule on the tainted bytes.
    fn bytes(&mut self, rule: Taint, roles: &Roles, elements: usize) {
        let len = elements * self.sew as usize / 8;
        let at = |group: u64| group as usize * len..(group as usize + 1) * len;
        let of = |s: &Hart, (reg, group): Place| {
            s.v.bytes(reg).get(at(group)).map_or_else(|| vec![0; len], <[u8]>::to_vec)
        };
        let [vd, vs2, vs1] = self.places();
        let old = of(self.shadow, vd);
        let mut sources = of(self.shadow, vs2);
        // With a third operand, the names do not say which one is a single group.
        let third = roles.v.s1.then_some([vs1, (vs1.0, 0), (vs2.0, self.group)]);
        for place in third.into_iter().flatten().take(if roles.scalar_group { 3 } else { 1 }) {
            let more = of(self.shadow, place);
            sources.iter_mut().zip(more).for_each(|(s, t)| *s |= t);
        }
        let new = group_taint(rule, &old, &sources);
        if let Some(vd) = self.shadow.v.bytes_mut(self.i.rd).get_mut(at(self.group)) {
            vd.copy_from_slice(&new);
        }
    }
}

/// Elements of a group that holds a state of Keccak; the last seven keep their values.
const KECCAK: u64 = 32;

fn keccak(shadow: &mut Hart, h: &Hart, i: &Insn) {
    let rounds = match i.op().row().base {
        Op::VkeccakViZvkk0p2024 => 0..i.imm as usize,
        _ if i.imm == 0 => 0..24,
        _ => 12..24,
    };
    // Draft 0.1 permutes one group whatever vl is, and so does draft 0.2 at VLEN 128.
    let op = i.op().row().base;
    let fixed = op == Op::VkeccakViZvknhk0p1 || (op == Op::VkeccakViZvknhk0p2 && h.v.vlenb() == 16);
    let groups = if fixed { 0..1 } else { h.v.vstart / KECCAK..h.v.vl / KECCAK };
    for first in groups.map(|group| group * KECCAK) {
        let lane = |k: usize| {
            let of = |v: &Vector| element(v, i.rd, first + k as u64, 64);
            Word(Value { bits: of(&h.v), taint: of(&shadow.v) })
        };
        for (k, word) in (first..).zip(ciphers::keccak(from_fn(lane), rounds.clone())) {
            set_element(&mut shadow.v, i.rd, k, 64, word.0.taint);
        }
    }
}

/// The destination's taint, from that of the old destination and of the other sources.
fn group_taint(rule: Taint, old: &[u8], sources: &[u8]) -> Vec<u8> {
    let any = |bytes: &[u8]| bytes.iter().any(|b| *b != 0);
    match rule {
        Taint::AesZ => old.iter().zip(sources).map(|(a, b)| a | b).collect(),
        Taint::AesEf | Taint::AesDf => {
            let byte = |k: usize| all(old[origin(rule, k)] != 0) | sources[k];
            (0..STATE).map(byte).collect()
        }
        // The round key is added after the columns are mixed, so it taints only its own bits.
        Taint::AesEm => {
            let byte = |k: usize| all(column(rule, old, k / 4)) | sources[k];
            (0..STATE).map(byte).collect()
        }
        // Here the round key is added before the columns are mixed.
        Taint::AesDm => {
            let key = |c: usize| any(&sources[4 * c..4 * c + 4]);
            let byte = |k: usize| all(column(rule, old, k / 4) || key(k / 4));
            (0..STATE).map(byte).collect()
        }
        _ => vec![all(any(sources) || any(old)); old.len()],
    }
}

/// Whether any of the bytes that ShiftRows or its inverse moves into the column is tainted.
fn column(rule: Taint, old: &[u8], column: usize) -> bool {
    (4 * column..4 * column + 4).any(|k| old[origin(rule, k)] != 0)
}

/// The byte of the state that ShiftRows (FIPS 197, section 5.1.2) or its inverse moves to byte `k`.
fn origin(rule: Taint, k: usize) -> usize {
    let (row, column) = (k % 4, k / 4);
    let from = match rule {
        Taint::AesEf | Taint::AesEm => column + row,
        _ => column + 4 - row,
    };
    4 * (from % 4) + row
}

fn all(tainted: bool) -> u8 {
    if tainted { 0xff } else { 0 }
}
