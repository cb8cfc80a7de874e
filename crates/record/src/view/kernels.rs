//! The project's kernels compared with stock OpenSSL's, the best published ones and estimates, in retired instructions per byte.

use crate::best::{columns, groups};
use crate::grid::{Grid, Section};
use crate::published::kernels::LONG;
use crate::{Derived, Evaluated, Figure, Row, subject};
use capvec_text::digits::{PEERS, RATIO};

const LEGEND: &str = "\
Retired instructions per byte of the longest messages measured, for whole calls. Each library runs with the set that
takes the fewest, of those that have these extensions. best published and estimate cover loops alone, without set-up
(published/kernels.csv): best published was counted from others' source; the estimate was derived by hand for one way of writing the kernel.
over: the last library's count divided by these; below 1.00 it takes fewer instructions.
";
/// Where there are two sizes.
const LOOP: &str = "\
loop: the cost of each further byte, from the two longest sizes, without the cost of a call.
";

/// The table, if one of the project's libraries was measured on something for which a published kernel or an estimate
/// is known.
pub(super) fn sections(record: &Evaluated) -> Vec<Section> {
    section(record).into_iter().collect()
}

fn section(record: &Evaluated) -> Option<Section> {
    let rows = || record.figures().filter(|r| !r.derived.kernel_needs.is_empty() && r.passed());
    let (subjects, others) = columns(rows().map(|r| r.row.subject.as_str()), "libraries");
    let stock = |s: &&str| *s == subject::OPENSSL || s.starts_with(subject::BUILD);
    if subjects.iter().all(stock) {
        return None;
    }
    let key =
        |r: &Figure| (r.case.clone(), r.direction.clone(), r.derived.kernel_needs.clone(), r.vlen);
    let lines: Vec<Line> = groups(rows().filter(|r| subjects.contains(&r.subject.as_str())), key)
        .iter()
        .filter_map(|g| Line::of(g, &subjects))
        .collect();
    let slopes = lines.iter().any(|l| l.slope.is_some());
    let mut head: Vec<String> =
        ["case", "direction", "extensions", "VLEN", "bytes"].map(String::from).to_vec();
    head.extend(subjects.iter().map(|s| format!("{s}: insns/byte")));
    head.extend(
        ["best published", "over best published", "estimate", "over estimate"].map(String::from),
    );
    if slopes {
        head.extend(["loop", "loop over best published", "loop over estimate"].map(String::from));
    }
    head.push("source of best published".into());
    let body = lines.iter().map(|l| l.cells(slopes)).collect();
    let legend = format!("{LEGEND}{}{others}", if slopes { LOOP } else { "" });
    Some(Section {
        title: "Compared with the best published kernels",
        grid: Grid { head, body },
        legend: legend.into(),
    })
}

/// A line of the table.
struct Line<'a> {
    /// The row of each library, in the order of the columns.
    found: Vec<Option<Figure<'a>>>,
    /// A row of any library, for the cells that all share.
    any: Figure<'a>,
    /// Instructions for each additional byte, for the last library.
    slope: Option<f64>,
}

