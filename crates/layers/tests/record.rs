//! The modules of `record` import each other in one direction: what a record says, then what is computed from it, then what is
//! shown.

use capvec_layers::{files, imports};
use std::collections::BTreeSet;
use std::path::Path;

/// The modules. Each may use those that come before it.
const ORDER: [&str; 37] = [
    // The words of a record.
    "arch",
    "kind",
    "subject",
    "method",
    "quotient",
    "configure_options",
    // What a record says.
    "build_manifest",
    "configuration",
    "core",
    "host",
    "region",
    "row",
    "record",
    "sets",
    "testing",
    // What is computed from it, and the files that contain both.
    "derived",
    "evaluated",
    "write",
    "json",
    "best",
    "published",
    "compute",
    "read",
    "join",
    "labels",
    "parts",
    // What is shown.
    "grid",
    "shown",
    "compare",
    "doctor",
    "explored",
    "kat",
    "checked",
    "constant_time",
    "predicted",
    "fitted",
    "view",
];

#[test]
fn modules_use_only_those_before_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../record/src");
    let imports = imports(&files(&root));
    let modules: BTreeSet<&str> =
        imports.keys().filter_map(|m| m.first()).map(String::as_str).collect();
    assert_eq!(modules, ORDER.into_iter().collect());
    let rank = |module: &[String]| {
        ORDER.iter().position(|name| Some(*name) == module.first().map(String::as_str))
    };
    let mut found = Vec::new();
    for (from, others) in &imports {
        // The root only re-exports.
        let Some(own) = rank(from) else { continue };
        let upward = others.iter().filter(|to| rank(to).is_some_and(|rank| rank > own));
        found.extend(upward.map(|to| format!("{} imports {}", from.join("::"), to.join("::"))));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
