//! Zvbb: vector bit manipulation, including Zvkb.

use crate::crypto::bits;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::vector::{Elem, View, single, widen};
use crate::{vector_handlers, vector_ops};

vector_ops! { Binary:
    /// Conjunction with the complement of the second operand.
    Andn(a: u64, b: u64) a & !b;
    /// Bits of the element reversed.
    Brev(a: u64, _b: u64) a.reverse_bits() >> (64 - A::BITS);
    /// Bits of each byte reversed.
    Brev8(a: u64, _b: u64) bits::brev8(a);
    /// Bytes of the element reversed.
    Rev8(a: u64, _b: u64) a.swap_bytes() >> (64 - A::BITS);
    /// Leading zeros.
    Clz(a: u64, _b: u64) a.leading_zeros() - (64 - A::BITS);
    /// Trailing zeros.
    Ctz(a: u64, _b: u64) a.trailing_zeros().min(A::BITS);
    /// Ones.
    Cpop(a: u64, _b: u64) a.count_ones();
    /// Rotation left by the second operand modulo the element width.
    Rol(a: u64, b: u64) rotate_right(a, b.wrapping_neg(), A::BITS);
    /// Rotation right by the second operand modulo the element width.
    Ror(a: u64, b: u64) rotate_right(a, b, A::BITS);
    /// Shift left in the wide element, by the second operand modulo its width.
    ShiftLeft(a: u64, b: u64) a << (b & (R::BITS as u64 - 1));
}

/// `a`, an element of `width` bits, rotated; only the low `width` bits of the result are valid.
fn rotate_right(a: u64, by: u64, width: u32) -> u64 {
    let by = by as u32 % width;
    a >> by | a << ((width - by) % width)
}

vector_handlers! {
    single {
        Andn => vandn_vv v, vandn_vx x;
        Brev => vbrev_v none;
        Brev8 => vbrev8_v none;
        Rev8 => vrev8_v none;
        Clz => vclz_v none;
        Ctz => vctz_v none;
        Cpop => vcpop_v none;
        Rol => vrol_vv v, vrol_vx x;
        Ror => vror_vv v, vror_vx x, vror_vi i;
    }
    widen {
        ShiftLeft => vwsll_vv v, vwsll_vx x, vwsll_vi i;
    }
}
