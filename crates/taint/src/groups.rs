//! Rules for element groups: ciphers and hashes.

use capvec_isa::Class;
use capvec_isa::row::Taint;
use capvec_sim::Hart;
use capvec_sim::insn::Insn;

use crate::roles::Roles;

/// Bytes of an AES state.
const STATE: usize = 16;

/// Taints each element group of the destination.
pub fn run(shadow: &mut Hart, h: &Hart, i: &Insn, roles: &Roles) {
    let elements = if roles.class == Class::Vsm3 { 8 } else { 4 };
    let bytes = elements * h.v.vtype.sew as usize / 8;
    let (first, end) = (h.v.vstart as usize / elements, h.v.vl as usize / elements);
    for group in first..end {
        let at = group * bytes..(group + 1) * bytes;
        let of = |reg: u8, at: std::ops::Range<usize>| shadow.v.bytes(reg)[at].to_vec();
        let old = of(i.rd, at.clone());
        let second = if roles.scalar_group { 0..bytes } else { at.clone() };
        let mut sources = of(i.rs2, second);
        if roles.v.s1 {
            let third = of(i.rs1, at.clone());
            sources.iter_mut().zip(third).for_each(|(s, t)| *s |= t);
        }
        let new = group_taint(roles.rule, &old, &sources);
        shadow.v.bytes_mut(i.rd)[at].copy_from_slice(&new);
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
        // Here it is added before.
        Taint::AesDm => {
            let key = |c: usize| any(&sources[4 * c..4 * c + 4]);
            let byte = |k: usize| all(column(rule, old, k / 4) || key(k / 4));
            (0..STATE).map(byte).collect()
        }
        _ => {
            let tainted = any(sources) || (rule == Taint::Group && any(old));
            vec![all(tainted); old.len()]
        }
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
