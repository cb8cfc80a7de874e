//! `capvec measure` and `capvec check`, with the code of docs/own-code.md.

use crate::common::conforming;
use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

const PAGE: &str = include_str!("../../../docs/own-code.md");

/// Lines of the page that belong to one indented block, without the indentation.
fn block(from: usize) -> String {
    let lines = PAGE.lines().skip(from).skip_while(|l| l.is_empty());
    let block = lines.take_while(|l| l.starts_with("    ") || l.is_empty());
    block.map(|l| l.strip_prefix("    ").unwrap_or(l)).collect::<Vec<_>>().join("\n")
}

/// The files of the page: each follows a line that ends with its name.
pub fn save(dir: &Path) {
    let mut count = 0;
    for (n, line) in PAGE.lines().enumerate() {
        let Some(named) = line.strip_suffix("`:") else { continue };
        let name = named.rsplit('`').next().expect("a name");
        std::fs::write(dir.join(name), block(n + 1) + "\n").expect("it can be written");
        count += 1;
    }
    assert_eq!(count, 3);
}

fn directory() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    save(dir.path());
    dir
}

pub fn measure(dir: &Path, args: &[&str]) -> (String, String, Option<i32>) {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    let out = c.arg("measure").arg("-q").args(args).current_dir(dir).output().expect("it starts");
    let text = |b: Vec<u8>| String::from_utf8(b).expect("UTF-8");
    (text(out.stdout), text(out.stderr), out.status.code())
}

/// A line of a table without its cycles, which depend on where the compiler places the code.
fn without_cycles(line: &str) -> Vec<&str> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    if words.last() == Some(&"pass") && words.len() > 5 {
        words.remove(words.len() - 2);
        words.remove(words.len() - 3);
    }
    words
}

/// Every command of the page prints what follows it there.
#[test]
fn commands_print_what_the_page_says() {
    let dir = directory();
    let mut shown = 0;
    for (n, line) in PAGE.lines().enumerate() {
        let Some(command) = line.strip_prefix("    $ capvec measure ") else { continue };
        // Quoted arguments are every other part.
        let parts = command.split('\'').enumerate();
        let words: Vec<&str> = parts
            .flat_map(|(n, part)| match n % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            })
            .collect();
        let (out, err, _) = measure(dir.path(), &words);
        for expected in block(n + 1).lines().filter(|l| !l.is_empty()) {
            let same = |line: &str| without_cycles(line) == without_cycles(expected);
            assert!(out.lines().any(same), "{expected}\n{out}{err}");
            shown += 1;
        }
    }
    assert!(shown > 20, "{shown}");
}

#[test]
fn a_set_that_lacks_what_the_code_executes_has_the_reason() {
    let dir = directory();
    let files = ["bench.c", "xtea.c", "xtea_v.S", "--bytes", "64"];
    let (out, err, code) = measure(dir.path(), &[&files[..], &["--caps", "scalar,v"]].concat());
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("scalar on karu64: illegal instruction"), "{err}");
    let lines =
        |set: &str, word: &str| out.lines().filter(|l| l.contains(set) && l.contains(word)).count();
    // The C code needs no vectors.
    let found = [("scalar", "illegal"), ("scalar", "pass"), ("v", "pass")];
    assert_eq!(found.map(|(set, word)| lines(&format!(" {set} "), word)), [1, 1, 2], "{out}");
}

#[test]
fn a_wrong_answer_blanks_the_figures() {
    let dir = directory();
    let wrong =
        std::fs::read_to_string(dir.path().join("xtea.c")).unwrap().replace("b >> 5", "b >> 6");
    std::fs::write(dir.path().join("wrong.c"), wrong).unwrap();
    let (out, err, code) = measure(
        dir.path(),
        &["bench.c", "wrong.c", "xtea_v.S", "--caps", "v", "--bytes", "64", "--format", "csv"],
    );
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("the known answer is wrong"), "{err}");
    let rows: Vec<&str> = out.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{out}");
    assert!(rows[0].contains(",xtea,") && rows[0].contains("the known answer is wrong"), "{out}");
    assert!(rows[1].contains(",xtea_v,") && rows[1].contains(",pass"), "{out}");
}

