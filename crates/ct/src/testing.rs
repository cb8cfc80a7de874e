//! Findings for the tests of this crate.

use crate::findings::{Finding, Kind, Source, Step};
use capvec_util::testing::is_generated;
use schemars::generate::SchemaSettings;

/// A finding with everything that one can have.
pub fn finding() -> Finding {
    let step = |function: &str, address: u64, line: u32| Step {
        function: function.into(),
        offset: 4,
        object: "/usr/lib/libx.so.1".into(),
        address,
        instruction: "c.beqz a5, 0x1010".into(),
        source: Some(Source { file: "/home/me/src/leak.c".into(), line, column: Some(9) }),
    };
    Finding {
        kind: Kind::Branch,
        at: step("leak", 0x1004, 7),
        count: 3,
        path: ["ct (100)", "main", "leak"].map(String::from).to_vec(),
        secret: "client request".into(),
        chain: vec![step("leak", 0x1000, 6), Step { source: None, ..step("main", 0x900, 0) }],
        left_in: None,
    }
}

/// Tests that `docs/NAME.schema.json` is the schema of a type. `CAPVEC_WRITE=1 cargo test -p capvec-ct schema` writes it.
pub fn schema<T: schemars::JsonSchema>(name: &str, title: &str) {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    schema["title"] = title.into();
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    is_generated(&format!("docs/{name}.schema.json"), &text);
}
