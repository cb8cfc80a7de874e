//! Instructions of F, D, Zfa and Zfhmin on a hart: operands, boxing, rounding modes, flags.

use capvec_isa::{Ext, Op};
use capvec_sim::fp::{F16, F32, F64, Float, Rm};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{DATA, Rig, config, word};
use capvec_sim::{Cause, Trap, Why};

use super::patterns::Random;

const NX: u8 = 1;
const NV: u8 = 16;

/// Registers of all tests: fd is f4 or x10, sources are f1, f2, f3 or x11.
const FD: u8 = 4;
const XD: u8 = 10;
const XS: u8 = 11;

fn rig(exts: &[Ext]) -> Rig {
    Rig::new(config(exts, 128, Agnostic::Undisturbed))
}

fn full() -> Rig {
    rig(&[Ext::D, Ext::Zfa, Ext::Zfhmin])
}

/// `op` on the registers of these tests, with rounding mode `rm` if it has one.
fn instruction(op: Op, rm: u8) -> u32 {
    let args: Vec<&str> = op.row().args.split(", ").collect();
    word(op, |d| {
        d.rd = if args[0] == "rd" { XD } else { FD };
        (d.rs1, d.rs2, d.rs3) = (1, 2, 3);
        if args.contains(&"rs1") || args.contains(&"imm(rs1)") {
            d.rs1 = XS;
        }
        if has_rm(op) {
            d.aux = rm;
        }
    })
}

/// Whether the encoding has an `rm` field.
fn has_rm(op: Op) -> bool {
    op.row().args.ends_with("rm")
}

/// Runs `op` with static rounding mode `rm`; returns fd, rd and fflags.
#[track_caller]
fn run(rig: &mut Rig, op: Op, rm: u8) -> (u64, u64, u8) {
    let trap = rig.run(&[instruction(op, rm)]);
    assert_eq!(trap.cause, Cause::Breakpoint, "{}: {trap:?}", op.name());
    (rig.h.f[FD as usize], rig.h.x(XD), std::mem::take(&mut rig.h.fflags))
}

/// Every floating-point instruction without memory operands.
fn all() -> impl Iterator<Item = Op> {
    let sets = [Ext::F, Ext::D, Ext::Zfa, Ext::Zfhmin];
    let of = move |op: &Op| sets.iter().any(|&e| op.row().exts.has(e));
    let computes = |op: &Op| op.row().len == 4 && !op.row().args.contains('(');
    capvec_isa::op::OPS.iter().copied().filter(of).filter(computes)
}

#[test]
fn reserved_rounding_modes_trap_and_others_do_not() {
    let mut rig = full();
    let mut count = 0;
    for op in all().filter(|&op| has_rm(op)) {
        for rm in 0..8 {
            for frm in 0..8 {
                rig.h.frm = frm;
                let legal = rm < 5 || (rm == 7 && frm < 5);
                let before = (rig.h.f, rig.h.x(XD));
                let trap = rig.run(&[instruction(op, rm)]);
                let want = if legal { Cause::Breakpoint } else { Cause::Illegal };
                assert_eq!(trap.cause, want, "{} rm {rm} frm {frm}", op.name());
                assert!(legal || (rig.h.f, rig.h.x(XD)) == before);
            }
        }
        count += 1;
    }
    // F and D: 9 arithmetic ones each, 8 and 10 conversions. Zfa and Zfhmin: 4 each.
    assert_eq!(count, (9 + 8) + (9 + 10) + 4 + 4);
    // Instructions without the field ignore frm.
    for op in all().filter(|&op| !has_rm(op)) {
        rig.h.frm = 7;
        run(&mut rig, op, 0);
    }
}

#[test]
fn double_forms_need_d() {
    let mut rig = rig(&[Ext::Zfa, Ext::Zfhmin]);
    let needs = |trap: Trap| matches!(trap.why, Some(Why::Needs(_, set)) if set.has(Ext::D));
    for op in all().filter(|op| op.row().exts.has(Ext::Zfa) || op.row().exts.has(Ext::Zfhmin)) {
        let double = op.name().split('.').any(|part| part == "d");
        let trap = rig.run(&[instruction(op, 0)]);
        assert_eq!(needs(trap), double, "{}: {trap:?}", op.name());
    }
}