/// The message names each wrong answer once, whichever the sets are.
#[test]
fn each_wrong_answer_is_named() {
    let dir = directory();
    let file = |name: &str, checks: &str| {
        let text = format!(
            "#include <capvec/measure.h>\n__attribute__((noipa)) int one(void) {{ return 1; }}\n{checks}\n\
             CAPVEC_MEASURE(\"a\", n, one())\nCAPVEC_MEASURE(\"b\", n, one())\n"
        );
        std::fs::write(dir.path().join(name), text).unwrap();
        measure(dir.path(), &[name, "--caps", "scalar,v", "--bytes", "64", "--format", "csv"])
    };
    let wrong = "the known answer is wrong";
    let (_, err, code) =
        file("calls.c", "CAPVEC_CHECK(\"a\", one() == 2)\nCAPVEC_CHECK(\"b\", one() == 3)");
    assert_eq!(code, Some(1), "{err}");
    for expected in [format!("a with scalar on karu64: {wrong}; b with "), "b with scalar".into()] {
        assert!(err.contains(&expected), "{err}");
    }
    assert_eq!(err.matches(wrong).count(), 2, "{err}");
    let (out, err, code) =
        file("others.c", "CAPVEC_CHECK(\"x\", one() == 2)\nCAPVEC_CHECK(\"y\", one() == 3)");
    assert_eq!(code, Some(1), "{err}");
    let both = format!("x: {wrong}; y: {wrong}");
    assert_eq!((out.matches(&both).count(), err.matches(&both).count()), (4, 2), "{out}{err}");
}

/// Two functions that differ by ten instructions differ by ten in the table, whatever is subtracted.
#[test]
fn counts_are_exact() {
    let dir = tempfile::tempdir().unwrap();
    let nops = |n: usize| "    nop\n".repeat(n);
    let text = format!(
        "    .option norvc\n    .globl few, many\nfew:\n{}    ret\nmany:\n{}    ret\n",
        nops(3),
        nops(13)
    );
    std::fs::write(dir.path().join("nops.S"), text).unwrap();
    let calls = ["nops.S", "--call", "few(data)", "--call", "many(data)"];
    let (out, err, code) =
        measure(dir.path(), &[&calls[..], &["--core", "ideal", "--format", "json"]].concat());
    assert_eq!(code, Some(0), "{err}");
    let record: serde_json::Value = serde_json::from_str(&out).unwrap();
    let rows = record["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    let of = |case: &str, bytes: u64| {
        let row = rows.iter().find(|r| r["case"] == case && r["bytes"] == bytes).unwrap();
        [&row["insns_per_op"], &row["cycles_per_op"]].map(|v| v.as_f64().unwrap())
    };
    for bytes in [64, 1024, 16384] {
        assert_eq!(of("many", bytes)[0] - of("few", bytes)[0], 10.0);
        // On the core ideal, each instruction takes a cycle.
        assert_eq!(of("few", bytes)[0], of("few", bytes)[1]);
    }
    // The three, and the instructions that pass the argument.
    assert!((4.0..12.0).contains(&of("few", 64)[0]), "{:?}", of("few", 64));
}

