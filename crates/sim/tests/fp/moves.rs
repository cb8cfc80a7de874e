//! Vector merges, moves, slides and reductions, and reserved encodings.

use capvec_isa::{Ext, ExtSet, Op};
use capvec_sim::fp::{self, Env, F32, F64, Float, Rm};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, all_exts, config, word};
use capvec_sim::vector::VType;
use capvec_sim::{Cause, Trap, Why};

use super::model::{Case, FS, VD, VS1, VS2, element, encode, state};
use super::patterns::Random;

const ROUNDS: usize = 50;

/// Runs `op` and compares all elements of SEW bits in the `registers` registers from vd on with `want(case, k)`. No
/// other register and no flag may change.
#[track_caller]
fn check(case: &mut Case, op: Op, registers: usize, want: impl Fn(&Case, u64) -> u64) {
    let v = &case.rig.h.v;
    let (vlenb, sew, setting) = (v.vlenb(), v.vtype.sew, (v.vl, v.vstart, v.vtype));
    let bytes = sew as usize / 8;
    let mut expected = case.before.clone();
    for k in 0..registers * vlenb / bytes {
        let at = VD as usize * vlenb + k * bytes;
        let value = want(case, k as u64).to_le_bytes();
        expected[at..at + bytes].copy_from_slice(&value[..bytes]);
    }
    let trap = case.rig.run(&[encode(op, case.vm)]);
    assert_eq!(trap.cause, Cause::Breakpoint, "{}: {trap:?}", op.name());
    assert!(case.rig.h.v.bytes(0) == expected, "{} {setting:?}", op.name());
    assert_eq!((case.rig.h.v.vstart, case.rig.h.fflags), (0, 0));
}

/// The new value of element `k` when active elements get `value`.
fn settle(case: &Case, k: u64, active: bool, value: impl Fn() -> u64) -> u64 {
    let v = &case.rig.h.v;
    let old = element(&case.before, v.vlenb(), VD, k, v.vtype.sew);
    let (vl, vstart, t) = (v.vl, v.vstart, v.vtype);
    match k {
        _ if vstart >= vl || k < vstart => old,
        _ if k >= vl => {
            if case.ones && t.vta {
                u64::MAX
            } else {
                old
            }
        }
        _ if active => value(),
        _ => {
            if case.ones && t.vma {
                u64::MAX
            } else {
                old
            }
        }
    }
}

fn source(case: &Case, k: u64) -> u64 {
    element(&case.before, case.rig.h.v.vlenb(), VS2, k, case.rig.h.v.vtype.sew)
}

fn registers(case: &Case) -> usize {
    1 << case.rig.h.v.vtype.lmul.max(0)
}

#[test]
fn merge_and_slides() {
    let mut random = Random::new();
    for round in 0..ROUNDS {
        let sew = [32, 64][round % 2];
        let case = &mut state(&mut random, sew);
        check(case, Op::VfmergeVfm, registers(case), |c, k| {
            let chosen = c.before[k as usize / 8] >> (k % 8) & 1 == 1;
            settle(c, k, true, || if chosen { c.scalar() } else { source(c, k) })
        });
        let case = &mut state(&mut random, sew);
        check(case, Op::Vfslide1upVf, registers(case), |c, k| {
            settle(c, k, c.active(k), || if k == 0 { c.scalar() } else { source(c, k - 1) })
        });
        let case = &mut state(&mut random, sew);
        check(case, Op::Vfslide1downVf, registers(case), |c, k| {
            let last = k + 1 == c.rig.h.v.vl;
            settle(c, k, c.active(k), || if last { c.scalar() } else { source(c, k + 1) })
        });
    }
}

#[test]
fn element_zero() {
    let mut random = Random::new();
    for round in 0..ROUNDS {
        let case = &mut state(&mut random, [32, 64][round % 2]);
        check(case, Op::VfmvSF, 1, |c, k| {
            let v = &c.rig.h.v;
            let old = element(&c.before, v.vlenb(), VD, k, v.vtype.sew);
            match k {
                _ if v.vstart >= v.vl => old,
                0 => c.scalar(),
                _ => {
                    if c.ones && v.vtype.vta {
                        u64::MAX
                    } else {
                        old
                    }
                }
            }
        });
        // Reads even with vl = 0, and from a register that is not aligned to LMUL.
        let case = &mut state(&mut random, [32, 64][round % 2]);
        case.rig.h.v.vl = 0;
        let sew = case.rig.h.v.vtype.sew;
        let bits = element(&case.before, case.rig.h.v.vlenb(), 9, 0, sew);
        case.rig.run(&[word(Op::VfmvFS, |d| (d.rd, d.rs2) = (FS, 9))]);
        let want = if sew == 64 { bits } else { bits | 0xffff_ffff_0000_0000 };
        assert_eq!(case.rig.h.f[FS as usize], want, "SEW {sew}");
    }
}