#[test]
fn rounding_mode_is_static_or_dynamic() {
    let mut rig = full();
    rig.h.f[1] = F64(1f64.to_bits()).bits();
    rig.h.f[2] = F64(3f64.to_bits()).bits();
    let (down, up) = (0x3fd5_5555_5555_5555, 0x3fd5_5555_5555_5556);
    for (rm, want) in [(Rm::Rne, down), (Rm::Rtz, down), (Rm::Rdn, down), (Rm::Rup, up)] {
        rig.h.frm = Rm::Rmm as u8;
        assert_eq!(run(&mut rig, Op::FdivD, rm as u8), (want, 0, NX));
        rig.h.frm = rm as u8;
        assert_eq!(run(&mut rig, Op::FdivD, 7), (want, 0, NX));
    }
}

/// Random single and double operands, compared with the host's operators.
#[test]
fn arithmetic_as_on_the_host() {
    type Binary<T> = (Op, fn(T, T) -> T);
    let single: [Binary<f32>; 4] = [
        (Op::FaddS, |a, b| a + b),
        (Op::FsubS, |a, b| a - b),
        (Op::FmulS, |a, b| a * b),
        (Op::FdivS, |a, b| a / b),
    ];
    let double: [Binary<f64>; 4] = [
        (Op::FaddD, |a, b| a + b),
        (Op::FsubD, |a, b| a - b),
        (Op::FmulD, |a, b| a * b),
        (Op::FdivD, |a, b| a / b),
    ];
    let mut random = Random::new();
    let mut rig = full();
    for _ in 0..2000 {
        let (a, b): (F32, F32) = (random.float(), random.float());
        (rig.h.f[1], rig.h.f[2]) = (a.nan_box(), b.nan_box());
        for (op, host) in single {
            let want = host(f32::from_bits(a.0), f32::from_bits(b.0));
            let want = if want.is_nan() { F32::nan() } else { F32(want.to_bits()) };
            assert_eq!(run(&mut rig, op, 0).0, want.nan_box(), "{} {a:x?} {b:x?}", op.name());
        }
        let (a, b): (F64, F64) = (random.float(), random.float());
        (rig.h.f[1], rig.h.f[2]) = (a.bits(), b.bits());
        for (op, host) in double {
            let want = host(f64::from_bits(a.0), f64::from_bits(b.0));
            let want = if want.is_nan() { F64::nan() } else { F64(want.to_bits()) };
            assert_eq!(run(&mut rig, op, 0).0, want.bits(), "{} {a:x?} {b:x?}", op.name());
        }
    }
}

fn single(value: f32) -> u64 {
    F32(value.to_bits()).nan_box()
}

/// Exact cases that distinguish the operations of a family.
#[test]
fn operands_and_signs() {
    let mut rig = full();
    (rig.h.f[1], rig.h.f[2], rig.h.f[3]) = (single(2.0), single(-3.0), single(10.0));
    for (op, want) in [
        (Op::FmaddS, 4.0),
        (Op::FmsubS, -16.0),
        (Op::FnmsubS, 16.0),
        (Op::FnmaddS, -4.0),
        (Op::FsgnjS, -2.0),
        (Op::FsgnjnS, 2.0),
        (Op::FsgnjxS, -2.0),
        (Op::FminS, -3.0),
        (Op::FmaxS, 2.0),
        (Op::FminmS, -3.0),
        (Op::FmaxmS, 2.0),
    ] {
        assert_eq!(run(&mut rig, op, 0), (single(want), 0, 0), "{}", op.name());
    }
    for (op, want) in [
        (Op::FeqS, 0),
        (Op::FltS, 0),
        (Op::FleS, 0),
        (Op::FltqS, 0),
        (Op::FleqS, 0),
        (Op::FclassS, 1 << 6),
        (Op::FcvtWS, 2),
        (Op::FmvXW, 0x4000_0000),
    ] {
        assert_eq!(run(&mut rig, op, 0).1, want, "{}", op.name());
    }
    (rig.h.f[1], rig.h.f[2]) = (1f64.to_bits(), f64::NAN.to_bits());
    for (op, flags) in
        [(Op::FltD, NV), (Op::FleD, NV), (Op::FltqD, 0), (Op::FleqD, 0), (Op::FeqD, 0)]
    {
        assert_eq!(run(&mut rig, op, 0).1, 0, "{}", op.name());
        assert_eq!(rig.h.fflags, 0);
        rig.run(&[instruction(op, 0)]);
        assert_eq!(std::mem::take(&mut rig.h.fflags), flags, "{}", op.name());
    }
    (rig.h.f[1], rig.h.f[2]) = ((-1f64).to_bits(), 1f64.to_bits());
    for op in [Op::FltD, Op::FleD, Op::FltqD, Op::FleqD] {
        assert_eq!(run(&mut rig, op, 0).1, 1, "{}", op.name());
    }
}

