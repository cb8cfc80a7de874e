use super::*;
use crate::testing::row;

/// A record of one case on a core model.
fn record(core: &str, vlen: u32) -> Record {
    let rows = vec![Row { core: core.into(), vlen, ..row("x", "full", 16384, 100.0) }];
    Record { rows, tool: "capvec 1".into(), ..Record::default() }
}

fn labels(records: &[Record]) -> Vec<String> {
    let records: Vec<&Record> = records.iter().collect();
    let labels = Labels::of(&records);
    (0..records.len()).map(|i| labels.record(i).to_string()).collect()
}

/// The labels of all rows, with the VLEN of the row.
fn rows(records: &[Record]) -> Vec<String> {
    let labels = Labels::of(&records.iter().collect::<Vec<_>>());
    let all =
        records.iter().enumerate().flat_map(|(i, r)| r.rows.iter().map(move |row| (i, r, row)));
    all.map(|(i, r, row)| labels.row(i, r, row, Vlen::Row)).collect()
}

#[test]
fn records_that_differ_in_vlen_say_so() {
    let two = [record("karu64", 128), record("karu64", 256)];
    assert_eq!(labels(&two), ["karu64, VLEN 128", "karu64, VLEN 256"]);
    assert_eq!(rows(&two), labels(&two));
}

/// The core alone would distinguish them, and hide half of the differences.
#[test]
fn every_fact_that_differs_is_in_the_label() {
    let modified = "karu64 (modified: vector.startup 7.5 → 4)";
    let two = [record("karu64", 256), record(modified, 128)];
    assert_eq!(labels(&two), ["karu64, VLEN 256".into(), format!("{modified}, VLEN 128")]);
    assert_eq!(rows(&two), labels(&two));
}

#[test]
fn a_single_record_has_no_label_and_its_rows_have_their_differences() {
    let mut one = record("karu64", 256);
    one.rows.push(Row { vlen: 512, ..one.rows[0].clone() });
    assert_eq!(labels(&[one.clone()]), [""]);
    // Plots have a choice of VLEN.
    assert_eq!(rows(&[one.clone()]), ["", ""]);
    one.rows[1].core = "marian".into();
    assert_eq!(rows(&[one]), ["karu64", "marian"]);
}

#[test]
fn a_library_of_one_version_is_called_by_its_name() {
    let mut two = [record("karu64", 256), record("karu64", 256)];
    two[1].rows[0].subject = "capvec".into();
    two[1].rows[0].version = "libcapvec 0.2.0".into();
    assert_eq!(labels(&two), ["openssl", "capvec"]);
    two[1].rows[0].subject = "openssl".into();
    assert_eq!(labels(&two), ["OpenSSL 3", "libcapvec 0.2.0"]);
}

#[test]
fn machines_are_distinguished_by_their_processors() {
    let two = ["A76", "A55"].map(|processor| {
        let mut r = record("", 0);
        r.target.kind = Kind::Real;
        r.target.processor = processor.into();
        r.rows[0].target = "native".into();
        r
    });
    assert_eq!(labels(&two), ["native, A76", "native, A55"]);
    let modelled = record("karu64", 256);
    assert_eq!(labels(&[two[0].clone(), modelled]), ["native", "karu64"]);
}

#[test]
fn remaining_ties_are_resolved_by_size_then_tool_then_number() {
    let same = record("karu64", 256);
    let two = [same.clone(), same.clone()];
    assert_eq!(labels(&two), ["karu64, run 1", "karu64, run 2"]);
    assert_eq!(rows(&two), labels(&two));
    let newer = Record { tool: "capvec 2".into(), ..same.clone() };
    assert_eq!(labels(&[same.clone(), newer]), ["karu64, capvec 1", "karu64, capvec 2"]);
    let mut long = same.clone();
    long.rows[0].bytes = 1 << 30;
    assert_eq!(labels(&[same.clone(), long]), ["karu64, 16 KiB", "karu64, 1 GiB"]);
    // Only those that need it get a number.
    let three = [record("marian", 256), same.clone(), same];
    assert_eq!(labels(&three), ["marian", "karu64, run 2", "karu64, run 3"]);
}

/// A record gets a fact or a number only if nothing earlier distinguishes it.
#[test]
fn records_that_are_distinguished_already_get_no_number() {
    let with = |bytes: usize, tool: &str| {
        let mut r = record("karu64", 256);
        r.rows[0].bytes = bytes;
        Record { tool: tool.into(), ..r }
    };
    let all = [with(64, "a"), with(1024, "a"), with(1024, "a"), with(16384, "a"), with(16384, "b")];
    let expected = [
        "karu64, 64 bytes",
        "karu64, 1 KiB, run 2",
        "karu64, 1 KiB, run 3",
        "karu64, 16 KiB, a",
        "karu64, 16 KiB, b",
    ];
    assert_eq!(labels(&all), expected);
    assert_eq!(rows(&all), expected);
}

/// The two records share a VLEN.
#[test]
fn rows_of_the_same_vlen_in_two_records_differ() {
    let mut both = record("karu64", 128);
    both.rows.push(Row { vlen: 256, ..both.rows[0].clone() });
    let two = [record("karu64", 128), both];
    assert_eq!(labels(&two), ["karu64, VLEN 128, run 1", "karu64, VLEN 128, 256, run 2"]);
    let expected = ["karu64, VLEN 128, run 1", "karu64, VLEN 128, run 2", "karu64, VLEN 256"];
    assert_eq!(rows(&two), expected);
    // For lines over VLENs.
    let labels = Labels::of(&[&two[0], &two[1]]);
    let whole = |row: usize| labels.row(1, &two[1], &two[1].rows[row], Vlen::Record);
    assert!(whole(0).starts_with("karu64, VLEN 128, 256") && whole(1) == "karu64, VLEN 128, 256");
}

#[test]
fn labels_are_short_whatever_a_record_holds() {
    let many = |from: u32| {
        let mut r = record("x", 64);
        r.rows = (0..2000).map(|i| Row { vlen: from + i, ..r.rows[0].clone() }).collect();
        r
    };
    let labels = labels(&[many(1), many(3000)]);
    assert_eq!(labels[0], "x, VLEN 1, 2, 3, 4, 1996 more");
}
