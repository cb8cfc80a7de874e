//! Each instruction on element groups against the function of one group: every VLEN, LMUL, vl, vstart and tail
//! policy. The rest of the register file must not change.

use super::machine::{configure, insn, machine, run};
use capvec_isa::{Decoded, Op};
use capvec_sim::crypto::{aes, ghash, sha2, sm3, sm4};
use capvec_sim::hart::Agnostic;
use capvec_sim::host::Host;
use capvec_sim::testing::{Rig, Rng, all_exts};

/// The group of vd from the groups of vd, vs2 and vs1 and the immediate.
type Function = fn(&[u8], &[u8], &[u8], u32) -> Vec<u8>;

/// One instruction: its element group and its function of one, on bytes.
pub struct Row {
    pub op: Op,
    pub sew: u32,
    pub egs: u64,
    /// Whether it has vs1, an immediate, or group 0 of vs2 for all groups.
    pub vs1: bool,
    pub imm: bool,
    pub scalar: bool,
    /// Sources that vd must not overlap: vs2, vs1.
    pub disjoint: [bool; 2],
    pub function: Function,
}

fn block(bytes: &[u8]) -> [u8; 16] {
    bytes.try_into().expect("16 bytes")
}

fn number(bytes: &[u8]) -> u128 {
    u128::from_le_bytes(block(bytes))
}

fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    std::array::from_fn(|i| u32::from_le_bytes(std::array::from_fn(|k| bytes[4 * i + k])))
}

fn doubles(bytes: &[u8]) -> [u64; 4] {
    std::array::from_fn(|i| u64::from_le_bytes(std::array::from_fn(|k| bytes[8 * i + k])))
}

