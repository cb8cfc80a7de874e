//! Vector integer multiply, multiply-add and divide.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::vector::{Binary, Elem, Operand, View, single, single_add, widen, widen_add};
use crate::{vector_handlers, vector_ops};

vector_ops! { Binary:
    /// Low half of the product.
    Mul(a: u64, b: u64) a.wrapping_mul(b);
    /// Product of sign-extended operands.
    MulSigned(a: i64, b: i64) a.wrapping_mul(b);
    /// Product of sign-extended vs2 and zero-extended second operand.
    MulSignedUnsigned(a: i64, b: u64) a.wrapping_mul(b as i64);
    /// High half of the signed product.
    Mulh(a: i128, b: i128) (a * b) >> A::BITS;
    /// High half of the unsigned product.
    Mulhu(a: u128, b: u128) (a * b) >> A::BITS;
    /// High half of the product of signed vs2 and unsigned second operand.
    Mulhsu(a: i128, b: u128) (a * b as i128) >> A::BITS;
    /// Unsigned quotient, all ones for a zero divisor.
    Divu(a: u64, b: u64) a.checked_div(b).unwrap_or(u64::MAX);
    /// Signed quotient rounded towards zero, -1 for a zero divisor, the dividend on overflow.
    Div(a: i64, b: i64) if b == 0 { -1 } else { a.wrapping_div(b) };
    /// Unsigned remainder, the dividend for a zero divisor.
    Remu(a: u64, b: u64) a.checked_rem(b).unwrap_or(a);
    /// Signed remainder, the dividend for a zero divisor.
    Rem(a: i64, b: i64) if b == 0 { a } else { a.wrapping_rem(b) };
}

// d is vd, a is vs2, b is vs1 or rs1.
vector_ops! { Ternary:
    Macc(d: u64, a: u64, b: u64) d.wrapping_add(a.wrapping_mul(b));
    Nmsac(d: u64, a: u64, b: u64) d.wrapping_sub(a.wrapping_mul(b));
    Madd(d: u64, a: u64, b: u64) a.wrapping_add(d.wrapping_mul(b));
    Nmsub(d: u64, a: u64, b: u64) a.wrapping_sub(d.wrapping_mul(b));
    MaccSigned(d: i64, a: i64, b: i64) d.wrapping_add(a.wrapping_mul(b));
    MaccSignedUnsigned(d: i64, a: u64, b: i64) d.wrapping_add(b.wrapping_mul(a as i64));
    MaccUnsignedSigned(d: i64, a: i64, b: u64) d.wrapping_add(a.wrapping_mul(b as i64));
}

vector_handlers! {
    single {
        Mul => vmul_vv v, vmul_vx x;
        Divu => vdivu_vv v, vdivu_vx x;
        Div => vdiv_vv v, vdiv_vx x;
        Remu => vremu_vv v, vremu_vx x;
        Rem => vrem_vv v, vrem_vx x;
    }
    high {
        Mulh => vmulh_vv v, vmulh_vx x;
        Mulhu => vmulhu_vv v, vmulhu_vx x;
        Mulhsu => vmulhsu_vv v, vmulhsu_vx x;
    }
    single_add {
        Macc => vmacc_vv v, vmacc_vx x;
        Nmsac => vnmsac_vv v, vnmsac_vx x;
        Madd => vmadd_vv v, vmadd_vx x;
        Nmsub => vnmsub_vv v, vnmsub_vx x;
    }
    widen {
        Mul => vwmulu_vv v, vwmulu_vx x;
        MulSigned => vwmul_vv v, vwmul_vx x;
        MulSignedUnsigned => vwmulsu_vv v, vwmulsu_vx x;
    }
    widen_add {
        Macc => vwmaccu_vv v, vwmaccu_vx x;
        MaccSigned => vwmacc_vv v, vwmacc_vx x;
        MaccSignedUnsigned => vwmaccsu_vv v, vwmaccsu_vx x;
        MaccUnsignedSigned => vwmaccus_vx x;
    }
}

fn high<O: Binary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    h.v_high_product(i)?;
    single::<O>(h, i, b)
}
