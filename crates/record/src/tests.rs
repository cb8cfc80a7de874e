//! Tests that the schemas in docs/ are those of these types, and that the documents of tests conform to them.

use crate::json::{Rates, RecordJson};
use crate::testing::schema::violations;
use crate::{COLUMNS, Derived, Row, checked, doctor, explored, fitted, kat, predicted, read};
use capvec_util::testing::is_generated;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// The scan of a file, whose schema is made where its type is, in `binscan`.
#[derive(Default, Serialize, Deserialize)]
struct Scan;

impl JsonSchema for Scan {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Scan".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "$ref": "scan.schema.json" })
    }
}

/// Stands for a row of record.json: the facts, and what is computed from them.
#[derive(Default, Serialize)]
struct FigureJson;

impl JsonSchema for FigureJson {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Row".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut whole = Row::json_schema(generator).to_value();
        whole["description"] = "One measured figure.".into();
        for computed in [Rates::json_schema(generator), Derived::json_schema(generator)] {
            let mut computed = computed.to_value();
            for (name, field) in computed["properties"].as_object_mut().unwrap() {
                whole["properties"][name] = noted(field.take());
            }
            let required = whole["required"].as_array_mut().unwrap();
            required.append(computed["required"].as_array_mut().unwrap());
            required.sort_by_key(|name| COLUMNS.iter().position(|c| name == c));
        }
        whole.try_into().unwrap()
    }
}

/// The schema of a computed field: its description says what readers of records do with the field.
fn noted(mut field: Value) -> Value {
    let text = field["description"].as_str().unwrap();
    if !text.contains("Computed when") {
        let note = "Computed when the record is read; ignored in input.";
        field["description"] = format!("{text} {note}").into();
    }
    field
}

fn generated<T: JsonSchema>(title: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    schema["title"] = title.into();
    schema
}

/// `CAPVEC_WRITE=1 cargo test -p capvec-record -p capvec-binscan schema` writes them.
#[test]
fn the_schemas_are_those_of_the_types() {
    for (name, schema) in [
        ("record", generated::<RecordJson<FigureJson>>("record.json of capvec bench")),
        ("kat", generated::<kat::Record>("kat.json of capvec kat")),
        ("explore", generated::<explored::Explored>("explore.json of capvec explore")),
        ("predicted", generated::<predicted::Predicted>("JSON of capvec cores validate")),
        ("fitted", generated::<fitted::Fitted>("JSON of capvec cores fit")),
        ("checked", generated::<checked::Checked>("JSON of capvec check")),
        ("doctor", generated::<doctor::Record<Scan>>("JSON of capvec doctor")),
    ] {
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        is_generated(&format!("docs/{name}.schema.json"), &text);
    }
}

#[test]
fn records_of_every_target_are_as_the_schema_says() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/tests/records");
    let targets =
        ["simulator", "ideal", "native", "qemu-aarch64", "qemu-riscv64", "qemu-x86_64", "ssh"];
    let explained = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/report/plots");
    let files = targets.map(|t| dir.join(format!("{t}.json")));
    for path in files.iter().chain([&explained]) {
        let record = read::load(path).unwrap().record;
        let wrong = violations("record", &serde_json::to_value(&record).unwrap());
        assert!(wrong.is_empty(), "{}: {wrong:#?}", path.display());
    }
}

/// Tests the check itself.
#[test]
fn violations_of_the_schema_are_found() {
    let found = |change: &dyn Fn(&mut Value)| {
        let mut value = serde_json::to_value(crate::testing::record().evaluate().unwrap()).unwrap();
        change(&mut value);
        violations("record", &value).join("; ")
    };
    assert_eq!(found(&|_| ()), "");
    assert!(found(&|v| v["new"] = 1.into()).contains("new is not in the schema"));
    assert!(found(&|v| v["rows"][1]["vlen"] = "x".into()).contains("record.rows[1].vlen"));
    assert!(found(&|v| v["target"]["kind"] = "guessed".into()).contains("record.target.kind"));
    let gone = |v: &mut Value| drop(v.as_object_mut().unwrap().remove("machine"));
    assert!(found(&gone).contains("machine is missing"));
    // A price is a word, or an object with one field.
    let price = |price: Value| {
        let mut point = serde_json::to_value(explored::Point::default()).unwrap();
        point["price"] = price;
        let points = serde_json::json!({ "points": [point] });
        let mut value = serde_json::to_value(explored::Explored::default()).unwrap();
        value["points"] = points["points"].clone();
        violations("explore", &value).len()
    };
    assert_eq!(price("core".into()), 0);
    assert_eq!(price(serde_json::json!({ "cycles": 4 })), 0);
    assert_eq!(price("cheap".into()), 1);
    assert_eq!(price(serde_json::json!({ "cycles": 4, "more": 1 })), 1);
}
