//! Which vector instructions can be translated, and to which host instructions.

use super::kind::{Kind, Round, Shape};
use super::{avx2, element};
use crate::host_features::Host;
use capvec_isa::Op;
use capvec_sim::crypto::keccak::ROUNDS;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// The kind of the instruction at a SEW, if the host supports it.
pub fn select(i: &Insn, sew: u32, host: Host) -> Option<Kind> {
    let kind =
        access(i).or_else(|| crypto(i.op(), sew, host)).or_else(|| keccak(i, host)).or_else(|| {
            slide(i, sew).or_else(|| {
                let (shape, second) = element::shape(i.op(), sew)?;
                let known = shape != Shape::Brev8 || host.gfni || !host.avx512;
                known.then_some(Kind::Element(shape, second))
            })
        });
    kind.filter(|kind| host.avx512 || avx2::supports(*kind))
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
    let narrow = !host.avx512;
    let aes = |round, lane| (host.vaes || narrow).then_some(Kind::Aes(round, lane));
    let ghash = |add| (host.gfni && host.vpclmulqdq || narrow).then_some(Kind::Ghash { add });
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

/// `vkeccak.vi`: without AVX-512, the state does not fit in the host's registers.
fn keccak(i: &Insn, host: Host) -> Option<Kind> {
    let end = ROUNDS as u8;
    let (first, end) = match (i.op(), i.imm) {
        (Op::VkeccakViZvkk0p2024, rounds) => (0, rounds as u8),
        (Op::VkeccakViZvknhk0p1 | Op::VkeccakViZvknhk0p2, 0) => (0, end),
        (Op::VkeccakViZvknhk0p1 | Op::VkeccakViZvknhk0p2, 1) => (12, end),
        _ => return None,
    };
    host.avx512.then_some(Kind::Keccak { first, end })
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
