//! Random vector instructions.

use super::cases::{Case, Operands, name, z};
use crate::a64::asm::encode::{Reg, Width};
use crate::a64::asm::lanes::*;
use crate::a64::asm::vector::*;

/// Moves, cryptography, and what scalar instructions need.
pub fn vectors(o: &mut Operands<'_>) -> Case {
    let (r, v, n, m) = (o.reg(), o.below(32) as u8, o.below(32) as u8, o.below(32) as u8);
    let x = z(Width::X, r);
    match o.below(10) {
        0 => (format!("fmov d{v}, {x}"), to_vector(V(v), r)),
        1 => (format!("fmov {x}, d{v}"), from_vector(r, V(v))),
        2 => (format!("mov v{v}.d[1], {x}"), to_high(V(v), r)),
        3 => (format!("mov {x}, v{v}.d[1]"), from_high(r, V(v))),
        4 => (format!("movi v{v}.2d, #0"), zero(V(v))),
        5 => (format!("cnt v{v}.8b, v{n}.8b"), count_bytes(V(v), V(n))),
        6 => (format!("addv b{v}, v{n}.8b"), sum_bytes(V(v), V(n))),
        7 => {
            let step = o.0.pick(&[Aes::Aese, Aes::Aesd, Aes::Aesmc, Aes::Aesimc]);
            (format!("{} v{v}.16b, v{n}.16b", name(step)), aes(step, V(v), V(n)))
        }
        8 => (format!("pmull v{v}.1q, v{n}.1d, v{m}.1d"), pmull(V(v), V(n), V(m))),
        _ => {
            let text = format!("tbl v{v}.8b, {{v{n}.16b}}, v{m}.8b");
            (text, table(V(v), V(n), V(m)))
        }
    }
}

/// Instructions on all 16 bytes.
pub fn lanes(o: &mut Operands<'_>) -> Case {
    let [d, n, m] = std::array::from_fn(|_| V(o.below(32) as u8));
    let (vd, vn, vm) = (d.0, n.0, m.0);
    let (lanes, of) =
        o.0.pick(&[(Lanes::B, "16b"), (Lanes::H, "8h"), (Lanes::S, "4s"), (Lanes::D, "2d")]);
    match o.below(8) {
        0 => {
            use Op3V::{Add, Mul, Smax, Smin, Sshl, Sub, Umax, Umin, Ushl};
            let all = [Add, Sub, Sshl, Ushl, Mul, Smax, Umax, Smin, Umin];
            let op = o.0.pick(&all[..if lanes == Lanes::D { 4 } else { 9 }]);
            let text = format!("{} v{vd}.{of}, v{vn}.{of}, v{vm}.{of}", name(op));
            (text, op3_lanes(op, lanes, d, n, m))
        }
        1 => {
            let op = o.0.pick(&[OpBits::And, OpBits::Bic, OpBits::Orr, OpBits::Eor]);
            let text = format!("{} v{vd}.16b, v{vn}.16b, v{vm}.16b", name(op));
            (text, op3_bits(op, d, n, m))
        }
        2 => {
            let (op, by) = (o.0.pick(&[OpLeft::Shl, OpLeft::Sli]), o.below(lanes.bits()));
            let text = format!("{} v{vd}.{of}, v{vn}.{of}, #{by}", name(op));
            (text, shift_left(op, lanes, d, n, by))
        }
        3 => {
            let (op, by) = (o.0.pick(&[OpRight::Sshr, OpRight::Ushr]), 1 + o.below(lanes.bits()));
            let text = format!("{} v{vd}.{of}, v{vn}.{of}, #{by}", name(op));
            (text, shift_right(op, lanes, d, n, by))
        }
        4 => {
            let r = o.reg();
            let from = z(if lanes == Lanes::D { Width::X } else { Width::W }, r);
            (format!("dup v{vd}.{of}, {from}"), splat(lanes, d, r))
        }
        5 => {
            let (what, rn) = (o.0.pick(&[Quad::Str, Quad::Ldr]), o.below(31));
            let offset = 16 * o.below(4096) as i64;
            let word = quad(what, d, Reg(rn as u8), offset).expect("it is near");
            (format!("{} q{vd}, [x{rn}, #{offset}]", name(what)), word)
        }
        6 => halves(o, [d, n, m]),
        _ => {
            let of_bits = 8 << (1 + o.below(3));
            match o.below(3) {
                0 => (format!("neg v{vd}.{of}, v{vn}.{of}"), negate(lanes, d, n)),
                1 => (format!("rbit v{vd}.16b, v{vn}.16b"), reverse_bits(d, n)),
                _ => {
                    let text = format!("rev{of_bits} v{vd}.16b, v{vn}.16b");
                    (text, reverse_bytes(Lanes::of(of_bits), d, n))
                }
            }
        }
    }
}

/// Instructions on halves.
fn halves(o: &mut Operands<'_>, [d, n, m]: [V; 3]) -> Case {
    let (vd, vn, vm) = (d.0, n.0, m.0);
    match o.0.one_in(2) {
        true => (format!("ext v{vd}.16b, v{vn}.16b, v{vm}.16b, #8"), middle(d, n, m)),
        false => (format!("pmull2 v{vd}.1q, v{vn}.2d, v{vm}.2d"), pmull_high(d, n, m)),
    }
}