#[test]
fn minima_differ_in_what_a_nan_does() {
    let mut rig = full();
    (rig.h.f[1], rig.h.f[2]) = (single(2.0), F32::nan().nan_box());
    for op in [Op::FminS, Op::FmaxS] {
        assert_eq!(run(&mut rig, op, 0).0, single(2.0), "{}", op.name());
    }
    for op in [Op::FminmS, Op::FmaxmS] {
        assert_eq!(run(&mut rig, op, 0).0, F32::nan().nan_box(), "{}", op.name());
    }
    (rig.h.f[1], rig.h.f[2]) = (2f64.to_bits(), F64::nan().bits());
    for (op, want) in [
        (Op::FminD, 2f64.to_bits()),
        (Op::FmaxD, 2f64.to_bits()),
        (Op::FminmD, F64::nan().bits()),
        (Op::FmaxmD, F64::nan().bits()),
    ] {
        assert_eq!(run(&mut rig, op, 0).0, want, "{}", op.name());
    }
    // Cases that distinguish the minima from the maxima.
    (rig.h.f[1], rig.h.f[2]) = (2f64.to_bits(), (-3f64).to_bits());
    for (op, want) in [(Op::FminD, -3f64), (Op::FminmD, -3.0), (Op::FmaxD, 2.0), (Op::FmaxmD, 2.0)]
    {
        assert_eq!(run(&mut rig, op, 0).0, want.to_bits(), "{}", op.name());
    }
}

#[test]
fn narrow_values_are_boxed() {
    let mut rig = full();
    let not_boxed = 0xffff_fffe_4000_0000;
    (rig.h.f[1], rig.h.f[2]) = (not_boxed, single(1.0));
    let nan = F32::nan().nan_box();
    for op in [Op::FaddS, Op::FsgnjS, Op::FroundS] {
        assert_eq!(run(&mut rig, op, 0).0, nan, "{}", op.name());
    }
    assert_eq!(run(&mut rig, Op::FminS, 0), (single(1.0), 0, 0));
    assert_eq!(run(&mut rig, Op::FclassS, 0).1, 1 << 9);
    // Moves and stores transfer the bits unchanged.
    assert_eq!(run(&mut rig, Op::FmvXW, 0).1, 0x4000_0000);
    rig.h.write_x(XS, 0xdead_beef_8000_8001);
    assert_eq!(run(&mut rig, Op::FmvWX, 0).0, 0xffff_ffff_8000_8001);
    assert_eq!(run(&mut rig, Op::FmvHX, 0).0, 0xffff_ffff_ffff_8001);
    assert_eq!(run(&mut rig, Op::FmvDX, 0).0, 0xdead_beef_8000_8001);
    rig.h.f[1] = 0xdead_beef_8000_8001;
    assert_eq!(run(&mut rig, Op::FmvXH, 0).1, 0xffff_ffff_ffff_8001);
    assert_eq!(run(&mut rig, Op::FmvXW, 0).1, 0xffff_ffff_8000_8001);
    assert_eq!(run(&mut rig, Op::FmvXD, 0).1, 0xdead_beef_8000_8001);
    // Half precision survives conversion to single and double and back.
    rig.h.f[1] = F16(0x3e00).nan_box();
    assert_eq!(run(&mut rig, Op::FcvtSH, 0).0, single(1.5));
    assert_eq!(run(&mut rig, Op::FcvtDH, 0).0, 1.5f64.to_bits());
    rig.h.f[1] = (-1.5f64).to_bits();
    assert_eq!(run(&mut rig, Op::FcvtHD, 0).0, F16(0xbe00).nan_box());
    rig.h.f[1] = single(1e6);
    assert_eq!(run(&mut rig, Op::FcvtHS, 0), (F16(0x7c00).nan_box(), rig.h.x(XD), 4 | NX));
}

