//! Operands: registers, numbers, and the names that the disassembler prints.

use crate::AsmError;
use capvec_isa::csr_name;
use capvec_text::abi;

fn wrong(operand: &str, expected: &str) -> AsmError {
    AsmError::Operand { operand: operand.into(), expected: expected.into() }
}

/// A register by its number (`x10`) or ABI name (`a0`).
fn register(text: &str, letter: char, names: &[&str], expected: &str) -> Result<i64, AsmError> {
    let number = text.strip_prefix(letter).and_then(|n| n.parse::<usize>().ok());
    let number = number.filter(|n| *n < 32 && !text[1..].starts_with('+'));
    let named = names.iter().position(|n| *n == text);
    number.or(named).map(|n| n as i64).ok_or_else(|| wrong(text, expected))
}

/// An x register.
pub fn x(text: &str) -> Result<i64, AsmError> {
    let text = if text == "fp" { "s0" } else { text };
    register(text, 'x', &abi::X, "an x register")
}

/// An f register.
pub fn f(text: &str) -> Result<i64, AsmError> {
    register(text, 'f', &abi::F, "an f register")
}

/// A vector register.
pub fn v(text: &str) -> Result<i64, AsmError> {
    register(text, 'v', &[], "a vector register")
}

/// A number: decimal, hexadecimal or binary, with a sign.
pub fn number(text: &str) -> Result<i64, AsmError> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let parsed = match digits.get(..2) {
        Some("0x") => u64::from_str_radix(&digits[2..], 16),
        Some("0b") => u64::from_str_radix(&digits[2..], 2),
        _ => digits.parse(),
    };
    match parsed {
        Ok(n) if !digits.starts_with('+') => {
            Ok(if negative { (n as i64).wrapping_neg() } else { n as i64 })
        }
        _ => Err(wrong(text, "a number")),
    }
}

/// A CSR by name or number.
pub fn csr(text: &str) -> Result<i64, AsmError> {
    let named = (0..4096u16).find(|n| csr_name(*n) == text);
    named.map(i64::from).map_or_else(|| number(text).map_err(|_| wrong(text, "a CSR")), Ok)
}

/// A rounding mode.
pub fn rounding(text: &str) -> Result<i64, AsmError> {
    let modes = ["rne", "rtz", "rdn", "rup", "rmm", "rm5", "rm6", "dyn"];
    let mode = modes.iter().position(|m| *m == text);
    mode.map(|m| m as i64)
        .ok_or_else(|| wrong(text, "a rounding mode (rne, rtz, rdn, rup, rmm, dyn)"))
}

/// The accesses that a fence orders: some of `iorw` in this order, or 0.
pub fn fence_set(text: &str) -> Result<i64, AsmError> {
    if text == "0" {
        return Ok(0);
    }
    let bit = |c| "wroi".find(c).map(|at| 1 << at);
    let bits: Option<Vec<i64>> = text.chars().map(bit).collect();
    match bits {
        Some(bits) if !bits.is_empty() && bits.is_sorted_by(|a, b| a > b) => Ok(bits.iter().sum()),
        _ => Err(wrong(text, "a set of accesses, such as rw or iorw")),
    }
}

/// The vtype of a vset: `e32, m1, ta, ma`, where the policies may be left out (undisturbed), or a number.
pub fn vtype(text: &str) -> Result<i64, AsmError> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    if let [one] = words[..]
        && !one.starts_with('e')
    {
        return number(one);
    }
    let expected = "a vtype, such as e32, m1, ta, ma";
    let position = |all: &[&str], word: Option<&&str>| {
        word.and_then(|word| all.iter().position(|w| w == word))
            .ok_or_else(|| wrong(text, expected))
    };
    let policy = |word: Option<&&str>, all: &[&str]| match word {
        None => Ok(0),
        word => position(all, word),
    };
    let sew = position(&["e8", "e16", "e32", "e64"], words.first())?;
    let lmul = match words.get(1) {
        None => 0,
        word => position(&["m1", "m2", "m4", "m8", "-", "mf8", "mf4", "mf2"], word)?,
    };
    let (tail, mask) = (policy(words.get(2), &["tu", "ta"])?, policy(words.get(3), &["mu", "ma"])?);
    match words.len() {
        0..=4 => Ok((lmul | sew << 3 | tail << 6 | mask << 7) as i64),
        _ => Err(wrong(text, expected)),
    }
}
