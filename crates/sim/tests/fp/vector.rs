//! Vector arithmetic, conversions and comparisons against the model. Element results come from `fp`, which the other
//! tests compare with independent oracles.

use capvec_isa::Op;
use capvec_sim::Cause;
use capvec_sim::fp::{self, Env, F16, F32, F64, Float, Fma, Int, Rm, Sgnj};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, all_exts, config};
use capvec_sim::vector::VType;

use super::model::{Model, VD, VS1, VS2, Widths, element, encode, state};
use super::patterns::Random;

/// A format by its width, to write models once for both.
macro_rules! both {
    ($f:ident => $model:expr) => {
        [
            {
                type $f = F32;
                $model as Model
            },
            {
                type $f = F64;
                $model as Model
            },
        ]
    };
}

const ROUNDS: usize = 25;

/// Checks operations of one width against a model for each.
fn check_single(ops: &[Op], models: [Model; 2]) {
    let mut random = Random::new();
    for (sew, model) in [32, 64].into_iter().zip(models) {
        for &op in ops {
            for _ in 0..ROUNDS {
                let widths = Widths { vd: sew, vs2: sew, vs1: sew };
                state(&mut random, sew).check(op, widths, model);
            }
        }
    }
}

#[test]
fn arithmetic() {
    macro_rules! binary {
        ($($($op:ident)+: |$env:ident, $a:ident, $b:ident| $e:expr;)*) => { $(
            check_single(&[$(Op::$op),+], both!(F => |$env, _, a, b| {
                let ($a, $b) = (F::from_bits(a), F::from_bits(b));
                $e.bits()
            }));
        )* };
    }
    binary! {
        VfaddVv VfaddVf: |env, a, b| fp::add(env, a, b);
        VfsubVv VfsubVf: |env, a, b| fp::add(env, a, b.negate());
        VfrsubVf: |env, a, b| fp::add(env, b, a.negate());
        VfmulVv VfmulVf: |env, a, b| fp::mul(env, a, b);
        VfdivVv VfdivVf: |env, a, b| fp::div(env, a, b);
        VfrdivVf: |env, a, b| fp::div(env, b, a);
        VfminVv VfminVf: |env, a, b| fp::min(env, a, b);
        VfmaxVv VfmaxVf: |env, a, b| fp::max(env, a, b);
        VfsgnjVv VfsgnjVf: |_env, a, b| a.with_sign(b.is_negative());
        VfsgnjnVv VfsgnjnVf: |_env, a, b| a.with_sign(!b.is_negative());
        VfsgnjxVv VfsgnjxVf: |_env, a, b| fp::sgnj(Sgnj::Xor, a, b);
    }
    check_single(&[Op::VfsqrtV], both!(F => |env, _, a, _| fp::sqrt(env, F::from_bits(a)).bits()));
    check_single(&[Op::Vfrec7V], both!(F => |env, _, a, _| fp::rec7(env, F::from_bits(a)).bits()));
    let rsqrt = both!(F => |env, _, a, _| fp::rsqrt7(env, F::from_bits(a)).bits());
    check_single(&[Op::Vfrsqrt7V], rsqrt);
    check_single(&[Op::VfclassV], both!(F => |_, _, a, _| F::from_bits(a).classify()));
    check_single(&[Op::VfmvVF], both!(F => |_, _, _, b| F::from_bits(b).bits()));
}

/// Signs written out as in the manual's pseudocode, on factors and addend.
#[test]
fn multiply_add() {
    macro_rules! fma {
        ($($($op:ident)+: |$d:ident, $a:ident, $b:ident| ($x:expr, $y:expr, $z:expr);)*) => { $(
            check_single(&[$(Op::$op),+], both!(F => |env, d, a, b| {
                let ($d, $a, $b) = (F::from_bits(d), F::from_bits(a), F::from_bits(b));
                fp::fma(env, Fma::Madd, $x, $y, $z).bits()
            }));
        )* };
    }
    fma! {
        VfmaccVv VfmaccVf: |d, a, b| (b, a, d);
        VfnmaccVv VfnmaccVf: |d, a, b| (b.negate(), a, d.negate());
        VfmsacVv VfmsacVf: |d, a, b| (b, a, d.negate());
        VfnmsacVv VfnmsacVf: |d, a, b| (b.negate(), a, d);
        VfmaddVv VfmaddVf: |d, a, b| (b, d, a);
        VfnmaddVv VfnmaddVf: |d, a, b| (b.negate(), d, a.negate());
        VfmsubVv VfmsubVf: |d, a, b| (b, d, a.negate());
        VfnmsubVv VfnmsubVf: |d, a, b| (b.negate(), d, a);
    }
}

