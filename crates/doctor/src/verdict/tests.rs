//! Verdicts on made-up facts and figures: one for each place at which a capability can be lost.

use super::*;
use capvec_binscan::{Family, Linkage, Machine, Report, Use};
use capvec_record::Kind;
use capvec_record::doctor::{Capability, LibraryFile};

/// A capability as processor, kernel, C library and library report it: y, n, or - for no report.
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
        sure: true,
    };
    Report {
        machine: Machine::Riscv64,
        linkage: Linkage::Shared,
        stripped: true,
        soname: None,
        needed: Vec::new(),
        libraries: Vec::new(),
        calls: Vec::new(),
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
        configured: None,
        hwprobe: Some(true),
        misaligned: Default::default(),
        kernel: "6.12.0".into(),
        capabilities: capabilities.iter().map(|(n, s)| capability(n, s)).collect(),
        file: Some(LibraryFile { path: "x".into(), scan }),
        dies: None,
    }
}

fn row(ops: f64) -> Row {
    Row { case: "x".into(), answers: "pass".into(), ops_per_s: Some(ops), ..Row::default() }
}

fn other(row: Row) -> Reference {
    Reference { name: "other".into(), same_library: true, row, by_extensions: true }
}

fn paths() -> Paths {
    vec![vec!["v".into(), "zvkned".into()]]
}

/// The table of these judgements.
fn shown(facts: Facts, judgements: Vec<Judgement>) -> String {
    let diagnosis = crate::Diagnosis { facts, judgements, warnings: Vec::new() };
    crate::text(&crate::Findings::of_target(diagnosis.found(), None), false, None)
}

/// The verdict on three speeds: as configured, without capabilities, and with all of them.
fn verdict(facts: &Facts, stock: f64, scalar: f64, able: Option<f64>) -> Judgement {
    let measured = Measured {
        stock: row(stock),
        scalar: Some(row(scalar)),
        able: able.map(row),
        ..Measured::default()
    };
    judge(facts, &paths(), measured)
}

#[test]
fn each_place_of_loss_has_its_verdict() {
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
        assert_eq!(f.finding.verdict, expected, "{:?}", f);
        assert_eq!(f.finding.lost, able, "{expected:?}");
        let slower = !matches!(expected, Verdict::Accelerated | Verdict::Fallback);
        assert_eq!(
            (f.finding.slower, f.finding.remedy.is_some()),
            (slower, slower),
            "{expected:?}"
        );
    }
}

/// If the kernel hides different extensions from several algorithms, the common remedy is shown once.
#[test]
fn algorithms_with_hidden_extensions_share_one_remedy() {
    let mut facts = facts(&[("v", "yyyy"), ("zvkned", "ynnn"), ("zvknha", "ynnn")], true);
    facts.kernel = "6.12.0".into();
    let finding = |case: &str, name: &str| {
        let row = |ops| Row { case: case.into(), algorithm: case.into(), ..row(ops) };
        let measured = Measured {
            stock: row(1.0),
            scalar: Some(row(1.0)),
            able: Some(row(30.0)),
            ..Measured::default()
        };
        judge(&facts, &vec![vec!["v".into(), name.into()]], measured)
    };
    let mut judgements = vec![finding("a", "zvkned"), finding("b", "zvknha")];
    crate::remedy::share(&facts, &mut judgements);
    let findings: Vec<&Finding> = judgements.iter().map(|j| &j.finding).collect();
    assert!(findings[0].why.ends_with(": zvkned") && findings[1].why.ends_with(": zvknha"));
    let text = shown(facts, judgements);
    assert!(text.contains("- a, b: Linux 6.12.0 knows zvkned, zvknha;"), "{text}");
}

