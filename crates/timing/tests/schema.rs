//! docs/core-file.schema.json, by which editors complete and check core files.

use capvec_timing::{Core, Setting};
use capvec_util::testing::is_generated;
use serde_json::{Map, Value, json};

/// Parameters that no shipped core has.
const OTHERS: [(&str, &str); 3] = [("tlb.entries", "32"), ("tlb.ways", "4"), ("tlb.miss", "10")];

/// The schema of values like this one.
fn like(value: &toml::Value) -> Value {
    match value {
        toml::Value::Boolean(_) => json!({ "type": "boolean" }),
        toml::Value::Integer(_) | toml::Value::Float(_) => {
            json!({ "type": "number", "minimum": 0 })
        }
        toml::Value::Array(all) => {
            json!({ "type": "array", "items": all.first().map_or(json!(true), like) })
        }
        toml::Value::Table(table) => {
            let members: Map<String, Value> =
                table.iter().map(|(key, value)| (key.clone(), like(value))).collect();
            json!({ "type": "object", "properties": members, "additionalProperties": false })
        }
        toml::Value::String(_) | toml::Value::Datetime(_) => json!({ "type": "string" }),
    }
}

/// Both, for values of either kind; objects have the members of both.
fn either(a: Value, b: Value) -> Value {
    if a == b {
        return a;
    }
    if a["type"] == "object" && b["type"] == "object" {
        let mut all = a;
        for (key, value) in b["properties"].as_object().into_iter().flatten() {
            all["properties"][key] = value.clone();
        }
        return all;
    }
    json!({ "anyOf": [a, b] })
}

/// Adds a parameter to its table.
fn insert(tables: &mut Map<String, Value>, key: &str, value: Value) {
    let Some((table, rest)) = key.split_once('.') else {
        let known = tables.get(key).map(|old| old["properties"]["value"].clone());
        let value = known.map_or(value.clone(), |old| either(old, value));
        let source = json!({
            "type": "string", "minLength": 1,
            "description": "What states the value; or \"fitted to …\" or \"inferred …\"",
        });
        let parameter = json!({
            "type": "object", "properties": { "value": value, "source": source },
            "required": ["value", "source"], "additionalProperties": false,
        });
        tables.insert(key.into(), parameter);
        return;
    };
    let empty = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    let table = tables.entry(table).or_insert(empty);
    if let Some(inner) = table["properties"].as_object_mut() {
        insert(inner, rest, value);
    }
}

/// `CAPVEC_WRITE=1 cargo test -p capvec-timing schema` writes it.
#[test]
fn the_schema_of_core_files_has_every_parameter() {
    let mut tables = Map::new();
    let others = OTHERS.map(|(key, value)| Setting { key: key.into(), value: value.into() });
    let with_others = Core::load("karu64").unwrap().with(&others).unwrap();
    let shipped = Core::names().map(|name| Core::load(name).unwrap());
    for core in shipped.chain([with_others]) {
        for parameter in &core.parameters {
            insert(&mut tables, &parameter.key, like(&parameter.value));
        }
    }
    let text = |what: &str| json!({ "type": "string", "minLength": 1, "description": what });
    tables.insert("name".into(), text("Name of the core in tables and records"));
    tables.insert("title".into(), text("A short description"));
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A core file of capvec (docs/models.md)",
        "type": "object", "properties": tables, "required": ["name", "title", "core"],
        "additionalProperties": false,
    });
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    is_generated("docs/core-file.schema.json", &text);
}
