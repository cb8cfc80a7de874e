//! Tests of names of sets.

use super::*;

fn isa() -> Isa {
    "rv64gcv_zvkng_zbb".parse().unwrap()
}

fn parse(name: &str) -> CapSet {
    CapSet::parse(name, &isa()).unwrap()
}

#[test]
fn vector_sets_include_v_and_what_they_imply() {
    let s = parse("zvkb_zvknhb");
    assert_eq!(s.capstring.as_deref(), Some("rv64gc_v_zvkb_zvknha_zvknhb"));
    assert!(s.exts.has(Ext::V) && s.exts.has(Ext::Zve64d) && !s.exts.has(Ext::Zbb));
    assert!(s.warnings.is_empty());
}

/// A CSV has no other description of a set than its name.
#[test]
fn records_understand_the_names_of_sets() {
    for name in [
        "scalar",
        "full",
        "full_zvknhk0p2",
        "zvkb_zvknhb",
        "zba1p0_zicond",
        "rva23u64_zvkng",
        "rv64gcv_zbb",
    ] {
        assert_eq!(capvec_record::testing::set(name).hart, parse(name).exts.to_string());
    }
}

#[test]
fn scalar_has_no_vectors_and_auto_has_no_variable() {
    let s = parse("scalar");
    assert_eq!(s.capstring.as_deref(), Some("rv64gc"));
    assert!(!s.exts.has(Ext::V) && s.exts.has(Ext::Zicntr));
    let a = parse("auto");
    assert!(a.capstring.is_none() && a.exts.has(Ext::Zvkg) && a.expected.has(Ext::Zvkg));
}

#[test]
fn profiles_and_isa_strings_mean_what_they_say() {
    let p = parse("rva22u64");
    assert_eq!(p.capstring.as_deref(), Some("rv64gc_zba_zbb_zbs_zkt"));
    let p = parse("rva23u64_zvkng");
    for e in [Ext::Zvbb, Ext::Zvkg, Ext::Zvknhb, Ext::V, Ext::Zicond] {
        assert!(p.exts.has(e), "{e:?}");
    }
    assert!(!p.exts.has(Ext::Zvksed) && p.warnings.is_empty());
    assert!(!parse("rvb23u64").exts.has(Ext::V));
    let e = parse("rv64gc_zvkned");
    assert!(!e.exts.has(Ext::V) && e.warnings[0].contains("zvkned"), "{:?}", e.warnings);
    let s = parse("rv64gcv_zbb");
    assert_eq!(s.capstring.as_deref(), Some("rv64gc_zbb_v"));
    assert!(CapSet::parse("rv32gc", &isa()).is_err());
}

#[test]
fn a_verbatim_value_is_passed_on_with_a_warning() {
    let s = parse("string:rv64gcv_zvkned");
    assert_eq!(s.capstring.as_deref(), Some("rv64gcv_zvkned"));
    assert!(s.exts.has(Ext::V) && s.expected.has(Ext::V) && s.is_verbatim());
    assert!(s.warnings.iter().any(|w| w.contains("rv64gcv")), "{:?}", s.warnings);
    // The library reads it as Zvkg, which the hart does not have: what the user would see on silicon.
    assert!(!parse("string:rv64gc_v_zvkgs").exts.has(Ext::Zvkg));
}

#[test]
fn words_that_the_library_does_not_know_cause_a_warning() {
    let s = parse("zicond_zbb");
    assert!(s.exts.has(Ext::Zicond) && s.warnings.len() == 1);
    assert!(s.warnings[0].contains("zicond") && s.warnings[0].contains("--caps"));
}

#[test]
fn drafts_of_libcapvec_cause_a_warning_for_other_libraries_only() {
    let s = parse("full_zvknhk0p2");
    assert!(s.warnings_for(true).is_empty());
    let others = s.warnings_for(false);
    assert!(others.len() == 1 && others[0].contains("only libcapvec uses it"), "{others:?}");
    assert_eq!(parse("zicond").warnings_for(true).len(), 1);
}

#[test]
fn unknown_words_are_errors() {
    for name in ["zvkned_zzz", "rv64gc_zzz", "rva23u64_zzz"] {
        let e = format!("{:#}", CapSet::parse(name, &isa()).unwrap_err());
        assert!(e.contains("zzz") && e.contains("--caps"), "{e}");
    }
    for (name, meant) in [
        ("scaler", "did you mean scalar"),
        ("zvkend", "did you mean zvkned"),
        ("", "it names nothing"),
        ("zvkned+zvkb", "joined by _"),
    ] {
        let e = format!("{:#}", CapSet::parse(name, &isa()).unwrap_err());
        assert!(e.contains("--caps") && e.contains(meant), "{e}");
    }
}