/// A reduction's step: the sum so far, and an element of vs2.
type Step = fn(&mut Env, u64, u64) -> u64;

fn reduction(random: &mut Random, op: Op, sew: u32, width: u32, step: Step) {
    let mut case = state(random, sew);
    let v = &mut case.rig.h.v;
    v.vstart = 0;
    let (vlenb, vl, vtype) = (v.vlenb(), v.vl, v.vtype);
    let mut env = Env::new(Rm::from_bits(case.rig.h.frm).unwrap());
    let mut sum = element(&case.before, vlenb, VS1, 0, width);
    for k in (0..vl).filter(|&k| case.active(k)) {
        sum = step(&mut env, sum, element(&case.before, vlenb, VS2, k, sew));
    }
    let bytes = width as usize / 8;
    let mut want = case.before.clone();
    if vl > 0 {
        let vd = &mut want[VD as usize * vlenb..][..vlenb];
        vd[..bytes].copy_from_slice(&sum.to_le_bytes()[..bytes]);
        if case.ones && vtype.vta {
            vd[bytes..].fill(0xff);
        }
    }
    let trap = case.rig.run(&[encode(op, case.vm)]);
    assert_eq!(trap.cause, Cause::Breakpoint, "{}: {trap:?}", op.name());
    assert!(case.rig.h.v.bytes(0) == want, "{} {vtype:?} vl {vl}", op.name());
    assert_eq!(case.rig.h.fflags, env.flags.bits(), "{}", op.name());
}

#[test]
fn reductions() {
    fn step<F: Float>(env: &mut Env, a: u64, b: u64, op: fn(&mut Env, F, F) -> F) -> u64 {
        op(env, F::from_bits(a), F::from_bits(b)).bits()
    }
    let widened: Step = |env, a, b| {
        let b = fp::convert(env, F32(b as u32));
        fp::add(env, F64(a), b).bits()
    };
    let steps: [(Op, u32, u32, Step); 10] = [
        (Op::VfredusumVs, 32, 32, |env, a, b| step::<F32>(env, a, b, fp::add)),
        (Op::VfredusumVs, 64, 64, |env, a, b| step::<F64>(env, a, b, fp::add)),
        (Op::VfredosumVs, 32, 32, |env, a, b| step::<F32>(env, a, b, fp::add)),
        (Op::VfredosumVs, 64, 64, |env, a, b| step::<F64>(env, a, b, fp::add)),
        (Op::VfredminVs, 32, 32, |env, a, b| step::<F32>(env, a, b, fp::min)),
        (Op::VfredminVs, 64, 64, |env, a, b| step::<F64>(env, a, b, fp::min)),
        (Op::VfredmaxVs, 32, 32, |env, a, b| step::<F32>(env, a, b, fp::max)),
        (Op::VfredmaxVs, 64, 64, |env, a, b| step::<F64>(env, a, b, fp::max)),
        (Op::VfwredusumVs, 32, 64, widened),
        (Op::VfwredosumVs, 32, 64, widened),
    ];
    let mut random = Random::new();
    for (op, sew, width, step) in steps {
        for _ in 0..ROUNDS {
            reduction(&mut random, op, sew, width, step);
        }
    }
}

/// All vector floating-point instructions.
fn all() -> impl Iterator<Item = Op> {
    let vector = |name: &str| name.starts_with("vf") || name.starts_with("vmf");
    capvec_isa::op::OPS.iter().copied().filter(move |op| vector(op.name()) && *op != Op::VfirstM)
}

/// Runs an instruction at a SEW in bits, unmasked, with vl = 1.
fn run_at(exts: &[Ext], sew: u32, instruction: u32, set: impl FnOnce(&mut Rig)) -> Trap {
    let mut rig = Rig::new(config(exts, 128, Agnostic::Undisturbed));
    rig.h.v.vtype = VType::decode(u64::from(sew.trailing_zeros() - 3) << 3, 64);
    rig.h.v.vl = 1;
    set(&mut rig);
    rig.run(&[instruction])
}

/// Legal SEWs, from what the floating-point widths of its operands require.
#[test]
fn element_widths() {
    for op in all() {
        let name = op.name();
        let legal: &[u32] = match name {
            "vfwcvt.f.f.v" | "vfncvt.f.f.w" => &[16, 32],
            "vfwcvt.f.x.v" | "vfwcvt.f.xu.v" => &[16, 32],
            _ if name.starts_with("vfncvt") && name.contains("x") && name.ends_with("f.w") => {
                &[16, 32]
            }
            _ if name.starts_with("vfw") || name.starts_with("vfn") && name.contains("cvt") => {
                &[32]
            }
            _ => &[32, 64],
        };
        for sew in [8, 16, 32, 64] {
            let trap = run_at(&all_exts(), sew, encode(op, true), |_| ());
            let want = if legal.contains(&sew) { Cause::Breakpoint } else { Cause::Illegal };
            assert_eq!(trap.cause, want, "{name} at SEW {sew}: {trap:?}");
        }
    }
}

