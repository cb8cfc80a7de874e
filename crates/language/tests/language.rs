//! What statements do, and how operators bind.

use crate::support::{Rng, machine, port, ports, run, try_compile};
use capvec_language::{Direction, LANES, Type};

#[test]
fn operators_bind_as_in_rust() {
    let same = [
        ("a + b * n", "a + (b * n)"),
        ("a - b - n", "(a - b) - n"),
        ("a << b + n", "a << (b + n)"),
        ("a & b << n", "a & (b << n)"),
        ("a ^ b & n", "a ^ (b & n)"),
        ("a | b ^ n", "a | (b ^ n)"),
        ("~a & b", "(~a) & b"),
        ("-a + b", "(-a) + b"),
        ("a / b * n", "(a / b) * n"),
        ("a % b - n / a", "(a % b) - (n / a)"),
        ("~a[7..0]", "~(a[7..0])"),
        ("zext(a & b == n, 8)", "zext((a & b) == n, 8)"),
        ("zext(a < b || b < n && n < a, 8)", "zext((a < b) || ((b < n) && (n < a)), 8)"),
        ("zext(a == b || !(a < n), 8)", "zext((a == b) || (!(a < n)), 8)"),
        ("a[3..0] | b[3..0] ++ a[7..4] ^ n[3..0]", "(a[3..0] | b[3..0]) ++ (a[7..4] ^ n[3..0])"),
        ("zext(a ++ b == b ++ a, 8)", "zext((a ++ b) == (b ++ a), 8)"),
        ("a[1..0] ++ b[2..0] ++ n[2..0]", "(a[1..0] ++ b[2..0]) ++ n[2..0]"),
    ];
    for (plain, grouped) in same {
        for values in [[0x5a, 0x0f, 3], [200, 100, 7], [1, 2, 4], [255, 254, 1], [9, 9, 200]] {
            let of = |text: &str| run(&format!("r = {text};"), [8; 4], values);
            assert_eq!(of(plain), of(grouped), "{plain} on {values:?}");
        }
    }
}

/// Programs with r of 32 bits, and a = 100, b = 7, n = 3.
const PROGRAMS: &[(&str, u128)] = &[
    ("let x = a + b; let y = x * 2; r = y;", 214),
    ("var x = a; x = x + 1; let y = x; x = 0; r = y;", 101),
    ("r = a; if a > b { r = b; }", 7),
    ("if a < b { r = 1; } else if a == b { r = 2; } else { r = 3; }", 3),
    ("var x: bits(32); if n == 3 { x = a; } else { x = b; } r = x;", 100),
    ("var x = a; var y = b; if n == 3 { let t = x; x = y; y = t; } r = x - y;", 0xffff_ffa3),
    ("var x: bits(32) = 0; for i in 0..10 { if i % 2 == 0 { x += i; } } r = x;", 20),
    ("var x = a; for i in 0..3 { for j in 0..2 { x = x * 2 + 1; } } r = x;", 6463),
    ("var n1 = 1; for i in 0..5 { n1 = 2 * n1; } r = a >> n1 - 30;", 25),
    ("const K: bits(32)[4] = [10, 20, 30, 40]; r = K[n[1..0]];", 40),
    ("const K: bits(32)[7] = [9; 7]; r = K[b % 7] + K[0];", 18),
    ("var x: bits(32)[4]; for i in 0..4 { x[i] = a + i; } x[n[1..0]] = 5; r = x[3] + x[2];", 107),
    ("var x = [a, b, n]; x[1] = x[0]; let y = x; x[1] = 1; r = y[1] + x[1];", 101),
    ("var x = [a, b, n, 0u32]; if a > b { x[n[1..0]] = 77; } r = x[3];", 77),
    ("var x = [a, b]; x[1][7..0] = 0xff; x[0][3] ^= 1; r = x[0] + x[1];", 363),
    (
        "fn f(x: bits(32), k: int) -> bits(32) { let y = x << k; return y + 1; } r = f(a, 1) + f(f(b, 0), 2);",
        234,
    ),
    (
        "fn two(x: bits(32)) -> bits(32)[2] { return [x, x + 1]; } let p = two(a); r = p[0] * p[1];",
        10100,
    ),
    ("fn low(w: int, x: bits(32)) -> bits(w) { return x[w - 1..0]; } r = zext(low(4, a), 32);", 4),
    ("const A = 3; const B = A * A; const C: bits(32) = B + 1; r = C;", 10),
    ("r = if a > b { if n == 3 { 11 } else { 12 } } else { 13 };", 11),
    ("r = if SEW == 32 { a } else { a[63..0] };", 100),
    ("if SEW == 64 { r = a[63..0]; } else { r = b; }", 7),
    ("r = a & ~1 | 2 & 3;", 102),
    ("r = a; r += b; r -= 1; r *= 2; r ^= 1; r &= 0xff; r |= 0x100; r <<= 1; r >>= 2;", 234),
    ("let wide = mulwide(a, b) ++ zext(n, 64); r = wide[95..64];", 700),
    ("r = zext(signed(a) > -1, 32); // a comment\n", 1),
    ("if a == 0 { illegal(\"zero\"); } r = 1;", 1),
    ("let x: bits(8) = -128; let y: bits(8) = -1; r = zext(x ++ y, 32);", 0x80ff),
    (
        "fn f(x: bits(32)) -> bits(32) { if x == 7 { illegal(\"seven\"); } return x; } r = if n == 3 { a } else { f(b) };",
        100,
    ),
];

