//! Cores whose models have no vector unit count no cycles of vector instructions: sets with vectors are left out or refused.

use assert_cmd::Command;

fn capvec(words: &str) -> (String, String, Option<i32>) {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    let out = c.args(words.split(' ')).output().expect("capvec starts");
    let text = |b: Vec<u8>| String::from_utf8(b).expect("UTF-8");
    (text(out.stdout), text(out.stderr), out.status.code())
}

#[test]
fn no_command_times_vectors_on_a_core_without_a_vector_unit() {
    let dir = tempfile::tempdir().expect("a directory");
    let code = dir.path().join("f.c");
    std::fs::write(&code, "void f(void) {}\n").expect("a file");
    let measure = format!("measure --core thead-c910 --caps v --call f() {}", code.display());
    for words in [
        "bench --core sifive-u74 --caps full --cases sha256",
        "explore --core sifive-p550 --base zvkned --with zvkg --cases aes-128-gcm",
        "run --core sifive-u74 --isa rv64gcv -- openssl version",
        &measure,
    ] {
        let (out, err, status) = capvec(words);
        assert_eq!((out.as_str(), status), ("", Some(2)), "{words}: {err}");
        assert!(err.contains("has no vector unit"), "{words}: {err}");
    }
}

#[test]
fn what_remains_is_measured() {
    let (out, err, status) =
        capvec("bench --core sifive-u74 --cases sha256 --caps scalar,zbb,full --bytes 1024");
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("left out: full: the model of sifive-u74"), "{err}");
    assert!(!out.contains("full"), "{out}");
    let (out, err, status) =
        capvec("doctor --core sifive-u74 --cost --algorithms sha256 --bytes 1024");
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains("nothing helps") && !out.contains("zvk"), "{out}");
    // Neither known answers nor reports need cycles.
    for words in ["caps --core sifive-u74 --caps full", "caps --core sifive-u74 --isa rv64gcv"] {
        let (out, err, status) = capvec(words);
        assert!(status == Some(0) && out.contains("hwprobe"), "{words}: {err}");
    }
    let (out, err, status) =
        capvec("kat --core sifive-u74 --algorithms sha256 --caps full --agnostic ones");
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains("1 with V"), "{out}");
}
