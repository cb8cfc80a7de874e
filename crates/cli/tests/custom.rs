//! `--isa-file`: instructions of a user's own, from the file to the figures. docs/custom.md is tested in page.rs.

use crate::common::{capvec, guest, output};
use std::path::{Path, PathBuf};

const EXAMPLES: [&str; 3] = ["xrotxor", "xbutterfly", "xkeccak"];

fn example(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("examples/instructions").join(name).with_extension("toml")
}

/// `--isa-file` of every example.
fn files() -> Vec<String> {
    EXAMPLES.iter().map(|n| format!("--isa-file={}", example(n).display())).collect()
}

/// A directory with the headers of all examples, and what gcc makes of `source`.
fn compile(source: &str, flags: &[&str]) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().expect("a directory");
    for name in EXAMPLES {
        let file = example(name).display().to_string();
        let (text, _) = output(capvec().args(["isa", "header", &file]), 0);
        std::fs::write(dir.path().join(name).with_extension("h"), text).expect("a header");
    }
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest").join(source);
    std::fs::copy(from, dir.path().join(source)).expect("the source");
    let bind = format!("--bind={}:/here:rw", dir.path().display());
    let source = format!("/here/{source}");
    let gcc = [&["gcc"], flags, &["-I/here", &source, "-o", "/here/out"]].concat();
    output(&mut guest(&[&bind], &gcc), 0);
    (dir, bind)
}

#[test]
fn programs_with_the_headers_run_at_every_vlen() {
    let (_dir, bind) = compile("custom.c", &["-O1", "-static", "-march=rv64gcv"]);
    let files = files();
    for (core, vlen) in [("ideal", "256"), ("ideal", "1024"), ("karu64", "256"), ("marian", "512")]
    {
        let flags = ["--core", core, "--vlen", vlen, "--engine", "both", &bind];
        let options: Vec<&str> =
            flags.into_iter().chain(files.iter().map(String::as_str)).collect();
        let (printed, _) = output(&mut guest(&options, &["/here/out"]), 0);
        assert_eq!(printed, "ok\n", "{core}, VLEN {vlen}");
    }
}

/// The assembler macros make the words that the table has.
#[test]
fn assembler_macros_encode() {
    let (dir, _) = compile("custom.S", &["-c", "-march=rv64gcv"]);
    let object = std::fs::read(dir.path().join("out")).expect("the object");
    for (word, meaning) in [
        (0x26c5_850b_u32, "rotxor a0, a1, a2, 19"),
        (0x3e05_950b, "rotxorw a0, a1, zero, 31"),
        (0x02c8_242b, "vbfly.vv v8, v12, v16"),
        (0x00c5_642b, "vbfly.vx v8, v12, a0, v0.t"),
    ] {
        assert!(object.windows(4).any(|w| w == word.to_le_bytes()), "{word:08x} {meaning}");
        let mut command = capvec();
        command.arg("isa").args(files()).args(["--decode", &format!("{word:08x}")]);
        let (text, _) = output(&mut command, 0);
        assert!(text.contains(meaning), "{text}");
    }
}

#[test]
fn errors_name_the_place_and_the_remedy() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("my.toml");
    let good = std::fs::read_to_string(example("xrotxor")).expect("the example");
    let refused = |text: &str, args: &[&str], parts: &[&str]| {
        std::fs::write(&file, text).expect("a file");
        let flag = format!("--isa-file={}", file.display());
        let args: Vec<&str> = args.iter().map(|a| if *a == "FILE" { &flag } else { *a }).collect();
        let (_, errors) = output(capvec().args(&args), 2);
        for part in parts {
            assert!(errors.contains(part), "{args:?}: {part:?} is not in {errors}");
        }
    };
    refused(&good.replace("rs2;", "rs3;"), &["run", "FILE", "--", "true"], &["my.toml:13:", "rs3"]);
    refused("ext = ", &["isa", "FILE"], &["my.toml", "line 1"]);
    refused(&good, &["run", "FILE", "FILE", "--", "true"], &["there is an extension xrotxor"]);
    let add =
        good.replacen("0 uimm[5:0] rs2 rs1 000 rd 0001011", "0000000 rs2 rs1 000 rd 0110011", 1);
    let add = add.replacen("rs2, uimm", "rs2", 1).replacen("uimm)", "1)", 1);
    refused(&add, &["run", "FILE", "--", "true"], &["--isa-file", "rotxor", "add"]);
    refused(
        &good,
        &["bench", "--target", "native", "FILE"],
        &["--isa-file: --target native", "sim can"],
    );
    refused(&good, &["kat", "--target", "native", "FILE"], &["--isa-file: --target native"]);
    let (_, errors) = output(capvec().args(["isa", "--isa-file", "/nowhere.toml"]), 2);
    assert!(errors.contains("/nowhere.toml: No such file"), "{errors}");
}

/// The extension is a parameter of the core, so it is in every figure's label; the stock library's figures stay the same.
#[test]
fn bench_names_the_changed_core() {
    let flag = format!("--isa-file={}", example("xrotxor").display());
    let bench = ["bench", "-q", "--cases", "sha256", "--caps", "scalar", "--kat", "none"];
    let (plain, _) = output(capvec().args(bench).args(["--format", "csv"]), 0);
    let (own, _) = output(capvec().args(bench).args(["--format", "csv", &flag]), 0);
    assert!(own.contains("xrotxor") && !plain.contains("xrotxor"), "{own}");
    let column = plain.lines().next().and_then(|h| h.split(',').position(|c| c == "cycles_per_op"));
    let row = plain.lines().nth(1).expect("a row");
    let cycles = row.split(',').nth(column.expect("a column")).expect("a figure");
    assert!(!cycles.is_empty() && own.contains(&format!(",{cycles},")), "{cycles}: {own}");
}
