//! Problems that the lint reports, and the values that it proposes.

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
            matches!(&found[..], [Problem::Together(_, e)] if *e == set(&[lost])),
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

/// The value proposed for a pasted text, and its problems.
fn pasted(text: &str) -> (Form, String, Vec<Problem>) {
    let paste = read(text);
    let found = judge(&paste);
    (paste.form, found.corrected(), found.problems())
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

#[test]
fn pasted_strings_are_found() {
    let cases = [
        ("isa\t\t: rv64imafdcv_zicbom_zba_sstc", Form::Cpuinfo, "rv64gc_zba_v"),
        (
            "processor : 0\nhart : 1\nisa : rv64imafdcvh_zbb\nmmu : sv48\nuarch : x",
            Form::Cpuinfo,
            "rv64gc_zbb_v",
        ),
        ("-march=rv64gcv", Form::March, "rv64gc_v"),
        ("cc -O2 -march=rv64gc -march=rv64gcv_zbb -mabi=lp64d", Form::March, "rv64gc_zbb_v"),
        ("-Wa,-march=rv64gcv,-mno-relax", Form::March, "rv64gc_v"),
        ("riscv,isa = \"rv64imafdcv_zba\";", Form::DeviceTree, "rv64gc_zba_v"),
        ("export OPENSSL_riscvcap=\"rv64gcv_zba\"", Form::Variable, "rv64gc_zba_v"),
        ("OPENSSL_riscvcap=rv64gcv_zba openssl speed", Form::Variable, "rv64gc_zba_v"),
        ("Environment=\"OPENSSL_riscvcap=rv64gcv_zba\"", Form::Variable, "rv64gc_zba_v"),
        ("openssl_riscvcap=rv64gcv_zba", Form::OtherVariable, "rv64gc_zba_v"),
        ("Tag_RISCV_arch: \"rv64gcv_zba1p0\"", Form::Attribute, "rv64gc_zba_v"),
        (".attribute arch, \"rv64gcv\"", Form::Attribute, "rv64gc_v"),
        ("\"rv64gcv\"", Form::Text, "rv64gc_v"),
    ];
    for (text, form, write) in cases {
        let (f, w, found) = pasted(text);
        assert_eq!((f, w.as_str()), (form, write), "{text}");
        assert!(matches!(&found[..], [Problem::First(..)]), "{text}: {found:?}");
    }
    let versions = "-march=rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_v1p0_zicsr2p0_zba1p0_zvl128b1p0";
    assert_eq!(pasted(versions), (Form::March, "rv64gc_zba_v".into(), Vec::new()));
}

/// Several strings in one text are all found; repetitions are reported once.
#[test]
fn several_harts_are_all_read() {
    let texts = [
        "isa : rv64gc_zbb\nisa : rv64gcv\nisa : rv64gcv\nisa : rv64gc_zbb",
        "riscv,isa = \"rv64gc_zbb\";\nriscv,isa = \"rv64gcv\";",
        "OPENSSL_riscvcap=rv64gc_zbb\nOPENSSL_riscvcap=rv64gcv",
    ];
    for text in texts {
        let paste = read(text);
        assert_eq!(paste.written, Written::String("rv64gc_zbb".into()), "{text}");
        assert_eq!(paste.others, [Written::String("rv64gcv".into())], "{text}");
        let alone: Vec<String> = paste.alone().map(|p| judge(&p).corrected()).collect();
        assert_eq!(alone, ["rv64gc_v"], "{text}");
    }
    let texts = [
        "riscv,isa-extensions = \"c\", \"zbb\";\n};\ncpu@1 { riscv,isa-extensions = \"c\", \"v\";",
        "hwprobe key 4 0x12\nhwprobe key 4 0x6\nhwprobe key 4 0x6",
        "value=RISCV_HWPROBE_IMA_C|RISCV_HWPROBE_EXT_ZBB value=RISCV_HWPROBE_IMA_C|RISCV_HWPROBE_IMA_V",
        "isa : rv64gc_zbb\nisa : rv64gcv",
    ];
    for text in texts {
        let paste = read(text);
        let all = std::iter::once(judge(&paste)).chain(paste.alone().map(|p| judge(&p)));
        let all: Vec<String> = all.map(|l| l.corrected()).collect();
        assert_eq!(all, ["rv64gc_zbb", "rv64gc_v"], "{text}");
    }
    // Names on separate lines are one list, and the last of a compiler's flags counts.
    assert!(read("RISCV_HWPROBE_EXT_ZBA\nRISCV_HWPROBE_EXT_ZBB").others.is_empty());
    assert!(read("-march=rv64gc -march=rv64gcv").others.is_empty());
}

/// If the text may name only some of the extensions, V is assumed, which OpenSSL needs for them, and a problem says so.
#[test]
fn v_is_assumed_if_the_text_may_be_incomplete() {
    let zvkned = || set(&[Ext::Zvkned]);
    for text in [
        "RISCV_HWPROBE_EXT_ZVKNED",
        "value=RISCV_HWPROBE_EXT_ZVKNED",
        "+zvkned",
        "-C target-feature=+zvkned",
        "zvkned, zvkned",
        "#define __riscv_zvkned 1000000",
    ] {
        let (_, write, found) = pasted(text);
        assert_eq!(write, "rv64gc_v_zvkned", "{text}");
        assert_eq!(found, [Problem::Names, Problem::AssumedV(zvkned())], "{text}");
        assert!(problems(&write).is_empty());
    }
    for text in [
        "value=RISCV_HWPROBE_IMA_FD|RISCV_HWPROBE_IMA_C|RISCV_HWPROBE_EXT_ZVKNED",
        "+m,+a,+c,+zvkned",
        "OPENSSL_riscvcap=ZVKNED vlen:0",
        "riscv,isa-extensions = \"i\", \"zvkned\";",
    ] {
        let (_, write, found) = pasted(text);
        assert_eq!(write, "rv64gc_zvkned", "{text}");
        assert_eq!(found, [Problem::Names, Problem::NoV(zvkned())], "{text}");
    }
    let (_, write, found) = pasted("RISCV_HWPROBE_IMA_V RISCV_HWPROBE_EXT_ZVKNED");
    assert_eq!((write.as_str(), found), ("rv64gc_v_zvkned", vec![Problem::Names]));
}

#[test]
fn the_name_of_a_processor_is_recognised() {
    for (text, found) in [
        ("-mcpu=sifive-p670", Some(("-mcpu", "sifive-p670"))),
        ("cc -O2 -mcpu=sifive-p670 x.c", Some(("-mcpu", "sifive-p670"))),
        ("-C target-cpu=native", Some(("target-cpu", "native"))),
        ("-march=native", Some(("-march", "native"))),
        ("-mcpu=sifive-p670 -march=rv64gcv", None),
        ("-march=rva23u64", None),
        ("-mcpu=", None),
        ("rv64gcv", None),
    ] {
        assert_eq!(processor(text), found, "{text}");
    }
}

#[test]
fn pasted_names_are_a_list() {
    let cases = [
        (
            "riscv,isa-base = \"rv64i\";\nriscv,isa-extensions = \"i\", \"m\",\n\t\"v\", \"zba\", \"sstc\";",
            Form::DeviceTree,
        ),
        ("riscv,isa-extensions = \"i\\0m\\0v\\0zba\";", Form::DeviceTree),
        ("riscv,isa-extensions\0i\0m\0v\0zba", Form::DeviceTree),
        ("\"i\", \"m\", \"v\", \"zba\"", Form::List),
        ("i m a f d c v zba", Form::List),
        ("i\0m\0v\0zba\0", Form::List),
        ("+64bit,+m,+v,+zba,-save-restore", Form::Features),
        ("-mattr=+v,+zba", Form::Features),
        ("\"target-features\"=\"+64bit,+v,+zba,+zicsr,-e,-experimental-zvkgs\"", Form::Features),
        ("-C target-feature=+v,+zba,+zbb,-zbb", Form::Features),
        ("target_feature=\"v\"\ntarget_feature=\"zba\"", Form::Features),
        (
            "#define __riscv_v 1000000\n#define __riscv_xlen 64\n#define __riscv_zba 1000000",
            Form::Features,
        ),
        ("core  x, VLEN 256\nhwprobe key 4  0xf\nAT_HWCAP  0x112d", Form::Hwprobe),
        ("RISCV_HWPROBE_KEY_IMA_EXT_0: 0xf", Form::Hwprobe),
        (
            "{key=RISCV_HWPROBE_KEY_IMA_EXT_0, value=RISCV_HWPROBE_IMA_FD|RISCV_HWPROBE_IMA_V|RISCV_HWPROBE_EXT_ZBA}",
            Form::Hwprobe,
        ),
        ("OPENSSL_riscvcap=ZBA_V vlen:256", Form::Settings),
        ("-march=rv64gc_zba -Xclang -target-feature -Xclang +v", Form::Features),
    ];
    for (text, form) in cases {
        let (f, write, found) = pasted(text);
        assert_eq!(
            (f, write.as_str(), found),
            (form, "rv64gc_zba_v", vec![Problem::Names]),
            "{text}"
        );
    }
    let (_, _, found) = pasted("+m,+zbba");
    assert!(matches!(&found[..], [Problem::Unknown(w, _)] if w == "zbba"), "{found:?}");
    // A hart without V is not given V.
    let (_, write, found) = pasted("isa : rv64imac_zve64x_zvkned");
    assert_eq!((write.as_str(), found), ("rv64gc_zvkned", vec![Problem::NoV(set(&[Ext::Zvkned]))]));
}

/// A draft's vector instructions differ, so V is not proposed for them.
#[test]
fn a_draft_is_not_read_as_the_ratified_extension() {
    let (_, write, found) = pasted("-march=rv64gcv0p7_zba");
    assert_eq!(write, "rv64gc_zba");
    assert!(matches!(&found[..], [Problem::Unknown(w, h)] if w == "v0p7" && h.contains("draft")));
    let found = problems("rv64gc_v0p7");
    assert_eq!(found, [Problem::Misread("v0p7".into(), set(&[Ext::V]))]);
}

/// Code for V 1.0 must not run on a hart with a draft, so nothing that needs V is proposed.
#[test]
fn no_vector_capability_is_proposed_with_a_draft_of_v() {
    let zvkned = || set(&[Ext::Zvkned]);
    for text in [
        "rv64gcv0p7_zba_zvkned",
        "rv64gcv0p7 zba zvkned",
        "-march=rv64gcv0p7_zba_zvkned",
        "rv64gc_v0p7_zba_zvkned",
    ] {
        let (_, write, found) = pasted(text);
        assert_eq!(write, "rv64gc_zba", "{text}");
        assert!(found.contains(&Problem::Draft("v0p7".into(), zvkned())), "{text}: {found:?}");
        let asks_for_v = |p: &Problem| matches!(p, Problem::NoV(_) | Problem::AssumedV(_));
        assert!(!found.iter().any(asks_for_v), "{text}: {found:?}");
    }
    let (_, write, found) = pasted("zvkned v0p7 zba zbb");
    assert_eq!(write, "rv64gc_zba_zbb");
    assert!(found.contains(&Problem::Draft("v0p7".into(), zvkned())), "{found:?}");
    assert_eq!(lint("rv64gcv1p0_zvkned").corrected(), "rv64gc_v_zvkned");
}

/// V is not assumed if it is turned off, and an extension that a later flag turns off is not proposed.
#[test]
fn extensions_that_are_turned_off_are_not_proposed() {
    for (text, write) in [
        ("-mattr=+zvkned,-v", "rv64gc_zvkned"),
        ("-mattr=-v,+zvkned", "rv64gc_zvkned"),
        ("-C target-feature=+v,+zvkned,-v", "rv64gc_zvkned"),
        ("-mattr=-v,+v,+zvkned", "rv64gc_v_zvkned"),
        ("-march=rv64gcv_zba -Xclang -target-feature -Xclang -v", "rv64gc_zba"),
        ("-march=rv64gc_zba_zbb -Xclang -target-feature -Xclang -zba", "rv64gc_zbb"),
        // Turning an extension off also turns off those that need it, but not others that the same name implies.
        ("-mattr=+v,+zvkned,+zba,-zve32x", "rv64gc_zba"),
        ("-march=rv64gcv_zba_zvkned -Xclang -target-feature -Xclang -zve32x", "rv64gc_zba"),
        ("-mattr=+v,+zvkn,-zvkned", "rv64gc_v_zvkb_zvknha_zvknhb"),
        ("-mattr=+v,-zve32x,+v", "rv64gc_v"),
        // This is a flag of the compiler, not a feature.
        ("cc -v -march=rv64gcv_zba", "rv64gc_zba_v"),
    ] {
        let (_, proposed, found) = pasted(text);
        assert_eq!(proposed, write, "{text}");
        assert!(!found.iter().any(|p| matches!(p, Problem::AssumedV(_))), "{text}: {found:?}");
        let unknown = |p: &Problem| matches!(p, Problem::Unknown(..));
        assert!(!found.iter().any(unknown), "{text}: {found:?}");
    }
    let (_, _, found) = pasted("-mattr=+zvkned,-v");
    assert!(found.contains(&Problem::NoV(set(&[Ext::Zvkned]))), "{found:?}");
}

#[test]
fn each_string_of_several_arguments_is_judged() {
    for (arguments, texts) in [
        (&["rv64gc_v_zvkned", "rv64gcv"][..], &["rv64gc_v_zvkned", "rv64gcv"][..]),
        (&["rva23u64", "rv64gc", "zbb"], &["rva23u64", "rv64gc zbb"]),
        (&["rv64gc", "zbb"], &["rv64gc zbb"]),
        (&["isa", ":", "rv64gcv"], &["isa : rv64gcv"]),
        (&["i", "m", "v"], &["i m v"]),
        (&[], &[]),
    ] {
        let arguments: Vec<String> = arguments.iter().map(|a| a.to_string()).collect();
        assert_eq!(each(&arguments), texts);
    }
}

#[test]
fn names_of_other_architectures_are_recognised() {
    for (name, is) in [
        ("x86-64-v3", Some("x86")),
        ("znver4", Some("x86")),
        ("armv8-a+crypto", Some("Arm")),
        ("neoverse-n1", Some("Arm")),
        ("sifive-p670", None),
        ("native", None),
    ] {
        assert_eq!(architecture(name), is, "{name}");
    }
    let x86 = "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu vme aes avx2";
    assert_eq!(cpuinfo(x86), Some("x86"));
    assert_eq!(cpuinfo("flags\t\t: fpu vme aes avx2"), Some("x86"));
    assert_eq!(cpuinfo("Features\t: fp asimd aes pmull"), Some("Arm"));
    for text in ["processor : 0\nisa : rv64gcv\nmmu : sv48", "rv64gcv", "i m v", ""] {
        assert_eq!(cpuinfo(text), None, "{text}");
    }
}

/// A value from a variable or a file may begin with a blank.
#[test]
fn a_leading_blank_is_no_mistake() {
    assert!(problems(" rv64gc_v").is_empty(), "{:?}", problems(" rv64gc_v"));
    assert_eq!(lint(" rv64gc_v").sets, set(&[Ext::V]));
    assert!(!problems(" rv64gcv").is_empty());
}

#[test]
fn other_texts_are_read_as_values() {
    for text in [
        "rv64gcv_zba",
        " rv64gc zbb",
        "rv64gc,zbb",
        "any thing_zbb",
        "zba",
        "_zbb",
        "rv64gc+v",
        "é",
        "",
    ] {
        let paste = read(text);
        assert_eq!(
            (paste.form, paste.written),
            (Form::Value, Written::String(text.into())),
            "{text}"
        );
    }
}

/// Fragments of all forms in any order: nothing panics, and a proposed value has no problems.
#[test]
fn random_mixtures_are_read_without_panic() {
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
