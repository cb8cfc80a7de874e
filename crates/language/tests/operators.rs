//! Every operator and function at the edges of words, against plain arithmetic on u128, one bit at a time where that is
//! the definition.

use crate::support::{Rng, get, machine, ports, run, set};

const WIDTHS: [u32; 10] = [1, 7, 8, 31, 32, 63, 64, 65, 127, 128];
const ROUNDS: usize = 60;

type Oracle = fn(u128, u128, u128, u32) -> u128;

fn ones(width: u32) -> u128 {
    (0..width).fold(0, |all, i| all | 1 << i)
}

fn bit(a: u128, i: u32) -> u128 {
    a >> i & 1
}

/// The value with bit i computed from i.
fn by_bits(width: u32, f: impl Fn(u32) -> u128) -> u128 {
    (0..width).fold(0, |all, i| all | f(i) << i)
}

/// Whether the signed value is negative, and its magnitude.
fn sign(a: u128, width: u32) -> (bool, u128) {
    if bit(a, width - 1) == 1 { (true, (!a & ones(width)) + 1) } else { (false, a) }
}

fn with_sign(negative: bool, size: u128, width: u32) -> u128 {
    (if negative { (!size).wrapping_add(1) } else { size }) & ones(width)
}

fn signed_less(a: u128, b: u128, width: u32) -> bool {
    match (sign(a, width), sign(b, width)) {
        ((true, x), (true, y)) => x > y,
        ((false, x), (false, y)) => x < y,
        ((x, _), _) => x,
    }
}

fn signed_div(a: u128, b: u128, width: u32) -> u128 {
    let ((s, x), (t, y)) = (sign(a, width), sign(b, width));
    if b == 0 { ones(width) } else { with_sign(s != t, x / y, width) }
}

fn signed_rem(a: u128, b: u128, width: u32) -> u128 {
    let ((s, x), (_, y)) = (sign(a, width), sign(b, width));
    if b == 0 { a } else { with_sign(s, x % y, width) }
}

fn low(n: u128, width: u32) -> u32 {
    (n % u128::from(width)) as u32
}

