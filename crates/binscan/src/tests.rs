//! Tests that docs/scan.schema.json is the schema of [`Report`]. That of the doctor's findings refers to it.

use crate::Report;
use schemars::generate::SchemaSettings;
use std::path::Path;

/// `CAPVEC_WRITE_SCHEMA=1 cargo test -p capvec-binscan schema` writes it.
#[test]
fn the_schema_is_that_of_the_types() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scan.schema.json");
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<Report>().to_value();
    schema["title"] = "scan of a file in the JSON of capvec doctor".into();
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if std::env::var_os("CAPVEC_WRITE_SCHEMA").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(written == text, "docs/scan.schema.json differs from the types: see this test");
}