#[test]
fn smaller_extensions() {
    for (op, ext, sew) in [
        (Op::VfaddVv, Ext::Zve64d, 64),
        (Op::VfwaddVv, Ext::Zve64d, 32),
        (Op::VfncvtFFW, Ext::Zve64d, 32),
        (Op::VfncvtFFW, Ext::Zvfhmin, 16),
        (Op::VfwcvtFFV, Ext::Zvfhmin, 16),
        (Op::VfaddVv, Ext::Zve32f, 32),
    ] {
        let base = if ext == Ext::Zve32f { Ext::Zve64x } else { Ext::Zve64f };
        let trap = run_at(&[base], sew, encode(op, true), |_| ());
        assert_eq!(trap.why, Some(Why::Needs(op, ExtSet::of(&[ext]))));
        let trap = run_at(&[base, ext], sew, encode(op, true), |_| ());
        assert_eq!(trap.cause, Cause::Breakpoint, "{} with {}", op.name(), ext.name());
    }
}

/// A reserved frm traps even if the instruction does not round, and even with vl = 0.
#[test]
fn reserved_dynamic_rounding() {
    for op in all() {
        for frm in 0..8 {
            let trap = run_at(&all_exts(), 32, encode(op, true), |rig| {
                (rig.h.frm, rig.h.v.vl) = (frm, 0);
            });
            let want = if frm < 5 { Cause::Breakpoint } else { Cause::Illegal };
            assert_eq!(trap.cause, want, "{} frm {frm}", op.name());
        }
    }
}

#[test]
fn reserved_registers_and_vstart() {
    let reserved = |op, lmul: u64, (vd, vs2, vs1): (u8, u8, u8), vm: bool| {
        let instruction = word(op, |d| (d.rd, d.rs2, d.rs1, d.vm) = (vd, vs2, vs1, vm));
        let trap = run_at(&all_exts(), 32, instruction, |rig| {
            rig.h.v.vtype = VType::decode(lmul | 2 << 3, 64);
        });
        trap.cause == Cause::Illegal
    };
    for (op, lmul, registers, vm, want) in [
        // Alignment.
        (Op::VfaddVv, 1, (8, 16, 17), true, true),
        (Op::VfaddVv, 1, (8, 16, 18), true, false),
        // A masked destination may not be v0, unless it is a mask.
        (Op::VfaddVv, 0, (0, 16, 17), false, true),
        (Op::VmfeqVv, 0, (0, 16, 17), false, false),
        (Op::VfmergeVfm, 0, (0, 16, 5), true, true),
        // A mask result may overlap a source only in its lowest register.
        (Op::VmfeqVv, 1, (17, 16, 18), true, true),
        (Op::VmfeqVv, 1, (16, 16, 18), true, false),
        // A widened destination may overlap a source only in its upper half, and not at all if it is also a source.
        (Op::VfwaddVv, 0, (8, 8, 16), true, true),
        (Op::VfwaddVv, 0, (8, 9, 16), true, false),
        (Op::VfwmaccVv, 0, (8, 9, 16), true, true),
        (Op::VfwaddVv, 3, (8, 16, 24), true, true),
        // A narrowed destination may overlap its source only in the lower half.
        (Op::VfncvtFFW, 0, (8, 8, 20), true, false),
        (Op::VfncvtFFW, 0, (9, 8, 20), true, true),
        // One register read with two widths.
        (Op::VfwaddWv, 0, (8, 16, 17), true, true),
        (Op::VfaddVv, 0, (8, 0, 16), false, true),
        // Slides.
        (Op::Vfslide1upVf, 0, (8, 8, 5), true, true),
        (Op::Vfslide1downVf, 0, (8, 8, 5), true, false),
        // A reduction's scalars are single registers; its destination may overlap anything.
        (Op::VfredosumVs, 1, (17, 16, 3), true, false),
        (Op::VfredosumVs, 0, (0, 16, 3), false, false),
        (Op::VfwredosumVs, 1, (3, 16, 17), true, true),
    ] {
        let registers =
            if op == Op::VfncvtFFW { (registers.0, registers.1, 0b10100) } else { registers };
        assert_eq!(reserved(op, lmul, registers, vm), want, "{} {registers:?}", op.name());
    }
    for op in [Op::VfredosumVs, Op::VfredusumVs, Op::VfredminVs, Op::VfwredosumVs, Op::VfaddVv] {
        let trap = run_at(&all_exts(), 32, encode(op, true), |rig| {
            (rig.h.v.vl, rig.h.v.vstart) = (4, 1);
        });
        let want = if op == Op::VfaddVv { Cause::Breakpoint } else { Cause::Illegal };
        assert_eq!(trap.cause, want, "{}", op.name());
    }
}