#[test]
fn configured_capabilities_are_blamed_before_detection() {
    let mut facts = facts(&[("v", "yyyn"), ("zvkned", "yyyy")], true);
    facts.configured = Some("rv64gcv_zvkned".into());
    let f = verdict(&facts, 1.0, 1.0, Some(30.0));
    assert_eq!(f.finding.verdict, Verdict::NotDetected);
    assert!(f.finding.why.contains("OPENSSL_riscvcap leaves out v"), "{}", f.finding.why);
    let remedy = f.finding.remedy.unwrap();
    assert!(remedy.contains("unset"), "{remedy}");
    assert!(remedy.contains("write rv64gc_v_zvkned instead of rv64gcv_zvkned"), "{remedy}");
    for (value, words) in [
        ("junk", "junk names no capability"),
        ("rv64gcv zvkned", "`capvec caps lint 'rv64gcv zvkned'`"),
    ] {
        let mut facts = facts.clone();
        facts.configured = Some(value.into());
        let remedy = verdict(&facts, 1.0, 1.0, Some(30.0)).finding.remedy.unwrap();
        assert!(remedy.contains(words), "{remedy}");
    }
}

#[test]
fn a_wrong_answer_is_worse_than_a_slow_one() {
    let facts = facts(&[("v", "yyyy"), ("zvkned", "yyyy")], true);
    let mut stock = row(30.0);
    stock.answers = "wrong answer of FIPS 197".into();
    let measured = Measured { stock, scalar: Some(row(1.0)), ..Measured::default() };
    let f = judge(&facts, &paths(), measured);
    assert_eq!((f.finding.verdict, f.finding.slower), (Verdict::Wrong, true));
    assert!(f.finding.remedy.unwrap().contains("rv64gc"), "portable code is right");
}

/// A core that traps on misaligned accesses ends accelerated code where a program's buffers are unaligned.
#[test]
fn code_that_is_ended_by_sigbus_is_wrong() {
    let f = facts(&[("v", "yyyy"), ("zvkned", "yyyy")], true);
    let ended = |ops| Row {
        answers: "kat: 5 of 10 vectors fail, first x: hash, unaligned: SIGBUS at pc 0x1".into(),
        ..row(ops)
    };
    let judged = |scalar| {
        judge(&f, &paths(), Measured { stock: ended(30.0), scalar, ..Measured::default() }).finding
    };
    let found = judged(Some(row(1.0)));
    assert_eq!((found.verdict, found.slower), (Verdict::Wrong, true));
    assert!(found.why.starts_with("ended by SIGBUS if buffers are unaligned: kat: 5"), "{found:?}");
    let remedy = found.remedy.unwrap();
    let words = ["misaligned", "OPENSSL_riscvcap=rv64gc", "capvec build provider"];
    assert!(words.iter().all(|w| remedy.contains(w)), "{remedy}");
    let remedy = judged(Some(ended(1.0))).remedy.unwrap();
    assert!(remedy.starts_with("portable code makes misaligned accesses, too"), "{remedy}");
    // Nobody should enable code that fails.
    let f = facts(&[("v", "yyyy"), ("zvkned", "ynnn")], true);
    let (scalar, able) = (Some(row(1.0)), Some(ended(30.0)));
    let hidden = Measured { stock: row(1.0), scalar, able, ..Measured::default() };
    let found = judge(&f, &paths(), hidden).finding;
    assert_eq!((found.verdict, found.lost, found.remedy), (Verdict::Fallback, None, None));
    assert!(found.why.starts_with("the library's code for zvkned would fail: ended by SIGBUS"));
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
    assert_eq!(
        (f.finding.verdict, f.finding.slower, f.wants_reference()),
        (Verdict::Fallback, false, true)
    );
    let same = f.clone().compared_with(&facts, &none, other(row(1.01)));
    assert_eq!((same.finding.verdict, same.finding.slower), (Verdict::Fallback, false));
    let f = f.compared_with(&facts, &none, other(row(3.0)));
    assert_eq!(
        (f.finding.verdict, f.finding.lost, f.finding.against.as_str()),
        (Verdict::NotBuilt, Some(3.0), "other")
    );
}

