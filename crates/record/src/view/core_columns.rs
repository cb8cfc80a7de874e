//! Columns that describe the core of a line: the core, its parameters that were set, VLEN; each where lines differ in
//! it, or where the core is not as shipped.

use crate::best::several;
use crate::{CoreRecord, Record, Row};
use std::collections::HashMap;

const MODIFIED: &str = "\
core: the parameters in brackets differ from the shipped core of that name, so published figures do not apply.
";
/// Of a core that [`crate::labels::distinct_cores`] renamed.
const APART: &str = "\
core: the parameters in brackets differ from those of another record's core of that name.
";

type Cores<'a> = HashMap<&'a str, &'a CoreRecord>;

/// Whether the row uses its core's own VLEN, as far as the record says.
fn is_own_vlen(cores: &Cores, row: &Row) -> bool {
    let core = cores.get(row.core.as_str());
    let own = core.and_then(|c| c.parameters.iter().find(|p| p.key == "core.vlen"));
    own.is_none_or(|p| p.value == row.vlen)
}

/// A core without the parameters that were set for the run.
fn base<'b>(cores: &Cores<'b>, core: &'b str) -> &'b str {
    cores.get(core).map_or(core, |c| &c.base)
}

/// The columns.
pub(crate) struct CoreColumns<'a> {
    record: &'a Record,
    /// The cores of the record by their labels: a sweep has thousands.
    by_label: Cores<'a>,
    cores: bool,
    settings: Vec<&'a str>,
    vlens: bool,
}

impl<'a> CoreColumns<'a> {
    /// The columns for all rows of a record.
    pub(crate) fn of(record: &'a Record) -> CoreColumns<'a> {
        let rows = &record.rows;
        let mut by_label = HashMap::new();
        for core in &record.cores {
            by_label.entry(core.label.as_str()).or_insert(core);
        }
        let base = |r: &Row| base(&by_label, &r.core).to_string();
        CoreColumns {
            record,
            cores: several(rows, base) || record.cores.iter().any(|c| c.base != c.name),
            settings: record.settings(),
            vlens: several(rows, |r| r.vlen) || rows.iter().any(|r| !is_own_vlen(&by_label, r)),
            by_label,
        }
    }

    /// For a table that has its own column for VLEN.
    pub(crate) fn without_vlen(self) -> CoreColumns<'a> {
        CoreColumns { vlens: false, ..self }
    }

    /// Names of the columns.
    pub(crate) fn head(&self) -> Vec<String> {
        let core = self.cores.then_some("core");
        let all = core.into_iter().chain(self.settings.iter().copied());
        all.chain(self.vlens.then_some("VLEN")).map(String::from).collect()
    }

    /// Their cells.
    pub(crate) fn cells(&self, row: &Row) -> Vec<String> {
        self.at(&row.core, row.vlen)
    }

    /// The cells for a core, as rows name it, and a VLEN.
    pub(crate) fn at(&self, core: &str, vlen: u32) -> Vec<String> {
        let base = self.cores.then(|| base(&self.by_label, core).to_string());
        let found = self.by_label.get(core);
        let set = self.settings.iter().map(|key| found.map_or("", |c| c.setting(key)).to_string());
        base.into_iter().chain(set).chain(self.vlens.then(|| vlen.to_string())).collect()
    }