#[test]
fn widening() {
    fn wide(env: &mut Env, bits: u64) -> F64 {
        fp::convert(env, F32::from_bits(bits))
    }
    let mut random = Random::new();
    let mut check = |ops: &[Op], vs2, model: Model| {
        for &op in ops {
            for _ in 0..ROUNDS {
                state(&mut random, 32).check(op, Widths { vd: 64, vs2, vs1: 32 }, model);
            }
        }
    };
    macro_rules! narrow {
        ($($($op:ident)+: |$env:ident, $d:ident, $a:ident, $b:ident| $e:expr;)*) => { $(
            check(&[$(Op::$op),+], 32, |$env, d, a, b| {
                let ($d, $a, $b) = (F64(d), wide($env, a), wide($env, b));
                $e.bits()
            });
        )* };
    }
    narrow! {
        VfwaddVv VfwaddVf: |env, _d, a, b| fp::add(env, a, b);
        VfwsubVv VfwsubVf: |env, _d, a, b| fp::sub(env, a, b);
        VfwmulVv VfwmulVf: |env, _d, a, b| fp::mul(env, a, b);
        VfwmaccVv VfwmaccVf: |env, d, a, b| fp::fma(env, Fma::Madd, a, b, d);
        VfwnmaccVv VfwnmaccVf: |env, d, a, b| fp::fma(env, Fma::Madd, a.negate(), b, d.negate());
        VfwmsacVv VfwmsacVf: |env, d, a, b| fp::fma(env, Fma::Madd, a, b, d.negate());
        VfwnmsacVv VfwnmsacVf: |env, d, a, b| fp::fma(env, Fma::Madd, a.negate(), b, d);
    }
    check(&[Op::VfwaddWv, Op::VfwaddWf], 64, |env, _, a, b| {
        let b = wide(env, b);
        fp::add(env, F64(a), b).bits()
    });
    check(&[Op::VfwsubWv, Op::VfwsubWf], 64, |env, _, a, b| {
        let b = wide(env, b);
        fp::sub(env, F64(a), b).bits()
    });
}

#[test]
fn conversions() {
    let mut random = Random::new();
    macro_rules! cases {
        ($($op:ident $sew:literal: $from:literal -> $to:literal, |$env:ident, $a:ident| $e:expr;)*) => { $(
            for _ in 0..ROUNDS {
                let widths = Widths { vd: $to, vs2: $from, vs1: $sew };
                state(&mut random, $sew).check(Op::$op, widths, |$env, _, $a, _| $e);
            }
        )* };
    }
    fn with(env: &mut Env, rm: Rm, f: impl FnOnce(&mut Env) -> u64) -> u64 {
        let mut fixed = Env::new(rm);
        let bits = f(&mut fixed);
        env.raise(fixed.flags);
        bits
    }
    fn rtz<F: Float>(env: &mut Env, a: u64, int: Int) -> u64 {
        with(env, Rm::Rtz, |env| fp::to_int(env, F::from_bits(a), int))
    }
    cases! {
        VfcvtXuFV 32: 32 -> 32, |env, a| fp::to_int(env, F32(a as u32), Int::U32);
        VfcvtXFV 64: 64 -> 64, |env, a| fp::to_int(env, F64(a), Int::I64);
        VfcvtRtzXuFV 64: 64 -> 64, |env, a| rtz::<F64>(env, a, Int::U64);
        VfcvtRtzXFV 32: 32 -> 32, |env, a| rtz::<F32>(env, a, Int::I32);
        VfcvtFXuV 64: 64 -> 64, |env, a| fp::from_int::<F64>(env, a, Int::U64).bits();
        VfcvtFXV 32: 32 -> 32, |env, a| fp::from_int::<F32>(env, a, Int::I32).bits();
        VfwcvtXuFV 32: 32 -> 64, |env, a| fp::to_int(env, F32(a as u32), Int::U64);
        VfwcvtXFV 32: 32 -> 64, |env, a| fp::to_int(env, F32(a as u32), Int::I64);
        VfwcvtRtzXuFV 32: 32 -> 64, |env, a| rtz::<F32>(env, a, Int::U64);
        VfwcvtRtzXFV 32: 32 -> 64, |env, a| rtz::<F32>(env, a, Int::I64);
        VfwcvtFXuV 32: 32 -> 64, |_env, a| (a as u32 as f64).to_bits();
        VfwcvtFXuV 16: 16 -> 32, |_env, a| (a as u16 as f32).to_bits().into();
        VfwcvtFXV 32: 32 -> 64, |_env, a| (a as i32 as f64).to_bits();
        VfwcvtFXV 16: 16 -> 32, |_env, a| (a as i16 as f32).to_bits().into();
        VfwcvtFFV 32: 32 -> 64, |env, a| fp::convert::<_, F64>(env, F32(a as u32)).bits();
        VfwcvtFFV 16: 16 -> 32, |env, a| fp::convert::<_, F32>(env, F16(a as u16)).bits();
        VfncvtXuFW 32: 64 -> 32, |env, a| fp::to_int(env, F64(a), Int::U32);
        VfncvtXuFW 16: 32 -> 16, |env, a| fp::to_int(env, F32(a as u32), Int::unsigned(16));
        VfncvtXFW 32: 64 -> 32, |env, a| fp::to_int(env, F64(a), Int::I32);
        VfncvtXFW 16: 32 -> 16, |env, a| fp::to_int(env, F32(a as u32), Int::signed(16));
        VfncvtRtzXuFW 16: 32 -> 16, |env, a| rtz::<F32>(env, a, Int::unsigned(16));
        VfncvtRtzXFW 32: 64 -> 32, |env, a| rtz::<F64>(env, a, Int::I32);
        VfncvtFXuW 32: 64 -> 32, |env, a| fp::from_int::<F32>(env, a, Int::U64).bits();
        VfncvtFXW 32: 64 -> 32, |env, a| fp::from_int::<F32>(env, a, Int::I64).bits();
        VfncvtFFW 32: 64 -> 32, |env, a| fp::convert::<_, F32>(env, F64(a)).bits();
        VfncvtFFW 16: 32 -> 16, |env, a| fp::convert::<_, F16>(env, F32(a as u32)).bits();
        VfncvtRodFFW 32: 64 -> 32, |env, a| {
            with(env, Rm::Rod, |env| fp::convert::<_, F32>(env, F64(a)).bits())
        };
    }
}

