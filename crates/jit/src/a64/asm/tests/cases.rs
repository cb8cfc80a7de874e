//! Random instructions, as text and encoded.

use super::vectors::{lanes, vectors};
use crate::a64::asm::encode::*;
use crate::a64::asm::memory::{self, *};
use capvec_sim::testing::Rng;

/// An instruction as text, and its encoding.
pub type Case = (String, u32);

/// The name of a register where number 31 is the zero register.
pub fn z(w: Width, r: Reg) -> String {
    let letter = if w == Width::X { 'x' } else { 'w' };
    if r == ZR { format!("{letter}zr") } else { format!("{letter}{}", r.0) }
}

/// The name of a 64-bit register where number 31 is the stack pointer.
fn s(r: Reg) -> String {
    if r == SP { "sp".into() } else { z(Width::X, r) }
}

/// The name of an operation.
pub fn name(op: impl std::fmt::Debug) -> String {
    format!("{op:?}").to_lowercase()
}

/// Random operands.
pub struct Operands<'a>(pub &'a mut Rng);

impl Operands<'_> {
    pub fn reg(&mut self) -> Reg {
        Reg(self.0.below(32) as u8)
    }

    /// No register 31.
    fn plain(&mut self) -> Reg {
        Reg(self.0.below(31) as u8)
    }

    fn width(&mut self) -> (Width, u32) {
        self.0.pick(&[(Width::W, 32), (Width::X, 64)])
    }

    fn cond(&mut self) -> Cond {
        use Cond::{Eq, Ge, Gt, Hi, Hs, Le, Lo, Ls, Lt, Ne};
        self.0.pick(&[Eq, Ne, Hs, Lo, Ls, Hi, Ge, Lt, Gt, Le])
    }

    pub fn below(&mut self, n: u32) -> u32 {
        self.0.below(n.into()) as u32
    }
}

fn arithmetic(o: &mut Operands<'_>) -> Case {
    let ((w, bits), d, n, m) = (o.width(), o.reg(), o.reg(), o.reg());
    let (rd, rn, rm) = (z(w, d), z(w, n), z(w, m));
    let logic = [Op3::And, Op3::Bic, Op3::Orr, Op3::Orn, Op3::Eor, Op3::Eon, Op3::Ands];
    match o.below(7) {
        0 => {
            let op = o.0.pick(&[Op3::Add, Op3::Sub, Op3::Subs, Op3::And, Op3::Bic, Op3::Orn]);
            (format!("{} {rd}, {rn}, {rm}", name(op)), op3(op, w, d, n, m))
        }
        1 => {
            let op = o.0.pick(&[Op3::Udiv, Op3::Sdiv, Op3::Lsl, Op3::Lsr, Op3::Asr, Op3::Ror]);
            (format!("{} {rd}, {rn}, {rm}", name(op)), op3(op, w, d, n, m))
        }
        2 => {
            let (op, shift) = (o.0.pick(&logic), o.0.pick(&[Shift::Lsl, Shift::Lsr, Shift::Asr]));
            let by = o.below(bits);
            let text = format!("{} {rd}, {rn}, {rm}, {} #{by}", name(op), name(shift));
            (text, op3_shifted(op, w, d, n, (m, shift, by)))
        }
        3 => {
            let (op, x) = (o.0.pick(&[Op3::Smulh, Op3::Umulh]), Width::X);
            let text = format!("{} {}, {}, {}", name(op), z(x, d), z(x, n), z(x, m));
            (text, op3(op, x, d, n, m))
        }
        4 => {
            let a = o.reg();
            let text = format!("{rd}, {rn}, {rm}, {}", z(w, a));
            match o.0.one_in(2) {
                true => (format!("madd {text}"), madd(w, d, n, m, a)),
                false => (format!("msub {text}"), msub(w, d, n, m, a)),
            }
        }
        5 => {
            let by = o.below(5);
            let text = format!("add {}, {}, {}, uxtw #{by}", s(d), s(n), z(Width::W, m));
            (text, add_uxtw(d, n, (m, by)))
        }
        _ => {
            let (op, cond) =
                (o.0.pick(&[OpSelect::Csel, OpSelect::Csinc, OpSelect::Csinv]), o.cond());
            let text = format!("{} {rd}, {rn}, {rm}, {}", name(op), name(cond));
            (text, select(op, w, d, n, m, cond))
        }
    }
}

