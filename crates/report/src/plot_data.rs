//! The data of the plots: every row, in full precision.

use crate::given::Given;
use crate::other_record::OtherRecord;
use anyhow::Result;
use capvec_record::best::best_rows;
use capvec_record::explored::{Explored, Point, Price};
use capvec_record::labels::Vlen;
use capvec_record::parts::{order, parts};
use capvec_record::read::Loaded;
use capvec_record::view::speed_unit::SpeedUnit;
use capvec_record::{COLUMNS, Derived, Figure, Row};
use capvec_text::digits::{
    AGREEMENT, BARS, PERCENT, PLOT_SIGNIFICANT, PLOT_TABLE_SIGNIFICANT, Rule, size,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};

/// Texts, each stored once and referred to by number: a record repeats a few of them thousands of times.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    places: HashMap<String, usize>,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        if let Some(n) = self.places.get(text) {
            return *n;
        }
        let n = self.list.len();
        self.list.push(text.to_string());
        self.places.insert(text.to_string(), n);
        n
    }
}

/// The columns of a row: those of the CSV in their order, then those that occur only in JSON.
fn columns(row: &Map<String, Value>) -> Vec<String> {
    let known = COLUMNS.iter().filter(|c| row.contains_key(**c)).map(|c| c.to_string());
    let others = row.keys().filter(|k| !COLUMNS.contains(&k.as_str())).cloned();
    known.chain(others).collect()
}

fn object(row: Figure) -> Result<Map<String, Value>> {
    match serde_json::to_value(row)? {
        Value::Object(row) => Ok(row),
        _ => anyhow::bail!("a row is an object"),
    }
}

/// Everything for the script: `columns`, `text` (which columns hold texts), `texts`, `rows` (the run, then the columns; texts
/// by number), `labels` (for each row, the numbers of two labels: where records differ in VLEN, one names the row's own VLEN
/// and the other all VLENs of its record), `best` (indices into `rows`), `mixes` (indices, with instructions by class),
/// `divided` (indices, with cycles by part), `parts` (all parts in their order), `settings` (indices, with the core and the
/// parameters that were set), `runs` (names), `sizes` (names for numbers of bytes), `speed` (the unit of all speeds),
/// `explored` (the gains of explorations), `given` (the figures that the user gave, or null), `digits` (the rules of digits).
pub fn data(runs: &[Loaded], others: &[OtherRecord], given: Option<&Given>) -> Result<Value> {
    let mut texts = Texts::default();
    let blank = object(Figure { row: &Row::default(), derived: &Derived::default() })?;
    let columns = columns(&blank);
    let (mut rows, mut best) = (Vec::new(), Vec::new());
    let mut mixes: Vec<(usize, &BTreeMap<String, f64>)> = Vec::new();
    let mut divided: Vec<(usize, Map<String, Value>)> = Vec::new();
    let mut settings = Vec::new();
    let known = crate::labels(runs);
    let mut labels: Vec<[usize; 2]> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        best.extend(best_rows(&run.record).iter().map(|i| i + rows.len()));
        for row in run.record.figures().chain(run.record.speed_figures()) {
            let own: Map<String, Value> =
                parts(&row).iter().map(|p| (p.name.into(), json!(p.cycles))).collect();
            divided.extend((!own.is_empty()).then_some((rows.len(), own)));
            mixes.extend((!row.mix.is_empty()).then_some((rows.len(), &row.row.mix)));
            let (base, set) = set(run, &row);
            let wanted = given.is_some() || !set.is_empty();
            settings.extend(wanted.then(|| json!([rows.len(), base, set])));
            let label = |vlen| texts.number(&known.row(number, &run.record, &row, vlen));
            labels.push([Vlen::Row, Vlen::Record].map(label));
            let row = object(row)?;
            let cell = |c: &String| match row.get(c) {
                Some(Value::String(text)) => json!(texts.number(text)),
                Some(other) => other.clone(),
                None => Value::Null,
            };
            let cells = columns.iter().map(cell);
            rows.push(std::iter::once(json!(number)).collect::<Vec<_>>());
            let cells: Vec<Value> = cells.collect();
            rows.last_mut().into_iter().for_each(|r| r.extend(cells.iter().cloned()));
        }
    }
    let text: Vec<bool> =
        columns.iter().map(|c| blank.get(c).is_some_and(Value::is_string)).collect();
    let all = || runs.iter().flat_map(|run| &run.record.rows);
    let unit = SpeedUnit::of(all().map(|r| r.kbps()));
    let sizes: BTreeMap<usize, String> = all().map(|r| (r.bytes, size(r.bytes))).collect();
    let names: Vec<&str> = runs.iter().map(|r| r.name.as_str()).collect();
    Ok(json!({
        "columns": columns, "text": text, "texts": texts.list, "rows": rows, "best": best, "mixes": mixes,
        "divided": divided, "settings": settings, "parts": order().collect::<Vec<_>>(), "runs": names, "labels": labels, "sizes": sizes, "speed": { "name": unit.name, "by": unit.by() }, "explored": gains(others),
        "given": given.map(Given::data),
        "digits": digits(),
    }))
}

