//! Post-quantum operations next to published counts of another library.

use crate::best::{columns, groups};
use crate::grid::{Grid, Section};
use crate::published::pqc::{Published, find};
use crate::{Record, Row};
use anyhow::Result;
use capvec_text::digits::{RATIO, count};

const LEGEND: &str = "\
Retired instructions of an operation (k, M, G: thousands, millions, billions) next to those of BoringSSL's Kyber and Dilithium of
March 2024, at VLEN 256 (published/boringssl_pqc_instret.csv). over: a library's count divided by the published one; below 1.00 it
takes fewer. Standardisation changed details of both schemes. The source says neither how many attempts its signatures took, nor whether
its operations decode the key and expand the matrix, which is done before the measured operations where the library allows it.
";

/// The table, if any row has a published count.
pub(super) fn sections(record: &Record) -> Result<Vec<Section>> {
    let mut found: Vec<&Row> = Vec::new();
    for row in record.rows.iter().filter(|r| r.passed() && r.insns_per_op.is_some()) {
        found.extend(find(row)?.map(|_| row));
    }
    let (subjects, others) = columns(found.iter().map(|r| r.subject.as_str()), "libraries");
    let key = |r: &&Row| (r.case.clone(), r.direction.clone(), r.capset.clone());
    let mut body = Vec::new();
    for rows in groups(found.iter().copied(), key) {
        if let Some(published) = rows.first().map_or(Ok(None), |any| find(any))? {
            body.push(line(&rows, published, &subjects));
        }
    }
    if body.is_empty() {
        return Ok(Vec::new());
    }
    let head = ["case", "operation", "capability set", "published set", "published insns/op"];
    let mut head = head.map(String::from).to_vec();
    head.extend(subjects.iter().flat_map(|s| [format!("{s}: insns/op"), format!("{s}: over")]));
    let (title, legend) = ("Compared with published counts", format!("{LEGEND}{others}").into());
    Ok(vec![Section { title, grid: Grid { head, body }, legend }])
}

/// The line of one operation with one set; at VLENs other than the published one, counts without V are the same.
fn line(rows: &[&Row], published: Published, subjects: &[&str]) -> Vec<String> {
    let of = |f: fn(&Row) -> &String| rows.first().map_or(String::new(), |r| f(r).clone());
    let mut cells = vec![of(|r| &r.case), of(|r| &r.direction), of(|r| &r.capset)];
    cells.extend([published.set.into(), count(Some(published.insns as f64))]);
    for subject in subjects {
        let own = rows.iter().find(|r| r.subject == *subject).and_then(|r| r.insns_per_op);
        let over = own.map(|n| n / published.insns as f64);
        cells.extend([count(own), RATIO.show(over)]);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_library_is_divided_by_the_published_count() {
        let row = |subject: &str, set: &str, vlen, insns: f64| Row {
            subject: subject.into(),
            direction: "keygen".into(),
            vlen,
            ..crate::testing::row("ml-kem-768", set, 64, insns)
        };
        let mut rows = vec![
            row("openssl", "zbb", 128, 1_135_974.0),
            row("capvec", "zbb", 128, 283_993.5),
            row("capvec", "zbb", 256, 1.0),
            row("capvec", "v_zbb_zvbb", 256, 383_341.0),
            row("capvec", "v_zbb_zvbb", 512, 1.0),
        ];
        rows.push(Row { answers: "wrong".into(), ..row("capvec", "scalar", 256, 1.0) });
        let record = Record { rows, ..Record::default() };
        let grid = &sections(&record).unwrap()[0].grid;
        // By hand, from the file: 567987 and 383341.
        let expected = [
            ["ml-kem-768", "keygen", "zbb", "+zbb", "568.0k", "1.136M", "2.00", "284.0k", "0.50"],
            [
                "ml-kem-768",
                "keygen",
                "v_zbb_zvbb",
                "+v_zbb_zvbb",
                "383.3k",
                "–",
                "–",
                "383.3k",
                "1.00",
            ],
        ];
        assert_eq!(grid.body, expected);
        assert_eq!(grid.head.len(), expected[0].len());
        let none = Record { rows: vec![row("openssl", "zba", 256, 1.0)], ..Record::default() };
        assert!(sections(&none).unwrap().is_empty());
    }
}
