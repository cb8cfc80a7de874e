//! `--isa-file`: custom instructions, from the file to the figures. docs/custom.md is tested in doc_commands.rs.

use crate::common::{capvec, guest, output};
use std::path::{Path, PathBuf};

const EXAMPLES: [&str; 5] = ["xrotxor", "xbutterfly", "xkeccak", "xreach", "xforms"];

/// The file of an example, or of a test.
fn example(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = if name == "xforms" { "tests/guest" } else { "../../examples/instructions" };
    here.join(folder).join(name).with_extension("toml")
}

/// `--isa-file` of every example.
fn files() -> Vec<String> {
    EXAMPLES.iter().map(|n| format!("--isa-file={}", example(n).display())).collect()
}

/// A directory with the headers of all examples, and what gcc makes of `source`.
fn compile(source: &str, flags: &[&str]) -> (tempfile::TempDir, String) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest").join(source);
    let text = std::fs::read_to_string(from).expect("the source");
    let (dir, bind, _) = gcc(source, &text, flags, 0);
    (dir, bind)
}

/// The same for a text; also what gcc says.
fn gcc(
    source: &str,
    text: &str,
    flags: &[&str],
    status: i32,
) -> (tempfile::TempDir, String, String) {
    let dir = tempfile::tempdir().expect("a directory");
    for name in EXAMPLES {
        let file = example(name).display().to_string();
        let (text, _) = output(capvec().args(["isa", "header", &file]), 0);
        std::fs::write(dir.path().join(name).with_extension("h"), text).expect("a header");
    }
    std::fs::write(dir.path().join(source), text).expect("the source");
    let bind = format!("--bind={}:/here:rw", dir.path().display());
    let source = format!("/here/{source}");
    let gcc = [&["gcc"], flags, &["-I/here", &source, "-o", "/here/out"]].concat();
    let (_, errors) = output(&mut guest(&[&bind], &gcc), status);
    (dir, bind, errors)
}

/// An operand that does not fit is an error of the compiler or assembler, and not another instruction.
#[test]
fn wrong_operands_do_not_compile() {
    let c = |call: &str| {
        let text = format!(
            "#include \"xforms.h\"\n#include \"xrotxor.h\"\nlong f(long x) {{ return {call}; }}\n"
        );
        gcc("bad.c", &text, &["-c"], 1).2
    };
    for call in ["rotxor(x, x, 64)", "subi(x, 2048)", "gap(x, 12)", "upper(0x4000)"] {
        assert!(c(call).contains("the immediate cannot be encoded"), "{call}: {}", c(call));
    }
    let vector = |call: &str| {
        let text = format!(
            "#include \"xforms.h\"\n#include \"xbutterfly.h\"\nvoid f(void) {{ __asm__ volatile({call}); }}\n"
        );
        gcc("bad.c", &text, &["-c"], 1).2
    };
    for (call, says) in [
        ("VADDU_VI(8, 9, 32, 1)", "vaddu.vi: imm cannot be encoded"),
        ("VADDU_VI(8, 9, -1, 1)", "vaddu.vi: imm cannot be encoded"),
        ("VBFLY_VV(32, 9, 4, 1)", "vbfly.vv: vd cannot be encoded"),
        ("VBFLY_VX(8, 9, 4, 2)", "vbfly.vx: vm cannot be encoded"),
    ] {
        assert!(vector(call).contains(says), "{call}: {}", vector(call));
    }
    let s = |line: &str| {
        let text = format!(
            "#include \"xforms.h\"\n#include \"xbutterfly.h\"\n#include \"xreach.h\"\n    {line}\n"
        );
        gcc("bad.S", &text, &["-c"], 1).2
    };
    for (line, says) in [
        ("subi a0, a1, 2048", "subi: 2048 cannot be encoded"),
        ("gap a0, a1, 12", "gap: 12 cannot be encoded"),
        ("csel a0, v1, a2, a3", "csel: v1 is not an x register"),
        ("csel a0, s12, a2, a3", "csel: s12 is not an x register"),
        ("fxor.d fa0, a1, fa2", "fxor.d: a1 is not an f register"),
        ("vsel.vvm v4, v8, v12, v1", "vsel.vvm: v1 is not v0"),
        ("vbfly.vv v8, a0, v4", "vbfly.vv: a0 is not a vector register"),
        ("vbfly.vv v8, v12, v4, v1.t", "vbfly.vv: v1.t is not v0.t"),
    ] {
        assert!(s(line).contains(says), "{line}: {}", s(line));
    }
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
    let (_, errors) = output(&mut guest(&[&bind], &["/here/out"]), 132);
    assert!(errors.contains("(opcode custom-") && errors.contains("--isa-file"), "{errors}");
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
        (0x6ac5_c40b, "csel s0, a1, a2, a3"),
        (0xfff5_a57b, "subi a0, a1, -1"),
        (0x009f_b42b, "vaddu.vi v8, v9, 31, v0.t"),
        (0xff85_e57b, "ldrev a0, a1, -8"),
        (0x68c5_f07b, "stpair a1, a2, a3"),
        (0x0355_807b, "fxor.d ft0, fa1, fs5"),
        (0x00c5_845b, "vlut.v v8, a1, v12, v0.t"),
        (0x0308_325b, "vsgap.v v4, a6, a6"),
        (0x0500_125b, "vsel.vvm v4, v16, v0, v0"),
    ] {
        assert!(object.windows(4).any(|w| w == word.to_le_bytes()), "{word:08x} {meaning}");
        let mut command = capvec();
        command.arg("isa").args(files()).args(["--decode", &format!("{word:08x}")]);
        let (text, _) = output(&mut command, 0);
        assert!(text.contains(meaning), "{text}");
    }
}