#[test]
fn records_are_compared_and_rendered() {
    let dir = directory();
    for out in ["before", "after"] {
        let args = ["bench.c", "xtea.c", "xtea_v.S", "--caps", "v", "--bytes", "64", "--out", out];
        assert_eq!(measure(dir.path(), &args).2, Some(0));
    }
    let run = |args: &[&str]| {
        let mut c = Command::cargo_bin("capvec").unwrap();
        let out = c.args(args).current_dir(dir.path()).output().unwrap();
        (String::from_utf8(out.stdout).unwrap(), out.status.code())
    };
    let (text, code) = run(&["compare", "before", "after", "--fail-over", "1%"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(run(&["report", "after", "-o", "report.html"]).1, Some(0));
    let html = std::fs::read_to_string(dir.path().join("report.html")).unwrap();
    assert!(html.contains("Your own code") && html.contains("xtea_v"));
}

/// JSON, CSV and the files of --out have every count of the table, and a report shows them.
#[test]
fn every_format_has_the_regions() {
    let dir = directory();
    let kernel =
        ["bench.c", "xtea.c", "xtea_v.S", "--caps", "v", "--vlen", "128,256", "--bytes", "64"];
    let of = |more: &[&str]| {
        let (out, err, code) =
            measure(dir.path(), &[&kernel, &["--region", "xtea_encrypt_v"][..], more].concat());
        assert_eq!((err.as_str(), code), ("", Some(0)));
        out
    };
    let record = conforming("record", &of(&["--format", "json", "--out", "out"]));
    let regions = record["regions"].as_array().expect("a list");
    let vlens: Vec<_> = regions.iter().map(|r| r["vlen"].as_u64().expect("a number")).collect();
    assert_eq!((vlens, record["rows"].as_array().map(Vec::len)), (vec![128, 256], Some(4)));
    let csv = of(&["--format", "csv"]);
    let (rows, counted) = csv.split_once("\n\n").expect("two tables");
    assert_eq!(rows.lines().count(), 1 + 4);
    let saved = std::fs::read_to_string(dir.path().join("out/regions.csv")).expect("a file");
    assert_eq!(counted, saved);
    for r in regions {
        let sum = |of: &str| {
            r[of].as_object().expect("counts").values().filter_map(Value::as_u64).sum::<u64>()
        };
        let retired = r["retired"].as_u64().expect("a number");
        assert_eq!((sum("by_class"), sum("by_instruction")), (retired, retired));
        let line = format!(
            "karu64,{},v,xtea_encrypt_v,instruction,vadd.vv,{}",
            r["vlen"], r["by_instruction"]["vadd.vv"]
        );
        assert!(counted.lines().any(|l| l == line), "{line}\n{counted}");
    }
    let lengths = &regions[1]["vectors"];
    assert!(lengths[0]["sew"] == 32 && lengths[0]["lmul_log2"] == 1, "{lengths}");
    // A record with regions is one like any other, also as CSV.
    std::fs::write(dir.path().join("out.csv"), &csv).expect("it can be written");
    let run = |args: &[&str]| {
        let mut c = Command::cargo_bin("capvec").expect("the program is built");
        let out = c.args(args).current_dir(dir.path()).output().expect("it starts");
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).expect("UTF-8")
    };
    run(&["compare", "out", "out.csv"]);
    let page = run(&["report", "out", "-o", "-"]);
    assert!(page.contains("What regions execute") && page.contains("e32, m2, vl 8"));
}

#[test]
fn mistakes_are_named() {
    let dir = directory();
    std::fs::write(dir.path().join("bad.c"), "int f( {\n").unwrap();
    std::fs::write(dir.path().join("empty.c"), "\n").unwrap();
    for (args, said, status) in [
        (vec!["none.c"], "none.c", 2),
        (vec!["bench.txt"], "not a kind of file that is compiled or linked", 2),
        (vec!["bad.c"], "bad.c:1", 3),
        (vec!["empty.c"], "CAPVEC_MEASURE", 3),
        (vec!["xtea.c", "--call", "xtea"], "write a call of a function", 2),
        (vec!["xtea.c", "xtea.c"], "two files are named xtea.c", 2),
        (vec!["bench.c", "xtea.c", "xtea_v.S", "--caps", "zvfoo"], "--caps zvfoo", 2),
    ] {
        let (out, err, code) = measure(dir.path(), &args);
        assert_eq!((out.as_str(), code), ("", Some(status)), "{args:?}: {err}");
        assert!(err.contains(said), "{args:?}: {err}");
    }
}

#[test]
fn figures_of_several_layouts_have_the_cycles_of_each() {
    let dir = directory();
    let args =
        ["bench.c", "xtea.c", "xtea_v.S", "--bytes", "64", "--layouts", "3", "--format", "json"];
    let (out, err, code) = measure(dir.path(), &args);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let record: serde_json::Value = serde_json::from_str(&out).unwrap();
    for row in record["rows"].as_array().unwrap() {
        let list = row["cycles_by_layout"].as_array().unwrap();
        let mut cycles: Vec<f64> = list.iter().map(|c| c.as_f64().unwrap()).collect();
        cycles.sort_by(f64::total_cmp);
        assert_eq!((cycles.len(), Some(cycles[1])), (3, row["cycles_per_op"].as_f64()), "{row}");
    }
}

pub fn check(dir: &Path, args: &[&str]) -> (String, String, Option<i32>) {
    let mut c = Command::cargo_bin("capvec").unwrap();
    let out = c.arg("check").arg("-q").args(args).current_dir(dir).output().unwrap();
    let text = |b: Vec<u8>| String::from_utf8(b).unwrap();
    (text(out.stdout), text(out.stderr), out.status.code())
}

/// Copies bytes with vectors; `body` is the loop's faulty part, and the registers around it.
fn copy(before: &str, end: &str, after: &str) -> String {
    format!(
        "    .option arch, +v\n    .globl copy\ncopy:\n{before}1:  vsetvli t0, a2, e8, m1, ta, ma\n    vle8.v v8, (a1)\n    \
        vse8.v v8, (a0)\n    add a0, a0, t0\n    add a1, a1, t0\n    sub a2, a2, t0\n{end}    bnez a2, 1b\n{after}    ret\n"
    )
}

#[test]
fn a_function_that_keeps_the_rules_passes() {
    let dir = directory();
    std::fs::write(dir.path().join("copy.S"), copy("", "", "")).unwrap();
    let args = ["copy.S", "--call", "copy(out, data, n)", "--caps", "v", "--format", "json"];
    let (out, err, code) = check(dir.path(), &args);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    let checked: serde_json::Value = serde_json::from_str(&out).unwrap();
    let harts = checked["harts"].as_array().unwrap();
    assert_eq!(harts.len(), 4 * 2, "four VLENs, two policies");
    let every = harts.iter().all(|h| h["calls"] == 5 * (2 + 15 + 2));
    assert!(every, "five sizes; 17 places, two other states of the vector unit: {out}");
    let (out, err, code) = check(dir.path(), &["bench.c", "xtea.c", "xtea_v.S", "--caps", "v"]);
    assert_eq!(code, Some(0), "{out}{err}");
}

/// Each fault of a kernel is found, and named.
#[test]
fn faults_are_found() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text, said) in [
        ("saved", copy("    li s3, 1\n", "", ""), "s3 is not kept"),
        ("float", copy("    fmv.d.x fs11, zero\n", "", ""), "fs11 is not kept"),
        ("stack", copy("", "", "    addi sp, sp, -16\n"), "the stack pointer is not kept"),
        ("thread", copy("", "", "    addi tp, tp, 8\n"), "tp is not kept"),
        ("round", copy("    fsrmi t1, 1\n", "", ""), "the rounding mode is not kept"),
        ("vstart", copy("", "", "    csrwi vstart, 1\n"), "vstart is not zero"),
        ("beyond", copy("    addi a2, a2, 1\n", "", ""), "outside its buffers: cannot read"),
        ("before", copy("    addi a1, a1, -1\n", "", ""), "outside its buffers: cannot read"),
        ("crypto", copy("    vaesz.vs v1, v2\n", "", ""), "illegal instruction"),
        (
            "red zone",
            copy("    sd a0, -16(sp)\n", "", ""),
            "stores below the stack pointer: sd a0, -16(sp)",
        ),
        (
            "eight",
            copy("    addi sp, sp, -8\n", "", "    addi sp, sp, 8\n"),
            "the stack pointer is not a multiple of 16: c.addi sp, -8",
        ),
        (
            "caller",
            copy("    sd a0, 64(sp)\n", "", ""),
            "stores to the stack of its caller: c.sdsp a0, 64(sp)",
        ),
        // Legal with any vl, but not while vill is set.
        ("vill", copy("    vmv1r.v v1, v2\n", "", ""), "entered with vill set"),
    ] {
        let text = text.replace("arch, +v\n", "arch, +v, +zvkned\n");
        std::fs::write(dir.path().join("copy.S"), text).unwrap();
        let args = [
            "copy.S",
            "--call",
            "copy(out, data, n)",
            "--caps",
            "v",
            "--vlen",
            "128",
            "--bytes",
            "64",
        ];
        let (out, err, code) = check(dir.path(), &args);
        assert_eq!(code, Some(1), "{name}: {out}{err}");
        assert!(err.contains(said) && out.contains(said), "{name}: {out}{err}");
    }
}