/// A mask of 64 bits that can be encoded.
pub fn mask(rng: &mut Rng) -> u64 {
    mask_of(&mut Operands(rng), 64)
}

fn mask_of(o: &mut Operands<'_>, bits: u32) -> u64 {
    let size = o.0.pick(&[2, 4, 8, 16, 32, bits]);
    let run = u64::MAX >> (64 - 1 - o.below(size - 1));
    let by = o.below(size);
    let element = if by == 0 { run } else { run << by | run >> (size - by) };
    let element = element & (u64::MAX >> (64 - size));
    let all = (0..64 / size).fold(0, |all, k| all | element << (k * size));
    if bits == 32 { all & 0xffff_ffff } else { all }
}

fn immediates(o: &mut Operands<'_>) -> Case {
    let ((w, bits), d, n, m) = (o.width(), o.reg(), o.reg(), o.reg());
    let (rd, rn) = (z(w, d), z(w, n));
    match o.below(7) {
        0 => {
            let (d, n) = (o.plain(), o.plain());
            let op = o.0.pick(&[OpImm::Add, OpImm::Sub, OpImm::Adds, OpImm::Subs]);
            let (imm, high) = (o.below(0x1000), o.0.one_in(2));
            let shift = if high { 12 } else { 0 };
            let text = format!("{} {}, {}, #{imm}, lsl #{shift}", name(op), z(w, d), z(w, n));
            (text, op_imm(op, w, d, n, imm, high))
        }
        1 => {
            let (d, mask) = (o.plain(), mask_of(o, bits));
            let op = o.0.pick(&[OpMask::And, OpMask::Orr, OpMask::Eor, OpMask::Ands]);
            let word = op_mask(op, w, d, n, mask).expect("a mask that can be encoded");
            (format!("{} {}, {rn}, #{mask:#x}", name(op), z(w, d)), word)
        }
        2 => {
            let op = o.0.pick(&[OpWide::Movn, OpWide::Movz, OpWide::Movk]);
            let (half, at) = (o.below(0x1_0000) as u16, o.below(bits / 16));
            let text = format!("{} {rd}, #{half}, lsl #{}", name(op), at * 16);
            (text, wide(op, w, d, half, at))
        }
        3 => {
            let op = o.0.pick(&[OpField::Sbfm, OpField::Bfm, OpField::Ubfm]);
            let (r, s) = (o.below(bits), o.below(bits));
            (format!("{} {rd}, {rn}, #{r}, #{s}", name(op)), field(op, w, d, n, r, s))
        }
        4 => {
            let by = o.below(bits);
            (format!("extr {rd}, {rn}, {}, #{by}", z(w, m)), extr(w, d, n, m, by))
        }
        5 => {
            let op = o.0.pick(&[Op2::Rbit, Op2::Clz]);
            (format!("{} {rd}, {rn}", name(op)), op2(op, w, d, n))
        }
        _ => (format!("rev {}, {}", z(Width::X, d), z(Width::X, n)), rev(d, n)),
    }
}

/// The name of a transfer, the width of its register, and how far a multiple of its size can be away.
fn transfer(what: Transfer) -> (&'static str, Width, i64) {
    match what {
        Transfer::Strb => ("strb", Width::W, 1),
        Transfer::Ldrb => ("ldrb", Width::W, 1),
        Transfer::Ldrsb => ("ldrsb", Width::X, 1),
        Transfer::Strh => ("strh", Width::W, 2),
        Transfer::Ldrh => ("ldrh", Width::W, 2),
        Transfer::Ldrsh => ("ldrsh", Width::X, 2),
        Transfer::StrW => ("str", Width::W, 4),
        Transfer::LdrW => ("ldr", Width::W, 4),
        Transfer::Ldrsw => ("ldrsw", Width::X, 4),
        Transfer::Str => ("str", Width::X, 8),
        Transfer::Ldr => ("ldr", Width::X, 8),
    }
}

