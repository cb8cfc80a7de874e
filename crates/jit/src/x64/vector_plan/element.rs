//! The host instructions for element-wise operations, by SEW.

use super::kind::{Second, Shape};
use capvec_isa::Op;
use iced_x86::Code;

/// The code for this SEW out of four; `Code::INVALID` marks a missing one.
fn by_sew(sew: u32, codes: [Code; 4]) -> Option<Code> {
    let code = codes[sew.trailing_zeros() as usize - 3];
    (code != Code::INVALID).then_some(code)
}

/// How an element of the result is computed, and from which second operand.
pub fn shape(op: Op, sew: u32) -> Option<(Shape, Second)> {
    plain(op, sew)
        .map(|(code, second)| (Shape::Plain(code), second))
        .or_else(|| order(op, sew).map(|(code, second)| (Shape::Plain(code), second)))
        .or_else(|| shift(op, sew))
        .or_else(|| rotation(op, sew))
        .or_else(|| moves(op, sew))
}

fn plain(op: Op, sew: u32) -> Option<(Code, Second)> {
    use Code::*;
    use Second::{I, V, X};
    let add = [
        EVEX_Vpaddb_xmm_k1z_xmm_xmmm128,
        EVEX_Vpaddw_xmm_k1z_xmm_xmmm128,
        EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32,
        EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64,
    ];
    let sub = [
        EVEX_Vpsubb_xmm_k1z_xmm_xmmm128,
        EVEX_Vpsubw_xmm_k1z_xmm_xmmm128,
        EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32,
        EVEX_Vpsubq_xmm_k1z_xmm_xmmm128b64,
    ];
    let mul = [
        INVALID,
        EVEX_Vpmullw_xmm_k1z_xmm_xmmm128,
        EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32,
        EVEX_Vpmullq_xmm_k1z_xmm_xmmm128b64,
    ];
    let mulh = [INVALID, EVEX_Vpmulhw_xmm_k1z_xmm_xmmm128, INVALID, INVALID];
    let mulhu = [INVALID, EVEX_Vpmulhuw_xmm_k1z_xmm_xmmm128, INVALID, INVALID];
    let and = [EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64; 4];
    let or = [EVEX_Vporq_xmm_k1z_xmm_xmmm128b64; 4];
    let xor = [EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64; 4];
    let (codes, second) = match op {
        Op::VaddVv => (add, V),
        Op::VaddVx => (add, X),
        Op::VaddVi => (add, I),
        Op::VsubVv => (sub, V),
        Op::VsubVx => (sub, X),
        Op::VandVv => (and, V),
        Op::VandVx => (and, X),
        Op::VandVi => (and, I),
        Op::VorVv => (or, V),
        Op::VorVx => (or, X),
        Op::VorVi => (or, I),
        Op::VxorVv => (xor, V),
        Op::VxorVx => (xor, X),
        Op::VxorVi => (xor, I),
        Op::VmulVv => (mul, V),
        Op::VmulVx => (mul, X),
        Op::VmulhVv => (mulh, V),
        Op::VmulhVx => (mulh, X),
        Op::VmulhuVv => (mulhu, V),
        Op::VmulhuVx => (mulhu, X),
        _ => return None,
    };
    Some((by_sew(sew, codes)?, second))
}

/// Minimum and maximum.
fn order(op: Op, sew: u32) -> Option<(Code, Second)> {
    use Code::*;
    let (codes, second) = match op {
        Op::VminVv | Op::VminVx => (
            [
                EVEX_Vpminsb_xmm_k1z_xmm_xmmm128,
                EVEX_Vpminsw_xmm_k1z_xmm_xmmm128,
                EVEX_Vpminsd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpminsq_xmm_k1z_xmm_xmmm128b64,
            ],
            op == Op::VminVv,
        ),
        Op::VminuVv | Op::VminuVx => (
            [
                EVEX_Vpminub_xmm_k1z_xmm_xmmm128,
                EVEX_Vpminuw_xmm_k1z_xmm_xmmm128,
                EVEX_Vpminud_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpminuq_xmm_k1z_xmm_xmmm128b64,
            ],
            op == Op::VminuVv,
        ),
        Op::VmaxVv | Op::VmaxVx => (
            [
                EVEX_Vpmaxsb_xmm_k1z_xmm_xmmm128,
                EVEX_Vpmaxsw_xmm_k1z_xmm_xmmm128,
                EVEX_Vpmaxsd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpmaxsq_xmm_k1z_xmm_xmmm128b64,
            ],
            op == Op::VmaxVv,
        ),
        Op::VmaxuVv | Op::VmaxuVx => (
            [
                EVEX_Vpmaxub_xmm_k1z_xmm_xmmm128,
                EVEX_Vpmaxuw_xmm_k1z_xmm_xmmm128,
                EVEX_Vpmaxud_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpmaxuq_xmm_k1z_xmm_xmmm128b64,
            ],
            op == Op::VmaxuVv,
        ),
        _ => return None,
    };
    Some((by_sew(sew, codes)?, if second { Second::V } else { Second::X }))
}

