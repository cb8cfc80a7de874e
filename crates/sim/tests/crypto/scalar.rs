//! Scalar instructions against definitions written in another way (bit by bit, or in wider integers), or against
//! functions that other tests compare with RustCrypto.

use super::setup::{insn, machine, run};
use capvec_isa::row::Slot;
use capvec_isa::{Ext, Op};
use capvec_sim::crypto::{aes_scalar, sm3, sm4};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, Rng, all_exts};
use capvec_sim::{Cause, Why};

/// The result of an instruction from rs1, rs2 and the immediate.
type Function = fn(u64, u64, u64) -> u64;

fn bit(x: u64, i: u64) -> u64 {
    x >> (i % 64) & 1
}

/// The word whose bit `i` is `f(i)`.
fn bits(width: u64, f: impl Fn(u64) -> u64) -> u64 {
    (0..width).fold(0, |word, i| word | (f(i) & 1) << i)
}

/// The low `width` bits, sign-extended.
fn sext(x: u64, width: u32) -> u64 {
    ((x << (64 - width)) as i64 >> (64 - width)) as u64
}

fn low(x: u64) -> u64 {
    x & 0xffff_ffff
}

fn leading_zeros(x: u64, width: u64) -> u64 {
    (0..width).take_while(|i| bit(x, width - 1 - i) == 0).count() as u64
}

fn rotate_right(x: u64, n: u64, width: u64) -> u64 {
    bits(width, |i| bit(x, (i + n) % width))
}

fn carry_less(a: u64, b: u64) -> u128 {
    (0..64).filter(|i| bit(b, *i) == 1).fold(0, |sum, i| sum ^ (a as u128) << i)
}