impl<'a> Line<'a> {
    fn of(rows: &[Figure<'a>], subjects: &[&str]) -> Option<Line<'a>> {
        let longest = rows.iter().map(|r| r.bytes).max()?;
        let fewest = |subject: &&str| {
            let own = rows.iter().copied().filter(|r| r.subject == *subject && r.bytes == longest);
            let cost = |r: &Row| r.insns_per_byte().unwrap_or(f64::INFINITY);
            own.min_by(|a, b| cost(a).total_cmp(&cost(b)))
        };
        let found: Vec<Option<Figure>> = subjects.iter().map(fewest).collect();
        let any = found.iter().copied().flatten().next()?;
        let slope = found.last().copied().flatten().and_then(|last| slope(rows, last));
        Some(Line { found, any, slope })
    }

    fn cells(&self, slopes: bool) -> Vec<String> {
        let any = self.any;
        let words = [&any.case, &any.direction, &any.derived.kernel_needs];
        let mut cells: Vec<String> = words.map(Clone::clone).to_vec();
        cells.extend([any.vlen.to_string(), any.bytes.to_string()]);
        cells.extend(self.found.iter().map(|r| PEERS.show(r.and_then(|r| r.insns_per_byte()))));
        let last = self.found.last().copied().flatten();
        let over = |f: fn(&Derived) -> Option<f64>| RATIO.show(last.and_then(|r| f(r.derived)));
        cells.extend([PEERS.show(any.derived.best_published_ipb), over(|d| d.over_best_published)]);
        cells.extend([PEERS.show(any.derived.estimate_ipb), over(|d| d.over_estimate)]);
        if slopes {
            let ratio = |of: Option<f64>| RATIO.show(self.slope.zip(of).map(|(s, of)| s / of));
            cells.extend([
                PEERS.show(self.slope),
                ratio(any.derived.best_published_ipb),
                ratio(any.derived.estimate_ipb),
            ]);
        }
        cells.push(any.derived.best_published_source.clone());
        cells
    }
}

/// The cost of each additional byte since the next shorter size of the same configuration, if that is long as well.
fn slope(rows: &[Figure], last: Figure) -> Option<f64> {
    let same = |r: &&Figure| r.subject == last.subject && r.capset == last.capset;
    let shorter = rows.iter().filter(same).filter(|r| (LONG..last.bytes).contains(&r.bytes));
    let shorter = shorter.max_by_key(|r| r.bytes)?;
    let more = last.insns_per_op? - shorter.insns_per_op?;
    Some(more / (last.bytes - shorter.bytes) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;

    fn row(subject: &str, set: &str, bytes: usize, insns: f64) -> Row {
        let row = crate::testing::row("aes-128-ctr", set, bytes, insns);
        Row { subject: subject.into(), ..row }
    }

    /// With published figures.
    fn evaluated(rows: &[Row]) -> Evaluated {
        let mut record = Record { rows: rows.to_vec(), ..Record::default() }.evaluate().unwrap();
        for (row, derived) in record.facts.rows.iter().zip(&mut record.derived) {
            let over = |of: f64| row.insns_per_byte().map(|ours| ours / of);
            *derived = Derived {
                kernel_needs: "v_zvkb_zvkned".into(),
                best_published_ipb: Some(0.5),
                over_best_published: over(0.5),
                estimate_ipb: Some(0.25),
                over_estimate: over(0.25),
                best_published_source: "them".into(),
                ..Derived::default()
            };
        }
        record
    }

    #[test]
    fn each_library_is_shown_with_its_cheapest_set_and_ratios_are_for_the_last() {
        let mut rows = vec![
            row("openssl", "auto", 16384, 16384.0),
            row("openssl", "full", 16384, 8192.0),
            row("capvec", "full", 8192, 3072.0),
            row("capvec", "full", 16384, 5120.0),
        ];
        let made = section(&evaluated(&rows)).unwrap();
        // By hand: 5120 / 16384 = 0.3125, and (5120 - 3072) / 8192 = 0.25 for each additional byte.
        let expected = [
            "aes-128-ctr",
            "enc",
            "v_zvkb_zvkned",
            "256",
            "16384",
            "0.5000",
            "0.3125",
            "0.5000",
            "0.62",
        ];
        assert_eq!(made.grid.body[0][..9], expected);
        let rest = ["0.2500", "1.25", "0.2500", "0.50", "1.00", "them"];
        assert_eq!(made.grid.body[0][9..], rest);
        assert_eq!(made.grid.body[0].len(), made.grid.head.len());
        assert!(made.legend.contains("loop:"));
        // One size has no slope.
        rows.remove(2);
        let made = section(&evaluated(&rows)).unwrap();
        assert_eq!(made.grid.body[0].len(), made.grid.head.len());
        assert!(!made.legend.contains("loop:") && !made.grid.head.contains(&"loop".to_string()));
        // OpenSSL alone gives no comparison.
        rows.truncate(2);
        assert!(section(&evaluated(&rows)).is_none());
    }

    #[test]
    fn wrong_and_unknown_rows_are_left_out() {
        let wrong = Row { answers: "wrong".into(), ..row("capvec", "full", 16384, 5120.0) };
        let mut unknown = evaluated(&[wrong, row("capvec", "full", 16384, 5120.0)]);
        unknown.derived[1].kernel_needs.clear();
        assert!(section(&unknown).is_none());
        // An estimate without a published kernel.
        let mut estimate = evaluated(&[row("capvec", "full", 16384, 5120.0)]);
        let derived = &mut estimate.derived[0];
        (derived.best_published_ipb, derived.over_best_published) = (None, None);
        derived.best_published_source.clear();
        let made = section(&estimate).unwrap();
        assert_eq!(made.grid.body[0][6..], ["–", "–", "0.2500", "1.25", ""]);
    }
}
