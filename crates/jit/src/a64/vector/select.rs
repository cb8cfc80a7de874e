//! Which vector instructions can be translated, and what they become.

use super::kind::{Element, Kind, Round, Second, Shift};
use crate::a64::asm::{Lanes, Op3V, OpBits};
use crate::host_features::Host;
use capvec_isa::Op;
use capvec_sim::insn::Insn;

/// The kind of the instruction at a SEW, if the host supports it.
pub fn select(i: &Insn, sew: u32, host: Host) -> Option<Kind> {
    let op = i.op();
    access(i)
        .or_else(|| element(op, sew).map(|(element, second)| Kind::Element(element, second)))
        .or_else(|| shift(op).map(|(shift, second)| Kind::Shift(shift, second)))
        .or_else(|| crypto(op, host))
}

/// Loads and stores, but not of segments.
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
        _ => return None,
    };
    (i.aux() == 0).then_some(kind)
}

fn element(op: Op, sew: u32) -> Option<(Element, Second)> {
    use Second::{I, No, V, X};
    Some(match op {
        Op::VaddVv => (Element::Lanes(Op3V::Add), V),
        Op::VaddVx => (Element::Lanes(Op3V::Add), X),
        Op::VaddVi => (Element::Lanes(Op3V::Add), I),
        Op::VsubVv => (Element::Lanes(Op3V::Sub), V),
        Op::VsubVx => (Element::Lanes(Op3V::Sub), X),
        Op::VrsubVx => (Element::SubtractFrom, X),
        Op::VrsubVi => (Element::SubtractFrom, I),
        Op::VandVv => (Element::Bits(OpBits::And), V),
        Op::VandVx => (Element::Bits(OpBits::And), X),
        Op::VandVi => (Element::Bits(OpBits::And), I),
        Op::VorVv => (Element::Bits(OpBits::Orr), V),
        Op::VorVx => (Element::Bits(OpBits::Orr), X),
        Op::VorVi => (Element::Bits(OpBits::Orr), I),
        Op::VxorVv => (Element::Bits(OpBits::Eor), V),
        Op::VxorVx => (Element::Bits(OpBits::Eor), X),
        Op::VxorVi => (Element::Bits(OpBits::Eor), I),
        Op::VandnVv => (Element::Bits(OpBits::Bic), V),
        Op::VandnVx => (Element::Bits(OpBits::Bic), X),
        Op::VmvVV => (Element::Copy, V),
        Op::VmvVX => (Element::Copy, X),
        Op::VmvVI => (Element::Copy, I),
        Op::Vbrev8V => (Element::ReverseBits, No),
        Op::Vrev8V => (Element::ReverseBytes, No),
        _ => return narrow(op).filter(|_| Lanes::of(sew) != Lanes::D),
    })
}

/// Operations that the host lacks on elements of 64 bits.
fn narrow(op: Op) -> Option<(Element, Second)> {
    use Second::{V, X};
    let (op, second) = match op {
        Op::VmulVv => (Op3V::Mul, V),
        Op::VmulVx => (Op3V::Mul, X),
        Op::VminVv => (Op3V::Smin, V),
        Op::VminVx => (Op3V::Smin, X),
        Op::VminuVv => (Op3V::Umin, V),
        Op::VminuVx => (Op3V::Umin, X),
        Op::VmaxVv => (Op3V::Smax, V),
        Op::VmaxVx => (Op3V::Smax, X),
        Op::VmaxuVv => (Op3V::Umax, V),
        Op::VmaxuVx => (Op3V::Umax, X),
        _ => return None,
    };
    Some((Element::Lanes(op), second))
}

fn shift(op: Op) -> Option<(Shift, Second)> {
    use Second::{I, V, X};
    Some(match op {
        Op::VsllVv => (Shift::Left, V),
        Op::VsllVx => (Shift::Left, X),
        Op::VsllVi => (Shift::Left, I),
        Op::VsrlVv => (Shift::Logical, V),
        Op::VsrlVx => (Shift::Logical, X),
        Op::VsrlVi => (Shift::Logical, I),
        Op::VsraVv => (Shift::Arithmetic, V),
        Op::VsraVx => (Shift::Arithmetic, X),
        Op::VsraVi => (Shift::Arithmetic, I),
        Op::VrolVv => (Shift::RotateLeft, V),
        Op::VrolVx => (Shift::RotateLeft, X),
        Op::VrorVv => (Shift::RotateRight, V),
        Op::VrorVx => (Shift::RotateRight, X),
        Op::VrorVi => (Shift::RotateRight, I),
        _ => return None,
    })
}

fn crypto(op: Op, host: Host) -> Option<Kind> {
    let aes = |round, lane| host.vaes.then_some(Kind::Aes(round, lane));
    let ghash = |add| host.vpclmulqdq.then_some(Kind::Ghash { add });
    match op {
        Op::VaesemVv => aes(Round::EncryptMiddle, false),
        Op::VaesemVs => aes(Round::EncryptMiddle, true),
        Op::VaesefVv => aes(Round::EncryptFinal, false),
        Op::VaesefVs => aes(Round::EncryptFinal, true),
        Op::VaesdmVv => aes(Round::DecryptMiddle, false),
        Op::VaesdmVs => aes(Round::DecryptMiddle, true),
        Op::VaesdfVv => aes(Round::DecryptFinal, false),
        Op::VaesdfVs => aes(Round::DecryptFinal, true),
        Op::VaeszVs => aes(Round::Zero, true),
        Op::VghshVv => ghash(true),
        Op::VgmulVv => ghash(false),
        _ => None,
    }
}
