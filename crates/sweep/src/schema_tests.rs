//! docs/sweep-file.schema.json, by which editors complete and check the files of sweeps.

use crate::axes::{COMMON, FLAGS};
use capvec_util::testing::is_generated;
use serde_json::{Map, Value, json};

fn each(names: &[&str], schema: &Value) -> Map<String, Value> {
    names.iter().map(|name| ((*name).to_string(), schema.clone())).collect()
}

/// `CAPVEC_WRITE=1 cargo test -p capvec-sweep schema` writes it.
#[test]
fn the_schema_of_sweep_files_has_every_key() {
    let value = json!({ "type": ["string", "number", "boolean"] });
    let list = json!({ "type": "array", "items": value, "minItems": 1 });
    let either = json!({ "anyOf": [value, list] });
    // Parameters of cores are nested: `vector.startup` is `startup` in the table `vector`.
    let parameters = |of: &Value| json!({ "anyOf": [of, { "type": "object", "additionalProperties": { "$ref": "#/$defs/parameters" } }] });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A file of capvec sweep plan (docs/sweeps.md)",
        "type": "object",
        "properties": {
            "axes": {
                "description": "Every combination is a job. Besides flags, parameters of cores can be axes, such as vector.startup",
                "type": "object",
                "properties": each(&FLAGS, &either),
                "additionalProperties": { "type": "object", "additionalProperties": { "$ref": "#/$defs/parameters" } },
            },
            "common": {
                "description": "Flags of every job",
                "type": "object", "properties": each(&COMMON, &either), "additionalProperties": false,
            },
            "exclude": {
                "description": "Combinations that are left out: axes with one or more of their values",
                "type": "array",
                "items": { "type": "object", "additionalProperties": { "$ref": "#/$defs/parameters" }, "minProperties": 1 },
            },
        },
        "required": ["axes"], "additionalProperties": false,
        "$defs": { "parameters": parameters(&either) },
    });
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    is_generated("docs/sweep-file.schema.json", &text);
}
