//! Every error with its position and its remedy.

use crate::support::{port, try_compile};
use capvec_language::{Direction, Errors, Port, Source, Type, compile};

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

/// Nesting too deeply is one error, not one for each brace that follows.
#[test]
fn deep_nesting_is_one_error() {
    let choice = "if rs1[0] { rs2 } else ".repeat(150);
    let statement = "if rs1[0] { rd = 1; } else ".repeat(150);
    let functions = (1..150)
        .map(|n| format!("fn f{n}(x: bits(64)) -> bits(64) {{ return f{}(x) + 1; }}\n", n - 1));
    let chain: String = functions.collect();
    for (text, remedy) in [
        (format!("rd = {choice}{{ rs1 }};"), "replace a long chain of else if"),
        (format!("{statement}{{ rd = 0; }}"), "replace a long chain of else if"),
        (format!("rd = {}rs1{};", "(".repeat(200), ")".repeat(200)), "give a part a name with let"),
        (
            format!("fn f0(x: bits(64)) -> bits(64) {{ return x; }}\n{chain}rd = f149(rs1);"),
            "functions call each other here: write a loop",
        ),
    ] {
        let Errors(found) = try_compile(&text, &operands()).unwrap_err();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].what.contains("levels of nesting"), "{}", found[0]);
        assert!(found[0].remedy.contains(remedy), "{}", found[0]);
    }
}

/// If nested calls multiply, the error names the functions, at the outermost call.
#[test]
fn functions_that_multiply() {
    let functions = (1..13).map(|n| {
        let f = format!("f{}", n - 1);
        format!("fn f{n}(x: bits(64)) -> bits(64) {{ return {f}({f}({f}({f}(x)))); }}\n")
    });
    let functions: String = functions.collect();
    let text = format!(
        "fn f0(x: bits(64)) -> bits(64) {{ return x + 1; }}\n{functions}rd = rs1 + f12(rs1);"
    );
    let Errors(found) = try_compile(&text, &operands()).unwrap_err();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].line, found[0].column), (14, 12), "{}", found[0]);
    assert!(found[0].what.contains("this call of `f12` leads to `f0`"), "{}", found[0]);
    assert!(found[0].remedy.contains("call functions less often"), "{}", found[0]);
}

/// A parameter with an operand's name is not the operand.
#[test]
fn unused_operands_are_known() {
    let uses = |text: &str| {
        let program = try_compile(text, &operands()).unwrap();
        [0, 1, 2, 3].map(|port| program.uses(port))
    };
    assert_eq!(uses("rd = rs1 + zext(rs2, 64);"), [true, true, true, false]);
    let shadow = "fn f(rs2: bits(64)) -> bits(64) { return rs2; }\nrd = f(rs1);";
    assert_eq!(uses(shadow), [true, false, true, false]);
    assert_eq!(uses("rd = 1;\nif 0 == 1 { rd = zext(rs2, 64); }"), [false, false, true, false]);
}
