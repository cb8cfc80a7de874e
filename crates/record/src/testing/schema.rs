//! Checks documents against the JSON Schemas of docs/, as far as these schemas go.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The directory of the schemas.
fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON")
}

/// What is wrong with a document by `docs/NAME.schema.json`: fields that the schema does not name count as well.
pub fn violations(name: &str, document: &Value) -> Vec<String> {
    let schema = read(&docs().join(format!("{name}.schema.json")));
    let mut wrong = Vec::new();
    check(&schema, &schema, document, name, &mut wrong);
    wrong
}

/// What is wrong with a value, by the keywords that the schema uses, and fields that it does not name.
fn check(root: &Value, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    if *schema == Value::Bool(false) {
        wrong.push(format!("{at}: nothing may be here"));
    }
    match schema.get("$ref").and_then(Value::as_str).map(|name| (name, name.strip_prefix('#'))) {
        Some((_, Some(own))) => {
            let target = root.pointer(own).expect("the schema refers to itself");
            return check(root, target, value, at, wrong);
        }
        Some((file, None)) => {
            let other = read(&docs().join(file));
            return check(&other, &other, value, at, wrong);
        }
        None => {}
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
    // Without a type, such as for the value of a core's parameter, anything may be there.
    if schema.get("type").is_none() && schema.get("properties").is_none() && others.is_none() {
        return;
    }
    for (name, field) in fields {
        let own = schema.get("properties").and_then(|p| p.get(name));
        match own.or(others) {
            Some(of) => check(root, of, field, &format!("{at}.{name}"), wrong),
            None => wrong.push(format!("{at}: {name} is not in the schema")),
        }
    }
}
