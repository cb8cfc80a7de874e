//! `capvec isa`.

use assert_cmd::Command;

fn capvec(args: &[&str]) -> (String, String, Option<i32>) {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    let out = c.args(args).output().expect("it runs");
    let text = |b: Vec<u8>| String::from_utf8(b).expect("UTF-8");
    (text(out.stdout), text(out.stderr), out.status.code())
}

#[test]
fn pages() {
    insta::assert_snapshot!("extension", capvec(&["isa", "zvksed"]).0);
    insta::assert_snapshot!("instruction", capvec(&["isa", "c.addi16sp"]).0);
    insta::assert_snapshot!("string", capvec(&["isa", "rv64gc_zvkn"]).0);
    assert_eq!(capvec(&["isa", "--decode", "a2082077"]).0, "vsm4r.vv v0, v0\n");
}

#[test]
fn the_list_has_every_extension_of_the_table() {
    let text = capvec(&["isa"]).0;
    for name in ["zvknhb", "zkr", "zfhmin", "zicboz", "zcmop"] {
        assert!(text.contains(name), "{name}");
    }
}

#[test]
fn unknown_names_are_usage_errors() {
    for args in [["isa", "zvkned2"], ["isa", "rv64gc_zzz"], ["isa", "--decode=zz"]] {
        let (out, err, code) = capvec(&args);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{args:?}: {err}");
    }
    let (_, err, code) = capvec(&["isa", "--decode", "ffffffff"]);
    assert!(code == Some(1) && err.contains("0xffffffff"), "{err}");
}