/// The core of a row and the parameters that were set.
fn set(run: &Loaded, row: &Figure<'_>) -> (String, BTreeMap<String, String>) {
    match run.record.cores.iter().find(|c| c.label == row.core) {
        Some(core) => (core.base.clone(), core.settings.iter().cloned().collect()),
        // A CSV describes no cores.
        None => (row.core.clone(), BTreeMap::new()),
    }
}

/// The rules by which the page's scripts format figures: `assets/digits.js`.
fn digits() -> Value {
    let rule = |rule: &Rule| json!({ "below": rule.below(), "rest": rule.rest() });
    json!({
        "bars": rule(&BARS), "percent": rule(&PERCENT), "predicted": rule(&AGREEMENT),
        "figure": PLOT_SIGNIFICANT, "table": PLOT_TABLE_SIGNIFICANT,
    })
}

/// The gains of all explorations, each with what was measured.
fn gains(others: &[OtherRecord]) -> Vec<Value> {
    let explored = others.iter().filter_map(|f| Some((f, f.explored()?)));
    let gain = |(run, e, (p, gain)): (&str, &Explored, (&Point, f64))| {
        let cycles = match p.price {
            Price::Core => json!("core"),
            Price::Free => json!("free"),
            Price::Cycles(n) => json!(n),
        };
        json!({
            "where": run, "core": e.core, "subject": e.subject, "own": e.vlen, "capset": p.with, "case": p.case,
            "direction": p.direction, "bytes": p.bytes, "vlen": p.vlen, "price": cycles, "gain": gain,
        })
    };
    let all = explored.flat_map(|(f, e)| e.gains().into_iter().map(move |g| (&*f.name, e, g)));
    all.map(gain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_there_to_the_last_bit() {
        let record = capvec_record::testing::record().evaluate().unwrap();
        let run = Loaded { name: "x".into(), record };
        let data = data(std::slice::from_ref(&run), &[], None).unwrap();
        let text = crate::embed::json(&data);
        let back: Value = serde_json::from_str(&text).unwrap();
        let place =
            |c: &str| 1 + back["columns"].as_array().unwrap().iter().position(|x| x == c).unwrap();
        for (i, row) in run.record.rows.iter().enumerate() {
            let cells = &back["rows"][i];
            assert_eq!(cells[place("cycles_per_op")].as_f64(), row.cycles_per_op);
            assert_eq!(cells[place("kBps")].as_f64(), row.kbps());
            let set = cells[place("capset")].as_u64().unwrap() as usize;
            assert_eq!(back["texts"][set], row.capset.as_str());
        }
        // By hand: for each case, the set with most operations per second.
        assert_eq!(back["best"], json!([1, 3]));
    }
}
