//! libcapvec's portable ML-KEM by a compiler of the distribution.

use super::capvec;

#[test]
#[ignore = "compiles for a minute where the store is empty: make test-long"]
fn portable_code_is_measured_next_to_the_kernels_and_remarks_are_kept() {
    let dir = tempfile::tempdir().expect("a directory");
    let remarks = dir.path().join("remarks");
    let args = ["build", "mlkem", "--march", "rv64gcv", "--compiler", "gcc", "--core", "ideal"];
    let out = capvec(&args).arg("--output").arg(&remarks).assert().success();
    let text = String::from_utf8_lossy(&out.get_output().stdout).into_owned();
    for operation in ["keygen", "encaps", "decaps"] {
        let line = text.lines().find(|l| l.contains(operation)).unwrap_or_else(|| panic!("{text}"));
        // Set, operation, the compiler's instructions, cycles and remarks, those of the kernels.
        assert_eq!(line.split_whitespace().count(), 7, "{line}");
        assert!(line.contains("rv64gcv") && !line.contains("–"), "{line}");
    }
    let said = std::fs::read_to_string(remarks.join("gcc-rv64gcv.txt")).expect("remarks");
    assert!(
        said.contains("== mlkem_ntt.c\n") && said.contains("couldn't vectorize loop"),
        "{said}"
    );
}

#[test]
fn an_unknown_isa_is_refused() {
    let out = capvec(&["build", "mlkem", "--march", "rv64gcx"]).assert().code(2);
    let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(text.contains("--march rv64gcx"), "{text}");
}
