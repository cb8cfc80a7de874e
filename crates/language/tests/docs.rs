//! The examples of docs/semantics.md: programs with the outputs that they state, and errors as they are shown.

use crate::support::{Bytes, Rng, port, set, try_compile};
use capvec_language::{Direction, Machine, Port, Program, Type};

const PAGE: &str = include_str!("../../../docs/semantics.md");

fn operands() -> [Port; 4] {
    [
        port("rs1", Type::bits(64), Direction::In),
        port("rs2", Type::bits(64), Direction::In),
        port("rd", Type::bits(64), Direction::Out),
        port("state", Type::array(64, 25), Direction::InOut),
    ]
}

/// The indented paragraphs; those with only empty lines between them count as one.
fn examples() -> Vec<String> {
    let mut found: Vec<String> = vec![String::new()];
    for line in PAGE.lines() {
        let last = found.last_mut().unwrap();
        match line.strip_prefix("    ") {
            // An error stands below its program.
            Some(code) if code.starts_with("error: ") => found.push(format!("{code}\n")),
            Some(code) => *last += &format!("{code}\n"),
            None if line.is_empty() && !last.is_empty() => *last += "\n",
            None if !last.is_empty() => found.push(String::new()),
            None => {}
        }
    }
    found.retain(|e| !e.trim().is_empty());
    found
}

/// Checks a line such as `// rs1 = 1, rs2 = 2: rd = 3`. Returns whether the line is of this form.
fn check(machine: &mut Machine, line: &str) -> bool {
    let Some((inputs, result)) = line.strip_prefix("// rs1 = ").and_then(|l| l.split_once(": "))
    else {
        return false;
    };
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).unwrap(),
        None => text.parse().unwrap(),
    };
    let (first, second) = inputs.split_once(", rs2 = ").unwrap();
    set(machine, 0, number(first));
    set(machine, 1, number(second));
    let ran = machine.run_with(&mut Bytes);
    match result.strip_prefix("rd = ") {
        Some(wanted) => assert_eq!(u128::from(machine.output(2)[0]), number(wanted), "{line}"),
        None => assert!(ran.is_err() && result == "illegal", "{line}"),
    }
    true
}

#[test]
fn the_examples_of_the_page_compute_what_they_say() {
    let (mut results, mut errors) = (0, 0);
    let mut last = None;
    for example in examples() {
        if example.starts_with("error: ") {
            let shown: Option<String> = last.take().flatten();
            assert_eq!(shown.as_deref(), Some(example.trim_end()));
            errors += 1;
            continue;
        }
        let compiled = try_compile(&example, &operands());
        last = Some(compiled.as_ref().err().map(ToString::to_string));
        let machine = compiled.as_ref().ok().map(Program::machine);
        let checked = machine.map(|mut m| example.lines().filter(|l| check(&mut m, l)).count());
        assert!(checked != Some(0), "an example without a result:\n{example}");
        assert!(checked.is_some() || !example.contains("// rs1 ="), "{last:?}\n{example}");
        results += checked.unwrap_or(0);
    }
    assert_eq!((results, errors), (8, 1));
}

#[test]
fn the_butterfly_of_the_page_is_right_modulo_3329() {
    const Q: u64 = 3329;
    let example = examples().into_iter().find(|e| e.contains("fn butterfly")).unwrap();
    let mut machine = try_compile(&example, &operands()).unwrap().machine();
    let mut rng = Rng::new();
    for _ in 0..2000 {
        let [a, b, z] = [(); 3].map(|()| rng.next() % Q);
        set(&mut machine, 0, u128::from(b << 16 | a));
        set(&mut machine, 1, u128::from(z));
        machine.run().unwrap();
        let t = z * b % Q;
        let wanted = ((a + Q - t) % Q) << 16 | (a + t) % Q;
        assert_eq!(machine.output(2)[0], wanted, "a {a}, b {b}, z {z}");
    }
}

#[test]
fn the_page_names_every_function() {
    for name in [
        "zext",
        "sext",
        "signed",
        "sra",
        "rotl",
        "rotr",
        "min",
        "max",
        "clz",
        "ctz",
        "cpop",
        "rev8",
        "brev8",
        "mulwide",
        "clmul",
        "clmulwide",
        "load",
        "store",
    ] {
        assert!(PAGE.contains(&format!("`{name}(")), "{name}");
    }
}
