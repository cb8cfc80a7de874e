//! Faulty files are refused with line, column and remedy.

const GOOD: &str = r#"
ext = "xgood"

[[insn]]
name = "good"
enc = "0000000 rs2 rs1 000 rd 0001011"
args = "rd, rs1, rs2"
class = "alu"
semantics = '''
rd = rs1 + rs2;
'''
"#;

const VECTOR: &str = r#"
ext = "xgoodv"

[[insn]]
name = "vgood.vv"
enc = "000000 vm vs2 vs1 000 vd 0001011"
args = "vd, vs2, vs1, vm"
class = "valu"
semantics = '''
vd = vs1 + vs2;
'''
"#;

fn error(text: &str) -> String {
    match capvec_custom::parse("my.toml", text) {
        Err(error) => error.to_string(),
        Ok(extension) => panic!("{} is accepted:\n{text}", extension.name()),
    }
}

#[track_caller]
fn refused(base: &str, from: &str, to: &str, parts: &[&str]) {
    assert!(base.contains(from), "{from}");
    let message = error(&base.replacen(from, to, 1));
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in:\n{message}");
    }
}

#[test]
fn the_models_are_accepted() {
    for text in [GOOD, VECTOR] {
        assert!(capvec_custom::parse("my.toml", text).is_ok());
    }
}

#[test]
fn names() {
    refused(
        GOOD,
        "xgood",
        "good",
        &["my.toml:2:7", "not the name of a custom extension", "after an x"],
    );
    refused(GOOD, "xgood", "xGood", &["my.toml:2:7"]);
    refused(GOOD, "xgood", "xgood2", &["for a version", "0p1"]);
    refused(GOOD, "xgood", "xcapvecmulq0p1", &["there is an extension xcapvecmulq0p1"]);
    refused(GOOD, "\"good\"", "\"go od\"", &["my.toml:5:8", "not a mnemonic"]);
    refused(GOOD, "\"good\"", "\"go_od\"", &["my.toml:5:8", "not a mnemonic"]);
    refused(GOOD, "\"good\"", "\"double\"", &["my.toml:5:8", "C reserves double"]);
    refused(GOOD, "\"good\"", "\"add\"", &["my.toml:5:8", "an instruction already"]);
    refused(
        GOOD,
        "ext = \"xgood\"",
        "ext = \"xgood\"\nimplies = [\"zbbb\"]",
        &["my.toml:3:12", "zbbb", "did you mean zbb?"],
    );
}

#[test]
fn encodings() {
    refused(GOOD, "0000000 rs2", "000000 rs2", &["my.toml:6:7", "31 bits"]);
    refused(GOOD, "0001011", "0001010", &["lowest two bits"]);
    refused(GOOD, "0001011", "0001001", &["my.toml:6:7", "bits are 01", "compressed", "custom-0"]);
    refused(GOOD, "0001011", "00010 01", &["bits are 01"]);
    refused(GOOD, "0001011", "0011111", &["my.toml:6:7", "more than 32 bits", "custom-0"]);
    refused(
        GOOD,
        "000 rd 0001011",
        "0001011 000 rd",
        &["ends in rd instead of the bits of an opcode"],
    );
    refused(
        GOOD,
        "0001011",
        "0110011",
        &["my.toml:6:7", "good and add of the base ISA", "0001011"],
    );
    refused(GOOD, "rs2 rs1", "rs2 rs4", &["rs4 is neither bits nor an operand", "rd, rs1, rs2"]);
    refused(GOOD, "rs2 rs1", "uimm rs1", &["uimm[4:0]"]);
    refused(GOOD, "rs2 rs1", "uimm[4:0] uimm[4:0]", &["encoded twice"]);
    refused(GOOD, "0000000 rs2", "uimm[300:294] rs2", &["my.toml:6:7"]);
    refused(GOOD, "0000000 rs2", "uimm[255:0] rs2", &["my.toml:6:7"]);
    refused(GOOD, "rd, rs1, rs2", "rd, rs1", &["my.toml:7:8", "args lacks"]);
    refused(GOOD, "rd, rs1, rs2", "rd, rs1, rs2, rs3", &["rs3 is not in the encoding"]);
    refused(GOOD, "rd, rs1, rs2", "rs1, rs2, rd", &["the destination comes first"]);
    refused(GOOD, "rd, rs1, rs2", "rd, rs1, gs2", &["there is no operand gs2"]);
    refused(GOOD, "rd, rs1, rs2", "rd, rs1, fs2", &["fs2 is not in the encoding"]);
    refused(VECTOR, "000000 vm", "vm 000000", &["bit 25"]);
}

