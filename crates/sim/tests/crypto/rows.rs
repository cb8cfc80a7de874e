//! The instructions on element groups, each with the function that computes one group.

use capvec_isa::{Ext, Op};
use capvec_sim::crypto::{aes, aes_rounds, ghash, keccak, sha2, sm3, sm4};

/// Computes the group of vd from the groups of vd, vs2 and vs1 and the immediate.
type Function = fn(&[u8], &[u8], &[u8], u32) -> Vec<u8>;

/// One instruction: its element group, and the function that computes one group.
pub struct Row {
    pub op: Op,
    pub sew: u32,
    pub egs: u64,
    /// Whether it has the operand.
    pub vs2: bool,
    pub vs1: bool,
    /// The number of legal immediates, from 0; 0 without an immediate.
    pub imms: u64,
    /// Sources that are group 0 for all groups: vs2, vs1.
    pub scalar: [bool; 2],
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
    vs2: true,
    vs1: false,
    imms: 0,
    scalar: [false; 2],
    disjoint: [false; 2],
    function: |_, _, _, _| Vec::new(),
};

/// A `.vv` and a `.vs` form of one function.
fn pair(vv: Op, vs: Op, function: Function) -> [Row; 2] {
    let vs = Row { op: vs, scalar: [true, false], disjoint: [true, false], function, ..PLAIN };
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

/// Zvknf and Zvkgs.
fn draft_rows() -> Vec<Row> {
    let aes = Row { vs1: true, ..PLAIN };
    let vs = |row: Row, scalar| Row { scalar, disjoint: scalar, ..row };
    let mut rows = vec![
        Row {
            op: Op::Vaes128k10V,
            function: |_, b, _, _| aes_rounds::schedule_128(block(b))[10].to_vec(),
            ..PLAIN
        },
        Row {
            op: Op::Vaes256k13Vv,
            function: |_, b, c, _| aes_rounds::schedule_256([block(c), block(b)])[13].to_vec(),
            ..aes
        },
        Row {
            op: Op::Vaes256k14Vv,
            function: |_, b, c, _| aes_rounds::schedule_256([block(c), block(b)])[14].to_vec(),
            ..aes
        },
        Row {
            op: Op::VghshVs,
            vs1: true,
            scalar: [true, false],
            disjoint: [true, false],
            function: |d, b, c, _| {
                ghash::add_multiply(number(d), number(c), number(b)).to_le_bytes().to_vec()
            },
            ..PLAIN
        },
        Row {
            op: Op::VgmulVs,
            scalar: [true, false],
            disjoint: [true, false],
            function: |d, b, _, _| ghash::multiply(number(d), number(b)).to_le_bytes().to_vec(),
            ..PLAIN
        },
    ];
    let aes128: [(Op, Op, Function); 2] = [
        (Op::Vaese128Vv, Op::Vaese128Vs, |_, b, c, _| {
            aes_rounds::encrypt_128(block(b), block(c)).to_vec()
        }),
        (Op::Vaesd128Vv, Op::Vaesd128Vs, |_, b, c, _| {
            aes_rounds::decrypt_128(block(b), block(c)).to_vec()
        }),
    ];
    let aes256: [(Op, Op, Function); 2] = [
        (Op::Vaese256Vv, Op::Vaese256Vs, |d, b, c, _| {
            aes_rounds::encrypt_256(block(d), [block(c), block(b)]).to_vec()
        }),
        (Op::Vaesd256Vv, Op::Vaesd256Vs, |d, b, c, _| {
            aes_rounds::decrypt_256(block(d), [block(c), block(b)]).to_vec()
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

impl Row {
    /// All ratified extensions, and the instruction's own draft.
    pub fn exts(&self) -> Vec<Ext> {
        let draft = self.op.row().exts.iter().filter(|e| e.info().draft.is_some());
        Ext::ratified().chain(draft).collect()
    }
}

/// Every instruction on element groups.
pub fn rows() -> Vec<Row> {
    let mut rows = vec![
        Row {
            op: Op::VaeszVs,
            scalar: [true, false],
            disjoint: [true, false],
            function: |d, b, _, _| aes::add_round_key(block(d), block(b)).to_vec(),
            ..PLAIN
        },
        Row {
            op: Op::Vaeskf1Vi,
            imms: 32,
            function: |_, b, _, imm| aes::key_forward_128(block(b), imm).to_vec(),
            ..PLAIN
        },
        Row {
            op: Op::Vaeskf2Vi,
            imms: 32,
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
            imms: 32,
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
            imms: 32,
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
    rows.extend(keccak_rows());
    rows.extend(draft_rows());
    rows
}
