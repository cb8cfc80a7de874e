//! The CSV of a record: its columns, their former names, the digits of each.

use crate::record::Record;
use crate::row::Row;
use capvec_text::csv;
use capvec_text::digits::field;

/// Columns of the CSV, in order.
pub const COLUMNS: [&str; 33] = [
    "target",
    "subject",
    "version",
    "core",
    "vlen",
    "case",
    "algorithm",
    "direction",
    "bytes",
    "capset",
    "capstring",
    "insns_per_op",
    "cycles_per_op",
    "insns_per_byte",
    "cycles_per_byte",
    "kBps",
    "speedup",
    "answers",
    "published_kBps",
    "ratio",
    "ops_per_s",
    "kind",
    "counter",
    "ns_per_op",
    "mad_percent",
    "kernel_needs",
    "best_published_insns_per_byte",
    "over_best_published",
    "estimate_insns_per_byte",
    "over_estimate",
    "best_published_source",
    "core_digest",
    "insns_ratio",
];

/// Former names of columns, for older files.
const FORMER: [(&str, &str); 5] = [
    ("best_known_insns_per_byte", "best_published_insns_per_byte"),
    ("over_best_known", "over_best_published"),
    ("bound_insns_per_byte", "estimate_insns_per_byte"),
    ("over_bound", "over_estimate"),
    ("best_known_source", "best_published_source"),
];

/// The present name of a column; older files have former ones.
pub fn current(column: &str) -> &str {
    FORMER.iter().find(|(old, _)| *old == column).map_or(column, |(_, new)| new)
}

impl Row {
    /// The fields in the order of [`COLUMNS`], with the digits that each has.
    pub fn fields(&self) -> [String; COLUMNS.len()] {
        [
            self.target.clone(),
            self.subject.clone(),
            self.version.clone(),
            self.core.clone(),
            self.vlen.to_string(),
            self.case.clone(),
            self.algorithm.clone(),
            self.direction.clone(),
            self.bytes.to_string(),
            self.capset.clone(),
            self.capstring.clone(),
            field(self.insns_per_op, 2),
            field(self.cycles_per_op, 2),
            field(self.insns_per_byte, 4),
            field(self.cycles_per_byte, 4),
            field(self.kbps, 1),
            field(self.derived.speedup, 3),
            self.answers.clone(),
            field(self.derived.published_kbps, 1),
            field(self.derived.ratio, 3),
            field(self.ops_per_s, 3),
            self.kind.name().into(),
            self.counter.clone(),
            field(self.ns_per_op, 2),
            field(self.mad_percent, 2),
            self.derived.kernel_needs.clone(),
            field(self.derived.best_published_ipb, 4),
            field(self.derived.over_best_published, 3),
            field(self.derived.estimate_ipb, 4),
            field(self.derived.over_estimate, 3),
            self.derived.best_published_source.clone(),
            self.core_digest.clone(),
            field(self.derived.insns_ratio, 3),
        ]
    }
}

impl Record {
    /// The figures as CSV, with a header: after [`COLUMNS`], one column for each parameter that `--set` changed.
    pub fn csv(&self) -> String {
        let keys = self.settings();
        let head: Vec<&str> = COLUMNS.into_iter().chain(keys.iter().copied()).collect();
        let line = |r: &Row| {
            let set = keys.iter().map(|key| self.setting(&r.core, key).to_string());
            let fields = r.fields().into_iter().chain(set).map(|f| csv::field(&f));
            fields.collect::<Vec<_>>().join(",")
        };
        let lines = self.rows.iter().chain(&self.speed).map(line);
        std::iter::once(head.join(",")).chain(lines).map(|l| l + "\n").collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_older_files_are_found_under_their_present_names() {
        let old = r#"{ "best_known_insns_per_byte": 0.5, "over_best_known": 1.5, "bound_insns_per_byte": 0.25,
            "over_bound": 3.0, "best_known_source": "them" }"#;
        let row: Row = serde_json::from_str(old).unwrap();
        assert_eq!(
            (row.derived.best_published_ipb, row.derived.over_best_published),
            (Some(0.5), Some(1.5))
        );
        assert_eq!((row.derived.estimate_ipb, row.derived.over_estimate), (Some(0.25), Some(3.0)));
        assert_eq!(row.derived.best_published_source, "them");
        assert!(FORMER.iter().all(|(_, new)| COLUMNS.contains(new)));
        assert_eq!((current("over_bound"), current("kBps")), ("over_estimate", "kBps"));
    }

    /// Read back by a reader that knows quotes and commas only.
    #[test]
    fn every_field_stays_one_field() {
        let mut row = crate::testing::row("x", "string:a", 64, 1.0);
        row.algorithm = "RSA-2048, PKCS #1 v1.5, SHA-256".into();
        row.capstring = "a\"b".into();
        let line = row.fields().map(|f| csv::field(&f)).join(",");
        let (mut fields, mut inside) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => inside = !inside,
                ',' if !inside => fields.push(String::new()),
                c => fields.last_mut().unwrap().push(c),
            }
        }
        assert_eq!(fields.len(), COLUMNS.len());
        assert_eq!(fields[6], row.algorithm);
    }
}
