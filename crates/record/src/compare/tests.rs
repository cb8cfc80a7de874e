use super::change::changes;
use super::*;
use crate::testing::record;

fn over(limit: f64) -> Options {
    Options { fail_over: Some(limit), ..Options::default() }
}

#[test]
fn a_record_is_the_same_as_itself_and_as_its_csv() {
    let r = record();
    let csv = r.clone().evaluate().unwrap().csv();
    let from_csv = crate::read::parse(csv.as_bytes()).unwrap();
    for other in [&r, &*from_csv] {
        let c = compare(&r, other, &over(0.0)).unwrap();
        assert_eq!((c.pairs.len(), c.count(Verdict::Same)), (4, 8));
        assert!(!c.failed());
        assert_eq!(c.csv().lines().count(), 9);
        assert!(c.text(false, None).starts_with("4 rows compared, figures: 8 same;"));
    }
}

#[test]
fn counts_are_compared_exactly_and_the_limit_decides() {
    let (old, mut new) = (record(), record());
    new.rows[1].cycles_per_op = old.rows[1].cycles_per_op.map(|c| c * 1.03);
    new.rows[3].insns_per_op = old.rows[3].insns_per_op.map(|c| c - 1.0);
    let verdicts = |limit: Option<f64>| {
        let c = compare(&old, &new, &Options { fail_over: limit, ..Options::default() }).unwrap();
        let n = [Verdict::Regression, Verdict::Worse, Verdict::Better, Verdict::Same]
            .map(|v| c.count(v));
        (n, c.failed())
    };
    assert_eq!(verdicts(None), ([0, 1, 1, 6], false));
    assert_eq!(verdicts(Some(0.05)), ([0, 1, 1, 6], false));
    let without = compare(&old, &new, &Options::default()).unwrap().markdown(false);
    assert!(without.starts_with("### ⚠️ "), "{without}");
    assert_eq!(verdicts(Some(0.02)), ([1, 0, 1, 6], true));
    let c = compare(&old, &new, &over(0.02)).unwrap();
    let text = c.text(false, None);
    assert!(
        text.contains("+3.00 %  regression") && text.contains("a regression is more than 2.00 %"),
        "{text}"
    );
    // One instruction of 333,000 is not rounded away.
    assert!(text.contains("-0.0003 %"), "{text}");
    let only = Options { figures: vec![Figure::Insns], ..over(0.02) };
    assert!(!compare(&old, &new, &only).unwrap().failed());
}

