//! Text from users and files.

use capvec_bench::capset::CapSet;
use capvec_bench::case;
use capvec_bench::resume::{Checkpoint, Identity};
use capvec_bench::sweep::Results;
use capvec_isa::{Isa, lint};
use capvec_kat as kat;
use capvec_timing::Core;
use capvec_timing::import::{Form, import as made_of};

fn utf8(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}

/// ISA strings: a valid one prints as one with the same meaning.
pub fn isa(data: &[u8]) {
    let Some(text) = utf8(data) else { return };
    if let Ok(isa) = text.parse::<Isa>() {
        let again = isa.to_string().parse::<Isa>();
        assert_eq!(again.ok(), Some(isa), "{text}");
    }
}

/// Capability strings and names of capability sets.
pub fn capabilities(data: &[u8]) {
    let Some(text) = utf8(data) else { return };
    let found = lint::lint(text);
    let corrected = lint::lint(&found.corrected());
    assert!(corrected.problems().is_empty(), "{text:?} → {:?}", found.corrected());
    lint::judge(&lint::read(text)).problems();
    let core: Isa = "rv64gcv".parse().unwrap_or_else(|e| panic!("{e}"));
    if let Ok(set) = CapSet::parse(text, &core) {
        assert!(!set.name.is_empty() || text.is_empty());
    }
}

/// Core files. An accepted one makes a hart and an engine.
pub fn core(data: &[u8]) {
    let Some(text) = utf8(data) else { return };
    if let Ok(core) = Core::parse("fuzz.toml", text) {
        let hart = core.hart(core.isa);
        assert!(hart.vlen.is_power_of_two());
        core.engine(true);
    }
}

/// Tables of instruction costs, in both forms, imported as a core; the first line is its origin. An accepted table gives a valid
/// core file.
pub fn import(data: &[u8]) {
    let Some(text) = utf8(data) else { return };
    let Ok(like) = Core::load("spacemit-x60") else { panic!("the core is shipped") };
    let origin = text.lines().next().unwrap_or_default();
    for form in [Form::RvvBench, Form::LlvmMca] {
        let Ok(made) = made_of(form, text, "fuzz", origin, &like, None) else {
            panic!("a table of {} gives an invalid core file", form.name())
        };
        if let Some(made) = made {
            assert!(Core::parse("fuzz.toml", &made.text).is_ok(), "{}", made.text);
            assert!(made.given <= made.all);
        }
    }
}

/// User-defined cases. Accepted ones report their sizes.
pub fn cases(data: &[u8]) {
    let Some(text) = utf8(data) else { return };
    for case in case::parse(text).unwrap_or_default() {
        let _ = case.takes(1024);
    }
}

/// A directory of vectors with this file. Accepted ones become lines for the guest.
pub fn vectors(data: &[u8]) {
    let Some(text) = utf8(data) else { return };
    let vectors = kat::parse("fuzz.txt", text).unwrap_or_default();
    let Ok(algorithms) = kat::algorithms() else { panic!("the algorithms are known") };
    for v in &vectors {
        let Some(algorithm) = algorithms.iter().find(|a| a.id == v.algorithm) else { continue };
        if v.suits(algorithm).is_ok() {
            kat::line(algorithm, v);
        }
    }
}

/// Damaged files of an earlier sweep: they are refused or measured again.
pub fn checkpoint(data: &[u8]) {
    let dir = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
    let identity = Identity {
        tool: "1".into(),
        program: "2".into(),
        core: "3".into(),
        library: "4".into(),
        packages: vec!["5".into()],
        driver: "6".into(),
        cases: vec!["7".into()],
        bytes: vec![8],
        vectors: String::new(),
    };
    let Ok((first, _)) = Checkpoint::open(dir.path(), &identity) else { return };
    drop(first);
    let Some(runs) = std::fs::read_dir(dir.path()).ok().and_then(|mut d| d.next()?.ok()) else {
        return;
    };
    // The first byte selects the file to damage.
    let (name, rest) = match data.split_first() {
        Some((0, rest)) => ("identity.json", rest),
        Some((_, rest)) => ("key.json", rest),
        None => return,
    };
    let _ = std::fs::write(runs.path().join(name), rest);
    if let Ok((checkpoint, _)) = Checkpoint::open(dir.path(), &identity) {
        checkpoint.load::<Results>("key");
    }
}
