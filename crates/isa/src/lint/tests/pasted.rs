//! Texts that users paste: flags, lines of /proc/cpuinfo, device trees, lists of names.

use super::*;

/// The value proposed for a pasted text, and its problems.
fn pasted(text: &str) -> (Form, String, Vec<Problem>) {
    let paste = read(text);
    let found = judge(&paste);
    (paste.form, found.corrected(), found.problems())
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
