//! Problems that the lint reports, and the values that it proposes.

mod pasted;

use super::*;

fn problems(value: &str) -> Vec<Problem> {
    lint(value).problems()
}

fn set(exts: &[Ext]) -> ExtSet {
    exts.iter().copied().collect()
}

#[test]
fn values_that_capvec_writes_have_no_problems() {
    for e in openssl_known() {
        let with_v = if vector().has(e) { set(&[e, Ext::V]) } else { set(&[e]) };
        let value = openssl_riscvcap(with_v);
        assert!(problems(&value).is_empty(), "{value}: {:?}", problems(&value));
    }
    let all = openssl_riscvcap(openssl_known().collect());
    assert!(all.len() <= MAX_VALUE_BYTES && problems(&all).is_empty());
}

#[test]
fn v_without_an_underscore_is_not_read_as_v() {
    assert_eq!(problems("rv64gcv_zvkned"), [Problem::First("rv64gcv".into(), set(&[Ext::V]))]);
    assert_eq!(lint("rv64gcv_zvkned").corrected(), "rv64gc_v_zvkned");
    assert_eq!(problems("rv64gc_zvkned"), [Problem::NoV(set(&[Ext::Zvkned]))]);
}

#[test]
fn a_word_that_begins_with_a_name_is_misread() {
    assert_eq!(problems("rv64gc_v_zvkgs"), [Problem::Misread("zvkgs".into(), set(&[Ext::Zvkg]))]);
    assert_eq!(problems("rv64gc_vendor"), [Problem::Misread("vendor".into(), set(&[Ext::V]))]);
    assert!(problems("rv64gc_v1p0_zbb1p0").is_empty());
}

#[test]
fn groups_imply_nothing_but_zvbb_counts_as_zvkb() {
    let e = problems("rv64gc_b");
    assert_eq!(e, [Problem::Implied(set(&[Ext::Zba, Ext::Zbb, Ext::Zbs]))]);
    assert!(problems("rv64gc_v_zvbb_zvknhb").is_empty());
    let e = problems("rv64gc_v_zvkn");
    let n = set(&[Ext::Zvkned, Ext::Zvknhb, Ext::Zvkb, Ext::Zvknha]);
    assert_eq!(e, [Problem::Implied(n)]);
}

#[test]
fn the_buffer_ends_at_255() {
    // "_zbb" ends exactly at the limit, then one character later.
    for (pad, cut) in [(MAX_VALUE_BYTES - 4, false), (MAX_VALUE_BYTES - 3, true)] {
        let value = "x".repeat(pad) + "_zbb";
        assert_eq!(lint(&value).sets.has(Ext::Zbb), !cut, "{pad}");
        let expected = if cut { vec![Problem::Cut(vec!["zbb".into()])] } else { vec![] };
        assert_eq!(problems(&value), expected, "{pad}");
    }
}

#[test]
fn unknown_words_are_named() {
    let e = problems("rv64gc_zvkne");
    assert!(matches!(&e[..], [Problem::Unknown(w, h)] if w == "zvkne" && h.contains("zvkn")));
    assert!(problems("rv64gc__zbb_").is_empty());
    assert!(problems("_zbb").is_empty());
}

#[test]
fn a_32_bit_value_is_reported() {
    assert_eq!(problems("rv32gc_zbb"), [Problem::Xlen("rv32gc".into())]);
    assert_eq!(lint("RV32GC_zbb").corrected(), "rv64gc_zbb");
    let both = problems("rv32gcv_zvkned");
    assert_eq!(both[0], Problem::Xlen("rv32gcv".into()));
    assert_eq!(both.len(), 2, "{both:?}");
}

#[test]
fn words_that_are_cut_off_are_reported_once() {
    let pad = "x".repeat(MAX_VALUE_BYTES);
    let e = problems(&format!("{pad}_zbb_zbc_zbb"));
    assert_eq!(e, [Problem::Cut(vec!["zbb".into(), "zbc".into()])]);
    assert_eq!(e[0].to_string(), "\"zbb\" \"zbc\" are cut off: OpenSSL reads only 255 characters");
    // If it also appears before the end, nothing is lost.
    assert!(
        problems(&format!("rv64gc_zbb_{pad}_zbb")).iter().all(|p| !matches!(p, Problem::Cut(_)))
    );
}

#[test]
fn vlen_is_not_read_from_the_value() {
    assert_eq!(problems("rv64gc_v_zvl512b"), [Problem::Vlen("zvl512b".into())]);
    assert_eq!(lint("rv64gc_V_Zvl512b").corrected(), "rv64gc_v");
}

#[test]
fn other_separators_hide_what_follows() {
    for (value, lost, write) in [
        ("rv64gc zbb", Ext::Zbb, "rv64gc_zbb"),
        ("rv64gc,zbb", Ext::Zbb, "rv64gc_zbb"),
        ("rv64gc-zbb_v", Ext::Zbb, "rv64gc_zbb_v"),
        ("rv64gc_v_zvkned zvkb", Ext::Zvkb, "rv64gc_v_zvkb_zvkned"),
    ] {
        let found = problems(value);
        assert!(
            matches!(&found[..], [Problem::Unseparated(_, e)] if *e == set(&[lost])),
            "{value}: {found:?}"
        );
        assert_eq!(lint(value).corrected(), write);
    }
    // V is lost, too.
    let found = problems("rv64gcv_zvkned zvkb");
    assert!(found.contains(&Problem::First("rv64gcv".into(), set(&[Ext::V]))), "{found:?}");
    assert_eq!(lint("rv64gcv_zvkned zvkb").corrected(), "rv64gc_v_zvkb_zvkned");
    assert!(matches!(&problems("rv64gc x_zbb")[..], []), "nothing is lost");
    assert!(matches!(&problems("any thing_zbb")[..], [Problem::Unknown(..)]));
    assert!(problems("anything_zbb").is_empty());
    assert_eq!(lint("RV64GC_ZBB").sets, set(&[Ext::Zbb]), "upper and lower case are equivalent");
}

