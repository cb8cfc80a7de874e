//! The instructions on element groups, each with the function that computes one group.

mod drafts;

use capvec_isa::{Ext, Op};
use capvec_sim::crypto::{aes, ghash, sha2, sm3, sm4};
pub use drafts::permuted;

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

impl Row {
    /// All ratified extensions, and the instruction's own draft.
    pub fn exts(&self) -> Vec<Ext> {
        let draft = self.op.row().exts.iter().filter(|e| e.info().draft.is_some());
        Ext::ratified().chain(draft).collect()
    }
}

/// Zvkned.
fn aes_rows() -> Vec<Row> {
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
    rows
}

/// Every instruction on element groups.
pub fn rows() -> Vec<Row> {
    let mut rows = vec![
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
    rows.extend(aes_rows());
    rows.extend(pair(Op::Vsm4rVv, Op::Vsm4rVs, |d, b, _, _| {
        from_words(&sm4::rounds(words(d), words(b)))
    }));
    rows.extend(sha2_rows());
    rows.extend(drafts::rows());
    rows
}
