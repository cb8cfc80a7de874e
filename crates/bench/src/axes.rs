//! Columns that say on what core a line of a table is: the core, its parameters that were set, VLEN, each where it tells lines
//! apart or the core is not as shipped.

use crate::best::several;
use crate::record::{Record, Row};

const MODIFIED: &str = "\
core: in brackets what differs from the shipped core of that name; published figures are not of such a core.
";

/// Such columns.
pub(crate) struct Axes<'a> {
    record: &'a Record,
    cores: bool,
    settings: Vec<&'a str>,
    vlens: bool,
}

impl<'a> Axes<'a> {
    /// Of all rows of a record.
    pub(crate) fn of(record: &'a Record) -> Axes<'a> {
        let base = |r: &Row| Axes::base(record, &r.core).to_string();
        let rows = &record.rows;
        Axes {
            record,
            cores: several(rows, base) || Axes::modified(record),
            settings: record.settings(),
            vlens: several(rows, |r| r.vlen),
        }
    }

    /// Where a table has a column of VLENs of its own.
    pub(crate) fn without_vlen(self) -> Axes<'a> {
        Axes { vlens: false, ..self }
    }

    /// Whether a core's file is not as shipped.
    fn modified(record: &Record) -> bool {
        record.cores.iter().any(|c| c.base != c.name)
    }

    /// A core without what was set for the run.
    fn base<'b>(record: &'b Record, core: &'b str) -> &'b str {
        record.cores.iter().find(|c| c.label == core).map_or(core, |c| &c.base)
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

    /// Those of a core, as rows name it, and a VLEN.
    pub(crate) fn at(&self, core: &str, vlen: u32) -> Vec<String> {
        let base = self.cores.then(|| Axes::base(self.record, core).to_string());
        let set = self.settings.iter().map(|key| self.record.setting(core, key).to_string());
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
        let modified = if Axes::modified(self.record) { MODIFIED } else { "" };
        self.settings.iter().map(line).collect::<String>() + modified
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::CoreRecord;
    use capvec_timing::{Core, Setting};

    const KARU64: &str = include_str!("../../../cores/karu64.toml");

    /// A row on each of these.
    fn record(cores: &[Core]) -> Record {
        let row = |c: &Core| {
            let core = c.identity.label.clone();
            Row { core, ..crate::best::tests::row("x", "scalar", 64, 64.0) }
        };
        Record {
            rows: cores.iter().map(row).collect(),
            cores: cores.iter().map(|c| CoreRecord::of(c).unwrap()).collect(),
            ..Record::default()
        }
    }

    fn with(core: &Core, startup: &str) -> Core {
        core.with(&[Setting { key: "vector.startup".into(), value: startup.into() }]).unwrap()
    }

    fn table(record: &Record) -> (Vec<String>, Vec<Vec<String>>) {
        let axes = Axes::of(record);
        (axes.head(), record.rows.iter().map(|r| axes.cells(r)).collect())
    }

    #[test]
    fn a_shipped_core_has_no_column_and_two_have_one() {
        let (karu64, ideal) = (Core::load("karu64").unwrap(), Core::load("ideal").unwrap());
        assert!(table(&record(std::slice::from_ref(&karu64))).0.is_empty());
        let (head, body) = table(&record(&[karu64, ideal]));
        assert_eq!(head, ["core"]);
        assert_eq!(body, [["karu64"], ["ideal"]]);
    }

    #[test]
    fn a_modified_core_says_so_in_every_line() {
        let text = KARU64.replacen("startup = { value = 7.5", "startup = { value = 4", 1);
        let core = Core::parse("copy.toml", &text).unwrap();
        let one = record(std::slice::from_ref(&core));
        let (head, body) = table(&one);
        assert_eq!((head, &body[0][0]), (vec!["core".to_string()], &one.rows[0].core));
        assert_eq!(body[0], ["karu64 (modified: vector.startup 7.5 → 4)"]);
        assert_eq!(Axes::of(&one).legend(), MODIFIED);
        // What is set besides has its own column.
        let set = core.with(&[Setting { key: "fetch.cycles".into(), value: "8".into() }]).unwrap();
        let (head, body) = table(&record(&[set]));
        assert_eq!(head, ["core", "fetch.cycles"]);
        assert_eq!(body[0], ["karu64 (modified: vector.startup 7.5 → 4)", "8"]);
    }

    #[test]
    fn what_is_set_has_columns_in_tables_and_in_the_csv() {
        let core = Core::load("karu64").unwrap();
        let record = record(&[with(&core, "7.5"), with(&core, "4")]);
        let (head, body) = table(&record);
        assert_eq!(head, ["vector.startup"]);
        assert_eq!(body, [["7.5"], ["4"]]);
        let legend = Axes::of(&record).legend();
        assert!(
            legend.starts_with("vector.startup: ") && legend.contains("karu64 has 7.5"),
            "{legend}"
        );
        let csv = record.csv();
        let mut lines = csv.lines();
        assert!(lines.next().unwrap().ends_with(",insns_ratio,vector.startup"), "{csv}");
        assert!(
            lines.next().unwrap().ends_with(",7.5") && lines.next().unwrap().ends_with(",4"),
            "{csv}"
        );
    }

    /// Records of before there were cores in them.
    #[test]
    fn old_records_stay_readable() {
        let mut old = record(&[Core::load("karu64").unwrap()]);
        old.rows.push(Row { core: "mine".into(), ..old.rows[0].clone() });
        old.cores.clear();
        let text = serde_json::to_string(&old).unwrap();
        assert!(!text.contains("\"cores\""));
        let back: Record = serde_json::from_str(&text).unwrap();
        assert_eq!(table(&back).1, [["karu64"], ["mine"]]);
    }
}
