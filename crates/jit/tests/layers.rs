//! The modules of this crate import each other in one direction: its files and folders only as listed here, the files of a
//! folder without circles.

use capvec_layers::{differences, files, imports};
use std::path::Path;

/// The modules of the crate, each with those that it imports, all of which come before it. `native` exports the code generator of
/// this host; here it stands for `a64`, which it names first.
const CRATE: [(&str, &[&str]); 18] = [
    ("host_features", &[]),
    ("options", &["host_features"]),
    ("access", &[]),
    ("timed", &["access"]),
    ("interface", &["access", "timed"]),
    ("a64", &["access", "host_features", "interface", "options", "timed"]),
    ("x64", &["access", "host_features", "interface", "options", "timed"]),
    ("native", &[]),
    ("small", &[]),
    ("block", &["access", "interface", "small", "timed"]),
    ("space", &["block", "interface", "small", "timed"]),
    ("tally", &["space"]),
    ("trace_path", &["block", "interface", "space"]),
    ("kept", &["host_features", "interface"]),
    ("sets", &[]),
    (
        "engine",
        &[
            "block",
            "interface",
            "kept",
            "options",
            "sets",
            "space",
            "tally",
            "timed",
            "trace_path",
            "a64",
        ],
    ),
    ("of_program", &["engine", "kept", "options"]),
    ("both", &[]),
];

/// The same for the folders of the code generator for x86-64.
const X64: [(&str, &[&str]); 10] = [
    ("asm", &[]),
    ("runtime", &["asm"]),
    ("vector_plan", &["asm"]),
    ("analysis", &["runtime", "vector_plan"]),
    ("emit", &["analysis", "asm", "runtime"]),
    ("scalar", &["analysis", "asm", "emit", "runtime"]),
    ("vector", &["asm", "emit", "runtime", "vector_plan"]),
    ("cycles", &["asm", "emit", "runtime"]),
    ("border", &["asm", "cycles", "emit", "runtime"]),
    (
        "translate",
        &["analysis", "asm", "cycles", "emit", "runtime", "scalar", "vector", "vector_plan"],
    ),
];

/// The same for those of the code generator for AArch64.
const A64: [(&str, &[&str]); 7] = [
    ("asm", &[]),
    ("registers", &["asm"]),
    ("border", &["asm", "registers"]),
    ("emitter", &["asm", "registers"]),
    ("scalar", &["asm", "emitter", "registers"]),
    ("vector", &["asm", "emitter", "registers"]),
    ("translate", &["asm", "border", "emitter", "registers", "scalar", "vector"]),
];

#[test]
fn imports_run_one_way() {
    let imports = imports(&files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")));
    let found = [
        differences(&imports, &[], &CRATE),
        differences(&imports, &["x64"], &X64),
        differences(&imports, &["a64"], &A64),
    ]
    .concat();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