    /// What the columns mean.
    pub(crate) fn legend(&self) -> String {
        let line = |key: &&str| {
            let cores = &self.record.cores;
            let mut said: Vec<String> = Vec::new();
            for core in cores {
                let own = core.changes.iter().find(|c| c.key == *key).and_then(|c| c.from.clone());
                let text = own.map(|own| format!("{} has {own}", core.name));
                said.extend(text.filter(|t| !said.contains(t)));
            }
            let has =
                if said.is_empty() { String::new() } else { format!("; {}", said.join(", ")) };
            format!("{key}: parameter of the core model, set for this run{has}.\n")
        };
        let lines = self.settings.iter().map(line).collect::<String>();
        let changed = |c: &CoreRecord| c.base.starts_with(&format!("{} (modified: ", c.name));
        let added = |c: &CoreRecord| c.base != c.name && !changed(c);
        let cores = &self.record.cores;
        let modified = if cores.iter().any(changed) { MODIFIED } else { "" };
        let apart = if cores.iter().any(added) { APART } else { "" };
        lines + modified + apart
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChangeRecord;
    use crate::testing::row;

    /// A core with what its file changed and what was set for the run.
    fn core(name: &str, base: &str, set: &[(&str, &str)]) -> CoreRecord {
        let words: Vec<String> = set.iter().map(|(key, value)| format!("{key} {value}")).collect();
        let label =
            if set.is_empty() { base.into() } else { format!("{base}; {}", words.join(", ")) };
        let change = |(key, value): &(&str, &str)| ChangeRecord {
            key: key.to_string(),
            from: Some("7.5".into()),
            to: Some(value.to_string()),
        };
        CoreRecord {
            name: name.into(),
            label,
            base: base.into(),
            settings: set.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
            changes: set.iter().map(change).collect(),
            ..CoreRecord::default()
        }
    }

    /// A row for each of these cores.
    fn record(cores: &[CoreRecord]) -> Record {
        let row = |c: &CoreRecord| Row { core: c.label.clone(), ..row("x", "scalar", 64, 64.0) };
        Record { rows: cores.iter().map(row).collect(), cores: cores.to_vec(), ..Record::default() }
    }

    fn table(record: &Record) -> (Vec<String>, Vec<Vec<String>>) {
        let axes = CoreColumns::of(record);
        (axes.head(), record.rows.iter().map(|r| axes.cells(r)).collect())
    }

    #[test]
    fn a_shipped_core_has_no_column_and_two_have_one() {
        let (karu64, ideal) = (core("karu64", "karu64", &[]), core("ideal", "ideal", &[]));
        assert!(table(&record(std::slice::from_ref(&karu64))).0.is_empty());
        let (head, body) = table(&record(&[karu64, ideal]));
        assert_eq!(head, ["core"]);
        assert_eq!(body, [["karu64"], ["ideal"]]);
    }

    #[test]
    fn a_modified_core_says_so_in_every_line() {
        let base = "karu64 (modified: vector.startup 7.5 → 4)";
        let one = record(&[core("karu64", base, &[])]);
        let (head, body) = table(&one);
        assert_eq!((head, body), (vec!["core".to_string()], vec![vec![base.to_string()]]));
        assert_eq!(CoreColumns::of(&one).legend(), MODIFIED);
        // A user's own core has no shipped core to differ from.
        let own = "mine (vector.startup 4)";
        let two = record(&[core("mine", own, &[])]);
        assert_eq!(
            (table(&two).1, CoreColumns::of(&two).legend().as_str()),
            (vec![vec![own.into()]], APART)
        );
        // A parameter that is set in addition has its own column.
        let (head, body) = table(&record(&[core("karu64", base, &[("fetch.cycles", "8")])]));
        assert_eq!(head, ["core", "fetch.cycles"]);
        assert_eq!(body[0], [base, "8"]);
    }

    #[test]
    fn settings_have_columns_in_tables_and_in_the_csv() {
        let with = |value: &str| core("karu64", "karu64", &[("vector.startup", value)]);
        let record = record(&[with("8"), with("4")]);
        let (head, body) = table(&record);
        assert_eq!(head, ["vector.startup"]);
        assert_eq!(body, [["8"], ["4"]]);
        let legend = CoreColumns::of(&record).legend();
        assert!(
            legend.starts_with("vector.startup: ") && legend.contains("karu64 has 7.5"),
            "{legend}"
        );
        let csv = record.evaluate().unwrap().csv();
        let mut lines = csv.lines();
        assert!(lines.next().unwrap().ends_with(",cycles_per_op_max,vector.startup"), "{csv}");
        assert!(
            lines.next().unwrap().ends_with(",8") && lines.next().unwrap().ends_with(",4"),
            "{csv}"
        );
    }

    /// Records of versions that did not store cores.
    #[test]
    fn old_records_stay_readable() {
        let mut old = record(&[core("karu64", "karu64", &[])]);
        old.rows.push(Row { core: "mine".into(), ..old.rows[0].clone() });
        old.cores.clear();
        let text = serde_json::to_string(&old.evaluate().unwrap()).unwrap();
        assert!(!text.contains("\"cores\""));
        let back: Record = serde_json::from_str(&text).unwrap();
        assert_eq!(table(&back).1, [["karu64"], ["mine"]]);
    }
}