/// The result has the width of the operands; n has 8 bits.
const SAME: &[(&str, Oracle)] = &[
    ("a + b", |a, b, _, w| a.wrapping_add(b) & ones(w)),
    ("a - b", |a, b, _, w| a.wrapping_add(!b).wrapping_add(1) & ones(w)),
    ("a * b", |a, b, _, w| a.wrapping_mul(b) & ones(w)),
    ("a / b", |a, b, _, w| a.checked_div(b).unwrap_or(ones(w))),
    ("a % b", |a, b, _, _| if b == 0 { a } else { a % b }),
    ("signed(a) / signed(b)", |a, b, _, w| signed_div(a, b, w)),
    ("signed(a) % signed(b)", |a, b, _, w| signed_rem(a, b, w)),
    ("a & b", |a, b, _, w| by_bits(w, |i| bit(a, i) * bit(b, i))),
    ("a | b", |a, b, _, w| by_bits(w, |i| bit(a, i).max(bit(b, i)))),
    ("a ^ b", |a, b, _, w| by_bits(w, |i| u128::from(bit(a, i) != bit(b, i)))),
    ("~a", |a, _, _, w| by_bits(w, |i| 1 - bit(a, i))),
    ("-a", |a, _, _, w| (!a).wrapping_add(1) & ones(w)),
    ("a << n", |a, _, n, w| {
        by_bits(w, |i| if u128::from(i) < n { 0 } else { bit(a, i - n as u32) })
    }),
    ("a >> n", |a, _, n, w| {
        by_bits(w, |i| if u128::from(i) + n < u128::from(w) { bit(a, i + n as u32) } else { 0 })
    }),
    ("sra(a, n)", |a, _, n, w| by_bits(w, |i| bit(a, (i + n as u32).min(w - 1)))),
    ("rotl(a, n)", |a, _, n, w| by_bits(w, |i| bit(a, (i + w - low(n, w)) % w))),
    ("rotr(a, n)", |a, _, n, w| by_bits(w, |i| bit(a, (i + low(n, w)) % w))),
    ("min(a, b)", |a, b, _, _| if a < b { a } else { b }),
    ("max(a, b)", |a, b, _, _| if a < b { b } else { a }),
    ("min(signed(a), signed(b))", |a, b, _, w| if signed_less(a, b, w) { a } else { b }),
    ("max(signed(a), signed(b))", |a, b, _, w| if signed_less(a, b, w) { b } else { a }),
    ("clz(a)", |a, _, _, w| (0..w).take_while(|i| bit(a, w - 1 - i) == 0).count() as u128),
    ("ctz(a)", |a, _, _, w| (0..w).take_while(|i| bit(a, *i) == 0).count() as u128),
    ("cpop(a)", |a, _, _, w| (0..w).filter(|i| bit(a, *i) == 1).count() as u128),
    ("clmul(a, b)", |a, b, _, w| {
        by_bits(w, |i| (0..=i).filter(|j| bit(a, *j) & bit(b, i - j) == 1).count() as u128 % 2)
    }),
    ("if n[0] { a } else { b }", |a, b, n, _| if n % 2 == 1 { a } else { b }),
    // What the back end joins into one instruction.
    ("a ^ b ^ rotl(a, 3)", |a, b, _, w| a ^ b ^ by_bits(w, |i| bit(a, (i + w - 3 % w) % w))),
    ("a ^ rotl(b, 9)", |a, b, _, w| a ^ by_bits(w, |i| bit(b, (i + w - 9 % w) % w))),
    ("rotl(a ^ b, 5)", |a, b, _, w| by_bits(w, |i| bit(a ^ b, (i + w - 5 % w) % w))),
    ("b ^ ~a & (a + b)", |a, b, _, w| b ^ !a & (a.wrapping_add(b) & ones(w))),
    ("(a + b) & ~a ^ b", |a, b, _, w| b ^ !a & (a.wrapping_add(b) & ones(w))),
];

/// The result has one bit.
const COMPARED: &[(&str, Oracle)] = &[
    ("a == b", |a, b, _, _| u128::from(a == b)),
    ("a != b", |a, b, _, _| u128::from(a != b)),
    ("a < b", |a, b, _, _| u128::from(a < b)),
    ("a <= b", |a, b, _, _| u128::from(a <= b)),
    ("a > b", |a, b, _, _| u128::from(a > b)),
    ("a >= b", |a, b, _, _| u128::from(a >= b)),
    ("signed(a) < signed(b)", |a, b, _, w| u128::from(signed_less(a, b, w))),
    ("signed(a) <= signed(b)", |a, b, _, w| u128::from(!signed_less(b, a, w))),
    ("signed(a) > signed(b)", |a, b, _, w| u128::from(signed_less(b, a, w))),
    ("signed(a) >= signed(b)", |a, b, _, w| u128::from(!signed_less(a, b, w))),
    ("a < b && n[1]", |a, b, n, _| u128::from(a < b && n & 2 != 0)),
    ("a < b || !n[1]", |a, b, n, _| u128::from(a < b || n & 2 == 0)),
];

/// The result has twice the width.
const WIDE: &[(&str, Oracle)] = &[
    ("mulwide(a, b)", |a, b, _, _| a * b),
    ("mulwide(signed(a), signed(b))", |a, b, _, w| {
        let ((s, x), (t, y)) = (sign(a, w), sign(b, w));
        with_sign(s != t, x * y, 2 * w)
    }),
    ("clmulwide(a, b)", |a, b, _, w| {
        (0..w).fold(0, |sum, i| if bit(b, i) == 1 { sum ^ a << i } else { sum })
    }),
    ("a ++ b", |a, b, _, w| a << w | b),
    ("zext(a, 2 * W)", |a, _, _, _| a),
    ("sext(a, 2 * W)", |a, _, _, w| by_bits(2 * w, |i| bit(a, i.min(w - 1)))),
];

