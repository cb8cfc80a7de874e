//! Reads `results.csv`: RFC 4180, columns by name.

use super::figures;
use crate::evaluated::Figure;
use crate::quotient::quotient;
use crate::write::csv::{REGION_COLUMNS, is_fact};
use crate::{Derived, Kind, Record, Row, subject};
use anyhow::{Context, Error, Result, bail, ensure};
use capvec_text::csv;
use serde_json::{Map, Value};

/// A cell, converted to the type of the row's field of that name.
fn value(kind: &Value, cell: String) -> Result<Value> {
    if kind.is_string() {
        return Ok(Value::String(cell));
    }
    if cell.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_str(&cell).with_context(|| format!("\"{cell}\" is not a number"))
}

/// The rows of a CSV text, as a record that has nothing else.
///
/// # Errors
/// Names the line and the column.
pub fn parse(text: &str) -> Result<Record> {
    // The fields of a row with their types: those that are not text are numbers, or null.
    let empty = Figure { row: &Row::default(), derived: &Derived::default() };
    let Value::Object(kinds) = serde_json::to_value(empty)? else { bail!("no row") };
    let mut lines = csv::lines(text).map_err(Error::msg)?.into_iter();
    let head = lines.next().unwrap_or_default();
    for needed in ["case", "capset", "bytes"] {
        ensure!(head.iter().any(|h| h == needed), "its first line has no column {needed}");
    }
    let mut record = Record::default();
    // What regions executed may follow: it is no row.
    for (number, line) in lines.take_while(|line| *line != REGION_COLUMNS).enumerate() {
        let at = || format!("line {} of data", number + 1);
        ensure!(line.len() == head.len(), "{}: {} fields, not {}", at(), line.len(), head.len());
        let mut row = Map::new();
        for (name, cell) in head.iter().zip(line) {
            let Some(kind) = kinds.get(name).filter(|_| is_fact(name)) else { continue };
            let value = value(kind, cell).with_context(|| format!("{}, {name}", at()))?;
            // A field of the row without a value keeps its default.
            if !value.is_null() {
                row.insert(name.clone(), value);
            }
        }
        let row: Row = serde_json::from_value(Value::Object(row)).with_context(at)?;
        figures::check(&row).with_context(at)?;
        let rows = if row.subject == subject::SPEED { &mut record.speed } else { &mut record.rows };
        rows.push(row);
    }
    // A CSV describes the target only in its rows.
    if let Some(first) = record.rows.first() {
        record.target.name = first.target.clone();
        record.target.kind = first.kind;
        record.target.counter = first.counter.clone();
    }
    Ok(record)
}

/// From here on, operations per second have more digits than the ratios that are shown.
const MANY: f64 = 1e3;

/// The ratio of a row over the scalar one. A CSV has three decimals of operations per second: for slow ones, cycles or
/// nanoseconds have more digits.
pub fn over_scalar(own: &Row, scalar: &Row) -> Option<f64> {
    // Cycles of a real machine vary with its clock.
    let modelled = own.kind == Kind::Modelled;
    let cost = |r: &Row| if modelled { r.cycles_per_op } else { r.ns_per_op };
    let of_costs = quotient(cost(scalar), cost(own));
    match own.speed().zip(scalar.speed()) {
        Some((own, scalar)) if own.min(scalar) < MANY && of_costs.is_some() => of_costs,
        Some((own, scalar)) => quotient(Some(own), Some(scalar)),
        None if own.speed().or(scalar.speed()).is_some() => None,
        None => quotient(scalar.insns_per_op, own.insns_per_op),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_are_computed_are_ignored() {
        let text = "case,capset,bytes,kBps,speedup,over_bound\nx,full,16384,2,fast,1.250\n";
        assert_eq!(parse(text).unwrap().rows[0].kbps(), Some(2.0));
    }

    #[test]
    fn errors_name_line_and_column() {
        let e = |t: &str| format!("{:#}", parse(t).unwrap_err());
        assert!(e("case,capset\n").contains("no column bytes"));
        let text = "case,capset,bytes,kBps\nx,scalar,16,1.5\nx,scalar,16,fast\n";
        assert!(e(text).contains("line 2 of data, kBps") && e(text).contains("\"fast\""));
        assert!(e("case,capset,bytes\nx,scalar\n").contains("2 fields, not 3"));
        assert!(e("case,capset,bytes,kBps\nx,scalar,16,1e999\n").contains("kBps"));
    }
}