/// Instructions on registers: rd, rs1, rs2 or rd, rs1.
const REGISTERS: &[(Op, Function)] = &[
    (Op::Sh1add, |a, b, _| a.wrapping_mul(2).wrapping_add(b)),
    (Op::Sh2add, |a, b, _| a.wrapping_mul(4).wrapping_add(b)),
    (Op::Sh3add, |a, b, _| a.wrapping_mul(8).wrapping_add(b)),
    (Op::AddUw, |a, b, _| low(a).wrapping_add(b)),
    (Op::Sh1addUw, |a, b, _| (low(a) * 2).wrapping_add(b)),
    (Op::Sh2addUw, |a, b, _| (low(a) * 4).wrapping_add(b)),
    (Op::Sh3addUw, |a, b, _| (low(a) * 8).wrapping_add(b)),
    (Op::Andn, |a, b, _| bits(64, |i| bit(a, i) & (1 - bit(b, i)))),
    (Op::Orn, |a, b, _| bits(64, |i| bit(a, i) | (1 - bit(b, i)))),
    (Op::Xnor, |a, b, _| bits(64, |i| (bit(a, i) == bit(b, i)) as u64)),
    (Op::Max, |a, b, _| if (a as i64) < b as i64 { b } else { a }),
    (Op::Maxu, |a, b, _| if a < b { b } else { a }),
    (Op::Min, |a, b, _| if (a as i64) < b as i64 { a } else { b }),
    (Op::Minu, |a, b, _| if a < b { a } else { b }),
    (Op::Clz, |a, _, _| leading_zeros(a, 64)),
    (Op::Ctz, |a, _, _| leading_zeros(a.reverse_bits(), 64)),
    (Op::Cpop, |a, _, _| (0..64).map(|i| bit(a, i)).sum()),
    (Op::Clzw, |a, _, _| leading_zeros(a, 32)),
    (Op::Ctzw, |a, _, _| leading_zeros(a.reverse_bits() >> 32, 32)),
    (Op::Cpopw, |a, _, _| (0..32).map(|i| bit(a, i)).sum()),
    (Op::SextB, |a, _, _| sext(a, 8)),
    (Op::SextH, |a, _, _| sext(a, 16)),
    (Op::ZextH, |a, _, _| a % 65536),
    (Op::Rol, |a, b, _| rotate_right(a, 64 - b % 64, 64)),
    (Op::Ror, |a, b, _| rotate_right(a, b % 64, 64)),
    (Op::Rolw, |a, b, _| sext(rotate_right(a, 32 - b % 32, 32), 32)),
    (Op::Rorw, |a, b, _| sext(rotate_right(a, b % 32, 32), 32)),
    (Op::OrcB, |a, _, _| bits(64, |i| (a >> (i & !7) & 0xff != 0) as u64)),
    (Op::Rev8, |a, _, _| bits(64, |i| bit(a, i ^ 56))),
    (Op::Clmul, |a, b, _| carry_less(a, b) as u64),
    (Op::Clmulh, |a, b, _| (carry_less(a, b) >> 64) as u64),
    (Op::Clmulr, |a, b, _| (carry_less(a, b) >> 63) as u64),
    (Op::Bclr, |a, b, _| bits(64, |i| if i == b % 64 { 0 } else { bit(a, i) })),
    (Op::Bext, |a, b, _| bit(a, b % 64)),
    (Op::Binv, |a, b, _| bits(64, |i| bit(a, i) ^ (i == b % 64) as u64)),
    (Op::Bset, |a, b, _| bits(64, |i| bit(a, i) | (i == b % 64) as u64)),
    (Op::Pack, |a, b, _| low(a) + (b << 32)),
    (Op::Packh, |a, b, _| a % 256 + b % 256 * 256),
    (Op::Packw, |a, b, _| sext(a % 65536 + b % 65536 * 65536, 32)),
    (Op::Brev8, |a, _, _| bits(64, |i| bit(a, i ^ 7))),
    (Op::Xperm4, |a, b, _| bits(64, |i| bit(a, (b >> (i & !3) & 15) * 4 + i % 4))),
    (Op::Xperm8, |a, b, _| {
        bits(64, |i| {
            let at = b >> (i & !7) & 255;
            if at < 8 { bit(a, at * 8 + i % 8) } else { 0 }
        })
    }),
    (Op::CzeroEqz, |a, b, _| a * (b != 0) as u64),
    (Op::CzeroNez, |a, b, _| a * (b == 0) as u64),
    (Op::Aes64ds, |a, b, _| aes_scalar::aes64ds(a, b)),
    (Op::Aes64dsm, |a, b, _| aes_scalar::aes64dsm(a, b)),
    (Op::Aes64es, |a, b, _| aes_scalar::aes64es(a, b)),
    (Op::Aes64esm, |a, b, _| aes_scalar::aes64esm(a, b)),
    (Op::Aes64im, |a, _, _| aes_scalar::aes64im(a)),
    (Op::Aes64ks2, |a, b, _| aes_scalar::aes64ks2(a, b)),
    (Op::Sha256sig0, |a, _, _| sigma(a, 32, 7, 18, Some(3))),
    (Op::Sha256sig1, |a, _, _| sigma(a, 32, 17, 19, Some(10))),
    (Op::Sha256sum0, |a, _, _| sigma(a, 32, 2, 13, None) ^ sext(rotate_right(a, 22, 32), 32)),
    (Op::Sha256sum1, |a, _, _| sigma(a, 32, 6, 11, None) ^ sext(rotate_right(a, 25, 32), 32)),
    (Op::Sha512sig0, |a, _, _| sigma(a, 64, 1, 8, Some(7))),
    (Op::Sha512sig1, |a, _, _| sigma(a, 64, 19, 61, Some(6))),
    (Op::Sha512sum0, |a, _, _| sigma(a, 64, 28, 34, None) ^ rotate_right(a, 39, 64)),
    (Op::Sha512sum1, |a, _, _| sigma(a, 64, 14, 18, None) ^ rotate_right(a, 41, 64)),
    (Op::Sm3p0, |a, _, _| sext(sm3::p0(a as u32) as u64, 32)),
    (Op::Sm3p1, |a, _, _| sext(sm3::p1(a as u32) as u64, 32)),
];

/// Two rotations and possibly a shift, in words of `width` bits, sign-extended (FIPS 180-4 section 4.1).
fn sigma(x: u64, width: u64, r1: u64, r2: u64, shift: Option<u64>) -> u64 {
    let shifted = shift.map_or(0, |n| (x << (64 - width) >> (64 - width)) >> n);
    sext(rotate_right(x, r1, width) ^ rotate_right(x, r2, width) ^ shifted, width as u32)
}

/// Instructions with an immediate below the bound.
const IMMEDIATES: &[(Op, u64, Function)] = &[
    (Op::SlliUw, 64, |a, _, n| bits(64, |i| if i >= n && i - n < 32 { bit(a, i - n) } else { 0 })),
    (Op::Rori, 64, |a, _, n| rotate_right(a, n, 64)),
    (Op::Roriw, 32, |a, _, n| sext(rotate_right(a, n, 32), 32)),
    (Op::Bclri, 64, |a, _, n| bits(64, |i| if i == n { 0 } else { bit(a, i) })),
    (Op::Bexti, 64, |a, _, n| bit(a, n)),
    (Op::Binvi, 64, |a, _, n| bits(64, |i| bit(a, i) ^ (i == n) as u64)),
    (Op::Bseti, 64, |a, _, n| bits(64, |i| bit(a, i) | (i == n) as u64)),
    (Op::Aes64ks1i, 11, |a, _, n| aes_scalar::aes64ks1i(a, n as u32).expect("in range")),
    (Op::Sm4ed, 4, |a, b, n| sext(sm4::sm4ed(a as u32, b as u32, n as u32) as u64, 32)),
    (Op::Sm4ks, 4, |a, b, n| sext(sm4::sm4ks(a as u32, b as u32, n as u32) as u64, 32)),
];

