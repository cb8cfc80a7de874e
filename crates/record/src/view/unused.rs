//! Libraries that do not report what they use of a hart: whether they use any of its extensions is then seen from counts.

use super::calls;
use crate::best::groups;
use crate::{ConfigurationRecord, Kind, Record, Row};
use std::collections::HashSet;

/// The libraries that report nothing and retire the same instructions with every set, in every case. Their sets give the hart
/// different extensions.
pub(super) fn libraries(record: &Record) -> Vec<&str> {
    if record.target.kind != Kind::Modelled || calls::is_own(record) {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let subjects = record.configurations.iter().map(|c| c.subject.as_str());
    let subjects = subjects.filter(|s| !s.is_empty() && seen.insert(*s));
    subjects.filter(|s| uses_nothing(record, s)).collect()
}

fn uses_nothing(record: &Record, subject: &str) -> bool {
    let own = || record.configurations.iter().filter(|c| c.subject == subject);
    let harts: HashSet<&str> = own().map(|c| c.hart.as_str()).collect();
    let silent = own().all(|c: &ConfigurationRecord| c.reports_capabilities == Some(false));
    let rows: Vec<&Row> = record.rows.iter().filter(|r| r.subject == subject).collect();
    // The rows of a group differ only in the capability set.
    let place = |r: &&Row| (r.core.clone(), r.vlen, r.case.clone(), r.direction.clone(), r.bytes);
    let cases = groups(rows.into_iter(), |r| place(r));
    let same = |rows: &Vec<&Row>| {
        let mut counts = rows.iter().map(|r| r.insns_per_op.map(f64::to_bits));
        let first = counts.next().flatten();
        rows.len() > 1 && first.is_some() && counts.all(|n| n == first)
    };
    silent && harts.len() > 1 && !cases.is_empty() && cases.iter().all(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::row;

    fn record(counts: [f64; 2], reports: bool) -> Record {
        let of = |set: &str, hart: &str| ConfigurationRecord {
            subject: "s".into(),
            capset: set.into(),
            hart: hart.into(),
            reports_capabilities: Some(reports),
            ..ConfigurationRecord::default()
        };
        let case = |set: &str, insns: f64| Row { subject: "s".into(), ..row("x", set, 64, insns) };
        let mut record = Record {
            configurations: vec![of("scalar", "rv64gc"), of("auto", "rv64gcv")],
            rows: vec![case("scalar", counts[0]), case("auto", counts[1])],
            ..Record::default()
        };
        record.target.kind = Kind::Modelled;
        record
    }

    #[test]
    fn equal_counts_show_that_a_silent_library_uses_nothing() {
        let found = |record: &Record| libraries(record).len();
        let same = record([640.0, 640.0], false);
        assert_eq!(libraries(&same), ["s"]);
        let findings = crate::view::findings::findings(&same);
        assert!(!findings[0].fails, "{findings:?}");
        assert!(findings[0].text.starts_with("s uses none of the core's extensions"));
        // One case that differs, a library that reports what it uses, a set alone, sets for one hart, and a figure without a count
        // show nothing.
        assert_eq!(found(&record([640.0, 639.0], false)), 0);
        assert_eq!(found(&record([640.0, 640.0], true)), 0);
        let mut alone = record([640.0, 640.0], false);
        alone.rows.pop();
        assert_eq!(found(&alone), 0);
        let mut hart = record([640.0, 640.0], false);
        hart.configurations[1].hart = "rv64gc".into();
        assert_eq!(found(&hart), 0);
        let mut wrong = record([640.0, 640.0], false);
        wrong.rows[1].insns_per_op = None;
        assert_eq!(found(&wrong), 0);
        let mut real = record([640.0, 640.0], false);
        real.target.kind = Kind::Real;
        assert_eq!(found(&real), 0);
    }
}
