//! docs/kernels.md is generated from what libcapvec's dispatch reports in the simulator, and compared with what it selects
//! there.

use crate::bare_build::{For, build, run};
use capvec_bench::capset::CapSet;
use capvec_bench::run::{Configuration, Runner};
use capvec_guest_tests::TABLE;
use capvec_targets::SubjectName;
use capvec_targets::backend::Work;
use capvec_timing::Core;
use std::path::Path;

/// Capability sets with which the dispatch reports its choice.
const SETS: [&str; 15] = [
    "scalar",
    "string:rv64gc_zbb",
    "string:rv64gc_zbb_zbkb_zbkc_zknd_zkne",
    "string:rv64gc_zbb_zknh_zksh",
    "string:rv64gc_v",
    "string:rv64gc_v_zbb_zvkned_zvknha",
    "string:rv64gc_v_zvkb_zvbc_zknd_zkne_zksed_zbkb",
    "string:rv64gc_v_zvksed_zvkb_zvksh",
    "zvkk0p2024",
    "zvknhk0p1",
    "zbb_zvkb_zvknhk0p2",
    "v_zvkg_zvkgs0p7",
    "v_zvkb_zvbc32e0p7",
    "v_xcapvecmulq0p1",
    "full",
];

const HEAD: &str = "\
# Kernels of libcapvec

This page says which code serves which operation on 64-bit RISC-V. From each row, the dispatch takes the first kernel whose extensions the
hart has. The page is generated from the dispatch itself (`crypto/src/dispatch.c` and `crypto/native/riscv64/backends.c`, as
reported by `crypto/test/guest/table.c` in the simulator). `cargo test -p capvec --test cli kernels::` fails if page and dispatch
disagree, and says how to regenerate the page.

The kernel NAME is in `crypto/native/riscv64/NAME.S`, or in a file whose name begins with NAME. *C over others* means that the mode has no
kernel of its own, but C code that calls the kernels of other operations: those of CTR and GHASH for GCM, mostly those of ECB otherwise.
Modes that are not listed are always C: OFB calls CBC; CCM calls CTR and CBC-MAC; SLH-DSA calls the hash functions. ChaCha20 uses its
vector kernels from 1, 2 or 3 blocks on, depending on the extensions. Poly1305 uses its vector kernel only where VLEN is 512 or more, from
96 blocks on: with the shorter registers of karu64 and ux900 it takes more cycles than the other kernels. Shorter messages use the other
kernels at every VLEN. These defaults are within 10 % of the best on karu64, marian and ux900 with their own extensions and VLEN, but not
on `ideal`, where every instruction takes one cycle. `cv_tune` (`crypto/include/capvec.h`), or CAPVEC_TUNE=1 in the environment, measures
where vectors pay off and chooses accordingly. `capvec bench` sets this variable, so it measures the better choice on every core.

| operation | kernels: extensions |
|---|---|
";

const RV32: &str = "
## 32-bit RISC-V

This is the same table for `crypto/native/riscv32/backends.c`, as reported by `crypto/test/bare/table_bare.c` on a bare hart. Kernels are
in `crypto/native/riscv32/NAME.c`. All other operations are C.

| operation | kernels: extensions |
|---|---|
";

/// A backend of the dispatch: the extensions that it needs, its operations, its name.
struct Backend {
    needs: String,
    fields: Vec<String>,
    name: String,
}

/// What the library reports for one set.
#[derive(Default)]
struct Answer {
    caps: Vec<String>,
    backends: Vec<Backend>,
    /// Fields, each with the name of the backend that serves it.
    used: Vec<(String, String)>,
}