/// Edge values, and random ones of several kinds.
fn operand(rng: &mut Rng) -> u64 {
    let edges =
        [0, 1, u64::MAX, 1 << 63, 1 << 31, 1 << 32, 0xffff_ffff, 63, 64, 0xffff_ffff_8000_0000];
    match rng.below(4) {
        0 => rng.pick(&edges),
        1 => rng.next() & 0x0f07_0f07_0f07_0f07,
        2 => rng.next() & rng.next() & rng.next(),
        _ => rng.next(),
    }
}

fn has_rs2(op: Op) -> bool {
    op.row().fields.iter().any(|field| field.slot == Slot::Rs2)
}

/// Executes once with these operands in random registers, sometimes x0 or the same register twice.
fn check(m: &mut Rig, op: Op, imm: u64, f: Function, rng: &mut Rng) {
    let [rd, rs1, rs2] = [0; 3].map(|_| rng.below(32) as u8);
    for r in 1..32 {
        m.h.write_x(r, operand(rng));
    }
    let rs2 = if has_rs2(op) { rs2 } else { 0 };
    let (a, b) = (m.h.x(rs1), m.h.x(rs2));
    let wanted = if rd == 0 { 0 } else { f(a, b, imm) };
    let others: Vec<u64> = (0..32).filter(|r| *r != rd).map(|r| m.h.x(r)).collect();
    run(m, &[insn(op, rd, rs2, rs1, imm as i64)]).expect("legal");
    assert_eq!(m.h.x(rd), wanted, "{} {a:#x} {b:#x} {imm}", op.name());
    assert_eq!((0..32).filter(|r| *r != rd).map(|r| m.h.x(r)).collect::<Vec<_>>(), others);
}

#[test]
fn results_are_those_of_the_definitions() {
    let mut rng = Rng::new("results_are_those_of_the_definitions");
    let mut m = machine(&all_exts(), 128, Agnostic::Undisturbed);
    for (op, f) in REGISTERS {
        (0..300).for_each(|_| check(&mut m, *op, 0, *f, &mut rng));
    }
    for (op, bound, f) in IMMEDIATES {
        for imm in 0..*bound {
            (0..300 / bound + 4).for_each(|_| check(&mut m, *op, imm, *f, &mut rng));
        }
    }
}

/// Every instruction of these extensions is in the lists above.
#[test]
fn no_instruction_is_left_out() {
    use Ext::*;
    let ours = [Zba, Zbb, Zbc, Zbs, Zbkb, Zbkc, Zbkx, Zknd, Zkne, Zknh, Zksed, Zksh, Zicond];
    let ours = capvec_isa::ExtSet::of(&ours);
    let mut tested: Vec<Op> = REGISTERS.iter().map(|row| row.0).collect();
    tested.extend(IMMEDIATES.iter().map(|row| row.0));
    for op in capvec_isa::op::OPS {
        let row = op.row();
        if row.exts.intersects(ours) && row.base == op && row.xlen != 32 {
            assert!(tested.contains(&op), "{}", op.name());
        }
    }
}

#[test]
fn reserved_round_numbers_trap() {
    let mut m = machine(&all_exts(), 128, Agnostic::Undisturbed);
    m.h.write_x(5, 7);
    for imm in 11..16 {
        let trap = run(&mut m, &[insn(Op::Aes64ks1i, 5, 0, 6, imm)]).expect_err("reserved");
        assert!(matches!(trap.why, Some(Why::Reserved(_))) && trap.cause == Cause::Illegal);
        assert_eq!(m.h.x(5), 7);
    }
}

/// Each extension that contains a shared instruction makes it legal; without any of them it traps.
#[test]
fn extensions_that_share_an_instruction_each_suffice() {
    for (op, _) in REGISTERS {
        let legal = op.row().exts;
        // packw with x0 is zext.h, a different instruction.
        let d = insn(*op, 5, if has_rs2(*op) { 7 } else { 0 }, 6, 0);
        for ext in legal.iter() {
            assert_eq!(run(&mut machine(&[ext], 128, Agnostic::Ones), &[d]), Ok(()));
        }
        let trap = run(&mut machine(&[], 128, Agnostic::Ones), &[d]).expect_err("absent");
        assert_eq!(trap.why, Some(Why::Needs(*op, legal)));
    }
}
