//! Multiplication modulo a prime that SEW selects, of unsigned elements. Results are below the prime.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::{Form, Operand};

/// FIPS 203, section 2.3.
const Q_ML_KEM: u64 = 3329;

/// FIPS 204, section 2.3.
const Q_ML_DSA: u64 = 8_380_417;

/// vd = vs2·b, plus vd if `add`, modulo the prime.
fn modular(h: &mut Hart, i: &Insn, b: Operand, add: bool) -> Exec {
    h.v_ready()?;
    let form = if add { Form::SINGLE_ADD } else { Form::SINGLE };
    match h.v.vtype.sew {
        16 => {
            let vd = h.v_form(i, b, form)?;
            h.v_body_of::<u16>(i, vd, |h, k| {
                let (x, y): (u16, u16) = (h.v.get(i.rs2, k), b.get(&h.v, k));
                let old: u16 = if add { h.v.get(vd.reg, k) } else { 0 };
                let sum = u64::from(x) * u64::from(y) + u64::from(old);
                h.v.set(vd.reg, k, (sum % Q_ML_KEM) as u16);
            });
            h.v_finish(vd);
        }
        32 => {
            let vd = h.v_form(i, b, form)?;
            h.v_body_of::<u32>(i, vd, |h, k| {
                let (x, y): (u32, u32) = (h.v.get(i.rs2, k), b.get(&h.v, k));
                let old: u32 = if add { h.v.get(vd.reg, k) } else { 0 };
                // At most (2^32 − 1)^2 + 2^32 − 1: no carry out of 64 bits.
                let sum = u64::from(x) * u64::from(y) + u64::from(old);
                h.v.set(vd.reg, k, (sum % Q_ML_DSA) as u32);
            });
            h.v_finish(vd);
        }
        _ => return h.illegal("SEW is neither 16 nor 32"),
    }
    Ok(())
}

macro_rules! products {
    ($($name:ident: $operand:ident, $add:expr;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            let b = Operand::$operand(h, i);
            modular(h, i, b, $add)
        }
    )* };
}

products! {
    vmulq_vv: v, false;
    vmulq_vx: x, false;
    vmacq_vv: v, true;
    vmacq_vx: x, true;
}
