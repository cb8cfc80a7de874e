//! The 7-bit estimates, recomputed from their definition: the seven bits that minimise the worst relative error over the
//! operand's interval.

use capvec_sim::fp::{self, Env, F16, F32, F64, Flags, Float, Rm};

use super::patterns::MODES;

/// The `t` for which the larger relative error of (128 + t)/256 from 1/f(x), over both ends of an interval, is least.
fn best(low: f64, high: f64) -> u64 {
    let error = |t: &u64| {
        let y = (128 + t) as f64 / 256.0;
        (low * y - 1.0).abs().max((high * y - 1.0).abs())
    };
    (0..128).min_by(|a, b| error(a).total_cmp(&error(b))).unwrap()
}

fn check_tables<F: Float>() {
    let shift = F::FRAC - 7;
    let one = F::BIAS as u64;
    for i in 0..128 {
        let (low, high) = ((128 + i) as f64 / 128.0, (129 + i) as f64 / 128.0);
        for fraction in [i << shift, (i << shift) + (1 << shift) - 1] {
            let a = F::from_bits(one << F::FRAC | fraction);
            let got = fp::rec7(&mut Env::new(Rm::Rne), a);
            // The reciprocal of 1 to 2 lies in (1/2, 1].
            let want = (one - 1) << F::FRAC | best(low, high) << shift;
            assert_eq!(got.bits(), want, "rec7 {a:x?}");
        }
    }
    for (exponent, scale) in [(one, 1.0), (one + 1, 2.0)] {
        for i in 0..64 {
            let root = |n: u64| (scale * n as f64 / 64.0).sqrt();
            for tail in [0, (1 << (shift + 1)) - 1] {
                let a = F::from_bits(exponent << F::FRAC | i << (shift + 1) | tail);
                let got = fp::rsqrt7(&mut Env::new(Rm::Rne), a);
                let want = (one - 1) << F::FRAC | best(root(64 + i), root(65 + i)) << shift;
                assert_eq!(got.bits(), want, "rsqrt7 {a:x?}");
            }
        }
    }
}

#[test]
fn tables_minimise_the_error() {
    check_tables::<F16>();
    check_tables::<F32>();
    check_tables::<F64>();
}

fn half(a: F16) -> f64 {
    let wide: F64 = fp::convert(&mut Env::new(Rm::Rne), a);
    f64::from_bits(wide.0)
}

/// Every half-precision operand: within 2^−7 of the true value if the result is normal, otherwise within a
/// subnormal's last place; exact special cases; flags.
#[test]
fn every_half_estimate() {
    for a in (0..=u16::MAX).map(F16) {
        let x = half(a);
        for rm in MODES {
            let mut env = Env::new(rm);
            let got = fp::rec7(&mut env, a);
            let y = half(got);
            match (1.0 / x).abs() {
                _ if x.is_nan() => assert!(got == F16::nan()),
                r if r.is_infinite() => assert_eq!((y, env.flags), (1.0 / x, Flags::DZ)),
                // Subnormal operands from 2^−16 up have a finite reciprocal estimate.
                r if r > 65536.0 => {
                    assert_eq!(env.flags, Flags::OF | Flags::NX, "{a:x?}");
                    let away = match rm {
                        Rm::Rup => x > 0.0,
                        Rm::Rdn => x < 0.0,
                        _ => rm != Rm::Rtz,
                    };
                    let magnitude = if away { f64::INFINITY } else { 65504.0 };
                    assert_eq!(y, magnitude.copysign(x), "{a:x?} {rm:?}");
                }
                r => {
                    assert_eq!(env.flags, Flags::NONE, "{a:x?}");
                    let place = if r < 1.0 / 16384.0 { 1.0 / 16_777_216.0 } else { 0.0 };
                    assert!((y - 1.0 / x).abs() <= r / 128.0 + place, "1/{x} as {y}");
                }
            }
        }
        let mut env = Env::new(Rm::Rne);
        let y = half(fp::rsqrt7(&mut env, a));
        match x {
            x if x.is_nan() => assert!(y.is_nan()),
            0.0 => assert_eq!((y, env.flags), (1.0 / x, Flags::DZ)),
            x if x < 0.0 => assert!(y.is_nan() && env.flags == Flags::NV),
            x => {
                let want = 1.0 / x.sqrt();
                assert!((y - want).abs() <= want / 128.0, "1/sqrt {x} as {y}");
                assert_eq!(env.flags, Flags::NONE);
            }
        }
    }
}

/// Subnormals of the wider formats, computed by hand from the table: 2^−k has the estimate 255/256 × 2^k.
#[test]
fn subnormal_operands_and_results() {
    let rec7 = |bits| fp::rec7(&mut Env::new(Rm::Rne), F32(bits)).0;
    // 2^−127 → 255/256 × 2^127; 2^−128 → 255/256 × 2^128, which still fits in the last binade.
    assert_eq!(rec7(0x0040_0000), 0x7eff_0000);
    assert_eq!(rec7(0x0020_0000), 0x7f7f_0000);
    assert_eq!(rec7(0x0010_0000), 0x7f80_0000);
    // 2^126 → 2^−126 × 255/256, subnormal; 2^127 → half of it.
    assert_eq!(rec7(0x7e80_0000), 0x007f_8000);
    assert_eq!(rec7(0x7f00_0000), 0x003f_c000);
    let rsqrt7 = |bits| fp::rsqrt7(&mut Env::new(Rm::Rne), F64(bits)).0;
    // 2^−1074 → 2^537 × 255/256.
    assert_eq!(rsqrt7(1), ((1023 + 536) << 52) | 127 << 45);
    // A signalling NaN is invalid, a quiet one is not.
    for (bits, flags) in [(0x7f80_0001, Flags::NV), (0xffc0_0001, Flags::NONE)] {
        let mut env = Env::new(Rm::Rne);
        assert_eq!(fp::rec7(&mut env, F32(bits)), F32::nan());
        assert_eq!(fp::rsqrt7(&mut env, F32(bits)), F32::nan());
        assert_eq!(env.flags, flags);
    }
}
