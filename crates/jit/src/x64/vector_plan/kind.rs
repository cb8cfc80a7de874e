//! Which vector instructions can be translated, and to which host instructions.

use crate::Host;
use crate::x64::vector_plan::avx2;
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// What an operation does, in terms of the host. Codes are those for 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Unit-stride load, EEW in bits.
    Load(u32),
    /// Unit-stride store, EEW in bits.
    Store(u32),
    /// Constant-stride load, EEW in bits.
    LoadStrided(u32),
    /// Constant-stride store, EEW in bits.
    StoreStrided(u32),
    /// Element-wise, from vs2 and the second operand; may be masked.
    Element(Shape, Second),
    /// vslideup by the immediate.
    SlideUp,
    /// vslidedown by the immediate.
    SlideDown,
    /// An AES round; the flag says whether one lane is the key for all.
    Aes(Round, bool),
    /// (vd ^ vs1) · vs2 of GHASH, or vd · vs2.
    Ghash { add: bool },
    /// Two rounds of SHA-256 with words 0 and 1 of vs1, or 2 and 3.
    Sha256 { high: bool },
    /// Four words of SHA-256's message schedule.
    Schedule256,
    /// Two rounds of SHA-512.
    Sha512 { high: bool },
    /// Four words of SHA-512's message schedule.
    Schedule512,
    /// Two rounds of SM3.
    Sm3,
    /// Eight words of SM3's message expansion.
    Expand,
    /// Four rounds of SM4; `lane`: one lane holds the keys for all.
    Sm4 { lane: bool },
}

/// How an element of the result is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// vs2 op second.
    Plain(Code),
    /// second op vs2.
    Swapped(Code),
    /// vs2 op second, which is taken modulo SEW.
    Shift(Code),
    /// By the immediate.
    Immediate(Code),
    /// A permutation of each lane's bytes, with this index into `constant::SHUFFLES`.
    Shuffle(usize),
    /// Reverses the bits of each byte.
    Brev8,
    /// The second operand.
    Copy,
    /// The second operand where v0 is one, otherwise vs2.
    Merge(Code),
    /// The element number.
    Index,
}

/// The second operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// vs1.
    V,
    /// x register rs1.
    X,
    /// The immediate.
    I,
    /// None.
    No,
}

/// An AES round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// One instruction of the host.
    Host(Code),
    /// The round key is XORed before InvMixColumns.
    DecryptMiddle,
    /// The round key is XORed only.
    Zero,
}

impl Kind {
    /// The EEW of the data in bits, if the instruction encodes it.
    pub fn eew(self) -> Option<u32> {
        match self {
            Kind::Load(eew) | Kind::Store(eew) => Some(eew),
            Kind::LoadStrided(eew) | Kind::StoreStrided(eew) => Some(eew),
            _ => None,
        }
    }

    /// Whether it can be translated for less than a whole lane.
    pub fn can_be_cut(self) -> bool {
        use Kind::{Element, Load, LoadStrided, Store, StoreStrided};
        matches!(self, Load(_) | Store(_) | LoadStrided(_) | StoreStrided(_) | Element(..))
    }

    /// Whether it reads x register rs1.
    pub fn reads_x(self) -> bool {
        use Kind::{Element, Load, LoadStrided, Store, StoreStrided};
        match self {
            Load(_) | Store(_) | LoadStrided(_) | StoreStrided(_) => true,
            Element(_, second) => second == Second::X,
            _ => false,
        }
    }

    /// Whether its masked form can be translated.
    pub fn can_be_masked(self) -> bool {
        matches!(self, Kind::Element(..))
    }
}

/// The kind of the instruction at a SEW, if the host supports it.
pub fn of(i: &Insn, sew: u32, host: Host) -> Option<Kind> {
    let kind =
        access(i).or_else(|| crypto(i.op(), sew, host)).or_else(|| slide(i, sew)).or_else(|| {
            let (shape, second) = element(i.op(), sew)?;
            (shape != Shape::Brev8 || host.gfni).then_some(Kind::Element(shape, second))
        });
    kind.filter(|kind| host.vectors || avx2::supports(*kind))
}

/// Loads and stores; segments only with a stride. The host gathers and scatters words of 4 and 8 bytes.
fn access(i: &Insn) -> Option<Kind> {
    let kind = match i.op() {
        Op::Vle8V => Kind::Load(8),
        Op::Vle16V => Kind::Load(16),
        Op::Vle32V => Kind::Load(32),
        Op::Vle64V => Kind::Load(64),
        Op::Vse8V => Kind::Store(8),
        Op::Vse16V => Kind::Store(16),
        Op::Vse32V => Kind::Store(32),
        Op::Vse64V => Kind::Store(64),
        Op::Vlse32V => Kind::LoadStrided(32),
        Op::Vlse64V => Kind::LoadStrided(64),
        Op::Vsse32V => Kind::StoreStrided(32),
        Op::Vsse64V => Kind::StoreStrided(64),
        _ => return None,
    };
    let strided = matches!(kind, Kind::LoadStrided(_) | Kind::StoreStrided(_));
    (i.aux() == 0 || strided).then_some(kind)
}

