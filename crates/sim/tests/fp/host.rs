//! Round-to-nearest-even results against the host's own floating point, which is also a second oracle for the
//! reference. NaN payloads are not compared.

use capvec_sim::fp::{self, Env, F32, F64, Float, Fma, Int, Rm};

use super::patterns::{Random, specials};

const ROUNDS: usize = 200_000;

#[track_caller]
fn same<F: Float>(what: &str, operands: &[F], got: F, want: F) {
    let want = if want.is_nan() { F::nan() } else { want };
    assert_eq!(got, want, "{what} of {operands:x?}");
}

fn pairs<F: Float>(mut test: impl FnMut(F, F, F)) {
    let mut random = Random::new();
    for &a in &specials::<F>() {
        for &b in &specials::<F>() {
            test(a, b, random.float());
        }
    }
    for _ in 0..ROUNDS {
        let a = random.float();
        let b = random.near(a);
        let product = fp::mul(&mut Env::new(Rm::Rne), a, b);
        test(a, b, random.near(product.negate()));
    }
}

macro_rules! host {
    ($name:ident, $float:ident, $native:ident) => {
        #[test]
        fn $name() {
            pairs(|a: $float, b: $float, c: $float| {
                let env = &mut Env::new(Rm::Rne);
                let [x, y, z] = [a, b, c].map(|v| $native::from_bits(v.0));
                let wrap = |v: $native| $float(v.to_bits());
                same("add", &[a, b], fp::add(env, a, b), wrap(x + y));
                same("sub", &[a, b], fp::sub(env, a, b), wrap(x - y));
                same("mul", &[a, b], fp::mul(env, a, b), wrap(x * y));
                same("div", &[a, b], fp::div(env, a, b), wrap(x / y));
                same("sqrt", &[a], fp::sqrt(env, a), wrap(x.sqrt()));
                let got = fp::fma(env, Fma::Madd, a, b, c);
                same("fma", &[a, b, c], got, wrap(x.mul_add(y, z)));
                same("rint", &[a], fp::round_to_integral(env, a, true), wrap(x.round_ties_even()));
                assert_eq!(fp::lt(env, a, b), x < y);
                assert_eq!(fp::le(env, a, b), x <= y);
                assert_eq!(fp::eq(env, a, b), x == y);
                let bits = a.bits();
                let got: $float = fp::from_int(env, bits, Int::I64);
                same("from i64", &[a], got, wrap(bits as i64 as $native));
                let got: $float = fp::from_int(env, bits, Int::U64);
                same("from u64", &[a], got, wrap(bits as $native));
                if !x.is_nan() {
                    // Rust's `as` truncates and saturates.
                    let env = &mut Env::new(Rm::Rtz);
                    assert_eq!(fp::to_int(env, a, Int::I32), x as i32 as u64);
                    assert_eq!(fp::to_int(env, a, Int::U32), (x as u32).into());
                    assert_eq!(fp::to_int(env, a, Int::I64), x as i64 as u64);
                    assert_eq!(fp::to_int(env, a, Int::U64), x as u64);
                    assert_eq!(fp::to_int(env, a, Int::signed(16)), x as i16 as u64);
                    assert_eq!(fp::to_int(env, a, Int::unsigned(8)), (x as u8).into());
                }
            });
        }
    };
}

host!(single_as_the_host, F32, f32);
host!(double_as_the_host, F64, f64);

#[test]
fn single_and_double_convert_as_on_the_host() {
    pairs(|a: F64, _, _| {
        let want = F32((f64::from_bits(a.0) as f32).to_bits());
        same("f64 to f32", &[want], fp::convert(&mut Env::new(Rm::Rne), a), want);
    });
    pairs(|a: F32, _, _| {
        let want = F64(f64::from(f32::from_bits(a.0)).to_bits());
        same("f32 to f64", &[want], fp::convert(&mut Env::new(Rm::Rne), a), want);
    });
}