/// A kernel that is right only at one VLEN fails at the others.
#[test]
fn a_kernel_for_one_vlen_fails_at_others() {
    let dir = tempfile::tempdir().unwrap();
    // Assumes that VLEN is 128: advances by 16 bytes in each iteration, whatever vsetvli returned.
    let text = copy("", "    addi a2, a2, 0\n", "").replace("add a0, a0, t0", "addi a0, a0, 16");
    std::fs::write(dir.path().join("copy.S"), text).unwrap();
    std::fs::write(
        dir.path().join("bench.c"),
        "#include <capvec/measure.h>\n#include <string.h>\nvoid copy(void *, const void *, size_t);\n\
        static unsigned char a[128], b[128];\n\
        static int right(void) { for (int i = 0; i < 100; i++) b[i] = i; copy(a, b, 100); return memcmp(a, b, 100) == 0; }\n\
        CAPVEC_CHECK(\"copy\", right())\nCAPVEC_MEASURE(\"copy\", n, copy(a, b, n))\n",
    )
    .unwrap();
    let args = ["bench.c", "copy.S", "--caps", "v", "--bytes", "64", "--format", "csv"];
    let (out, _, code) = check(dir.path(), &args);
    assert_eq!(code, Some(1));
    for (vlen, wrong) in [(128, 0), (256, 2), (512, 2)] {
        let lines =
            out.lines().filter(|l| l.contains(&format!(",{vlen},")) && l.contains("known answer"));
        assert_eq!(lines.count(), wrong, "{out}");
    }
}

