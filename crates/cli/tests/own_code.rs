//! `capvec measure` and `capvec check` of code that hides results, has none, or depends on where its buffers are.

use crate::common::conforming;
use crate::measure::{check, measure};
use std::path::Path;

/// Files with this harness, which may use what is here, and this assembly.
fn files(harness: &str, assembly: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let head = "#include <capvec/measure.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
        void f(void *, size_t);\nstatic uint8_t d[4096];\n";
    std::fs::write(dir.path().join("bench.c"), format!("{head}{harness}\n")).expect("written");
    std::fs::write(dir.path().join("f.S"), format!("    .globl f\nf:\n{assembly}    ret\n"))
        .expect("written");
    dir
}

const FILES: [&str; 4] = ["bench.c", "f.S", "--bytes", "64"];

fn checked(dir: &Path, more: &[&str]) -> (String, Option<i32>) {
    let args = [&FILES[..], &["--vlen", "128", "--timeout", "5"], more].concat();
    let (out, err, code) = check(dir, &args);
    (out + &err, code)
}

fn measured(dir: &Path, more: &[&str]) -> (String, String, Option<i32>) {
    measure(dir, &[&FILES[..], &["--format", "csv", "--timeout", "5"], more].concat())
}

/// Text without a line break, written in any way, hides neither a wrong answer nor a fault nor a figure.
#[test]
fn what_the_code_prints_hides_nothing() {
    let wrong = files(
        "static int wrong(void) { printf(\"f: WRONG\"); write(1, \"!\", 1); return 0; }\nCAPVEC_CHECK(\"f\", wrong())\n\
         CAPVEC_MEASURE(\"f\", n, f(d, n))",
        "",
    );
    let (text, code) = checked(wrong.path(), &[]);
    assert!(text.contains("the known answer is wrong") && code == Some(1), "{text}");
    let (out, err, code) = measured(wrong.path(), &[]);
    assert!(out.contains("the known answer is wrong") && code == Some(1), "{out}{err}");
    let broken = files(
        "CAPVEC_MEASURE(\"f\", n, (f(d, n), printf(\"done \"), fflush(stdout)))",
        "    li s3, 1\n",
    );
    let (text, code) = checked(broken.path(), &[]);
    assert!(text.contains("s3 is not kept") && code == Some(1), "{text}");
    let right = files(
        "__attribute__((constructor)) static void early(void) { write(1, \"early\", 5); }\n\
         CAPVEC_MEASURE(\"f\", n, (f(d, n), printf(\"capvec-measure\\tfake\\t64\\t1\\t1\\t1\\n\"), printf(\"%zu\", n)))",
        "",
    );
    let (out, err, code) = measured(right.path(), &[]);
    assert!(out.lines().count() == 2 && code == Some(0), "{out}{err}");
    assert!(out.contains(",f,") && !out.contains("fake"), "{out}");
}

/// A process that says nothing of its answer or call is a failure, whatever its exit status.
#[test]
fn an_answer_or_a_call_without_a_result_fails() {
    for how in ["_exit(119)", "for (int i = 3; i < 1024; i++) close(i)"] {
        let harness =
            format!("static void g(void) {{ {how}; }}\nCAPVEC_MEASURE(\"f\", n, f(d, n); g())");
        let dir = files(&harness, "");
        let (out, err, code) = measured(dir.path(), &[]);
        assert!(out.contains("there is no result") && code == Some(1), "{how}: {out}{err}");
        let (text, code) = checked(dir.path(), &[]);
        assert!(text.contains("there is no result") && code == Some(1), "{how}: {text}");
        let harness = format!(
            "static int g(void) {{ {how}; return 1; }}\nCAPVEC_CHECK(\"f\", g())\nCAPVEC_MEASURE(\"f\", n, f(d, n))"
        );
        let dir = files(&harness, "");
        let (out, err, code) = measured(dir.path(), &[]);
        assert!(out.contains("there is no result") && code == Some(1), "{how}: {out}{err}");
        let (text, code) = checked(dir.path(), &[]);
        assert!(text.contains("there is no result") && code == Some(1), "{how}: {text}");
    }
}