/// Whatever makes another library faster, this one was not built incompletely: SHA-3 with V, Poly1305 with M.
#[test]
fn portable_code_without_a_path_in_any_build_has_one_verdict() {
    let facts = facts(&[("v", "yyyy"), ("zvkned", "yyyy")], true);
    for by_extensions in [true, false] {
        let reference =
            |rate: f64| Reference { same_library: false, by_extensions, ..other(row(rate)) };
        let portable = || {
            let stock = Measured { stock: row(1.0), scalar: Some(row(1.0)), ..Measured::default() };
            judge(&facts, &Paths::new(), stock)
        };
        let f = portable().compared_with(&facts, &Paths::new(), reference(3.0));
        assert_eq!(
            (f.finding.verdict, f.finding.lost, f.finding.slower),
            (Verdict::FasterExists, Some(3.0), true)
        );
        assert!(
            f.finding.why.starts_with("fallback: the library has portable code only"),
            "{}",
            f.finding.why
        );
        let f = portable().compared_with(&facts, &Paths::new(), reference(1.4));
        assert_eq!(
            (f.finding.verdict, f.finding.lost, f.finding.slower),
            (Verdict::Fallback, None, false)
        );
    }
    // If the path was not built, libcapvec shows what is lost.
    let without = self::facts(&[("v", "yyyy"), ("zvkned", "yyy-")], false);
    let other = Reference { same_library: false, ..other(row(3.0)) };
    let f = verdict(&without, 1.0, 1.0, None).compared_with(&without, &paths(), other);
    assert_eq!(
        (f.finding.verdict, f.finding.lost, f.finding.slower),
        (Verdict::NotBuilt, Some(3.0), true)
    );
}

#[test]
fn widely_spread_samples_must_differ_more() {
    let timed = |rate: f64, mad: f64| Row {
        samples: vec![1e9 / rate; 15],
        mad_percent: Some(mad),
        kind: Kind::Real,
        ..row(rate)
    };
    assert_eq!(faster(&timed(1.1, 1.0), &timed(1.0, 1.0)), Some(1.1));
    assert_eq!(faster(&timed(1.25, 1.0), &timed(1.0, 30.0)), None);
    assert_eq!(faster(&timed(1.04, 0.0), &timed(1.0, 0.0)), None);
    // A factor of six is significant even on a busy machine.
    assert_eq!(faster(&timed(6.0, 70.0), &timed(1.0, 70.0)), Some(6.0));
}

/// A path that runs is not a loss, but the finding says where another library is much faster on the same target.
#[test]
fn much_faster_code_of_another_library_is_a_finding() {
    let facts = facts(&[("v", "yyyy"), ("zvkned", "yyyy")], true);
    let stock = || verdict(&facts, 30.0, 1.0, None);
    assert!(stock().is_accelerated() && !stock().wants_reference());
    let little = stock().compared_with(&facts, &paths(), other(row(44.0)));
    assert_eq!(
        (little.finding.verdict, little.finding.slower, little.finding.lost),
        (Verdict::Accelerated, false, None)
    );
    assert!(little.finding.proof.iter().any(|p| p.starts_with("other: ")), "it was measured");
    let much = stock().compared_with(&facts, &paths(), other(row(60.0)));
    assert_eq!(
        (much.finding.verdict, much.finding.slower, much.finding.lost),
        (Verdict::FasterExists, true, Some(2.0))
    );
    assert!(
        much.finding.why.contains("other is 2.0 times as fast") && much.finding.remedy.is_some()
    );
    assert!(much.finding.why.starts_with("accelerated: "), "{}", much.finding.why);
    // Portable code that is much faster is not a path that the library lacks.
    let portable = |rate: f64| Reference { by_extensions: false, ..other(row(rate)) };
    let slow = || verdict(&self::facts(&[("v", "yyyy"), ("zvkned", "nnnn")], true), 1.0, 1.0, None);
    let f = slow().compared_with(&facts, &Paths::new(), portable(2.1));
    assert_eq!((f.finding.verdict, f.finding.lost), (Verdict::FasterExists, Some(2.1)));
    assert!(f.finding.why.starts_with("fallback: "), "{}", f.finding.why);
    let f = slow().compared_with(&facts, &Paths::new(), portable(1.4));
    assert_eq!((f.finding.verdict, f.finding.lost), (Verdict::Fallback, None));
    // A wrong answer of the other library proves nothing.
    let wrong = Row { answers: "wrong".into(), ..row(60.0) };
    let f = stock().compared_with(&facts, &paths(), other(wrong));
    assert_eq!((f.finding.verdict, f.finding.slower), (Verdict::Accelerated, false));
}

