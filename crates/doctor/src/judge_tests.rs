//! Verdicts of facts and figures that are made up: one for each place at which something can be lost.

use super::*;
use crate::facts::{Capability, LibraryFile};
use capvec_binscan::{Family, Linkage, Machine, Report, Use};

/// A capability by what processor, kernel, C library and library say: y, n or - for nothing.
fn capability(name: &str, said: &str) -> Capability {
    let say = |i: usize| match said.as_bytes()[i] {
        b'y' => Some(true),
        b'n' => Some(false),
        _ => None,
    };
    Capability {
        name: name.into(),
        executes: say(0),
        kernel: say(1),
        libc: say(2),
        detected: say(3),
    }
}

fn scan(extensions: &[(&'static str, Family)]) -> Report {
    let one = |(extension, family): &(&'static str, Family)| Use {
        extension,
        family: *family,
        count: 40,
        clusters: 2,
        largest: 20,
        address: 0x1000,
        functions: Vec::new(),
    };
    Report {
        machine: Machine::Riscv64,
        linkage: Linkage::Shared,
        stripped: true,
        soname: None,
        needed: Vec::new(),
        libraries: Vec::new(),
        uses: extensions.iter().map(one).collect(),
        constants: Vec::new(),
        code_bytes: 1,
    }
}

const BUILT: [(&str, Family); 2] = [("zvkned", Family::Aes), ("v", Family::General)];

fn facts(capabilities: &[(&str, &str)], built: bool) -> Facts {
    let scan = if built { scan(&BUILT) } else { scan(&[("v", Family::General)]) };
    Facts {
        target: "sim".into(),
        architecture: "riscv64".into(),
        processor: "x".into(),
        version: "OpenSSL 3.5.7".into(),
        settings: String::new(),
        told: None,
        hwprobe: Some(true),
        capabilities: capabilities.iter().map(|(n, s)| capability(n, s)).collect(),
        file: Some(LibraryFile { path: "x".into(), scan }),
        own: String::new(),
        dies: None,
    }
}

fn row(ops: f64) -> Row {
    Row { case: "x".into(), answers: "pass".into(), ops_per_s: Some(ops), ..Row::default() }
}

fn paths() -> Paths {
    vec![vec!["v".into(), "zvkned".into()]]
}

/// The verdict of speeds as it is, told nothing and told all.
fn verdict(facts: &Facts, stock: f64, scalar: f64, able: Option<f64>) -> Finding {
    let measured = Measured {
        stock: row(stock),
        scalar: Some(row(scalar)),
        able: able.map(row),
        ..Measured::default()
    };
    judge(facts, &paths(), measured)
}

#[test]
fn all_that_can_be_lost_on_the_way() {
    let v = ("v", "yyyy");
    let cases = [
        (facts(&[v, ("zvkned", "yyyy")], true), 30.0, None, Verdict::Accelerated),
        (facts(&[v, ("zvkned", "ynnn")], true), 1.0, Some(30.0), Verdict::HiddenByKernel),
        (facts(&[v, ("zvkned", "yynn")], true), 1.0, Some(30.0), Verdict::HiddenByLibc),
        (facts(&[v, ("zvkned", "yyyn")], true), 1.0, Some(30.0), Verdict::NotDetected),
        (facts(&[v, ("zvkned", "yyy-")], false), 1.0, None, Verdict::NotBuilt),
        (facts(&[v, ("zvkned", "nnnn")], true), 1.0, None, Verdict::Fallback),
    ];
    for (facts, stock, able, expected) in cases {
        let f = verdict(&facts, stock, 1.0, able);
        assert_eq!(f.verdict, expected, "{:?}", f);
        assert_eq!(f.lost, able, "{expected:?}");
        let slower = !matches!(expected, Verdict::Accelerated | Verdict::Fallback);
        assert_eq!((f.slower, f.remedy.is_some()), (slower, slower), "{expected:?}");
    }
}

#[test]
fn what_the_library_was_told_comes_before_what_it_would_detect() {
    let mut facts = facts(&[("v", "yyyn"), ("zvkned", "yyyy")], true);
    facts.told = Some("rv64gcv_zvkned".into());
    let f = verdict(&facts, 1.0, 1.0, Some(30.0));
    assert_eq!(f.verdict, Verdict::NotDetected);
    assert!(f.why.contains("OPENSSL_riscvcap leaves out v"), "{}", f.why);
    let remedy = f.remedy.unwrap();
    assert!(remedy.contains("unset") && remedy.contains("rv64gc_v_zvkned"), "{remedy}");
}

#[test]
fn a_wrong_answer_is_worse_than_a_slow_one() {
    let facts = facts(&[("v", "yyyy"), ("zvkned", "yyyy")], true);
    let mut stock = row(30.0);
    stock.answers = "wrong answer of FIPS 197".into();
    let measured = Measured { stock, scalar: Some(row(1.0)), ..Measured::default() };
    let f = judge(&facts, &paths(), measured);
    assert_eq!((f.verdict, f.slower), (Verdict::Wrong, true));
    assert!(f.remedy.unwrap().contains("rv64gc"), "portable code is right");
}

#[test]
fn another_library_shows_what_is_lost() {
    let facts = facts(&[("v", "yyyy"), ("zvkned", "yyyy")], true);
    let none = Paths::new();
    let f = judge(
        &facts,
        &none,
        Measured { stock: row(1.0), scalar: Some(row(1.0)), ..Measured::default() },
    );
    assert_eq!((f.verdict, f.slower, f.wants_reference()), (Verdict::Fallback, false, true));
    let same = f.clone().beside(&facts, &none, "other", row(1.01));
    assert_eq!((same.verdict, same.slower), (Verdict::Fallback, false));
    let f = f.beside(&facts, &none, "other", row(3.0));
    assert_eq!((f.verdict, f.lost, f.against.as_str()), (Verdict::NotBuilt, Some(3.0), "other"));
}

#[test]
fn what_spreads_widely_must_differ_more() {
    let timed = |rate: f64, mad: f64| Row {
        samples: vec![1e9 / rate; 15],
        mad_percent: Some(mad),
        kind: Kind::Real,
        ..row(rate)
    };
    assert_eq!(faster(&timed(1.1, 1.0), &timed(1.0, 1.0)), Some(1.1));
    assert_eq!(faster(&timed(1.25, 1.0), &timed(1.0, 30.0)), None);
    assert_eq!(faster(&timed(1.04, 0.0), &timed(1.0, 0.0)), None);
    // Six times faster is that on a busy machine, too: it is not called portable.
    assert_eq!(faster(&timed(6.0, 70.0), &timed(1.0, 70.0)), Some(6.0));
}
