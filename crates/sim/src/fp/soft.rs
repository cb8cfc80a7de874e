//! The one place that calls SoftFloat.
//!
//! SoftFloat keeps the rounding mode and the flags in variables that `softfloat-sys` compiles
//! as C11 `_Thread_local`, so harts on different host threads do not interfere; [`Env::run`]
//! sets both before each operation and relies on nothing that an earlier one left there.

use softfloat_sys as sf;

use super::env::{Env, Flags, Rm};
use super::format::{F16, F32, F64, Soft};

impl Env {
    /// Runs one SoftFloat operation under this rounding mode and collects its flags.
    pub(super) fn run<T>(&mut self, operation: impl FnOnce() -> T) -> T {
        // SAFETY: plain stores to SoftFloat's thread-local state, of values it defines.
        unsafe {
            sf::softfloat_roundingMode_write_helper(self.rm as u8);
            sf::softfloat_exceptionFlags_write_helper(0);
        }
        let result = operation();
        // SAFETY: a plain load of the same thread's state.
        let raised = unsafe { sf::softfloat_exceptionFlags_read_helper() };
        // SoftFloat's flag bits are those of `fflags`.
        self.raise(Flags::from_bits(raised));
        result
    }
}

/// A call of a SoftFloat function on raw operands.
macro_rules! call {
    ($function:ident($($operand:expr),*)) => {
        // SAFETY: SoftFloat's functions take and return values and touch no memory but their
        // thread's state; every operand pattern is valid.
        unsafe { sf::$function($($operand),*) }
    };
}

macro_rules! soft {
    ($name:ident, $raw:ident, $own:ident, $to16:expr, $to32:expr, $to64:expr;
     $add:ident $sub:ident $mul:ident $div:ident $mul_add:ident $sqrt:ident
     $eq:ident $le:ident $lt:ident $le_quiet:ident $lt_quiet:ident $round:ident
     $to_i64:ident $to_u64:ident $from_i64:ident $from_u64:ident) => {
        impl $name {
            fn raw(self) -> sf::$raw {
                sf::$raw { v: self.0 }
            }
        }

        impl Soft for $name {
            fn soft_add(self, other: Self) -> Self {
                Self(call!($add(self.raw(), other.raw())).v)
            }
            fn soft_sub(self, other: Self) -> Self {
                Self(call!($sub(self.raw(), other.raw())).v)
            }
            fn soft_mul(self, other: Self) -> Self {
                Self(call!($mul(self.raw(), other.raw())).v)
            }
            fn soft_div(self, other: Self) -> Self {
                Self(call!($div(self.raw(), other.raw())).v)
            }
            fn soft_mul_add(self, factor: Self, addend: Self) -> Self {
                Self(call!($mul_add(self.raw(), factor.raw(), addend.raw())).v)
            }
            fn soft_sqrt(self) -> Self {
                Self(call!($sqrt(self.raw())).v)
            }
            fn soft_eq(self, other: Self) -> bool {
                call!($eq(self.raw(), other.raw()))
            }
            fn soft_le(self, other: Self) -> bool {
                call!($le(self.raw(), other.raw()))
            }
            fn soft_lt(self, other: Self) -> bool {
                call!($lt(self.raw(), other.raw()))
            }
            fn soft_le_quiet(self, other: Self) -> bool {
                call!($le_quiet(self.raw(), other.raw()))
            }
            fn soft_lt_quiet(self, other: Self) -> bool {
                call!($lt_quiet(self.raw(), other.raw()))
            }
            fn soft_round(self, rm: Rm, exact: bool) -> Self {
                Self(call!($round(self.raw(), rm as u8, exact)).v)
            }
            fn soft_to_i64(self, rm: Rm) -> i64 {
                call!($to_i64(self.raw(), rm as u8, true))
            }
            fn soft_to_u64(self, rm: Rm) -> u64 {
                call!($to_u64(self.raw(), rm as u8, true))
            }
            fn soft_from_i64(value: i64) -> Self {
                Self(call!($from_i64(value)).v)
            }
            fn soft_from_u64(value: u64) -> Self {
                Self(call!($from_u64(value)).v)
            }
            fn soft_from<A: Soft>(value: A) -> Self {
                value.$own()
            }
            fn soft_to_f16(self) -> F16 {
                $to16(self)
            }
            fn soft_to_f32(self) -> F32 {
                $to32(self)
            }
            fn soft_to_f64(self) -> F64 {
                $to64(self)
            }
        }
    };
}

soft! {
    F16, float16_t, soft_to_f16,
    |a| a, |a: F16| F32(call!(f16_to_f32(a.raw())).v), |a: F16| F64(call!(f16_to_f64(a.raw())).v);
    f16_add f16_sub f16_mul f16_div f16_mulAdd f16_sqrt
    f16_eq f16_le f16_lt f16_le_quiet f16_lt_quiet f16_roundToInt
    f16_to_i64 f16_to_ui64 i64_to_f16 ui64_to_f16
}
soft! {
    F32, float32_t, soft_to_f32,
    |a: F32| F16(call!(f32_to_f16(a.raw())).v), |a| a, |a: F32| F64(call!(f32_to_f64(a.raw())).v);
    f32_add f32_sub f32_mul f32_div f32_mulAdd f32_sqrt
    f32_eq f32_le f32_lt f32_le_quiet f32_lt_quiet f32_roundToInt
    f32_to_i64 f32_to_ui64 i64_to_f32 ui64_to_f32
}
soft! {
    F64, float64_t, soft_to_f64,
    |a: F64| F16(call!(f64_to_f16(a.raw())).v), |a: F64| F32(call!(f64_to_f32(a.raw())).v), |a| a;
    f64_add f64_sub f64_mul f64_div f64_mulAdd f64_sqrt
    f64_eq f64_le f64_lt f64_le_quiet f64_lt_quiet f64_roundToInt
    f64_to_i64 f64_to_ui64 i64_to_f64 ui64_to_f64
}