/// Instructions counted by an emulator are not times.
#[test]
fn instructions_are_not_called_speed() {
    let emulated = |n: f64| Row { kind: Kind::Emulated, insns_per_op: Some(n), ..row(1.0 / n) };
    let facts = facts(&[("v", "yyyy"), ("zvkned", "yyyy")], true);
    let measured =
        Measured { stock: emulated(10.0), scalar: Some(emulated(80.0)), ..Measured::default() };
    let f = judge(&facts, &paths(), measured);
    assert_eq!(
        (f.finding.verdict, f.finding.ratio_of),
        (Verdict::Accelerated, Some(RatioOf::Instructions))
    );
    assert_eq!(f.finding.why, "8.0 times the instructions when masked");
}

/// The remedy fits the running kernel: one that knows the extension was not informed of it by the firmware.
#[test]
fn the_remedy_depends_on_the_kernel() {
    let lacks = |name: &str, kernel: &str, hwprobe: bool| {
        let mut f = facts(&[("v", "yyyy"), (name, "ynnn")], true);
        (f.kernel, f.hwprobe) = (kernel.into(), Some(hwprobe));
        let paths = vec![vec!["v".into(), name.into()]];
        let measured = Measured {
            stock: row(1.0),
            scalar: Some(row(1.0)),
            able: Some(row(9.0)),
            ..Measured::default()
        };
        let found = judge(&f, &paths, measured);
        assert_eq!(found.finding.verdict, Verdict::HiddenByKernel);
        found.finding.remedy.unwrap()
    };
    for (name, kernel, hwprobe, words, not) in [
        ("zvkned", "6.12.0", true, ["device tree", "ACPI"], "boot Linux"),
        (
            "zvkned",
            "6.6.30-x",
            true,
            ["boot Linux 6.8 or newer (this is 6.6.30-x)", "device tree"],
            "seccomp",
        ),
        ("zbb", "6.6.30", true, ["Linux 6.6.30 knows zbb", "device tree"], "boot Linux"),
        ("zvkned", "6.12.0", false, ["seccomp", "riscv_hwprobe does not answer"], "boot Linux"),
        ("zvkned", "6.1.0", false, ["boot Linux 6.8", "came with 6.4"], "seccomp"),
        ("zvkned", "", true, ["boot Linux 6.8", "device tree"], "seccomp"),
        ("zvkned", "", false, ["boot Linux 6.8", "seccomp"], "device tree"),
    ] {
        let remedy = lacks(name, kernel, hwprobe);
        assert!(words.iter().all(|w| remedy.contains(w)), "{kernel}: {remedy}");
        assert!(
            !remedy.contains(not) && remedy.contains("OPENSSL_riscvcap="),
            "{kernel}: {remedy}"
        );
    }
}

#[test]
fn a_remedy_for_several_extensions_is_in_the_plural() {
    let mut f = facts(&[("v", "ynnn"), ("zvkned", "ynnn")], true);
    f.kernel = "6.12.0".into();
    let remedy = |names: &[&str]| {
        let names = names.iter().map(|n| n.to_string()).collect();
        crate::remedy::of(&f, &crate::cause::Cause::Kernel(names))
    };
    let one = remedy(&["zvkned"]);
    assert!(one.contains("does not name it for every hart: have it named"), "{one}");
    let two = remedy(&["v", "zvkned"]);
    assert!(two.contains("does not name them"), "{two}");
    assert!(two.contains("have Linux built with CONFIG_RISCV_ISA_V; have them named"), "{two}");
}

/// Where no other library was measured, nobody should conclude that nothing faster exists.
#[test]
fn a_missing_comparison_is_mentioned() {
    let text = |target: &str| {
        let facts = Facts { target: target.into(), ..facts(&[("v", "yyyy")], true) };
        shown(facts, Vec::new())
    };
    assert!(text("native").contains("Not compared with libcapvec"));
    assert!(!text("sim").contains("libcapvec"));
}