/// Parses lines in the format of `crypto/test/guest/table.h`.
fn answers(text: &str) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    for line in text.lines() {
        let (left, name) = line.split_once(" = ").unwrap();
        let mut words = left.split(' ').map(String::from);
        let first = words.next().unwrap();
        if first == "caps" {
            answers.push(Answer {
                caps: name.split('_').map(String::from).collect(),
                ..Answer::default()
            });
            continue;
        }
        let answer = answers.last_mut().unwrap();
        let second = words.next().unwrap();
        match first.as_str() {
            "backend" => answer.backends.push(Backend {
                needs: second,
                fields: words.collect(),
                name: name.into(),
            }),
            _ => answer.used.push((second, name.into())),
        }
    }
    answers
}

/// The answers of the 64-bit library for each of [`SETS`]; the last set has all extensions.
fn rv64() -> Vec<Answer> {
    let core = Core::load("ideal").unwrap();
    let programs = &[TABLE];
    let runner =
        Runner::of(&SubjectName::Capvec, core.clone(), "trixie-riscv64", programs, &mut |_| ());
    let runner = runner.unwrap();
    let ask = |set: &&str| {
        let capset = CapSet::parse(set, &core.isa).unwrap();
        let work = Work::driver(TABLE, String::new());
        let text = runner.run(&Configuration::new(256, capset), work).unwrap().stdout;
        answers(&text).pop().unwrap()
    };
    SETS.iter().map(ask).collect()
}

/// The answers of the 32-bit library for the sets that its test program knows; the last set has all extensions. `None` if
/// no compiler here can build it.
fn rv32() -> Option<Vec<Answer>> {
    let f = For { arch: "rv32imac_zicsr", abi: "ilp32", caps: "rv32imac_zicsr" };
    let dir = build("test/bare", &f)?;
    Some(answers(&run(&dir.join("table"), "rv32imac_zicsr")))
}

/// Asserts that each operation is served by the last backend that has it and whose extensions are available.
fn assert_best(answers: &[Answer]) {
    assert!(answers.len() > 8);
    for Answer { caps, backends, used } in answers {
        let has = |b: &&Backend| b.needs.split('_').all(|n| caps.iter().any(|c| c == n));
        for (field, name) in used {
            let best = backends.iter().rev().filter(has).find(|b| b.fields.contains(field));
            let wanted = best.map_or("portable", |b| &b.name);
            assert_eq!(name, wanted, "{caps:?}: {field}");
        }
    }
}

/// The file of a backend that serves a field. A backend's name lists all its files, and a file's name begins with its
/// field or table.
fn file(backend: &str, field: &str) -> String {
    let (table, field) = field.split_once('.').unwrap();
    let own = |f: &&str| [table, field].iter().any(|p| f.starts_with(&format!("{p}_")));
    // For the field keccak_many, the file keccak_many_… comes before keccak_…; for mlkem.multiply, mlkem_multiply_….
    let mut files: Vec<&str> = backend.split(", ").filter(own).collect();
    let named = |f: &str| {
        [field, &format!("{table}_{field}")].iter().any(|p| f.starts_with(&format!("{p}_")))
    };
    files.sort_by_key(|f| !named(f));
    files.first().copied().unwrap_or(backend).into()
}

fn lattice_scheme(table: &str) -> &str {
    if table == "mlkem" { "ML-KEM" } else { "ML-DSA" }
}

/// What an operation of ML-KEM or ML-DSA does.
fn lattice(field: &str) -> String {
    match field {
        "ntt" => "NTT".into(),
        "inverse" => "inverse NTT".into(),
        "multiply" => "products in the NTT domain".into(),
        "reject" => "rejection sampling".into(),
        "reject_small" => "rejection sampling of small coefficients".into(),
        "same" => "comparison of ciphertexts".into(),
        "add_reduced" => "add and reduce".into(),
        "cbd2" | "cbd3" => format!("binomial sampling, η = {}", &field[3..]),
        _ => field.replace('_', " "),
    }
}