#[test]
fn words_are_sign_extended() {
    let mut rig = full();
    rig.h.f[1] = single(4_294_967_040.0);
    assert_eq!(run(&mut rig, Op::FcvtWuS, 0).1, 0xffff_ffff_ffff_ff00);
    assert_eq!(run(&mut rig, Op::FcvtLuS, 0).1, 0xffff_ff00);
    rig.h.f[1] = f64::NAN.to_bits();
    for (op, want) in [
        (Op::FcvtWD, 0x7fff_ffff),
        (Op::FcvtWuD, u64::MAX),
        (Op::FcvtLD, 0x7fff_ffff_ffff_ffff),
        (Op::FcvtLuD, u64::MAX),
    ] {
        let (_, got, flags) = run(&mut rig, op, 0);
        assert_eq!((got, flags), (want, NV), "{}", op.name());
    }
    // Only the low word of the source is read.
    rig.h.write_x(XS, 0x1234_5678_ffff_ffff);
    assert_eq!(run(&mut rig, Op::FcvtDW, 0).0, (-1f64).to_bits());
    assert_eq!(run(&mut rig, Op::FcvtDWu, 0).0, 4_294_967_295f64.to_bits());
    rig.h.f[1] = 4_294_967_297.5f64.to_bits();
    let (_, got, flags) = run(&mut rig, Op::FcvtmodWD, 0);
    assert_eq!((got, flags), (1, NV));
}

#[test]
fn zfa_loads_constants_and_rounds() {
    let mut rig = full();
    let load = |op, n| word(op, |d| (d.rd, d.rs1) = (FD, n));
    rig.run(&[load(Op::FliS, 0)]);
    assert_eq!(rig.h.f[FD as usize], single(-1.0));
    rig.run(&[load(Op::FliD, 29)]);
    assert_eq!(rig.h.f[FD as usize], 65536f64.to_bits());
    rig.h.f[1] = single(-2.5);
    assert_eq!(run(&mut rig, Op::FroundS, Rm::Rne as u8), (single(-2.0), 0, 0));
    assert_eq!(run(&mut rig, Op::FroundnxS, Rm::Rdn as u8), (single(-3.0), 0, NX));
}

#[test]
fn memory_operands() {
    let mut rig = full();
    rig.h.write_x(XS, DATA);
    let load = |op| word(op, |d| (d.rd, d.rs1, d.imm) = (FD, XS, 3));
    let store = |op| word(op, |d| (d.rs2, d.rs1, d.imm) = (1, XS, 3));
    rig.h.f[1] = 0x0123_4567_89ab_cdef;
    for (to, from, want) in [
        (Op::Fsh, Op::Flh, 0xffff_ffff_ffff_cdef),
        (Op::Fsw, Op::Flw, 0xffff_ffff_89ab_cdef),
        (Op::Fsd, Op::Fld, 0x0123_4567_89ab_cdef),
    ] {
        assert_eq!(rig.run(&[store(to), load(from)]).cause, Cause::Breakpoint);
        assert_eq!(rig.h.f[FD as usize], want, "{}", from.name());
    }
    rig.h.write_x(XS, DATA - 16);
    assert_eq!(rig.run(&[load(Op::Fld)]).cause, Cause::LoadPage);
    assert_eq!(rig.h.f[FD as usize], 0x0123_4567_89ab_cdef);
}

#[test]
fn flags_accrue() {
    let mut rig = full();
    (rig.h.f[1], rig.h.f[2]) = (single(1.0), single(3.0));
    let csr = |csr| word(Op::Csrrs, |d| (d.rd, d.imm) = (XD, csr));
    let divide = instruction(Op::FdivS, 0);
    let zero = instruction(Op::FmvWX, 0);
    rig.run(&[divide, word(Op::FdivS, |d| (d.rd, d.rs1, d.rs2) = (5, 1, 6)), csr(1), zero]);
    // f6 is not boxed, so the second quotient is a NaN without a flag.
    assert_eq!((rig.h.x(XD), rig.h.f[5]), (NX.into(), F32::nan().nan_box()));
    rig.h.f[6] = single(0.0);
    rig.h.frm = 3;
    rig.run(&[word(Op::FdivS, |d| (d.rd, d.rs1, d.rs2) = (5, 1, 6)), csr(3)]);
    assert_eq!(rig.h.x(XD), 3 << 5 | 8 | 1);
}