#[test]
fn no_value_makes_it_panic() {
    // The running time is quadratic: minutes under Miri.
    let many = "_é".repeat(if cfg!(miri) { 20 } else { 300 });
    for value in ["é_é_zbb", "_", "____", "rv64gc_\u{0}zbb", &many, "rva23u64_v"] {
        let l = lint(value);
        let words = l.words.iter().filter(|w| !w.first);
        assert_eq!(words.fold(ExtSet::EMPTY, |s, w| s.union(w.sets)), l.sets, "{value}");
    }
}

#[test]
fn v_is_found_among_other_letters() {
    for (value, write) in [
        ("rv64imafdcvh_zba_zbb", "rv64gc_zba_zbb_v"),
        ("rv64imafdcvsuh_zba", "rv64gc_zba_v"),
        ("rv64gcv1p0_zba", "rv64gc_zba_v"),
        ("rv64gcvh", "rv64gc_v"),
        ("rv64gcvzba", "rv64gc_zba_v"),
    ] {
        let found = problems(value);
        assert!(
            matches!(&found[..], [Problem::First(_, e)] if e.has(Ext::V)),
            "{value}: {found:?}"
        );
        assert_eq!(lint(value).corrected(), write);
    }
    assert!(problems("rv64gcvh_v_zba").is_empty(), "V is set by a later word");
    assert!(matches!(&problems("rv64gcw_zba")[..], [Problem::Unknown(w, _)] if w == "w"));
}

#[test]
fn a_value_without_a_capability_or_an_isa_is_a_mistake() {
    for value in ["", " ", "0", "junk", "off", "zicond", "____", "x86"] {
        assert!(problems(value).contains(&Problem::Off), "{value:?}: {:?}", problems(value));
    }
    for value in ["rv64gc", "rv64", "rv64gc_zicond", "rva20u64_zba", "anything_zbb"] {
        assert!(!problems(value).contains(&Problem::Off), "{value:?}");
    }
}

#[test]
fn ratified_names_are_known() {
    assert!(problems("rv64gc_zba_zfh_sstc_svinval_smaia_sscofpmf_zabha_ztso_xtheadba").is_empty());
}

/// A value from a variable or a file may begin with a blank.
#[test]
fn a_leading_blank_is_no_mistake() {
    assert!(problems(" rv64gc_v").is_empty(), "{:?}", problems(" rv64gc_v"));
    assert_eq!(lint(" rv64gc_v").sets, set(&[Ext::V]));
    assert!(!problems(" rv64gcv").is_empty());
}

/// A hart with embedded vectors has no V, so none is proposed.
#[test]
fn embedded_vectors_do_not_imply_v() {
    for text in ["rv64gc_zve64x_zvkned", "rv64imafdc_zicsr_zve32x_zvl64b_zvkned"] {
        let found = lint(text);
        assert!(matches!(found.problems().last(), Some(Problem::NoV(_))), "{text}");
        assert_eq!(found.corrected(), "rv64gc", "{text}");
    }
    assert_eq!(lint("rv64gcv_zve64x_zvkned").corrected(), "rv64gc_v_zvkned");
}

/// Fragments of all forms.
const PIECES: [&str; 40] = [
    "rv64gcv",
    "rv32",
    "rv64",
    "_",
    "_v",
    "zba",
    "1p0",
    "2p",
    "su",
    "h",
    "x",
    "é",
    "\0",
    "\n",
    " ",
    ",",
    "\"",
    "'",
    "=",
    ":",
    "+",
    "-",
    "isa",
    "OPENSSL_riscvcap=",
    "riscv,isa-extensions",
    "riscv,isa",
    "-march=",
    "ima_ext_0",
    "0xff",
    "RISCV_HWPROBE_EXT_",
    "vlen:",
    "env:",
    "target_feature=\"",
    "__riscv_",
    "experimental-",
    ";",
    "\\0",
    "g",
    "i",
    "7",
];

/// Fragments in any order: nothing panics, and a proposed value has no problems.
#[test]
fn random_mixtures_are_read_without_panic() {
    let mut seed: u64 = std::env::var("CAPVEC_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    println!("CAPVEC_SEED={seed}");
    for _ in 0..if cfg!(miri) { 20 } else { 1000 } {
        let mut text = String::new();
        loop {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text += PIECES[(seed >> 33) as usize % PIECES.len()];
            if seed >> 60 == 0 {
                break;
            }
        }
        let paste = read(&text);
        let found = judge(&paste);
        let (_, write) = (found.problems(), found.corrected());
        if paste.form.is_value() {
            assert!(problems(&write).is_empty(), "{text:?} → {write}");
        }
    }
}