fn shift(op: Op, sew: u32) -> Option<(Shape, Second)> {
    use Code::*;
    use Second::{I, V, X};
    let (codes, second) = match op {
        Op::VsllVv | Op::VsllVx | Op::VsllVi => (
            [
                INVALID,
                EVEX_Vpsllvw_xmm_k1z_xmm_xmmm128,
                EVEX_Vpsllvd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpsllvq_xmm_k1z_xmm_xmmm128b64,
            ],
            [Op::VsllVv, Op::VsllVx],
        ),
        Op::VsrlVv | Op::VsrlVx | Op::VsrlVi => (
            [
                INVALID,
                EVEX_Vpsrlvw_xmm_k1z_xmm_xmmm128,
                EVEX_Vpsrlvd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpsrlvq_xmm_k1z_xmm_xmmm128b64,
            ],
            [Op::VsrlVv, Op::VsrlVx],
        ),
        Op::VsraVv | Op::VsraVx | Op::VsraVi => (
            [
                INVALID,
                EVEX_Vpsravw_xmm_k1z_xmm_xmmm128,
                EVEX_Vpsravd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vpsravq_xmm_k1z_xmm_xmmm128b64,
            ],
            [Op::VsraVv, Op::VsraVx],
        ),
        _ => return None,
    };
    let second = if op == second[0] {
        V
    } else if op == second[1] {
        X
    } else {
        I
    };
    Some((Shape::Shift(by_sew(sew, codes)?), second))
}

/// Rotations. The host has none of 8 and 16 bits.
fn rotation(op: Op, sew: u32) -> Option<(Shape, Second)> {
    use Code::*;
    use Second::{No, V, X};
    let (codes, second) = match op {
        Op::VrorVv | Op::VrorVx => (
            [EVEX_Vprorvd_xmm_k1z_xmm_xmmm128b32, EVEX_Vprorvq_xmm_k1z_xmm_xmmm128b64],
            if op == Op::VrorVv { V } else { X },
        ),
        Op::VrolVv | Op::VrolVx => (
            [EVEX_Vprolvd_xmm_k1z_xmm_xmmm128b32, EVEX_Vprolvq_xmm_k1z_xmm_xmmm128b64],
            if op == Op::VrolVv { V } else { X },
        ),
        Op::VrorVi => {
            ([EVEX_Vprord_xmm_k1z_xmmm128b32_imm8, EVEX_Vprorq_xmm_k1z_xmmm128b64_imm8], No)
        }
        _ => return None,
    };
    let code = by_sew(sew, [INVALID, INVALID, codes[0], codes[1]])?;
    let shape = if second == No { Shape::Immediate(code) } else { Shape::Shift(code) };
    Some((shape, second))
}

fn moves(op: Op, sew: u32) -> Option<(Shape, Second)> {
    use Code::*;
    use Second::{I, No, V, X};
    let blend = [
        EVEX_Vpblendmb_xmm_k1z_xmm_xmmm128,
        EVEX_Vpblendmw_xmm_k1z_xmm_xmmm128,
        EVEX_Vpblendmd_xmm_k1z_xmm_xmmm128b32,
        EVEX_Vpblendmq_xmm_k1z_xmm_xmmm128b64,
    ];
    let sub = [
        EVEX_Vpsubb_xmm_k1z_xmm_xmmm128,
        EVEX_Vpsubw_xmm_k1z_xmm_xmmm128,
        EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32,
        EVEX_Vpsubq_xmm_k1z_xmm_xmmm128b64,
    ];
    // PANDN complements its first source.
    let andn = EVEX_Vpandnq_xmm_k1z_xmm_xmmm128b64;
    Some(match op {
        Op::VrsubVx => (Shape::Swapped(by_sew(sew, sub)?), X),
        Op::VrsubVi => (Shape::Swapped(by_sew(sew, sub)?), I),
        Op::VandnVv => (Shape::Swapped(andn), V),
        Op::VandnVx => (Shape::Swapped(andn), X),
        Op::Vbrev8V => (Shape::Brev8, No),
        Op::Vrev8V if sew > 8 => (Shape::Shuffle(sew.trailing_zeros() as usize - 4), No),
        Op::VmvVV => (Shape::Copy, V),
        Op::VmvVX => (Shape::Copy, X),
        Op::VmvVI => (Shape::Copy, I),
        Op::VmergeVvm => (Shape::Merge(by_sew(sew, blend)?), V),
        Op::VmergeVxm => (Shape::Merge(by_sew(sew, blend)?), X),
        Op::VmergeVim => (Shape::Merge(by_sew(sew, blend)?), I),
        Op::VidV if sew >= 16 => (Shape::Index, No),
        _ => return None,
    })
}
