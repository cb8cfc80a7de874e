//! Checks that the documentation quotes published files correctly.

use capvec_text::digits::{self, TIMES};

const MARIAN: &str = include_str!("../../../../published/marian_table1.csv");
const NUCLEI: &str = include_str!("../../../../published/nuclei_cpb.csv");
const AREA: &str = include_str!("../../../../published/marian_area.csv");
const MODELS: &str = include_str!("../../../../docs/models.md");
const RTL: &str = include_str!("../../../../records/rtl.md");

/// The lines of a file, split into fields, without comments and the header.
fn fields(file: &str) -> Vec<Vec<&str>> {
    let lines = super::rows(file);
    lines.map(|l| l.split(',').collect()).collect()
}

/// The field in the column of that name, in the line that begins with this text.
fn field<'a>(file: &'a str, begin: &[&str], column: &str) -> &'a str {
    let head = file.lines().find(|l| !l.starts_with('#')).unwrap();
    let at = head.split(',').position(|c| c == column).unwrap();
    let line = fields(file).into_iter().find(|l| l.starts_with(begin));
    line.unwrap_or_else(|| panic!("no {begin:?}"))[at]
}

/// The cells of the tables in a section of a page, without their headers.
fn cells<'a>(page: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let part = page.split(&format!("\n## {heading}\n")).nth(1).unwrap();
    let part = part.split("\n## ").next().unwrap();
    let lines = part.lines().filter_map(|l| l.strip_prefix('|')?.strip_suffix('|'));
    let lines = lines.map(|l| l.split('|').map(str::trim).collect::<Vec<_>>());
    lines.filter(|l| l[1].starts_with(|c: char| c.is_ascii_digit())).collect()
}

/// "AES128 Zvk, encrypt", "SHA256 reference".
#[test]
fn the_model_of_marian_is_compared_with_what_was_published() {
    let lines = cells(MODELS, "marian");
    assert!(lines.len() >= 13);
    for line in lines {
        let (what, direction) = line[0].split_once(", ").unwrap_or((line[0], "hash"));
        let (algorithm, code) = what.split_once(' ').unwrap();
        let prefix = if code == "Zvk" { "zvk" } else { "ref" };
        let of = |what: &str| field(MARIAN, &[algorithm, direction], &format!("{prefix}_{what}"));
        assert_eq!(line[1..3], [of("instret"), of("cycles")], "{line:?}");
        let ratio =
            |n: usize| line[n].parse::<f64>().unwrap() / line[n - 1].parse::<f64>().unwrap();
        assert_eq!([line[3], line[6]], [2, 5].map(|n| TIMES.text(ratio(n))), "{line:?}");
    }
}

/// "AES-128-CBC encryption, vector": published figures are rounded down.
#[test]
fn the_model_of_the_ux900_is_compared_with_what_was_published() {
    let lines = cells(MODELS, "ux900");
    assert!(lines.len() >= 8);
    for line in lines {
        let (what, code) = line[0].split_once(", ").unwrap();
        let algorithm = what.split(' ').next().unwrap();
        let column = if code == "vector" { "vectorK_ux900" } else { "scalarK_ux900" };
        let cycles: u32 = field(NUCLEI, &[algorithm], column).parse().unwrap();
        assert_eq!(line[1], format!("{cycles} to {}", cycles + 1), "{line:?}");
    }
}

#[test]
fn the_area_of_zvku_stands_next_to_what_was_published() {
    let lines = cells(RTL, "Compared with a published unit");
    let (own, published): (Vec<_>, Vec<_>) = lines.into_iter().partition(|l| l[0] == "`zvku`");
    assert_eq!(published.len(), 4);
    for line in published {
        let module = line[0].strip_prefix("Marian: ").unwrap();
        let area: f64 = field(AREA, &[module], "area_kGE").parse().unwrap();
        assert_eq!(line[1], digits::AREA.text(area), "{module}");
    }
    // The unit's own figures, which precede them on the page.
    let before = RTL.split("\n## ").next().unwrap();
    let unit = before.lines().find(|l| l.starts_with("| `zvku` |")).unwrap();
    assert!(unit.contains(&format!("| {} |", own[0][1])), "{unit}");
}
