//! The post-quantum schemes of libcapvec on harts without an operating system: known answers, and the stack that operations
//! take, which crypto/README.md states.

use crate::bare_build::{For, build_with, run};
use std::fmt::Write;
use std::path::Path;

/// Digests that `crypto/test/bare/pqc.c` prints: for ML-KEM and ML-DSA those of RustCrypto after one run
/// (`cargo test -p capvec-cryptotest --test all accumulated::one -- --nocapture`).
const ANSWERS: [(&str, &str); 6] = [
    ("ML-KEM-512", "4cd74a69f3cfd41986c28687dd9f080123440a88e645fe0ee729035669c0b063"),
    ("ML-KEM-768", "0347e83fb0f72e91afc8ea0fdd1018cbd7a9c10401d6c2f759bb77e553c8ea71"),
    ("ML-KEM-1024", "fc3b1e56d942d359bd9a8d59de911f1075e6a9ff542e72ad7b93340499e9f07e"),
    ("ML-DSA-44", "c52f328d2afa9e9db73e66bbfdbceb9cfd8012c9f2ee909ae4fdd3657488525f"),
    ("ML-DSA-65", "5bc9cbab4195c935a97eef646aa2ebca530ee4936e1da4bf6873d9644fce9d46"),
    ("ML-DSA-87", "bb57b78d4bdbbef359dc850b89766202a7b371ac42256b1110a6ccbfa3c497ca"),
];

/// The same for SLH-DSA: the digest of a public key alone, and that with a signature, too (`SHORT` in
/// crates/cryptotest/tests/accumulated.rs).
const SLHDSA: [(&str, &str, &str); 2] = [
    (
        "SLH-DSA-SHA2-128f",
        "a2be813ecfa57b2ea6b1d7f9fedd96d01025bffd452b0522355f889e6fe43711",
        "d46179c36ae4dd384fcb643197d03072026a863206a1f480f464b063bad78689",
    ),
    (
        "SLH-DSA-SHAKE-128f",
        "0c94bea02f5a496919d325d26226ffbef35514f781fd3bd1ecc90d81d65aa38b",
        "7667d6c57b9131ae95770adcc8c2ca6db56f7c36c59b92d9302e9132e50e6a0e",
    ),
];

/// KiB of stack: of portable C, with V, and of the build for small stacks, with V or not.
const STACK: [(&str, &str, [u32; 3]); 10] = [
    ("ML-KEM", "keygen", [5, 20, 5]),
    ("ML-KEM", "encaps", [7, 19, 7]),
    ("ML-KEM", "decaps", [9, 21, 9]),
    ("ML-DSA", "keygen", [5, 22, 5]),
    ("ML-DSA", "import", [9, 26, 9]),
    ("ML-DSA", "sign", [30, 48, 16]),
    ("ML-DSA", "verify", [13, 13, 13]),
    ("SLH-DSA", "keygen", [5, 13, 5]),
    ("SLH-DSA", "sign", [7, 14, 7]),
    ("SLH-DSA", "verify", [7, 13, 7]),
];

/// What `pqc` prints for a set: its name, operations with their stacks, the digest.
fn check(line: &str, column: usize, long: bool) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let [name, operations @ .., digest] = &words[..] else { panic!("{line}") };
    let known = ANSWERS.iter().find(|a| a.0 == *name).map(|a| a.1);
    let known =
        known.or(SLHDSA.iter().find(|a| a.0 == *name).map(|a| if long { a.2 } else { a.1 }));
    assert_eq!(known, Some(*digest), "{line}");
    for operation in operations {
        let (operation, bytes) = operation.split_once(':').expect(line);
        let row = STACK.iter().find(|r| name.starts_with(r.0) && r.1 == operation).expect(line);
        assert!(bytes.parse::<u32>().expect(line) <= 1024 * row.2[column], "{line}");
    }
    name.to_string()
}

/// Builds and runs the program; if there is no compiler, nothing is checked.
fn checked(dir: &Path, f: &For, isa: &str, small: bool, long: bool) {
    let name = format!("{isa}-{small}");
    let dir = dir.join(&name);
    std::fs::create_dir_all(&dir).expect("a directory");
    let mut arguments = vec![];
    arguments.extend(small.then_some("SMALL_STACK=1"));
    arguments.extend(long.then_some("LONG=1"));
    if build_with(&dir, "test/bare", f, &arguments).is_none() {
        return;
    }
    let column = if small { 2 } else { usize::from(f.caps.contains("gcv")) };
    let text = run(&dir.join("pqc"), isa);
    let names: Vec<String> = text.lines().map(|line| check(line, column, long)).collect();
    assert_eq!(names.len(), ANSWERS.len() + SLHDSA.len(), "{name}: {text}");
}

const RV64: For = For { arch: "rv64gc", abi: "lp64d", caps: "rv64gc" };
const RV64V: For = For { arch: "rv64gc", abi: "lp64d", caps: "rv64gcv_zvkb" };
const RV32: For = For { arch: "rv32imac_zicsr", abi: "ilp32", caps: "rv32imac" };
const RV32_ZBB: For = For { arch: "rv32imac_zicsr_zbb", abi: "ilp32", caps: "rv32imac_zbb" };
const RV32_ZBKB: For = For { arch: "rv32imac_zicsr", abi: "ilp32", caps: "rv32imac_zbkb" };

#[test]
fn post_quantum_schemes_need_no_operating_system() {
    let dir = tempfile::tempdir().expect("a directory");
    checked(dir.path(), &RV64V, "rv64gcv_zvkb", true, false);
    checked(dir.path(), &RV32_ZBKB, "rv32imac_zicsr_zbkb", true, false);
}

#[test]
#[ignore = "takes minutes: signatures of SLH-DSA, and every build"]
fn post_quantum_schemes_have_the_stated_stack_in_every_build() {
    let dir = tempfile::tempdir().expect("a directory");
    for small in [false, true] {
        checked(dir.path(), &RV64, "rv64gc", small, true);
        checked(dir.path(), &RV64V, "rv64gcv_zvkb", small, true);
        checked(dir.path(), &RV32, "rv32imac_zicsr", small, true);
        checked(dir.path(), &RV32_ZBB, "rv32imac_zicsr_zbb", small, true);
        checked(dir.path(), &RV32_ZBKB, "rv32imac_zicsr_zbkb", small, true);
    }
}

/// The table of crypto/README.md has the numbers that are checked here.
#[test]
fn the_stated_stack_is_the_checked_one() {
    let mut table = String::new();
    for (scheme, operation, [c, v, small]) in STACK {
        writeln!(table, "| {scheme} | {operation} | {c} | {v} | {small} |")
            .expect("writing to memory");
    }
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crypto/README.md");
    let text = std::fs::read_to_string(readme).expect("the page");
    assert!(text.contains(&table), "crypto/README.md lacks this table:\n{table}");
}