/// The call that does not end is named, and so are those that were never made.
#[test]
fn a_call_that_does_not_end_is_named() {
    let dir = files(
        "CAPVEC_MEASURE(\"before\", n, ((volatile uint8_t *)d)[0]++)\nCAPVEC_MEASURE(\"hangs\", n, f(d, n))\n\
         CAPVEC_MEASURE(\"after\", n, ((volatile uint8_t *)d)[0]++)",
        "    j f\n",
    );
    let (out, err, code) = measured(dir.path(), &[]);
    assert_eq!(code, Some(3), "{out}{err}");
    let rows: Vec<&str> = out.lines().skip(1).collect();
    assert_eq!(rows.len(), 3, "{out}");
    assert!(rows[0].contains(",none"), "{out}");
    assert!(rows[1].contains(",not done within --timeout"), "{out}");
    assert!(rows[2].contains("because of hangs, 64 bytes: not done within --timeout"), "{out}");
    assert!(err.contains("hangs with auto on karu64: not done within --timeout"), "{err}");
    let (text, code) = checked(dir.path(), &[]);
    let said = "hangs, 64 bytes, buffers at the end: not done within --timeout";
    assert!(text.contains(said) && code == Some(1), "{text}");
}

/// Rows without a known answer say so, do not fail, and `compare` notices that one was lost.
#[test]
fn rows_without_a_known_answer_say_so() {
    let calls = "CAPVEC_MEASURE(\"f\", n, f(d, n))\nCAPVEC_MEASURE(\"g\", n, f(d + 1, n))";
    let answers = |checks: &str, out: &str| {
        let dir = files(&format!("{checks}\n{calls}"), "");
        let (text, err, code) =
            measure(dir.path(), &[&FILES[..], &["--out", out, "--format", "json"]].concat());
        assert_eq!(code, Some(0), "{text}{err}");
        let record = conforming("record", &text);
        let rows = record["rows"].as_array().expect("a list").iter();
        rows.map(|r| r["answers"].as_str().expect("a text").to_string()).collect::<Vec<_>>()
    };
    let kept = tempfile::tempdir().expect("a directory");
    let path = |name: &str| kept.path().join(name).display().to_string();
    assert_eq!(answers("CAPVEC_CHECK(\"f\", 1)", &path("before")), ["pass", "none"]);
    assert_eq!(answers("CAPVEC_CHECK(\"all\", 1)", &path("all")), ["pass", "pass"]);
    assert_eq!(answers("", &path("after")), ["none", "none"]);
    let compare = |before: &str, after: &str| {
        let mut c = assert_cmd::Command::cargo_bin("capvec").expect("the program is built");
        let out = c
            .args(["compare", &path(before), &path(after), "--figures", "insns"])
            .output()
            .expect("it starts");
        (String::from_utf8(out.stdout).expect("UTF-8"), out.status.code())
    };
    assert_eq!(compare("after", "before").1, Some(0));
    assert_eq!(compare("after", "after").1, Some(0));
    let (text, code) = compare("before", "after");
    assert!(text.contains("no known answer is checked any more") && code == Some(1), "{text}");
    let mut c = assert_cmd::Command::cargo_bin("capvec").expect("the program is built");
    let page = c.args(["report", &path("after"), "-o", "-"]).output().expect("it starts").stdout;
    let page = String::from_utf8(page).expect("UTF-8");
    assert!(page.contains("figures have known answers") && !page.contains("class=\"fail\">none"));
}

