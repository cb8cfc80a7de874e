//! Texts that are not programs: each is refused with an error at a position in it, or runs; none panics or takes long.

use crate::keccak::KECCAK;
use crate::support::{Rng, port, ports, try_compile};
use capvec_language::{Direction, Type};

const PARTS: &[&str] = &[
    "let",
    "var",
    "if",
    "else",
    "for",
    "in",
    "fn",
    "return",
    "const",
    "illegal",
    "bits",
    "int",
    "a",
    "b",
    "r",
    "state",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "..",
    "=",
    ";",
    ",",
    "->",
    ":",
    "+",
    "++",
    "<<",
    "~",
    "-",
    "!",
    "0",
    "1u1",
    "64",
    "0xffffffffffffffffffffffffffffffff",
    "\"x\"",
    "zext",
    "signed",
    "mulwide",
    "4096",
    "é",
    "\"",
    "&&",
    "==",
    "RC",
    "round",
    "+=",
    "%",
    "/",
    "//",
    "\n",
    "1u128",
];

fn compile(text: &str) {
    let mut all = ports([64, 32, 8, 64]);
    all.push(port("state", Type::array(64, 25), Direction::InOut));
    match try_compile(text, &all) {
        Ok(program) => drop(program.machine().run()),
        Err(errors) => {
            assert!(!errors.0.is_empty());
            let lines = text.lines().count().max(1);
            for e in &errors.0 {
                assert!(e.line <= lines && e.column > 0, "{text}\n{e}");
            }
            assert!(!errors.to_string().is_empty());
        }
    }
}

#[test]
fn changed_programs_do_not_panic() {
    let mut rng = Rng::new();
    for _ in 0..400 {
        let mut text: Vec<char> = KECCAK.chars().collect();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(text.len() as u32) as usize;
            let end = (at + rng.below(12) as usize).min(text.len());
            let part = PARTS[rng.below(PARTS.len() as u32) as usize];
            text.splice(at..end, part.chars());
        }
        compile(&text.iter().collect::<String>());
    }
}

#[test]
fn words_in_any_order_do_not_panic() {
    let mut rng = Rng::new();
    for _ in 0..4000 {
        let count = 1 + rng.below(30);
        let words = (0..count).map(|_| PARTS[rng.below(PARTS.len() as u32) as usize]);
        compile(&words.collect::<Vec<_>>().join(" "));
    }
}

#[test]
fn deep_and_long_texts_are_refused() {
    let n = 20_000;
    for text in [
        "(".repeat(n),
        "[".repeat(n),
        "r = ".to_string() + &"~".repeat(n) + "a;",
        "r = ".to_string() + &"(".repeat(n) + "a" + &")".repeat(n) + ";",
        "r = a".to_string() + &" + a".repeat(n) + ";",
        "r = a".to_string() + &"[63..0]".repeat(n) + ";",
        "if a == 0 { ".repeat(n),
        "if a == 0 { r = 1; } else ".repeat(n) + "{ }",
        "r = ".to_string() + &"if a == 0 { 1 } else ".repeat(n) + "{ 2 };",
        "for i in 0..1000000 { for j in 0..1000000 { } } r = a;".into(),
        "for i in 0..340282366920938463463374607431768211455 { } r = a;".into(),
        "r = a; for i in 0..1000000 { r = r * 3 + 1; } ".into(),
        "r = a; var x: bits(128)[4096] = [0; 4096]; for i in 0..100000 { var y = x; y[a[11..0]] = zext(a, 128); x = y; }".into(),
        (0..40).fold("fn f0(x: bits(64)) -> bits(64) { return x + 1; }\n".into(), |t: String, i| {
            t + &format!("fn f{}(x: bits(64)) -> bits(64) {{ return f{i}(x) + f{i}(x); }}\n", i + 1)
        }) + "r = f40(a);",
        (0..400).fold("fn f0(x: bits(64)) -> bits(64) { return x + 1; }\n".into(), |t: String, i| {
            t + &format!("fn f{}(x: bits(64)) -> bits(64) {{ return f{i}(x); }}\n", i + 1)
        }) + "r = f400(a);",
        "r = a;".to_string() + &(0..30_000).map(|i| format!("let x{i} = a + {i}; ")).collect::<String>()
            + &(0..200).map(|_| "if a == 0 { r = 1; }").collect::<String>()
            + "var z = [0u64; 4096]; for i in 0..300 { z[a[11..0]] = 2; } r = z[b[11..0]];",
        "a".repeat((1 << 20) + 1),
    ] {
        assert!(try_compile(&text, &ports([64, 32, 8, 64])).is_err(), "{}", &text[..40]);
    }
}

#[test]
fn ports_of_no_type_are_refused() {
    for ty in [Type::bits(0), Type::bits(129), Type::array(8, 0), Type::array(8, 5000)] {
        let error = try_compile("", &[port("x", ty, Direction::In)]).unwrap_err();
        assert!(error.to_string().contains("the port x"), "{error}");
    }
}
