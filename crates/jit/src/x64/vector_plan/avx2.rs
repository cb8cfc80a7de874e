//! What can be translated for hosts without AVX-512.

use super::kind::{Kind, Second, Shape};
use super::operation::Operation;
use crate::host_features::Host;
use crate::x64::asm::avx2::encoding;
use crate::x64::asm::vector::Wide;
use capvec_isa::Class;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// Maximum number of temporary registers of an operation: the first six.
pub const MAX_TEMPORARIES: u8 = 6;

/// The widest pieces in which the host can do all of a block's instructions: mixing widths costs more than it saves.
pub fn widest(host: Host, insns: &[Insn]) -> Wide {
    let lanes = |i: &Insn| matches!(i.op().row().class, Class::Vaes | Class::Vghash);
    if host.avx512 {
        Wide::Z
    } else if host.vaes && host.vpclmulqdq || !insns.iter().any(lanes) {
        Wide::Y
    } else {
        Wide::X
    }
}

/// Number of temporary registers that an operation takes, for `VectorRegs`.
pub fn temporaries(op: Operation) -> u8 {
    match op.kind {
        Kind::Element(..) if op.masked || !op.bytes.is_multiple_of(16) => 4,
        Kind::Load(_) | Kind::Store(_) | Kind::Element(Shape::Plain(_), Second::V) => 0,
        Kind::LoadStrided(_) | Kind::StoreStrided(_) => 1,
        Kind::Element(Shape::Immediate(_) | Shape::Shuffle(_), _) => 1,
        Kind::Element(..) => 4,
        _ => MAX_TEMPORARIES,
    }
}

/// Whether AVX2 suffices for this kind.
pub fn supports(kind: Kind) -> bool {
    use Code::{EVEX_Vpblendmd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpblendmq_xmm_k1z_xmm_xmmm128b64};
    match kind {
        Kind::Element(Shape::Plain(code) | Shape::Swapped(code) | Shape::Shift(code), _) => {
            encoding(code).is_some()
        }
        Kind::Element(Shape::Merge(code), _) => {
            code == EVEX_Vpblendmd_xmm_k1z_xmm_xmmm128b32
                || code == EVEX_Vpblendmq_xmm_k1z_xmm_xmmm128b64
        }
        _ => true,
    }
}

/// Maximum number of words of a strided access that are copied one by one.
const MAX_WORDS: u64 = 64;

/// Whether a strided access is small enough, or the length of anything else a multiple of four bytes; `bytes` are those of one field.
pub fn fits(kind: Kind, fields: u32, bytes: u64) -> bool {
    match kind {
        Kind::LoadStrided(eew) | Kind::StoreStrided(eew) => {
            bytes * 8 / eew as u64 * fields as u64 <= MAX_WORDS
        }
        _ => bytes.is_multiple_of(4),
    }
}

/// Whether the masked form can be translated, for elements of `sew` bits: there are masks for words of 4 and 8 bytes.
pub fn can_be_masked(sew: u32) -> bool {
    sew >= 32
}
