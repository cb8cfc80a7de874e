//! Numbers that Python gives: PyO3's own error names neither the argument nor what would be allowed.

use crate::error::error;
use capvec_isa::csr_name;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

/// The argument `name` as an unsigned number of `bits` bits.
fn unsigned<'py, T>(name: &str, bits: u32, value: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: FromPyObjectOwned<'py, Error = PyErr>,
{
    value.extract().map_err(|e: PyErr| match e.is_instance_of::<PyOverflowError>(value.py()) {
        true => error(format!("{name}={value}: it is a number from 0 to 2**{bits} - 1")),
        false => e,
    })
}

/// Functions for `from_py_with`, by the names of arguments.
macro_rules! arguments {
    ($($name:ident: $type:ty, $bits:literal;)*) => {$(
        pub fn $name(value: &Bound<'_, PyAny>) -> PyResult<$type> {
            unsigned(stringify!($name), $bits, value)
        }
    )*};
}

arguments! {
    addr: u64, 64;
    at: u64, 64;
    limit: u64, 64;
    pc: u64, 64;
    registers: u8, 8;
    seed: u64, 64;
    size: u64, 64;
    vlen: Option<u64>, 64;
    word: u32, 32;
    xlen: u64, 64;
}

/// The number of the CSR of this name or number.
pub fn csr(text: &str) -> Option<u16> {
    let named = (0..4096u16).find(|n| csr_name(*n) == text);
    let number = || match text.strip_prefix("0x") {
        Some(digits) => u16::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    named.or_else(number).filter(|n| *n < 4096)
}
