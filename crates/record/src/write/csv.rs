//! The CSV of a record: its columns, and the digits of each.

use crate::evaluated::{Evaluated, Figure};
use crate::{RegionRecord, Row};
use Column::{Computed, Fact};
use capvec_text::csv;
use capvec_text::digits::fields;

/// What the fields of a column hold.
#[derive(Clone, Copy)]
enum Column {
    /// A fact.
    Fact(fn(&Row) -> String),
    /// What is computed from facts.
    Computed(fn(Figure) -> String),
}

/// The columns, in order.
const TABLE: [(&str, Column); 35] = [
    ("target", Fact(|r| r.target.clone())),
    ("subject", Fact(|r| r.subject.clone())),
    ("version", Fact(|r| r.version.clone())),
    ("core", Fact(|r| r.core.clone())),
    ("vlen", Fact(|r| r.vlen.to_string())),
    ("case", Fact(|r| r.case.clone())),
    ("algorithm", Fact(|r| r.algorithm.clone())),
    ("direction", Fact(|r| r.direction.clone())),
    ("bytes", Fact(|r| r.bytes.to_string())),
    ("capset", Fact(|r| r.capset.clone())),
    ("capstring", Fact(|r| r.capstring.clone())),
    ("insns_per_op", Fact(|r| fields::PER_OPERATION.field(r.insns_per_op))),
    ("cycles_per_op", Fact(|r| fields::PER_OPERATION.field(r.cycles_per_op))),
    ("insns_per_byte", Computed(|f| fields::PER_BYTE.field(f.insns_per_byte()))),
    ("cycles_per_byte", Computed(|f| fields::PER_BYTE.field(f.cycles_per_byte()))),
    ("kBps", Fact(|r| fields::SPEED.field(r.kbps()))),
    ("speedup", Computed(|f| fields::RATIO.field(f.derived.speedup))),
    ("answers", Fact(|r| r.answers.clone())),
    ("published_kBps", Computed(|f| fields::SPEED.field(f.derived.published_kbps))),
    ("ratio", Computed(|f| fields::RATIO.field(f.derived.ratio))),
    ("ops_per_s", Fact(|r| fields::RATE.field(r.ops_per_s))),
    ("kind", Fact(|r| r.kind.name().into())),
    ("counter", Fact(|r| r.counter.clone())),
    ("ns_per_op", Fact(|r| fields::PER_OPERATION.field(r.ns_per_op))),
    ("mad_percent", Fact(|r| fields::SPREAD.field(r.mad_percent))),
    ("kernel_needs", Computed(|f| f.derived.kernel_needs.clone())),
    (
        "best_published_insns_per_byte",
        Computed(|f| fields::PER_BYTE.field(f.derived.best_published_ipb)),
    ),
    ("over_best_published", Computed(|f| fields::RATIO.field(f.derived.over_best_published))),
    ("estimate_insns_per_byte", Computed(|f| fields::PER_BYTE.field(f.derived.estimate_ipb))),
    ("over_estimate", Computed(|f| fields::RATIO.field(f.derived.over_estimate))),
    ("best_published_source", Computed(|f| f.derived.best_published_source.clone())),
    ("core_digest", Fact(|r| r.core_digest.clone())),
    ("insns_ratio", Computed(|f| fields::RATIO.field(f.derived.insns_ratio))),
    (
        "cycles_per_op_min",
        Computed(|f| fields::PER_OPERATION.field(f.layouts().map(|[least, _]| least))),
    ),
    (
        "cycles_per_op_max",
        Computed(|f| fields::PER_OPERATION.field(f.layouts().map(|[_, most]| most))),
    ),
];

/// Names of the columns of the CSV, in order.
pub const COLUMNS: [&str; TABLE.len()] = {
    let mut names = [""; TABLE.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = TABLE[i].0;
        i += 1;
    }
    names
};

/// The columns of the CSV of regions.
pub const REGION_COLUMNS: [&str; 7] = ["core", "vlen", "capset", "region", "kind", "name", "count"];

/// Whether the column of this name holds facts: readers ignore the others.
pub fn is_fact(name: &str) -> bool {
    TABLE.iter().any(|(own, column)| *own == name && matches!(column, Fact(_)))
}

impl Figure<'_> {
    /// The fields in the order of [`COLUMNS`], with the digits that each has.
    pub fn fields(&self) -> [String; COLUMNS.len()] {
        TABLE.map(|(_, column)| match column {
            Fact(of) => of(self.row),
            Computed(of) => of(*self),
        })
    }
}

impl Evaluated {
    /// The figures as CSV, with a header: after [`COLUMNS`], one column for each parameter that `--set` changed.
    pub fn csv(&self) -> String {
        let keys = self.settings();
        let head: Vec<&str> = COLUMNS.into_iter().chain(keys.iter().copied()).collect();
        let line = |r: Figure| {
            let set = keys.iter().map(|key| self.setting(&r.core, key).to_string());
            let fields = r.fields().into_iter().chain(set).map(|f| csv::field(&f));
            fields.collect::<Vec<_>>().join(",")
        };
        let lines = self.figures().chain(self.speed_figures()).map(line);
        std::iter::once(head.join(",")).chain(lines).map(|l| l + "\n").collect()
    }

    /// What regions executed as CSV, with a header: a line for each count. `None` without regions.
    pub fn regions_csv(&self) -> Option<String> {
        let line = |r: &RegionRecord, kind: &str, name: &str, n: u64| {
            let vlen = r.vlen.to_string();
            let fields = [&r.core, &vlen, &r.capset, &r.region, kind, name].map(csv::field);
            format!("{},{n}\n", fields.join(","))
        };
        let region = |r: &RegionRecord| {
            let all = [("entries", r.entries), ("retired", r.retired), ("cycles", r.cycles)];
            let all = all.map(|(kind, n)| line(r, kind, "", n)).concat();
            r.counts().iter().fold(all, |all, (kind, name, n)| all + &line(r, kind, name, *n))
        };
        let head = REGION_COLUMNS.join(",") + "\n";
        let regions = self.regions.iter().map(region);
        (!self.regions.is_empty()).then(|| std::iter::once(head).chain(regions).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Derived;

    #[test]
    fn a_ratio_of_instructions_is_no_speed_up() {
        let at = |c: &str| COLUMNS.iter().position(|x| *x == c).unwrap();
        let fields = |timed| {
            let mut derived = Derived::default();
            derived.set_ratio(Some(2.0), timed);
            assert_eq!(derived.over_scalar(), Some(2.0));
            let fields = Figure { row: &Row::default(), derived: &derived }.fields();
            ["speedup", "insns_ratio"].map(|c| fields[at(c)].clone())
        };
        assert_eq!(
            (fields(true), fields(false)),
            (["2.000", ""].map(String::from), ["", "2.000"].map(String::from))
        );
    }

    /// Read back by a reader that knows quotes and commas only.
    #[test]
    fn every_field_stays_one_field() {
        let mut row = crate::testing::row("x", "string:a", 64, 1.0);
        row.algorithm = "RSA-2048, PKCS #1 v1.5, SHA-256".into();
        row.capstring = "a\"b".into();
        let figure = Figure { row: &row, derived: &Derived::default() };
        let line = figure.fields().map(|f| csv::field(&f)).join(",");
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
