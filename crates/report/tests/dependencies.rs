//! Rendering a record links no engine, no sysroot and no kernel.

use std::collections::BTreeSet;
use std::path::Path;

/// The crates of this repository on which a crate depends, directly or not, according to their manifests.
fn needs(name: &str, found: &mut BTreeSet<String>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("Cargo.toml");
    let manifest: toml::Table = std::fs::read_to_string(file).unwrap().parse().unwrap();
    let tables = ["dependencies", "build-dependencies"].into_iter().filter_map(|t| manifest.get(t));
    for dependency in tables.flat_map(|t| t.as_table().unwrap().keys()) {
        let own = dependency.strip_prefix("capvec-");
        if let Some(own) = own.filter(|own| found.insert(own.to_string())) {
            needs(own, found);
        }
    }
}

#[test]
fn report_depends_on_records_and_what_they_need() {
    let mut found = BTreeSet::new();
    needs("report", &mut found);
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["isa", "record", "text", "util"]);
}
