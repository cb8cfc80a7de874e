//! Builds of the library next to each other, size by size.

use crate::best::{columns, groups};
use crate::grid::{Grid, Section};
use crate::published::arm64::{self, Arm64};
use crate::view::speed_unit::SpeedUnit;
use crate::{Kind, Manifest, Record, Row, subject};
use anyhow::Result;
use capvec_text::digits::{BUILDS, PERCENT, RATIO, size};

/// The meaning of the lines, where instructions are counted.
const EMULATED: &str = "\
Builds next to each other, without capability masks: insns/byte, retired instructions, exact.
ratio: instructions of the last one over those of the first. Emulated: a ratio of instructions is not a ratio of times.
";
/// The same for times.
const REAL: &str = "\
Builds next to each other, without capability masks: kB/s (1000 bytes/s) of the median time.
ratio: speed of the first one over that of the last.
";
/// The meaning of the published table.
const PUBLISHED: &str = "\
AES-128-CBC as published: kB/s of a Cortex-A76, OpenSSL 3.0.9 (published/arm64_openssl.csv). Both of its builds are at -O0, which slows C code and
leaves assembly as it is: the ratio includes that.
";

fn value(r: &Row) -> Option<f64> {
    if r.kind == Kind::Emulated { r.insns_per_byte() } else { r.kbps() }
}

fn ratio(first: Option<f64>, last: Option<f64>, kind: Kind) -> Option<f64> {
    let (first, last) = (first?, last?);
    let (more, less) = if kind == Kind::Emulated { (last, first) } else { (first, last) };
    (less > 0.0).then(|| more / less)
}

/// The comparison, if there is more than one subject, and what was published for it.
///
/// # Errors
/// The published figures cannot be read.
pub(super) fn sections(record: &Record) -> Result<Vec<Section>> {
    let Some(own) = own(record) else { return Ok(Vec::new()) };
    let published = record.target.architecture == "aarch64"
        && record.rows.iter().any(|r| r.case == arm64::CASE);
    let others = if published { Some(arm64::table()?) } else { None };
    let others = others.map(|table| Section {
        title: "Published builds next to each other",
        grid: published_grid(&table),
        legend: PUBLISHED.into(),
    });
    Ok([Some(own), others].into_iter().flatten().collect())
}

/// Both builds and the ratio of the first to the last, as lines of a table.
fn published_grid(table: &Arm64) -> Grid {
    let head = ["case", "subject"].into_iter().map(String::from);
    let head = head.chain(table.sizes.iter().map(|n| size(*n)));
    let line = |name: &str, values: Vec<String>| {
        [arm64::CASE.to_string(), name.to_string()].into_iter().chain(values).collect()
    };
    let mut body: Vec<Vec<String>> = Vec::new();
    for (name, values) in &table.builds {
        body.push(line(name, values.iter().map(|v| RATIO.text(*v)).collect()));
    }
    if let (Some((_, first)), Some((_, last))) = (table.builds.first(), table.builds.last()) {
        let ratios = first.iter().zip(last).map(|(a, b)| RATIO.text(a / b));
        body.push(line("ratio", ratios.collect()));
    }
    Grid { head: head.collect(), body }
}

/// Whether a row was measured without a capability mask.
fn free(r: &&Row) -> bool {
    r.capstring.is_empty() && r.is_shown() && r.bytes > 0
}

/// Whether the record has several builds to compare.
pub(super) fn compares(record: &Record) -> bool {
    let rows: Vec<&Row> = record.rows.iter().filter(free).collect();
    rows.windows(2).any(|w| w[0].subject != w[1].subject)
}

fn own(record: &Record) -> Option<Section> {
    let shown = || record.rows.iter().filter(free);
    let (subjects, others) = columns(shown().map(|r| r.subject.as_str()), "builds");
    let (sizes, longer) = columns(shown().map(|r| r.bytes), "sizes");
    let (first, last) = (subjects.first()?, subjects.last()?);
    if subjects.len() < 2 {
        return None;
    }
    let kind = record.target.kind;
    let unit = SpeedUnit::of(shown().map(|r| r.kbps()));
    let mut body = Vec::new();
    for all in groups(record.rows.iter(), |r| r.case.clone()) {
        let rows: Vec<&Row> = all.iter().copied().filter(free).collect();
        let Some(case) = rows.first().map(|r| &r.case) else { continue };
        if !rows.iter().any(|r| subjects.contains(&r.subject.as_str())) {
            continue;
        }
        let at = |subject: &str, bytes: usize| {
            let row = rows.iter().find(|r| r.subject == subject && r.bytes == bytes)?;
            value(row).filter(|_| row.passed())
        };
        let figure = |v| if kind == Kind::Emulated { BUILDS.show(v) } else { unit.cell(v) };
        for subject in &subjects {
            let cells = sizes.iter().map(|n| figure(at(subject, *n)));
            let cells = [case.clone(), subject.to_string()].into_iter().chain(cells);
            body.push(cells.chain([answers(&all, subject)]).collect());
        }
        let ratios = sizes.iter().map(|n| BUILDS.show(ratio(at(first, *n), at(last, *n), kind)));
        let ratios = [String::new(), "ratio".into()].into_iter().chain(ratios);
        body.push(ratios.chain([String::new()]).collect::<Vec<_>>());
    }
    let mut head = vec!["case".to_string(), "subject".to_string()];
    head.extend(sizes.iter().map(|n| size(*n)));
    head.push("answers".into());
    let legend = if kind == Kind::Emulated {
        EMULATED.into()
    } else {
        real(record).replace("kB/s (1000 bytes/s)", unit.meaning)
    };
    let legend = format!("{legend}{}{others}{longer}", made(&subjects, &record.builds)).into();
    Some(Section { title: "Builds next to each other", grid: Grid { head, body }, legend })
}

