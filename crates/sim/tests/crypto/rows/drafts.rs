//! The instructions of drafts.

use super::{Function, PLAIN, Row, block, from_doubles, number};
use capvec_isa::Op;
use capvec_sim::crypto::{aes_all, ghash, keccak};

/// `vkeccak.vi` in the drafts where vl and vstart select the groups.
fn keccak_rows() -> [Row; 2] {
    let keccak = Row { sew: 64, egs: 32, vs2: false, ..PLAIN };
    [
        Row {
            op: Op::VkeccakViZvkk0p2024,
            imms: 25,
            function: |d, _, _, imm| permuted(d, 0..imm as usize),
            ..keccak
        },
        Row {
            op: Op::VkeccakViZvknhk0p2,
            imms: 2,
            function: |d, _, _, imm| permuted(d, 12 * imm as usize..24),
            ..keccak
        },
    ]
}

/// A group after these rounds; its last seven elements do not change.
pub fn permuted(group: &[u8], rounds: std::ops::Range<usize>) -> Vec<u8> {
    let lane = |i: usize| u64::from_le_bytes(std::array::from_fn(|k| group[8 * i + k]));
    let mut result = from_doubles(&keccak::permute(std::array::from_fn(lane), rounds));
    result.extend(&group[200..]);
    result
}

/// Zvkgs.
fn zvkgs_rows() -> [Row; 2] {
    let vs = Row { scalar: [true, false], disjoint: [true, false], ..PLAIN };
    [
        Row {
            op: Op::VghshVs,
            vs1: true,
            function: |d, b, c, _| {
                ghash::add_multiply(number(d), number(c), number(b)).to_le_bytes().to_vec()
            },
            ..vs
        },
        Row {
            op: Op::VgmulVs,
            function: |d, b, _, _| ghash::multiply(number(d), number(b)).to_le_bytes().to_vec(),
            ..vs
        },
    ]
}

/// Zvknf.
fn zvknf_rows() -> Vec<Row> {
    let aes = Row { vs1: true, ..PLAIN };
    let vs = |row: Row, scalar| Row { scalar, disjoint: scalar, ..row };
    let mut rows = vec![
        Row {
            op: Op::Vaes128k10V,
            function: |_, b, _, _| aes_all::schedule_128(block(b))[10].to_vec(),
            ..PLAIN
        },
        Row {
            op: Op::Vaes256k13Vv,
            function: |_, b, c, _| aes_all::schedule_256([block(c), block(b)])[13].to_vec(),
            ..aes
        },
        Row {
            op: Op::Vaes256k14Vv,
            function: |_, b, c, _| aes_all::schedule_256([block(c), block(b)])[14].to_vec(),
            ..aes
        },
    ];
    let aes128: [(Op, Op, Function); 2] = [
        (Op::Vaese128Vv, Op::Vaese128Vs, |_, b, c, _| {
            aes_all::encrypt_128(block(b), block(c)).to_vec()
        }),
        (Op::Vaesd128Vv, Op::Vaesd128Vs, |_, b, c, _| {
            aes_all::decrypt_128(block(b), block(c)).to_vec()
        }),
    ];
    let aes256: [(Op, Op, Function); 2] = [
        (Op::Vaese256Vv, Op::Vaese256Vs, |d, b, c, _| {
            aes_all::encrypt_256(block(d), [block(c), block(b)]).to_vec()
        }),
        (Op::Vaesd256Vv, Op::Vaesd256Vs, |d, b, c, _| {
            aes_all::decrypt_256(block(d), [block(c), block(b)]).to_vec()
        }),
    ];
    for (vv, op, function) in aes128 {
        rows.push(Row { op: vv, function, ..aes });
        rows.push(vs(Row { op, function, ..aes }, [false, true]));
    }
    for (vv, op, function) in aes256 {
        rows.push(Row { op: vv, function, ..aes });
        rows.push(vs(Row { op, function, ..aes }, [true, true]));
    }
    rows
}

/// Every instruction of a draft.
pub fn rows() -> Vec<Row> {
    let mut rows = zvknf_rows();
    rows.extend(keccak_rows());
    rows.extend(zvkgs_rows());
    rows
}