#[test]
fn classes_and_costs() {
    refused(GOOD, "\"alu\"", "\"valu\"", &["my.toml:8:9", "valu", "did you mean alu?"]);
    refused(GOOD, "\"alu\"", "\"branch\"", &["alu, mul, div"]);
    refused(GOOD, "\"alu\"", "\"load\"", &["my.toml:8:9", "that access memory", "store(address"]);
    refused(VECTOR, "\"valu\"", "\"vstore\"", &["my.toml:8:9", "that access memory"]);
    refused(GOOD, "rs1 + rs2", "load(rs1, 64)", &["my.toml:8:9", "choose load, store or amo"]);
    refused(VECTOR, "vs1 + vs2", "load(vs1, SEW)", &["my.toml:8:9", "choose vload or vstore"]);
    refused(GOOD, "\"alu\"", "\"alu\"\ncost = { latency = 0 }", &["my.toml:9:8", "latency = 3"]);
    refused(GOOD, "\"alu\"", "\"alu\"\ncost = 3", &["a table such as"]);
    refused(GOOD, "\"alu\"", "\"alu\"\ncost = { occupancy = 2 }", &["latency is missing"]);
    refused(VECTOR, "\"valu\"", "\"vaes\"", &["add group"]);
    refused(GOOD, "\"alu\"", "\"alu\"\ncost = { first = 2 }", &["are for vector instructions"]);
    refused(
        VECTOR,
        "\"valu\"",
        "\"valu\"\ncost = { latency = 2 }",
        &["are for x and f registers", "per = \"beat\""],
    );
    refused(
        VECTOR,
        "\"valu\"",
        "\"valu\"\ncost = { per = \"group\", first = 2 }",
        &["no element groups"],
    );
    refused(VECTOR, "\"valu\"", "\"valu\"\nsew = [16, 24]", &["[8, 16, 32, 64]"]);
    refused(GOOD, "\"alu\"", "\"alu\"\nsew = [16]", &["leave out sew"]);
    refused(GOOD, "\"alu\"", "\"alu\"\nxlen = [128]", &["[32, 64]"]);
    refused(GOOD, "\"alu\"", "\"alu\"\ngroup = 4", &["leave out group"]);
    refused(VECTOR, "\"valu\"", "\"valu\"\ngroup = 4", &["leave out vm"]);
    refused(GOOD, "\"alu\"", "\"alu\"\ninout = [\"rd\"]", &["inout may name vd"]);
    refused(GOOD, "\"alu\"", "\"alu\"\ncolour = 1", &["colour", "my.toml:9:1"]);
}

#[test]
fn masks_and_f_registers() {
    refused(VECTOR, "\"valu\"", "\"valu\"\nmasks = [\"vm\"]", &["my.toml:9:10", "vm is no vector"]);
    refused(VECTOR, "\"valu\"", "\"valu\"\nmasks = [\"vd\"]", &["expected 1 bits", "SEW 8"]);
    refused(VECTOR, "vs1, vm", "vs1, vm, v0", &["vm and v0 at once", "v0 is data"]);
    refused(VECTOR, "000000 vm", "000000 v0", &["my.toml:6:7", "v0 is not encoded"]);
    refused(GOOD, "rd, rs1, rs2", "rd, rs1, rs2, v0", &["has no mask", "leave out vm and v0"]);
    refused(GOOD, "\"alu\"", "\"alu\"\nfmt = \"s\"", &["my.toml:9:7", "no f registers"]);
    let float = GOOD.replace("rs2", "fs2").replace(" rd", " fd").replace("\"rd", "\"fd");
    let float = float.replace("rd =", "fd =").replace("rs1 +", "fs2 +");
    assert!(capvec_custom::parse("my.toml", &float).is_ok());
    refused(&float, "\"alu\"", "\"alu\"\nfmt = \"h\"", &["no such format", "\"s\" or \"d\""]);
    let vector = VECTOR.replace("vs1", "fs1").replace("fs1 + vs2", "vs2");
    assert!(capvec_custom::parse("my.toml", &vector).is_ok());
    refused(&vector, "\"valu\"", "\"valu\"\nsew = [16]", &["my.toml:9:7", "[32, 64]"]);
    refused(&vector, "\"valu\"", "\"valu\"\nfmt = \"s\"", &["f operands have SEW bits"]);
    let scalar = VECTOR.replace("000 vd", "000 fd").replace("\"vd", "\"fd");
    refused(&scalar, "vd = ", "fd = ", &["the class valu does not fit", "vmove-scalar"]);
}

#[test]
fn two_widths_and_results_in_x_registers() {
    refused(VECTOR, "\"valu\"", "\"valu\"\nwide = [\"vm\"]", &["my.toml:9:9", "vm is no vector"]);
    refused(VECTOR, "\"valu\"", "\"valu\"\nwide = [\"vd\"]", &["expected 16 bits", "SEW 8"]);
    let both = "\"valu\"\nwide = [\"vd\"]\nmasks = [\"vd\"]";
    refused(VECTOR, "\"valu\"", both, &["vd is in wide and in masks"]);
    let wide = "\"valu\"\nwide = [\"vd\"]\nsew = [64]";
    refused(VECTOR, "\"valu\"", wide, &["my.toml:10:7", "[8, 16, 32]"]);
    refused(VECTOR, "\"valu\"", "\"valu\"\nstart = 1", &["my.toml:9:9", "leave out start"]);
    refused(GOOD, "\"alu\"", "\"alu\"\nstart = 1", &["leave out start"]);
}