#[test]
fn statements_do_what_they_say() {
    for (text, wanted) in PROGRAMS {
        assert_eq!(run(text, [32; 4], [100, 7, 3]), *wanted, "{text}");
    }
}

#[test]
fn lanes_before_the_one_that_is_illegal_have_their_results() {
    let text = "
        r = a + 1;
        if a >= 8 {
            if b == 3 { illegal(\"three\"); }
            r = a * b;
            if b == 5 { illegal(\"five\"); }
        }
        if n == 1 { illegal(\"one\"); }
        r ^= 1;
    ";
    let program = try_compile(text, &ports([64, 64, 64, 64])).unwrap();
    let (mut machine, mut lanes) = (program.machine(), program.lanes());
    let mut rng = Rng::new();
    for _ in 0..1000 {
        let count = rng.below(1 + LANES as u32) as usize;
        let mut wanted = Ok(());
        let mut results = Vec::new();
        for lane in 0..count {
            let values = [16, 32, 12].map(|below| u64::from(rng.below(below)));
            for (n, value) in values.into_iter().enumerate() {
                lanes.input(n)[0][lane] = value;
                machine.input(n)[0] = value;
            }
            let run = machine.run();
            if wanted.is_ok() {
                wanted = run.map_err(|illegal| (lane, illegal));
                results.push(machine.output(3)[0]);
            }
        }
        assert_eq!(lanes.run(count), wanted);
        let ended = wanted.map_or_else(|(lane, _)| lane, |()| count);
        assert_eq!(lanes.output(3)[0][..ended], results[..ended]);
    }
}

#[test]
fn illegal_leaves_the_outputs_as_they_are() {
    let ports =
        [port("a", Type::bits(8), Direction::In), port("x", Type::bits(8), Direction::InOut)];
    let text = "x = 9; if a[0] { illegal(\"odd\"); }";
    let mut machine = machine(text, &ports);
    machine.input(1)[0] = 5;
    machine.run().unwrap();
    assert_eq!(machine.output(1), [9]);
    machine.input(0)[0] = 1;
    assert_eq!(machine.run().unwrap_err().to_string(), "illegal instruction: odd");
    let port: Vec<String> = machine.ports().map(|p| p.name.clone()).collect();
    assert_eq!(port, ["a", "x"]);
}

#[test]
fn an_inout_keeps_its_value_where_it_is_not_assigned() {
    let ports =
        [port("a", Type::bits(8), Direction::In), port("x", Type::array(100, 2), Direction::InOut)];
    let mut machine = machine("if a == 1 { x[1] = ~x[0]; }", &ports);
    for a in 0..3 {
        machine.input(0)[0] = a;
        // Bits above the width are ignored.
        machine.input(1).copy_from_slice(&[1, u64::MAX, 3, 4]);
        machine.run().unwrap();
        let other = if a == 1 { [!1, 0] } else { [3, 4] };
        assert_eq!(machine.output(1), [[1, (1 << 36) - 1], other].concat(), "{a}");
    }
    assert!(machine.output(0).is_empty() && machine.output(7).is_empty());
    assert!(machine.input(7).is_empty());
}

#[test]
fn values_share_slots_only_when_they_may() {
    // Many values are live at the same time before all of them are read.
    let ports =
        [port("a", Type::bits(64), Direction::In), port("r", Type::bits(64), Direction::Out)];
    let text = "var x: bits(64)[200]; for i in 0..200 { x[i] = a * (i + 1); }
        var sum = 0u64; for i in 0..200 { sum += x[199 - i] ^ i; } r = sum;";
    let mut machine = machine(text, &ports);
    machine.input(0)[0] = 12345;
    machine.run().unwrap();
    let sum = (0..200u64).fold(0u64, |sum, i| sum + (12345 * (200 - i) ^ i));
    assert_eq!(machine.output(1), [sum]);
}

#[test]
fn an_index_must_fit_and_no_more() {
    let ports = [
        port("a", Type::bits(64), Direction::In),
        port("v", Type::array(8, 25), Direction::In),
        port("r", Type::bits(8), Direction::Out),
    ];
    for (index, fits) in [
        ("a % 25", true),
        ("a % 26", false),
        ("a[3..0]", true),
        ("a[4..0]", false),
        ("a & 15", true),
        ("a & 24", true),
        ("25 & a", false),
        ("min(a, 24)", true),
        ("min(a, 25)", false),
        ("max(a, 3)", false),
        ("min(signed(a), 3)", false),
        ("zext(a[3..0], 128)", true),
        ("sext(a[3..0], 8)", false),
        ("a[63..60] + 1", true),
        ("~a[4..0]", false),
        ("(a % 25) + 1", false),
        ("if a == 0 { 3u64 } else { a % 2 }", false),
    ] {
        let found = try_compile(&format!("r = v[{index}];"), &ports);
        assert_eq!(found.is_ok(), fits, "{index}");
    }
}

#[test]
fn bits_above_an_inputs_width_are_ignored() {
    let ports = [port("a", Type::bits(7), Direction::In), port("r", Type::bits(8), Direction::Out)];
    let mut machine = machine("r = if a == 0x7f { zext(a, 8) } else { 0 };", &ports);
    machine.input(0)[0] = u64::MAX;
    machine.run().unwrap();
    assert_eq!(machine.output(1), [0x7f]);
}