/// The name by which a user knows the operation.
fn operation(field: &str) -> String {
    let (table, field) = field.split_once('.').unwrap();
    let cipher = table.to_uppercase();
    let direction = |what: &str| {
        what.replace("_encrypt", ", encryption")
            .replace("_decrypt", ", decryption")
            .replace('_', "-")
    };
    match (table, field) {
        ("aes" | "sm4", "expand") => format!("{cipher}, key expansion"),
        ("aes" | "sm4", "ctr32") => format!("{cipher}-CTR"),
        ("aes" | "sm4", "mac") => format!("{cipher}, CBC-MAC (CMAC, CCM)"),
        ("aes" | "sm4", mode) => {
            let (mode, way) = mode.rsplit_once('_').unwrap();
            format!("{cipher}-{}", mode.to_uppercase().replace("_GB", " of GB/T 17964"))
                + &direction(&format!("_{way}"))
        }
        ("ghash", _) => "GHASH (GCM, GMAC)".into(),
        ("hash", "sha1") => "SHA-1".into(),
        ("hash", "sha256") => "SHA-224, SHA-256".into(),
        ("hash", "sha512") => "SHA-384, SHA-512, SHA-512/224, SHA-512/256".into(),
        ("hash", "sm3") => "SM3".into(),
        ("hash", "keccak") => "SHA-3, SHAKE, cSHAKE, KMAC".into(),
        ("hash", "keccak_squeeze") => "SHAKE, cSHAKE, KMAC: further blocks of output".into(),
        ("hash", "keccak_many") => "SHA-3 and SHAKE of many messages".into(),
        ("hash", "keccak_extract") => "SHA-3 and SHAKE of many messages: output".into(),
        ("chacha", "chacha20") => "ChaCha20".into(),
        ("chacha", "poly1305") => "Poly1305".into(),
        ("mlkem" | "mldsa", field) => format!("{}, {}", lattice_scheme(table), lattice(field)),
        other => panic!("{other:?} has no name in the table: give it one"),
    }
}

/// Whether the operation is built on other operations where it has no kernel.
fn is_mode(field: &str) -> bool {
    let (table, field) = field.split_once('.').unwrap();
    let mode = ["aes", "sm4"].contains(&table) && field != "expand" && !field.starts_with("ecb_");
    mode || ["keccak_many", "keccak_squeeze"].contains(&field)
}

/// The line of an operation, and whether any kernel serves it.
fn line(backends: &[Backend], field: &str) -> (String, bool) {
    let serving = backends.iter().rev().filter(|b| b.fields.iter().any(|f| f == field));
    let mut kernels: Vec<String> = serving
        .map(|b| format!("`{}`: {}", file(&b.name, field), b.needs.replace('_', ", ")))
        .collect();
    let any = !kernels.is_empty();
    kernels.push(if is_mode(field) { "C over others" } else { "portable C" }.into());
    (format!("| {} | {} |\n", operation(field), kernels.join("; ")), any)
}

/// The table of all operations.
fn table64(answer: &Answer) -> String {
    let lines = answer.used.iter().map(|(field, _)| line(&answer.backends, field).0);
    HEAD.to_string() + &lines.collect::<String>()
}

/// The table of operations that have kernels.
fn table32(answer: &Answer) -> String {
    let lines = answer.used.iter().map(|(field, _)| line(&answer.backends, field));
    RV32.to_string() + &lines.filter(|(_, any)| *any).map(|(l, _)| l).collect::<String>()
}

#[test]
fn the_page_agrees_with_the_dispatch() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/kernels.md");
    let current = std::fs::read_to_string(&path).unwrap_or_default();
    let rv64 = rv64();
    assert_best(&rv64);
    let mut page = table64(rv64.last().unwrap());
    match rv32() {
        Some(rv32) => {
            assert_best(&rv32);
            page += &table32(rv32.last().unwrap());
        }
        // Without a compiler, this part of the page is not checked.
        None => page.extend(current.find(RV32).map(|at| &current[at..])),
    }
    if std::env::var_os("CAPVEC_WRITE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
        return;
    }
    assert!(
        current == page,
        "docs/kernels.md differs from what the dispatch reports: \
        run CAPVEC_WRITE_DOCS=1 cargo test -p capvec --test cli kernels:: to write it anew"
    );
}