/// Instructions of one file are told apart by their bits.
#[test]
fn two_instructions_with_one_encoding() {
    let second =
        GOOD[GOOD.find("[[insn]]").expect("it is there")..].replace("\"good\"", "\"other\"");
    let message = error(&(GOOD.to_string() + &second));
    assert!(
        message.contains("my.toml:14:7")
            && message.contains("other and good have a common encoding"),
        "{message}"
    );
    let apart = second.replacen("000 rd", "001 rd", 1);
    assert!(capvec_custom::parse("my.toml", &(GOOD.to_string() + &apart)).is_ok());
}

#[test]
fn semantics() {
    // Lines and columns are those of the file.
    refused(GOOD, "rs1 + rs2", "rs1 + rs4", &["my.toml:10:12", "rs4", "(good, XLEN 64)"]);
    refused(GOOD, "rs1 + rs2", "rs1[7..0] + rs2", &["8 bits", "= help: "]);
    refused(GOOD, "rd = rs1 + rs2;", "", &["rd"]);
    refused(VECTOR, "vs1 + vs2", "vs1 + 0x1ff", &["(vgood.vv, SEW 8)", "sew = [16, 32, 64]"]);
    // The help says which widths would do, unless the file has named some, or none would.
    let result = VECTOR.replace("vd, vs2, vs1, vm", "rd, vs2, vs1, vm");
    let result = result.replace("000 vd", "000 rd").replace("valu", "vmove-scalar");
    let sum = "rd += zext(vs1 ^ vs2, XLEN)";
    refused(&result, "vd = vs1 + vs2", sum, &["SEW 64, XLEN 32", "suit it: xlen = [64]"]);
    assert!(!error(&GOOD.replace("rs1 + rs2", "rs1 + 0u8")).contains("restrict"));
    for (class, semantics) in [("\"valu\"\nsew = [8, 16]", "vs1 + 0x1ff"), ("\"valu\"", "vs3")] {
        let text = VECTOR.replace("\"valu\"", class).replace("vs1 + vs2", semantics);
        assert!(!error(&text).contains("restrict"), "{}", error(&text));
    }
}

/// Operands that the semantics do not use are probably a mistake, but an instruction may have them.
#[test]
fn unused_operands_are_warned_of() {
    let warnings = |text: &str| -> Vec<String> {
        let extension = capvec_custom::parse("my.toml", text).expect("a good file");
        extension.warnings().iter().map(|w| w.to_string()).collect()
    };
    assert!(warnings(GOOD).is_empty() && warnings(VECTOR).is_empty());
    let found = warnings(&GOOD.replace("rs1 + rs2", "rs1 + 1"));
    assert_eq!(found.len(), 1, "{found:?}");
    for part in [
        "warning: the semantics of good do not use rs2",
        "my.toml:7:18",
        "\n  |                  ^^^\n",
        "help: use it",
    ] {
        assert!(found[0].contains(part), "{part:?} is not in {}", found[0]);
    }
    // One width that uses it is enough.
    let some = "vd = vs1;\nif SEW == 16 { vd = vs1 + vs2; }";
    assert!(warnings(&VECTOR.replace("vd = vs1 + vs2;", some)).is_empty());
    let masked = VECTOR.replace("000000 vm", "000000 0").replace("vs1, vm", "vs1, v0");
    let found = warnings(&masked);
    assert!(
        found[0].contains("do not use v0") && found[0].contains("leave it out of args"),
        "{found:?}"
    );
    for name in ["xrotxor", "xbutterfly", "xkeccak", "xreach", "xwiden"] {
        let text = std::fs::read_to_string(crate::example(name)).expect("the example");
        assert!(warnings(&text).is_empty(), "{name}");
    }
}

#[test]
fn every_error_is_reported() {
    let text = GOOD.replace("\"alu\"", "\"nope\"").replace("xgood", "good");
    let message = error(&text);
    assert_eq!(message.matches("error: ").count(), 2, "{message}");
}

/// Cutting a file anywhere never panics.
#[test]
fn cut_files_do_not_panic() {
    let path = crate::example("xbutterfly");
    let text = std::fs::read_to_string(path).expect("the example");
    for at in (0..text.len()).step_by(7).filter(|at| text.is_char_boundary(*at)) {
        let _ = capvec_custom::parse("my.toml", &text[..at]);
    }
}