const BYTES: &[(&str, Oracle)] = &[
    ("rev8(a)", |a, _, _, w| by_bits(w, |i| bit(a, w - 8 - i / 8 * 8 + i % 8))),
    ("brev8(a)", |a, _, _, w| by_bits(w, |i| bit(a, i / 8 * 8 + 7 - i % 8))),
];

/// Runs the expression on operands, and folds it with the operands as numbers.
fn check(rng: &mut Rng, text: &str, width: u32, result: u32, oracle: Oracle) {
    let program = format!("const W = {width}; r = {text};");
    let widths = [width, width, 8, result];
    let mut machine = machine(&program, &ports(widths));
    for round in 0..ROUNDS {
        let (a, mut b, n) = (rng.bits(width), rng.bits(width), rng.bits(8));
        if round % 8 == 0 {
            b = a;
        }
        set(&mut machine, 0, a);
        set(&mut machine, 1, b);
        set(&mut machine, 2, n);
        machine.run().unwrap();
        let wanted = oracle(a, b, n, width);
        assert_eq!(get(&machine, 3), wanted, "{text}: a {a:#x}, b {b:#x}, n {n}, {width} bits");
        if round < 4 {
            let values = format!("let x = {a}u{width}; let y = {b}u{width}; let z = {n}u8; ");
            let folded = values + &program;
            let names = [("a", "x"), ("b", "y"), ("n", "z")];
            let folded = names.iter().fold(folded, |t, (from, to)| rename(&t, from, to));
            assert_eq!(run(&folded, widths, [0; 3]), wanted, "{folded}");
        }
    }
}

/// The text with another name for a variable.
fn rename(text: &str, from: &str, to: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut parts: Vec<String> = Vec::new();
    for c in text.chars() {
        match parts.last_mut() {
            Some(last) if word(c) && last.ends_with(word) => last.push(c),
            _ => parts.push(c.to_string()),
        }
    }
    parts.iter().map(|p| if p == from { to } else { p }).collect()
}

#[test]
fn operators_compute_what_arithmetic_says() {
    let mut rng = Rng::new();
    for width in WIDTHS {
        for (text, oracle) in SAME {
            check(&mut rng, text, width, width, *oracle);
        }
        for (text, oracle) in COMPARED {
            check(&mut rng, text, width, 1, *oracle);
        }
        for (text, oracle) in WIDE.iter().filter(|_| width <= 64) {
            check(&mut rng, text, width, 2 * width, *oracle);
        }
        for (text, oracle) in BYTES.iter().filter(|_| width % 8 == 0) {
            check(&mut rng, text, width, width, *oracle);
        }
    }
}

#[test]
fn slices_bits_and_parts() {
    let mut rng = Rng::new();
    for width in WIDTHS {
        for _ in 0..40 {
            let (a, b) = (rng.bits(width), rng.bits(width));
            let (i, j) = (rng.below(width), rng.below(width));
            let (high, low) = (i.max(j), i.min(j));
            let taken = high - low + 1;
            let part = a >> low & ones(taken);
            assert_eq!(
                run(&format!("r = a[{high}..{low}];"), [width, 1, 1, taken], [a, 0, 0]),
                part
            );
            assert_eq!(run(&format!("r = a[{i}];"), [width, 1, 1, 1], [a, 0, 0]), bit(a, i));
            let text = format!("r = b; r[{high}..{low}] = a[{}..0]; r[{j}] ^= 1;", taken - 1);
            let hole = b & !(ones(taken) << low) | (a & ones(taken)) << low;
            assert_eq!(run(&text, [width, width, 1, width], [a, b, 0]), hole ^ 1 << j, "{text}");
            // With an index that is only known at run time.
            let text = format!("let i = n % {width}; r = a; r[i] = !b[i];");
            let n = rng.bits(8);
            let at = (n % u128::from(width)) as u32;
            let wanted = a & !(1 << at) | (1 - bit(b, at)) << at;
            assert_eq!(run(&text, [width, width, 8, width], [a, b, n]), wanted, "{text}");
        }
    }
}