fn transfers(o: &mut Operands<'_>) -> Case {
    use Transfer::{Ldr, LdrW, Ldrb, Ldrh, Ldrsb, Ldrsh, Ldrsw, Str, StrW, Strb, Strh};
    let all = [Strb, Ldrb, Ldrsb, Strh, Ldrh, Ldrsh, StrW, LdrW, Ldrsw, Str, Ldr];
    let (what, rt, rn, rm) = (o.0.pick(&all), o.reg(), o.reg(), o.reg());
    let (named, w, size) = transfer(what);
    let short = named.replacen("ldr", "ldur", 1).replacen("str", "stur", 1);
    match o.below(4) {
        0 => {
            let text = format!("{named} {}, [{}, {}]", z(w, rt), s(rn), z(Width::X, rm));
            (text, indexed(what, rt, rn, rm))
        }
        1 => {
            let offset = o.below(4096) as i64 * size;
            let word = memory::at(what, rt, rn, offset).expect("it is near");
            (format!("{named} {}, [{}, #{offset}]", z(w, rt), s(rn)), word)
        }
        2 => {
            let offset = -1 - o.below(256) as i64;
            let word = memory::at(what, rt, rn, offset).expect("it is near");
            (format!("{short} {}, [{}, #{offset}]", z(w, rt), s(rn)), word)
        }
        _ => pairs(o),
    }
}

fn pairs(o: &mut Operands<'_>) -> Case {
    // Loading the same register twice is not defined, nor is changing the base.
    let (first, second, rn) = (Reg(o.below(10) as u8), Reg(10 + o.below(10) as u8), SP);
    let offset = o.below(128) as i64 * 8 - 512;
    let (x, y) = (z(Width::X, first), z(Width::X, second));
    let what = o.0.pick(&[Pair::Stp, Pair::Ldp, Pair::StpBefore, Pair::LdpAfter]);
    let text = match what {
        Pair::Stp => format!("stp {x}, {y}, [sp, #{offset}]"),
        Pair::Ldp => format!("ldp {x}, {y}, [sp, #{offset}]"),
        Pair::StpBefore => format!("stp {x}, {y}, [sp, #{offset}]!"),
        Pair::LdpAfter => format!("ldp {x}, {y}, [sp], #{offset}"),
    };
    (text, memory::pair(what, [first, second], rn, offset).expect("it is near"))
}

fn others(o: &mut Operands<'_>) -> Case {
    let (r, (w, _)) = (o.reg(), o.width());
    let by = o.below(1 << 10) as i32 - (1 << 9);
    // Relative to the instruction.
    let to = |by: i32| format!(".{:+}", by * 4);
    let x = z(Width::X, r);
    match o.below(10) {
        0 => (format!("b {}", to(by)), b(by)),
        1 => {
            let cond = o.cond();
            (format!("b.{} {}", name(cond), to(by)), b_cond(cond, by))
        }
        2 => (format!("cbz {}, {}", z(w, r), to(by)), cbz(w, r, by)),
        3 => (format!("cbnz {}, {}", z(w, r), to(by)), cbnz(w, r, by)),
        4 => (format!("br {x}"), br(r)),
        5 => (format!("blr {x}"), blr(r)),
        6 => ("ret".into(), ret()),
        7 => (format!("ldr {x}, {}", to(by)), literal(r, by)),
        _ => vectors(o),
    }
}

/// Random instructions.
pub fn cases(rng: &mut Rng, count: usize) -> Vec<Case> {
    let mut o = Operands(rng);
    (0..count)
        .map(|_| match o.below(5) {
            0 => arithmetic(&mut o),
            1 => immediates(&mut o),
            2 => transfers(&mut o),
            3 => lanes(&mut o),
            _ => others(&mut o),
        })
        .collect()
}