fn crypto(op: Op, sew: u32, host: Host) -> Option<Kind> {
    use Code::{
        EVEX_Vaesdeclast_xmm_xmm_xmmm128 as DECLAST, EVEX_Vaesenc_xmm_xmm_xmmm128 as ENC,
        EVEX_Vaesenclast_xmm_xmm_xmmm128 as ENCLAST,
    };
    // Without AVX-512 the host has AVX2, and here that implies AES-NI and PCLMULQDQ.
    let narrow = !host.vectors;
    let aes = |round, lane| (host.aes || narrow).then_some(Kind::Aes(round, lane));
    let ghash = |add| (host.gfni && host.clmul || narrow).then_some(Kind::Ghash { add });
    let sha = |kind, wide| match sew {
        32 => host.sha.then_some(kind),
        _ => Some(wide),
    };
    match op {
        Op::VaesemVv => aes(Round::Host(ENC), false),
        Op::VaesemVs => aes(Round::Host(ENC), true),
        Op::VaesefVv => aes(Round::Host(ENCLAST), false),
        Op::VaesefVs => aes(Round::Host(ENCLAST), true),
        Op::VaesdfVv => aes(Round::Host(DECLAST), false),
        Op::VaesdfVs => aes(Round::Host(DECLAST), true),
        Op::VaesdmVv => aes(Round::DecryptMiddle, false),
        Op::VaesdmVs => aes(Round::DecryptMiddle, true),
        Op::VaeszVs => Some(Kind::Aes(Round::Zero, true)),
        Op::VghshVv => ghash(true),
        Op::VgmulVv => ghash(false),
        Op::Vsha2chVv => sha(Kind::Sha256 { high: true }, Kind::Sha512 { high: true }),
        Op::Vsha2clVv => sha(Kind::Sha256 { high: false }, Kind::Sha512 { high: false }),
        Op::Vsha2msVv => sha(Kind::Schedule256, Kind::Schedule512),
        Op::Vsm3cVi => Some(Kind::Sm3),
        Op::Vsm3meVv => Some(Kind::Expand),
        Op::Vsm4rVv => Some(Kind::Sm4 { lane: false }),
        Op::Vsm4rVs => Some(Kind::Sm4 { lane: true }),
        _ => None,
    }
}

/// Slides by the immediate, unmasked, by whole 32-bit words.
fn slide(i: &Insn, sew: u32) -> Option<Kind> {
    let kind = match i.op() {
        Op::VslideupVi => Kind::SlideUp,
        Op::VslidedownVi => Kind::SlideDown,
        _ => return None,
    };
    (i.imm as u32 * sew).is_multiple_of(32).then_some(kind)
}

/// The code for this SEW out of four; `Code::INVALID` marks a missing one.
fn by_sew(sew: u32, codes: [Code; 4]) -> Option<Code> {
    let code = codes[sew.trailing_zeros() as usize - 3];
    (code != Code::INVALID).then_some(code)
}

fn element(op: Op, sew: u32) -> Option<(Shape, Second)> {
    plain(op, sew)
        .map(|(code, second)| (Shape::Plain(code), second))
        .or_else(|| order(op, sew).map(|(code, second)| (Shape::Plain(code), second)))
        .or_else(|| shift(op, sew))
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
        Op::VrorVv | Op::VrorVx => (
            [
                INVALID,
                INVALID,
                EVEX_Vprorvd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vprorvq_xmm_k1z_xmm_xmmm128b64,
            ],
            [Op::VrorVv, Op::VrorVx],
        ),
        Op::VrolVv | Op::VrolVx => (
            [
                INVALID,
                INVALID,
                EVEX_Vprolvd_xmm_k1z_xmm_xmmm128b32,
                EVEX_Vprolvq_xmm_k1z_xmm_xmmm128b64,
            ],
            [Op::VrolVv, Op::VrolVx],
        ),
        Op::VrorVi => {
            let codes = [
                INVALID,
                INVALID,
                EVEX_Vprord_xmm_k1z_xmmm128b32_imm8,
                EVEX_Vprorq_xmm_k1z_xmmm128b64_imm8,
            ];
            return Some((Shape::Immediate(by_sew(sew, codes)?), Second::No));
        }
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