/// `isa NAME` has everything that the file says of an instruction.
#[test]
fn pages_of_instructions() {
    let page = |name: &str| output(capvec().arg("isa").args(files()).arg(name), 0).0;
    let butterfly = page("vbfly.vx");
    for part in [
        "class: vmul\ncost in cycles: that of its class",
        "\nSEW: 16\n",
        "xbutterfly.toml:30\nsemantics:\n    const Q: bits(16) = 3329;\n\n",
        "\n    vs2 = reduce(a + zext(Q, 32) - t);\n",
    ] {
        assert!(butterfly.contains(part), "{part:?}: {butterfly}");
    }
    assert!(page("xkeccak.v").contains("\nelement group: 32 elements\n"));
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
    refused("ext = ", &["isa", "FILE"], &["my.toml:1:7", "docs/custom.md lists the keys"]);
    refused(&good.replace("class =", "clas ="), &["isa", "FILE"], &["my.toml:10:1", "`clas`"]);
    let key = ["run", "FILE", "--set", "insn.rot.xor.latency=3", "--", "true"];
    refused(
        &good.replace("\"rotxor\"", "\"rot.xor\""),
        &key,
        &["did you mean insn.rot_xor.latency?"],
    );
    let (_, errors) = output(capvec().args(["run", "--isa", "rv64gc_xrotxor", "--", "true"]), 2);
    assert!(errors.contains("\"xrotxor\"") && errors.contains("--isa-file FILE"), "{errors}");
    refused(&good, &["run", "FILE", "FILE", "--", "true"], &["my.toml: given twice"]);
    // Versions: of an extension that has none, and one that is left out.
    refused(&good, &["isa", "FILE", "rv64gc_xrotxor1p0"], &["no xrotxor1p0; capvec has xrotxor"]);
    let dated = good.replacen("\"xrotxor\"", "\"xrotxor0p1\"", 1);
    refused(&dated, &["isa", "FILE", "rv64gc_xrotxor"], &["name its version: xrotxor0p1"]);
    let add =
        good.replacen("0 uimm[5:0] rs2 rs1 000 rd 0001011", "0000000 rs2 rs1 000 rd 0110011", 1);
    let add = add.replacen("rs2, uimm", "rs2", 1).replacen("uimm)", "1)", 1);
    // Every hart has the base ISA; `isa` cannot know whether a hart has any other extension.
    let line = 1 + add.lines().position(|l| l.starts_with("enc")).expect("an encoding");
    let place = format!("my.toml:{line}:7");
    let both = "rotxor and add of the base ISA have a common encoding";
    for args in [&["run", "FILE", "--", "true"][..], &["isa", "FILE"], &["kat", "FILE"]] {
        refused(&add, args, &[&place, both, "0001011"]);
    }
    let mul = add.replacen("0000000 rs2", "0000001 rs2", 1);
    let both = format!("rotxor of xrotxor (my.toml:{line}:7) and mul of m have a common encoding");
    let both = both.replace("my.toml", &file.display().to_string());
    refused(&mul, &["run", "FILE", "--", "true"], &[&both, "choose another opcode"]);
    let flag = format!("--isa-file={}", file.display());
    let header = ["header", file.to_str().expect("UTF-8")];
    for args in [[flag.as_str(), "rotxor"], header] {
        let (_, errors) = output(capvec().arg("isa").args(args), 0);
        let warning = "rotxor has an encoding in common with mul: a hart with m cannot have rotxor";
        assert!(errors.contains(&format!("{place}: {warning}")), "{errors}");
    }
    // The operand is not in the semantics.
    std::fs::write(&file, good.replacen("^ rs2", "^ 1", 1)).expect("a file");
    for args in [[flag.as_str(), "rotxor"], header] {
        let (_, errors) = output(capvec().arg("isa").args(args), 0);
        assert!(errors.contains("warning: the semantics of rotxor do not use rs2"), "{errors}");
        assert!(errors.contains(&format!("my.toml:{}:18", line + 1)), "{errors}");
    }
    refused(
        &good,
        &["bench", "--target", "native", "FILE"],
        &["--isa-file: --target native", "sim can"],
    );
    refused(&good, &["kat", "--target", "native", "FILE"], &["--isa-file: --target native"]);
    let (_, errors) = output(capvec().args(["isa", "--isa-file", "/nowhere.toml"]), 2);
    assert!(errors.contains("/nowhere.toml: No such file"), "{errors}");
    let (_, errors) = output(capvec().args(["isa", "--isa-file", "/dev/zero"]), 2);
    assert!(errors.contains("larger than 1 MiB"), "{errors}");
    let line = 1 + good.lines().position(|l| l.starts_with("semantics")).expect("semantics");
    let (before, _) = good.split_once("semantics = ").expect("semantics");
    let place = format!("my.toml:{line}:13");
    refused(
        &format!("{before}semantics = \"\"\n"),
        &["isa", "FILE"],
        &[&place, "has no semantics"],
    );
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