#[test]
fn comparisons() {
    type Test = (Op, fn(f64, f64) -> bool);
    let tests: [Test; 10] = [
        (Op::VmfeqVv, |a, b| a == b),
        (Op::VmfeqVf, |a, b| a == b),
        (Op::VmfneVv, |a, b| a != b),
        (Op::VmfneVf, |a, b| a != b),
        (Op::VmfltVv, |a, b| a < b),
        (Op::VmfltVf, |a, b| a < b),
        (Op::VmfleVv, |a, b| a <= b),
        (Op::VmfleVf, |a, b| a <= b),
        (Op::VmfgtVf, |a, b| a > b),
        (Op::VmfgeVf, |a, b| a >= b),
    ];
    let mut random = Random::new();
    for (op, holds) in tests {
        for round in 0..2 * ROUNDS {
            let case = &mut state(&mut random, [32, 64][round % 2]);
            let (vl, vstart, vtype) = (case.rig.h.v.vl, case.rig.h.v.vstart, case.rig.h.v.vtype);
            let vlenb = case.rig.h.v.vlenb();
            let number = |bits: u64| match vtype.sew {
                32 => f64::from(f32::from_bits(bits as u32)),
                _ => f64::from_bits(bits),
            };
            let scalar = case.scalar();
            let mut want = case.before.clone();
            let mut write = |k: u64, bit: bool| {
                let byte = &mut want[VD as usize * vlenb + k as usize / 8];
                *byte = *byte & !(1 << (k % 8)) | u8::from(bit) << (k % 8);
            };
            for k in vstart..vl {
                let get = |reg| element(&case.before, vlenb, reg, k, vtype.sew);
                let b = if op.row().args.contains("fs1") { scalar } else { get(VS1) };
                if case.active(k) {
                    write(k, holds(number(get(VS2)), number(b)));
                } else if case.ones && vtype.vma {
                    write(k, true);
                }
            }
            if vstart < vl && case.ones {
                (vl..vlenb as u64 * 8).for_each(|k| write(k, true));
            }
            let trap = case.rig.run(&[encode(op, case.vm)]);
            assert_eq!(trap.cause, Cause::Breakpoint, "{}: {trap:?}", op.name());
            assert!(case.rig.h.v.bytes(0) == want, "{} {vtype:?} {vl} {vstart}", op.name());
        }
    }
}

/// Ordered comparisons are invalid for any NaN, equality only for a signalling one.
#[test]
fn comparison_flags() {
    let mut rig = Rig::new(config(&all_exts(), 128, Agnostic::Undisturbed));
    let quiet = |op| !matches!(op, Op::VmfltVv | Op::VmfleVv);
    for (bits, signalling) in [(0x7fc0_0000u32, false), (0x7f80_0001, true)] {
        for op in [Op::VmfeqVv, Op::VmfneVv, Op::VmfltVv, Op::VmfleVv] {
            rig.h.v.vtype = VType::decode(2 << 3, 64);
            rig.h.v.vl = 1;
            rig.h.v.set(VS2, 0, bits);
            rig.h.fflags = 0;
            rig.run(&[encode(op, true)]);
            let want = if signalling || !quiet(op) { 16 } else { 0 };
            assert_eq!(rig.h.fflags, want, "{} {bits:x}", op.name());
        }
    }
}
