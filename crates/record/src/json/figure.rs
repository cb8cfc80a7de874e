//! A row and what is computed from it, as one object of the JSON.

use crate::Row;
use crate::evaluated::Figure;
use crate::write::csv::COLUMNS;
use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// What is computed from a row alone; [`crate::Derived`] also needs other rows.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(default))]
pub(crate) struct Rates {
    /// Retired instructions per byte.
    insns_per_byte: Option<f64>,
    /// Cycles per byte, of the same source.
    cycles_per_byte: Option<f64>,
    /// Speed in kB/s (1000 bytes per second): modelled, or from the median time. Computed when the record is read; ignored in input,
    /// except where `openssl speed` stated it and `ops_per_s` is null.
    #[serde(rename = "kBps")]
    kbps: Option<f64>,
    /// The least cycles of an operation in all layouts of memory, if several were measured.
    cycles_per_op_min: Option<f64>,
    /// The most cycles of an operation in all layouts.
    cycles_per_op_max: Option<f64>,
}

impl Rates {
    fn of(row: &Row) -> Rates {
        Rates {
            insns_per_byte: row.insns_per_byte(),
            cycles_per_byte: row.cycles_per_byte(),
            kbps: row.kbps(),
            cycles_per_op_min: row.layouts().map(|[least, _]| least),
            cycles_per_op_max: row.layouts().map(|[_, most]| most),
        }
    }
}

/// The fields of an object.
fn fields<E: Error>(object: &impl Serialize) -> Result<Map<String, Value>, E> {
    match serde_json::to_value(object) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(E::custom("not an object")),
        Err(e) => Err(E::custom(e)),
    }
}

impl Serialize for Figure<'_> {
    /// Facts and computed fields in the order of the CSV's columns.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = fields(self.row)?;
        all.extend(fields::<S::Error>(&Rates::of(self.row))?);
        all.extend(fields::<S::Error>(self.derived)?);
        let mut object = serializer.serialize_map(None)?;
        for name in COLUMNS {
            object.serialize_entry(name, all.get(name).ok_or_else(|| S::Error::custom(name))?)?;
        }
        // Facts that the CSV has no column for, where a row has them. In `all`, the fields of their objects are sorted by name.
        let Row { samples, mix, functions, each, cycles_by_layout, wire_bytes, .. } = self.row;
        if !samples.is_empty() {
            object.serialize_entry("samples", samples)?;
        }
        if !mix.is_empty() {
            object.serialize_entry("mix", mix)?;
        }
        if !functions.is_empty() {
            object.serialize_entry("functions", functions)?;
        }
        if !each.is_empty() {
            object.serialize_entry("each", each)?;
        }
        if !cycles_by_layout.is_empty() {
            object.serialize_entry("cycles_by_layout", cycles_by_layout)?;
        }
        if let Some(bytes) = wire_bytes {
            object.serialize_entry("wire_bytes", bytes)?;
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cost, Derived, FunctionShare};

    /// A field that is neither a column nor added to them would be missing from every file.
    #[test]
    fn every_field_is_written() {
        let row = Row {
            samples: vec![1.0],
            mix: [("alu".into(), 1.0)].into(),
            functions: vec![FunctionShare::default()],
            each: vec![Cost::default()],
            cycles_by_layout: vec![1.0],
            wire_bytes: Some(1.0),
            ..Row::default()
        };
        let figure = Figure { row: &row, derived: &Derived::default() };
        let written = serde_json::to_value(figure).unwrap();
        let of = |value: &Value| value.as_object().unwrap().len();
        let parts = [
            serde_json::to_value(&row).unwrap(),
            serde_json::to_value(Rates::of(&row)).unwrap(),
            serde_json::to_value(Derived::default()).unwrap(),
        ];
        assert_eq!(of(&written), parts.iter().map(of).sum::<usize>());
        let text = serde_json::to_string(&figure).unwrap();
        assert!(text.starts_with("{\"target\":") && text.contains("[{\"name\":\"\",\"insns\":"));
    }
}