fn from_words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn from_doubles(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

const PLAIN: Row = Row {
    op: Op::VaesemVv,
    sew: 32,
    egs: 4,
    vs1: false,
    imm: false,
    scalar: false,
    disjoint: [false; 2],
    function: |_, _, _, _| Vec::new(),
};

/// A `.vv` and a `.vs` form of one function.
fn pair(vv: Op, vs: Op, function: Function) -> [Row; 2] {
    let vs = Row { op: vs, scalar: true, disjoint: [true, false], function, ..PLAIN };
    [Row { op: vv, function, ..PLAIN }, vs]
}

fn sha2_rows() -> [Row; 6] {
    let both = Row { vs1: true, disjoint: [true; 2], ..PLAIN };
    let wide = Row { sew: 64, ..both };
    [
        Row {
            op: Op::Vsha2msVv,
            function: |d, b, c, _| {
                from_words(&sha2::message_schedule(words(d), words(b), words(c)))
            },
            ..both
        },
        Row {
            op: Op::Vsha2clVv,
            function: |d, b, c, _| {
                let [w0, w1, ..] = words::<4>(c);
                from_words(&sha2::compress2(words(b), words(d), [w0, w1]))
            },
            ..both
        },
        Row {
            op: Op::Vsha2chVv,
            function: |d, b, c, _| {
                let [.., w2, w3] = words::<4>(c);
                from_words(&sha2::compress2(words(b), words(d), [w2, w3]))
            },
            ..both
        },
        Row {
            op: Op::Vsha2msVv,
            function: |d, b, c, _| {
                from_doubles(&sha2::message_schedule(doubles(d), doubles(b), doubles(c)))
            },
            ..wide
        },
        Row {
            op: Op::Vsha2clVv,
            function: |d, b, c, _| {
                let [w0, w1, ..] = doubles(c);
                from_doubles(&sha2::compress2(doubles(b), doubles(d), [w0, w1]))
            },
            ..wide
        },
        Row {
            op: Op::Vsha2chVv,
            function: |d, b, c, _| {
                let [.., w2, w3] = doubles(c);
                from_doubles(&sha2::compress2(doubles(b), doubles(d), [w2, w3]))
            },
            ..wide
        },
    ]
}

/// Every instruction on element groups.
pub fn rows() -> Vec<Row> {
    let mut rows = vec![
        Row {
            op: Op::VaeszVs,
            scalar: true,
            disjoint: [true, false],
            function: |d, b, _, _| aes::add_round_key(block(d), block(b)).to_vec(),
            ..PLAIN
        },
        Row {
            op: Op::Vaeskf1Vi,
            imm: true,
            function: |_, b, _, imm| aes::key_forward_128(block(b), imm).to_vec(),
            ..PLAIN
        },
        Row {
            op: Op::Vaeskf2Vi,
            imm: true,
            function: |d, b, _, imm| aes::key_forward_256(block(d), block(b), imm).to_vec(),
            ..PLAIN
        },
        Row {
            op: Op::VghshVv,
            vs1: true,
            function: |d, b, c, _| {
                ghash::add_multiply(number(d), number(c), number(b)).to_le_bytes().to_vec()
            },
            ..PLAIN
        },
        Row {
            op: Op::VgmulVv,
            function: |d, b, _, _| ghash::multiply(number(d), number(b)).to_le_bytes().to_vec(),
            ..PLAIN
        },
        Row {
            op: Op::Vsm4kVi,
            imm: true,
            function: |_, b, _, imm| from_words(&sm4::key_expand(words(b), imm)),
            ..PLAIN
        },
        Row {
            op: Op::Vsm3meVv,
            egs: 8,
            vs1: true,
            disjoint: [true, false],
            function: |_, b, c, _| from_words(&sm3::message_expand(words(c), words(b))),
            ..PLAIN
        },
        Row {
            op: Op::Vsm3cVi,
            egs: 8,
            imm: true,
            disjoint: [true, false],
            function: |d, b, _, imm| from_words(&sm3::compress2(words(d), words(b), imm)),
            ..PLAIN
        },
    ];
    rows.extend(pair(Op::VaesdfVv, Op::VaesdfVs, |d, b, _, _| {
        aes::decrypt_final(block(d), block(b)).to_vec()
    }));
    rows.extend(pair(Op::VaesdmVv, Op::VaesdmVs, |d, b, _, _| {
        aes::decrypt_middle(block(d), block(b)).to_vec()
    }));
    rows.extend(pair(Op::VaesefVv, Op::VaesefVs, |d, b, _, _| {
        aes::encrypt_final(block(d), block(b)).to_vec()
    }));
    rows.extend(pair(Op::VaesemVv, Op::VaesemVs, |d, b, _, _| {
        aes::encrypt_middle(block(d), block(b)).to_vec()
    }));
    rows.extend(pair(Op::Vsm4rVv, Op::Vsm4rVs, |d, b, _, _| {
        from_words(&sm4::rounds(words(d), words(b)))
    }));
    rows.extend(sha2_rows());
    rows
}

/// Random operands that are legal for the instruction.
fn operands(row: &Row, lmul: i8, rng: &mut Rng) -> Decoded {
    let size = 1 << lmul.max(0);
    let aligned = |rng: &mut Rng| (rng.below(32 / size) * size) as u8;
    loop {
        let vd = aligned(rng);
        let vs2 = if row.scalar { rng.below(32) as u8 } else { aligned(rng) };
        let vs1 = if row.vs1 { aligned(rng) } else { 0 };
        let overlaps = |reg: u8| (vd..vd + size as u8).contains(&reg);
        let clash = [vs2, vs1].iter().zip(row.disjoint).any(|(reg, rule)| rule && overlaps(*reg));
        if !clash {
            let imm = if row.imm { rng.below(32) as i64 } else { 0 };
            return insn(row.op, vd, vs2, vs1, imm);
        }
    }
}

/// The expected register file after `d`.
fn expected(row: &Row, d: &Decoded, m: &Rig, agnostic: Agnostic) -> Vec<u8> {
    let before = m.h.v.bytes(0).to_vec();
    let mut after = before.clone();
    let v = &m.h.v;
    let vlenb = v.vlenb();
    let width = (row.egs * row.sew as u64 / 8) as usize;
    let group = |reg: u8, g: u64| {
        let at = reg as usize * vlenb + g as usize * width;
        at..at + width
    };
    for g in v.vstart / row.egs..v.vl / row.egs {
        let vs2 = &before[group(d.rs2, if row.scalar { 0 } else { g })];
        let vs1 = &before[if row.vs1 { group(d.rs1, g) } else { 0..0 }];
        let result = (row.function)(&before[group(d.rd, g)], vs2, vs1, d.imm as u32);
        after[group(d.rd, g)].copy_from_slice(&result);
    }
    if v.vtype.vta && agnostic == Agnostic::Ones && v.vstart < v.vl {
        let start = d.rd as usize * vlenb;
        let end = start + vlenb * (1 << v.vtype.lmul.max(0));
        after[start + (v.vl * row.sew as u64 / 8) as usize..end].fill(0xff);
    }
    after
}

/// Registers of random bytes, or of patterns.
fn fill(m: &mut Rig, rng: &mut Rng) {
    let file = m.h.v.bytes_mut(0);
    rng.fill(file);
    match rng.below(6) {
        0 => file.fill(0),
        1 => file.fill(0xff),
        // Few bits.
        2 => file.iter_mut().for_each(|b| *b = if *b < 8 { 1 << *b } else { 0 }),
        _ => {}
    }
}

/// Checks every instruction on a hart that may use these features of the host.
pub fn check_all(vlen: u32, agnostic: Agnostic, host: Host, rng: &mut Rng) {
    let mut m = machine(&all_exts(), vlen, agnostic);
    m.h.host = host;
    for row in rows() {
        for lmul in -3..=3 {
            configure(&mut m, row.sew.max(8), lmul, 0);
            let groups = m.h.v.vlmax() / row.egs;
            // LMUL < SEW/ELEN is not a legal vtype.
            if groups == 0 || (lmul < 0 && row.sew > 64 >> -lmul) {
                continue;
            }
            for vta in [false, true] {
                fill(&mut m, rng);
                configure(&mut m, row.sew, lmul, row.egs * rng.below(groups + 1));
                m.h.v.vtype.vta = vta;
                m.h.v.vstart = row.egs * if vta { rng.below(groups) } else { 0 };
                let d = operands(&row, lmul, rng);
                let wanted = expected(&row, &d, &m, agnostic);
                run(&mut m, &[d]).unwrap_or_else(|trap| panic!("{d:?} LMUL {lmul}: {trap:?}"));
                assert!(
                    m.h.v.bytes(0) == wanted,
                    "{d:?} VLEN {vlen} LMUL {lmul} vta {vta} {host:?}"
                );
                assert_eq!(m.h.v.vstart, 0);
            }
        }
    }
}

#[test]
fn every_group_is_what_the_function_of_one_group_says() {
    let mut rng = Rng::new("every_group_is_what_the_function_of_one_group_says");
    for vlen in [128, 256, 512, 1024] {
        for agnostic in [Agnostic::Undisturbed, Agnostic::Ones] {
            for _ in 0..10 {
                check_all(vlen, agnostic, Host::plain(), &mut rng);
            }
        }
    }
}

#[test]
fn the_largest_vlen_works() {
    let mut rng = Rng::new("the_largest_vlen_works");
    for host in [Host::plain(), Host::detected()] {
        check_all(65536, Agnostic::Ones, host, &mut rng);
    }
}