#[test]
fn rows_on_one_side_only_and_rows_of_other_cores_are_named() {
    let (mut old, mut new) = (record(), record());
    old.rows[0].core = "marian".into();
    old.rows[1].case = "gone".into();
    new.rows[2].capset = "new".into();
    let c = compare(&old, &new, &over(0.02)).unwrap();
    assert_eq!(c.pairs.len(), 1);
    let text = c.text(false, None);
    for said in [
        "not comparable: aes-128-ecb enc 16384 bytes, VLEN 256, scalar: core marian / karu64",
        "only in the old record: gone enc 16384 bytes, VLEN 256, zvkned",
        "only in the old record: aes-128-xts enc 16384 bytes, VLEN 256, scalar",
        "only in the new record: aes-128-ecb enc 16384 bytes, VLEN 256, zvkned",
        "only in the new record: aes-128-xts enc 16384 bytes, VLEN 256, new",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    let mut other = record();
    other.rows.iter_mut().for_each(|r| r.target = "native".into());
    let e = format!("{:#}", compare(&record(), &other, &over(0.0)).unwrap_err());
    assert!(e.contains("target sim / native"), "{e}");
    let other = Record { method: "wall-clock".into(), ..record() };
    let e = format!("{:#}", compare(&record(), &other, &over(0.0)).unwrap_err());
    assert!(e.contains("method"), "{e}");
}

#[test]
fn an_answer_that_was_right_and_is_wrong_fails_without_a_limit() {
    let (old, mut new) = (record(), record());
    new.rows[0].answers = "wrong: block | 3".into();
    (new.rows[0].insns_per_op, new.rows[0].cycles_per_op) = (None, None);
    let c = compare(&old, &new, &Options::default()).unwrap();
    assert!(c.failed() && c.text(false, None).contains("wrong now: aes-128-ecb"));
    assert!(
        c.markdown(false).starts_with("### ❌") && c.markdown(false).contains("wrong: block   3")
    );
    // The other way round, the answer is repaired.
    assert!(!compare(&new, &old, &over(0.0)).unwrap().failed());
}

#[test]
fn times_differ_only_beyond_their_noise() {
    let side = |ns: &[f64], mad: f64| {
        let mut sorted = ns.to_vec();
        sorted.sort_by(f64::total_cmp);
        Row {
            ns_per_op: Some(sorted[sorted.len() / 2]),
            samples: ns.to_vec(),
            mad_percent: Some(mad),
            // Where there is a clock, a machine's own counter does not decide.
            cycles_per_op: Some(1.0 / ns[0]),
            ..Row::default()
        }
    };
    let verdict = |a: &Row, b: &Row| {
        let changes = changes(a, b, &over(0.02));
        assert_eq!(changes.len(), 1);
        changes[0].verdict
    };
    let a = side(&[100.0, 101.0, 99.0, 102.0, 98.0, 100.5], 1.0);
    let slower = side(&[110.0, 111.0, 109.0, 112.0, 108.0, 110.5], 1.0);
    let mixed = side(&[97.0, 104.0, 100.2, 103.0, 96.0, 101.5], 1.0);
    assert_eq!(verdict(&a, &slower), Verdict::Regression);
    assert_eq!(verdict(&slower, &a), Verdict::Better);
    assert_eq!(verdict(&a, &mixed), Verdict::Noise);
    // As read from a CSV, which has no samples: 10 % with a spread of 1 % and of 5 %.
    let few = |ns: f64, mad| side(&[ns], mad);
    assert_eq!(verdict(&few(100.0, 1.0), &few(110.0, 1.0)), Verdict::Regression);
    assert_eq!(verdict(&few(100.0, 5.0), &few(110.0, 5.0)), Verdict::Noise);
}

/// A check that lets rows disappear unnoticed checks nothing.
#[test]
fn rows_that_are_missing_fail_unless_that_is_allowed() {
    let failed = |change: fn(&mut Record), allow_missing: bool| {
        let mut new = record();
        change(&mut new);
        let c = compare(&record(), &new, &Options { allow_missing, ..over(0.0) }).unwrap();
        (c.missing(), c.failed(), c.text(false, None).contains("--allow-missing"))
    };
    let cases: [fn(&mut Record); 3] = [
        |r| r.rows.truncate(1),
        |r| r.rows[1].core = "marian".into(),
        |r| (r.rows[1].insns_per_op, r.rows[1].cycles_per_op) = (None, None),
    ];
    for (case, missing) in cases.into_iter().zip([3, 1, 1]) {
        assert_eq!(failed(case, false), (missing, true, true));
        assert_eq!(failed(case, true), (missing, false, false));
    }
    // A new row is not a missing one.
    let more: fn(&mut Record) = |r| r.rows.push(Row { case: "new".into(), ..r.rows[0].clone() });
    assert_eq!(failed(more, false), (0, false, false));
}

#[test]
fn records_are_compared_across_the_requested_facts() {
    let (old, mut new) = (record(), record());
    for r in &mut new.rows {
        (r.core, r.vlen) = ("marian".into(), 512);
        r.cycles_per_op = r.cycles_per_op.map(|c| c / 2.0);
    }
    let with = |across: &[Dimension]| {
        compare(&old, &new, &Options { across: across.to_vec(), ..Options::default() })
    };
    let e = |across: &[Dimension]| format!("{:#}", with(across).unwrap_err());
    // The message names all facts that must be given, including those that were given already.
    for asked in [&[][..], &[Dimension::Vlen], &[Dimension::Core]] {
        let text = e(asked);
        assert!(text.ends_with("anyway with --across core,vlen"), "{asked:?}: {text}");
    }
    assert!(e(&[]).contains("core karu64 / marian, vlen 256 / 512"), "{}", e(&[]));
    let other =
        Record { rows: vec![Row { case: "else".into(), ..new.rows[0].clone() }], ..record() };
    let nothing = compare(&old, &other, &Options::default()).unwrap_err().to_string();
    assert!(nothing.contains("no row in common") && !nothing.contains("--across"), "{nothing}");
    let c = with(&[Dimension::Vlen, Dimension::Core]).unwrap();
    assert_eq!((c.pairs.len(), c.count(Verdict::Better), c.failed()), (4, 4, false));
    let text = c.text(false, None);
    assert!(text.starts_with("compared across core karu64 → marian, vlen 256 → 512\n"), "{text}");
    assert!(
        c.markdown(false)
            .starts_with("### ✅ capvec compare: compared across core karu64 → marian")
    );
    let csv = c.csv();
    assert!(csv.lines().next().unwrap().ends_with(",old_core,new_core,old_vlen,new_vlen"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().ends_with(",karu64,marian,256,512"), "{csv}");
    // The request is ambiguous: the old record has two cores.
    let mut both = old.clone();
    both.rows.extend(new.rows.iter().cloned().map(|r| Row { vlen: 256, ..r }));
    let options = Options { across: vec![Dimension::Core], ..Options::default() };
    let e = format!("{:#}", compare(&both, &old, &options).unwrap_err());
    assert!(e.contains("--across core: the old record has several: karu64 and marian"), "{e}");
    // Nor is it recommended then.
    let mut other = old.clone();
    other.rows.iter_mut().for_each(|r| r.core = "ideal".into());
    let e = format!("{:#}", compare(&both, &other, &Options::default()).unwrap_err());
    assert!(e.contains("the old record has several") && !e.contains("anyway with"), "{e}");
}

/// Instructions on two targets can be compared; modelled cycles and times cannot.
#[test]
fn across_targets_only_common_figures_are_compared() {
    let across = Options { across: vec![Dimension::Target, Dimension::Core], ..Options::default() };
    let elsewhere = |change: fn(&mut Row)| {
        let mut r = Record { method: "counted elsewhere".into(), ..record() };
        for row in &mut r.rows {
            (row.target, row.core, row.cycles_per_op) = ("other".into(), String::new(), None);
            change(row);
        }
        r
    };
    let c = compare(&record(), &elsewhere(|_| ()), &across).unwrap();
    assert!(c.pairs.iter().all(|p| p.changes.len() == 1 && p.changes[0].figure == Figure::Insns));
    assert!(c.text(false, None).contains("target sim → other, core karu64 → none"));
    assert!(!c.failed());
    let timed = elsewhere(|r| r.ns_per_op = Some(1.0));
    let e = format!("{:#}", compare(&record(), &timed, &across).unwrap_err());
    assert!(e.contains("no figure in common"), "{e}");
}

#[test]
fn cores_of_one_name_with_other_parameters_are_distinguished() {
    let with = |digest: &str| {
        let mut r = record();
        r.rows.iter_mut().for_each(|row| row.core_digest = digest.repeat(32));
        // The rows alone say so, in a CSV too.
        crate::read::parse(r.evaluate().unwrap().csv().as_bytes()).unwrap()
    };
    assert!(!compare(&with("ab"), &with("ab"), &over(0.0)).unwrap().failed());
    let e = format!("{:#}", compare(&with("ab"), &with("cd"), &over(0.0)).unwrap_err());
    assert!(e.contains("core karu64 (digest abababababab) / karu64 (digest cdcdcdcdcdcd)"), "{e}");
    let across = Options { across: vec![Dimension::Core], ..Options::default() };
    let c = compare(&with("ab"), &with("cd"), &across).unwrap();
    assert_eq!(c.pairs.len(), 4);
}

#[test]
fn the_error_for_records_that_differ_only_in_vlen_names_the_option() {
    let mut wide = record();
    wide.rows.iter_mut().for_each(|r| r.vlen = 512);
    let e = format!("{:#}", compare(&record(), &wide, &over(0.0)).unwrap_err());
    assert!(e.contains(": vlen 256 / 512;") && e.ends_with("--across vlen"), "{e}");
    wide.rows.iter_mut().for_each(|r| r.case += "-other");
    let e = format!("{:#}", compare(&record(), &wide, &over(0.0)).unwrap_err());
    assert!(e.contains("no row in common"), "{e}");
}

/// A record of two cores: lines say which core they are of, and rows of a core that is gone are missing.
#[test]
fn rows_of_several_cores_are_told_apart_and_missed() {
    let both = |worse: bool| {
        let mut all = record();
        let other = all.rows.clone();
        all.rows.extend(other.into_iter().map(|r| Row { core: "marian".into(), ..r }));
        if worse {
            all.rows.iter_mut().for_each(|r| r.insns_per_op = r.insns_per_op.map(|n| n * 2.0));
        }
        all
    };
    let c = compare(&both(false), &both(true), &over(0.01)).unwrap();
    assert_eq!((c.pairs.len(), c.missing()), (8, 0));
    let text = c.text(false, None);
    assert!(text.starts_with(" case") && text.lines().next().unwrap().contains("core"), "{text}");
    assert_eq!(["karu64", "marian"].map(|core| text.matches(core).count()), [4, 4], "{text}");
    assert!(c.csv().lines().nth(1).unwrap().contains(",karu64,openssl"), "{}", c.csv());
    let c = compare(&both(false), &record(), &over(0.01)).unwrap();
    assert_eq!((c.pairs.len(), c.missing(), c.failed()), (4, 4, true));
    let text = c.text(false, None);
    let said = "only in the old record: aes-128-ecb enc 16384 bytes, VLEN 256, scalar, marian";
    assert!(text.contains(said), "{text}");
    // One core needs no column.
    assert!(!compare(&record(), &record(), &over(0.0)).unwrap().text(true, None).contains("core"));
}
