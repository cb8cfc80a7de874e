//! Tests that docs/record.schema.json is the schema of these types, and that records of every target conform to it.

use crate::{Record, read};
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/record.schema.json")
}

fn generated() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<Record>();
    let mut schema = schema.to_value();
    schema["title"] = "record.json of capvec bench".into();
    schema
}

/// What is wrong with a value, by the keywords that the schema uses, and fields that it does not name.
fn check(root: &Value, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let target =
            root.pointer(name.trim_start_matches('#')).expect("the schema refers to itself");
        return check(root, target, value, at, wrong);
    }
    if let Some(any) = schema.get("anyOf").or(schema.get("oneOf")).and_then(Value::as_array) {
        let fits = |s: &&Value| {
            let mut wrong = Vec::new();
            check(root, s, value, at, &mut wrong);
            wrong.is_empty()
        };
        if !any.iter().any(|s| fits(&s)) {
            wrong.push(format!("{at}: {value} fits none of {any:?}"));
        }
        return;
    }
    if let Some(constant) = schema.get("const").filter(|c| *c != value) {
        wrong.push(format!("{at}: {value} is not {constant}"));
    }
    if let Some(names) = schema.get("enum").and_then(Value::as_array).filter(|n| !n.contains(value))
    {
        wrong.push(format!("{at}: {value} is none of {names:?}"));
    }
    let types = match schema.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |t: &&str| match *t {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("the schema has a type {other}"),
    };
    if !types.is_empty() && !types.iter().any(is) {
        wrong.push(format!("{at}: {value} is none of {types:?}"));
    }
    inside(root, schema, value, at, wrong);
}

fn inside(root: &Value, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
        let place = schema.get("prefixItems").and_then(|all| all.get(i));
        if let Some(of) = place.or(schema.get("items")) {
            check(root, of, item, &format!("{at}[{i}]"), wrong);
        }
    }
    let Some(fields) = value.as_object() else { return };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let missing = required.filter_map(Value::as_str).filter(|r| !fields.contains_key(*r));
    wrong.extend(missing.map(|r| format!("{at}: {r} is missing")));
    let others = schema.get("additionalProperties");
    for (name, field) in fields {
        let own = schema.get("properties").and_then(|p| p.get(name));
        match own.or(others) {
            Some(of) => check(root, of, field, &format!("{at}.{name}"), wrong),
            None => wrong.push(format!("{at}: {name} is not in the schema")),
        }
    }
}

/// `CAPVEC_WRITE_SCHEMA=1 cargo test -p capvec-record schema` writes it.
#[test]
fn the_schema_is_that_of_the_types() {
    let text = serde_json::to_string_pretty(&generated()).unwrap() + "\n";
    if std::env::var_os("CAPVEC_WRITE_SCHEMA").is_some() {
        std::fs::write(file(), &text).unwrap();
    }
    let written = std::fs::read_to_string(file()).unwrap();
    assert!(written == text, "docs/record.schema.json differs from the types: see this test");
}

#[test]
fn records_of_every_target_are_as_the_schema_says() {
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(file()).unwrap()).unwrap();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/tests/records");
    let targets =
        ["simulator", "ideal", "native", "qemu-aarch64", "qemu-riscv64", "qemu-x86_64", "ssh"];
    let explained = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/report/plots");
    let files = targets.map(|t| dir.join(format!("{t}.json")));
    for path in files.iter().chain([&explained]) {
        let record = read::load(path).unwrap().record;
        let mut wrong = Vec::new();
        check(&schema, &schema, &serde_json::to_value(&record).unwrap(), "record", &mut wrong);
        assert!(wrong.is_empty(), "{}: {wrong:#?}", path.display());
    }
}

/// Tests the check itself.
#[test]
fn violations_of_the_schema_are_found() {
    let schema = generated();
    let found = |change: &dyn Fn(&mut Value)| {
        let mut value = serde_json::to_value(crate::testing::record()).unwrap();
        change(&mut value);
        let mut wrong = Vec::new();
        check(&schema, &schema, &value, "record", &mut wrong);
        wrong.join("; ")
    };
    assert_eq!(found(&|_| ()), "");
    assert!(found(&|v| v["new"] = 1.into()).contains("new is not in the schema"));
    assert!(found(&|v| v["rows"][1]["vlen"] = "x".into()).contains("record.rows[1].vlen"));
    assert!(found(&|v| v["target"]["kind"] = "guessed".into()).contains("record.target.kind"));
    let gone = |v: &mut Value| drop(v.as_object_mut().unwrap().remove("machine"));
    assert!(found(&gone).contains("machine is missing"));
}
