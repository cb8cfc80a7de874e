//! Every error with its position and its remedy.

use crate::support::{port, try_compile};
use capvec_semantics::{Direction, Port, Source, Type, compile};

/// Programs (`\n` is a new line), and below each its errors: `line:column what`, then the remedy.
const FAULTY: &str = include_str!("faulty.txt");

fn operands() -> [Port; 4] {
    [
        port("rs1", Type::bits(64), Direction::In),
        port("rs2", Type::bits(32), Direction::In),
        port("rd", Type::bits(64), Direction::Out),
        port("v", Type::array(64, 25), Direction::InOut),
    ]
}

/// The errors of a program as FAULTY has them.
fn errors(program: &str) -> String {
    let errors = try_compile(&program.replace("\\n", "\n"), &operands()).err();
    let errors = errors.unwrap_or_else(|| panic!("accepted: {program}"));
    let lines = errors.0.iter().map(|e| {
        assert!(!e.remedy.is_empty(), "{program}: {}", e.what);
        format!("    {}:{} {}\n        {}\n", e.line, e.column, e.what, e.remedy)
    });
    format!("{program}\n{}", lines.collect::<String>())
}

#[test]
fn errors_say_where_what_and_what_to_do() {
    let programs = FAULTY.lines().filter(|l| !l.starts_with(' '));
    let found: Vec<String> = programs.map(errors).collect();
    // Program by program, so that a difference is easy to see.
    let mut rest = FAULTY;
    for program in found {
        let (expected, after) = rest.split_at_checked(program.len()).unwrap_or((rest, ""));
        assert_eq!(program, expected);
        rest = after;
    }
    assert!(rest.is_empty());
}

#[test]
fn errors_look_like_those_of_rustc() {
    let text = "// An example\nlet sum = rs1 + rs2; // π\nrd = sum;\n";
    let source = Source { file: "my.toml", line: 41, text };
    let errors = compile(&source, &operands(), &[]).unwrap_err();
    let shown = "\
error: the left operand has 64 bits, the right one 32
  --> my.toml:42:11
   |
42 | let sum = rs1 + rs2; // π
   |           ^^^^^^^^^
   = help: write zext(rs2, 64) or rs1[31..0]";
    assert_eq!(errors.to_string(), shown);
}

#[test]
fn long_lines_are_cut_around_the_error() {
    let text = format!("rd = rs1{} + rs5{};", " + rs1".repeat(60), " + rs1".repeat(30));
    let shown = try_compile(&text, &operands()).unwrap_err().to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines.iter().all(|l| l.chars().count() < 140), "{shown}");
    let at = lines[4].chars().position(|c| c == '^').unwrap();
    assert!(lines[3].chars().skip(at).collect::<String>().starts_with("rs5"), "{shown}");
}
