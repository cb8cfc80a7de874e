//! Tests that docs/scan.schema.json is the schema of [`Report`]. That of the doctor's findings refers to it.

use crate::Report;
use capvec_util::testing::is_generated;
use schemars::generate::SchemaSettings;

/// `CAPVEC_WRITE=1 cargo test -p capvec-binscan schema` writes it.
#[test]
fn the_schema_is_that_of_the_types() {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<Report>().to_value();
    schema["title"] = "scan of a file in the JSON of capvec doctor".into();
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    is_generated("docs/scan.schema.json", &text);
}