/// Each address that a declared alignment allows is tried: traps on `address & bit`.
#[test]
fn kernels_that_need_more_than_the_declared_alignment_are_found() {
    for (alignment, bit) in [(1, 1), (1, 2), (1, 4), (1, 8), (4, 4), (8, 8), (16, 16), (64, 64)] {
        let of = |bit: u32| {
            let harness = format!(
                "static void *b;\nstatic void prepare(size_t n) {{ b = capvec_buffer(n, {alignment}); }}\n\
                 CAPVEC_SETUP(prepare)\nCAPVEC_MEASURE(\"f\", n, f(b, n))"
            );
            let trap = format!("    andi t0, a0, {bit}\n    beqz t0, 1f\n    ebreak\n1:\n");
            checked(files(&harness, &trap).path(), &["--caps", "scalar", "--bytes", "4096"])
        };
        let (text, code) = of(bit);
        assert!(
            text.contains("ended by signal 5: ebreak") && code == Some(1),
            "{alignment}: {text}"
        );
        let (text, code) = of(alignment / 2);
        assert_eq!(code, Some(0), "{alignment}: {text}");
    }
}

/// An answer that takes buffers is computed for every place of them, and its writes are watched.
#[test]
fn answers_are_computed_for_every_place_of_their_buffers() {
    let harness = |take: &str| {
        format!(
            "static int right(void) {{ uint8_t *b = {take}; for (int i = 0; i < 9; i++) b[i] = i; f(b, 9); return b[8] == 1; }}\n\
             CAPVEC_CHECK(\"f\", right())\nCAPVEC_MEASURE(\"f\", n, f(d, n))"
        )
    };
    let rounds_down = "    andi a0, a0, -8\n    li t0, 1\n    sb t0, 8(a0)\n";
    let correct = "    li t0, 1\n    sb t0, 8(a0)\n";
    let guarded = harness("capvec_buffer(9, 1)");
    let more = ["--caps", "scalar"];
    let (text, code) = checked(files(&guarded, correct).path(), &more);
    assert_eq!(code, Some(0), "{text}");
    let counts = text.lines().find(|l| l.contains("undisturbed")).expect("a line");
    // In the only state; at the end, at the start, and 15 times further.
    assert!(counts.split_whitespace().any(|word| word == "18"), "{text}");
    let (text, code) = checked(files(&guarded, rounds_down).path(), &more);
    assert!(text.contains("the known answer is wrong") && code == Some(1), "{text}");
    let (text, code) = checked(files(&harness("capvec_buffer(9, 8)"), rounds_down).path(), &more);
    assert_eq!(code, Some(0), "{text}");
    let beyond = format!("{correct}    sb t0, 9(a0)\n");
    let (text, code) = checked(files(&harness("capvec_buffer(9, 8)"), &beyond).path(), &more);
    assert!(text.contains("writes beyond a buffer") && code == Some(1), "{text}");
}

/// Marks that nothing executes fail as functions do.
#[test]
fn marks_that_nothing_executes_fail() {
    let dir = files("CAPVEC_MEASURE(\"f\", n, f(d, n))", "");
    for region in ["@marks", "f,@marks"] {
        let (out, err, code) = measured(dir.path(), &["--region", region]);
        assert_eq!(code, Some(1), "{out}{err}");
        assert!(err.contains("--region @marks: no mark was executed"), "{err}");
    }
    let dir = files("CAPVEC_MEASURE(\"f\", n, CAPVEC_BEGIN(7); f(d, n); CAPVEC_END(7))", "");
    let (out, err, code) = measured(dir.path(), &["--region", "f,@marks"]);
    assert_eq!(code, Some(0), "{out}{err}");
}

/// Messages name what can be given instead.
#[test]
fn mistakes_are_explained() {
    let dir = files("CAPVEC_MEASURE(\"f\", n, f(d, n))", "");
    for name in ["singles", "all-subsets", "published", "dispatch"] {
        let (_, err, code) = measured(dir.path(), &["--caps", name]);
        assert!(err.contains("stands for several sets") && code == Some(2), "{err}");
    }
    let (text, code) = checked(files("", "").path(), &[]);
    assert!(text.contains("use CAPVEC_MEASURE or CAPVEC_CHECK") && code == Some(3), "{text}");
    let (_, err, code) = measure(dir.path(), &["bench.c", "f.S", "--bytes", "0"]);
    assert!(err.contains("1048576, such as 16384") && !err.contains("512M"), "{err}");
    assert_eq!(code, Some(2));
}