/// If a figure would be nonsense, a message says why instead.
#[test]
fn figures_that_mean_nothing_are_not_printed() {
    let dir = tempfile::tempdir().unwrap();
    let harness = |body: &str| format!("#include <capvec/measure.h>\n#include <stdlib.h>\n{body}");
    std::fs::write(dir.path().join("bad.S"), "    .globl bad\nbad:\n    li s1, 0\n    ret\n")
        .unwrap();
    for (body, said, code) in [
        (
            "static int sum(int n) { return n * n; }\nCAPVEC_MEASURE(\"sum\", n, sum(n))\n",
            "the compiler has removed the call",
            1,
        ),
        ("void bad(void);\nCAPVEC_MEASURE(\"bad\", n, bad())\n", "s1 is not kept", 1),
        ("CAPVEC_MEASURE(\"gone\", n, exit(0))\n", "the code ends the process", 1),
        ("void bad(void);\nCAPVEC_MEASURE(\"a\\tb\", n, bad())\n", "has a tab", 3),
        ("void bad(void);\nCAPVEC_MEASURE(\"\", n, bad())\n", "is empty", 3),
        (
            "void bad(void);\nCAPVEC_MEASURE(\"a\", n, bad()) CAPVEC_MEASURE(\"a\", n, bad())\n",
            "is used twice",
            3,
        ),
    ] {
        std::fs::write(dir.path().join("bench.c"), harness(body)).unwrap();
        let (out, err, status) = measure(dir.path(), &["bench.c", "bad.S", "--bytes", "64"]);
        assert_eq!(status, Some(code), "{body}{out}{err}");
        assert!(err.contains(said), "{body}{out}{err}");
        assert!(!out.lines().any(|row| row.ends_with("pass")), "{body}{out}{err}");
    }
}

/// Headers next to the sources are found, and a change of one is seen.
#[test]
fn headers_next_to_the_sources_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write(
        "bench.c",
        "#include <capvec/measure.h>\n#include \"own.h\"\nint f(void);\nCAPVEC_CHECK(\"f\", f() == ANSWER)\nCAPVEC_MEASURE(\"f\", n, f())\n",
    );
    write("f.c", "int f(void) { return 42; }\n");
    for (answer, code) in [("42", 0), ("43", 1)] {
        write("own.h", &format!("#define ANSWER {answer}\n"));
        let (out, err, status) = measure(dir.path(), &["bench.c", "f.c", "--bytes", "64"]);
        assert_eq!(status, Some(code), "{out}{err}");
    }
    // Two headers of one name are refused: which one the compiler would find should not be left to chance.
    std::fs::create_dir(dir.path().join("other")).unwrap();
    write("other/own.h", "#define ANSWER 44\n");
    write("other/g.c", "int g(void) { return 1; }\n");
    let (_, err, status) = measure(dir.path(), &["bench.c", "f.c", "other/g.c"]);
    assert_eq!(status, Some(2), "{err}");
    assert!(err.contains("two headers next to the files are named own.h"), "{err}");
}

/// A mean hides that calls differ, so the command says so.
#[test]
fn calls_that_differ_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write(
        "bench.c",
        "#include <capvec/measure.h>\nvoid f(void), g(void);\nCAPVEC_MEASURE(\"f\", n, f())\nCAPVEC_MEASURE(\"g\", n, g())\n",
    );
    write(
        "f.c",
        "static volatile int turn, x;\nvoid g(void) { x = 1; }\nvoid f(void) { if (turn++ & 1) for (int i = 0; i < 100; i++) x = i; }\n",
    );
    let (out, err, status) = measure(dir.path(), &["bench.c", "f.c", "--bytes", "64"]);
    assert_eq!(status, Some(0), "{out}{err}");
    assert!(err.contains("f of 64 bytes takes ") && err.contains("are means"), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}

/// A file that the command line names and that is not there is an error in the command line.
#[test]
fn a_missing_file_is_a_usage_error() {
    let dir = directory();
    for args in [&["nowhere.c"][..], &["bench.c", "-I", "nowhere"]] {
        let (out, err, status) = measure(dir.path(), args);
        assert_eq!((out.as_str(), status), ("", Some(2)), "{err}");
        assert!(err.contains("reading nowhere"), "{err}");
    }
}