/// The answers of a build, in both directions, though the figures are of one.
fn answers(rows: &[&Row], subject: &str) -> String {
    let mut own = rows.iter().filter(|r| r.subject == subject);
    own.find(|r| !r.passed()).map_or("pass".into(), |r| r.answers.clone())
}

fn real(record: &Record) -> String {
    let spreads = record.rows.iter().filter_map(|r| r.mad_percent);
    let most = spreads.fold(0.0, f64::max);
    format!(
        "{REAL}Measured times vary by at most {} % (median absolute deviation).\n",
        PERCENT.text(most)
    )
}

/// How the builds were made: what they have in common, and what else differs and so affects the ratio.
fn made(subjects: &[&str], builds: &[Manifest]) -> String {
    let of = |s: &&str| builds.iter().find(|b| format!("{}{}", subject::BUILD, b.name) == **s);
    let unknown: Vec<&str> = subjects.iter().filter(|s| of(s).is_none()).copied().collect();
    if !unknown.is_empty() {
        return format!(
            "How {} was compiled is not known: a ratio to it includes that difference. `capvec build openssl` makes builds to compare.\n",
            unknown.join(", ")
        );
    }
    let builds: Vec<&Manifest> = subjects.iter().filter_map(of).collect();
    type Get = fn(&Manifest) -> String;
    let ways: [(&str, Get); 3] = [
        ("source", |b| b.source.clone()),
        ("compiler", |b| b.compiler.clone()),
        ("flags", |b| b.flags().collect::<Vec<_>>().join(" ")),
    ];
    let (mut same, mut other) = (Vec::new(), Vec::new());
    for (what, get) in ways {
        let values: Vec<String> = builds.iter().map(|b| get(b)).collect();
        match values.first() {
            Some(first) if values.iter().all(|v| v == first) => {
                same.push(format!("{what} {first}"))
            }
            _ => other.push(format!("{what} {}", values.join(" / "))),
        }
    }
    let own = builds.iter().map(|b| match b.options().collect::<Vec<_>>().join(" ") {
        options if options.is_empty() => b.name.clone(),
        options => format!("{} ({options})", b.name),
    });
    let mut text = format!("The same for all builds: {}. ", same.join("; "));
    if !other.is_empty() {
        text += &format!("NOT the same, so the ratio includes this: {}. ", other.join("; "));
    }
    text + &format!("Configured: {}.\n", own.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shown::Tables;

    fn row(subject: &str, bytes: usize, insns: f64) -> Row {
        let row = crate::testing::row("aes-128-cbc", "auto", bytes, insns);
        Row { subject: subject.into(), kind: Kind::Emulated, ..row }
    }

    #[test]
    fn fewer_instructions_are_a_ratio_above_one() {
        let mut record = Record::default();
        record.target.kind = Kind::Emulated;
        record.target.architecture = "aarch64".into();
        record.rows =
            vec![row("a", 16, 32.0), row("a", 64, 64.0), row("b", 16, 160.0), row("b", 64, 1280.0)];
        let sections = sections(&record).unwrap();
        let body = &sections[0].grid.body;
        assert_eq!(body[0], ["aes-128-cbc", "a", "2.00", "1.00", "pass"]);
        assert_eq!(body[2], ["", "ratio", "5.00", "20.00", ""]);
        // Divided by hand: 1911881.73 / 76464.13 at 16384 bytes.
        let published = &sections[1].grid.body;
        assert_eq!(published[2].last().unwrap(), "25.00");
        assert!(sections[0].legend.contains("How a, b was compiled is not known"));
        let tables = |r: &Record| r.clone().evaluate().unwrap().sections().unwrap().len();
        assert_eq!(tables(&record), 2, "no table is repeated");
        let masked = Row { capset: "scalar".into(), capstring: "0".into(), ..row("b", 16, 200.0) };
        let sets = Record { rows: [&record.rows[..], &[masked]].concat(), ..record.clone() };
        assert_eq!(tables(&sets), 3, "sets have a table of their own");
        // Decryption has no column here, but its answers count.
        let wrong = Row { direction: "dec".into(), answers: "wrong".into(), ..row("b", 16, 1.0) };
        record.rows.push(wrong);
        assert_eq!(super::sections(&record).unwrap()[0].grid.body[1][4], "wrong");
        record.rows.truncate(2);
        assert!(super::sections(&record).unwrap().is_empty());
    }

    #[test]
    fn differences_between_builds_are_named() {
        let build = |name: &str, flags: &str, options: &[&str]| {
            let configure = ["linux-aarch64", "shared", "no-tests"].iter().chain(options);
            let configure = configure.copied().chain([flags]).map(String::from).collect();
            let of = |s: &str| s.to_string();
            Manifest {
                name: of(name),
                source: of("S"),
                compiler: of("gcc"),
                configure,
                ..Manifest::default()
            }
        };
        let (a, b) = (build("a", "CFLAGS=-O2", &[]), build("b", "CFLAGS=-O2", &["no-asm"]));
        let subjects = ["openssl:a", "openssl:b"];
        assert_eq!(
            made(&subjects, &[a.clone(), b]),
            "The same for all builds: source S; compiler gcc; flags CFLAGS=-O2. Configured: a, b (no-asm).\n"
        );
        let slow = build("b", "CFLAGS=-O0", &["no-asm"]);
        let said = made(&subjects, &[a.clone(), slow]);
        assert!(
            said.contains("NOT the same") && said.contains("CFLAGS=-O2 / CFLAGS=-O0"),
            "{said}"
        );
        assert!(made(&["openssl:a", "openssl"], &[a]).contains("How openssl was compiled"));
    }
}
