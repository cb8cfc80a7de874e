//! Failures of `capvec kat`: how they are named and reproduced, known failures, refusals, missing algorithms.

use super::{ABC, GCM, json, kat, path, vectors};
use assert_cmd::Command;
use serde_json::Value;

/// The first line that contains this text.
fn line<'a>(text: &'a str, with: &str) -> &'a str {
    text.lines().find(|l| l.contains(with)).unwrap_or_else(|| panic!("no {with}: {text}"))
}

/// Runs a command that capvec has suggested; returns what it prints.
fn shell(command: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin("capvec");
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", command]).env("PATH", path).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_wrong_answer_is_named_with_commands_that_reproduce_it() {
    let dir = vectors(&format!("{GCM}\n{}", ABC.replace("f20015ad", "f20015ae")));
    let (stdout, _) = kat(&["--vectors", path(&dir), "--caps", "scalar"], 1);
    let needles = [
        "sha256 with scalar: 1 of 1 vectors fail, first abc of own.txt",
        "hash, one update: byte 31 of 32 is ad, not ae",
        "openssl dgst -sha256",
        "in = 616263",
    ];
    for needle in needles {
        assert!(stdout.contains(needle), "{needle}: {stdout}");
    }
    assert!(!stdout.contains("aes-128-gcm with"), "{stdout}");
    // Both commands work as printed.
    let again = shell(line(&stdout, "capvec kat"));
    assert!(again.contains("hash, one update: byte 31 of 32 is ad, not ae"), "{again}");
    let right = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert!(shell(line(&stdout, "openssl dgst")).contains(right));
    // A vector with a wrong tag, and a right one that claims to be invalid.
    let wrong_tag = GCM.replace("5bc94fbc", "5bc94fbd");
    let (stdout, _) = kat(&["--vectors", path(&vectors(&wrong_tag)), "--caps", "scalar"], 1);
    assert!(stdout.contains("encrypt, one update: byte 63 of 76 is bc, not bd"), "{stdout}");
    let forged = format!("{GCM}result = invalid\n");
    let (stdout, _) = kat(&["--vectors", path(&vectors(&forged)), "--caps", "scalar"], 1);
    assert!(stdout.contains("decrypt, one update: accepted, must be refused"), "{stdout}");
}

/// OpenSSL misreads `_zvkgs` as Zvkg, which the hart lacks, so every vector fails that reaches the instruction.
#[test]
fn a_library_that_fails_with_one_set_fails_only_there() {
    let dir = vectors(&format!("{GCM}\n{ABC}"));
    let record = json(&["--vectors", path(&dir), "--caps", "scalar,string:rv64gc_v_zvkgs"], 1);
    for r in record["rows"].as_array().unwrap() {
        let broken = r["algorithm"] == "aes-128-gcm" && r["capset"] != "scalar";
        assert_eq!(r["failed"], i32::from(broken), "{r}");
        assert_eq!(r["unlike_scalar"], i32::from(broken), "{r}");
        if broken {
            let what = r["failure"]["what"].as_str().unwrap();
            assert!(what.contains("SIGILL at pc") && what.contains("one update"), "{what}");
        }
    }
}

/// Stock OpenSSL refuses long IVs for GCM: a known failure, which is not counted as one.
#[test]
fn known_failures_of_the_library_are_shown_as_such() {
    let (stdout, _) = kat(&["--vector", "wycheproof/aes-gcm.txt:268", "--caps", "scalar"], 0);
    assert!(
        stdout.contains("Known failure of OpenSSL") && stdout.contains("GCM_IV_MAX_SIZE"),
        "{stdout}"
    );
    assert!(stdout.contains("1 of 1 vectors fail as the library is known to"), "{stdout}");
    let again = shell(line(&stdout, "capvec kat"));
    assert!(again.contains("GCM_IV_MAX_SIZE"), "{again}");
    let record = json(&["--vector", "wycheproof/aes-gcm.txt:268", "--caps", "scalar"], 0);
    assert_eq!((&record["rows"][0]["known"], &record["rows"][0]["passed"]), (&1.into(), &0.into()));
}

/// One path of stock OpenSSL's AES-XTS is wrong at VLEN 2048: known there, and right at other VLENs and with other sets.
#[test]
fn a_known_failure_of_a_path_applies_only_to_its_sets_and_vlens() {
    let id = "lengths/aes.txt:aes-128-xts/in/2047";
    let sets = ["--vector", id, "--agnostic", "ones"];
    let rows = |caps: &str, vlen: &str| {
        let args = [&sets[..], &["--caps", caps, "--vlen", vlen]].concat();
        json(&args, 0)["rows"].as_array().unwrap()[1..].to_vec()
    };
    for r in rows("zvbb_zvkg_zvkned", "1024,2048") {
        let known = u32::from(r["vlen"] == 2048);
        assert_eq!((&r["known"], &r["passed"]), (&known.into(), &(1 - known).into()), "{r}");
        assert_eq!((&r["failed"], &r["compared"]), (&0.into(), &(1 - known).into()), "{r}");
    }
    let other = rows("zvkb_zvkg_zvkned", "2048");
    assert_eq!((&other[0]["known"], &other[0]["passed"]), (&0.into(), &1.into()), "{other:?}");
    let args = [&sets[..], &["--caps", "full", "--vlen", "2048"]].concat();
    let (stdout, _) = kat(&args, 0);
    let known = "Known failure of OpenSSL 3.5 with zvbb zvkg zvkned at VLEN 2048 and above";
    assert!(
        stdout.contains(known) && stdout.contains("1 of 1 vectors fail as the library"),
        "{stdout}"
    );
    let again = shell(line(&stdout, "capvec kat"));
    assert!(again.contains(known), "{again}");
}

/// A wrong answer with patterns in every field, a wrong plaintext, and names that a shell would split.
#[test]
fn commands_that_reproduce_a_failure_run_in_a_shell() {
    let name = "it's $HOME";
    let ctr = format!(
        "algorithm = aes-128-ctr\nid = {name}\nkey = @16\niv = @16\nin = 2561\nout = 0000\n"
    );
    let dir = vectors(&ctr);
    let (stdout, _) = kat(&["--vectors", path(&dir), "--caps", "scalar"], 1);
    let enc = line(&stdout, "openssl enc -e -aes-128-ctr");
    let key = "000102030405060708090a0b0c0d0e0f";
    assert!(enc.contains(&format!("-K {key} -iv {key} ")), "{enc}");
    // Both show the same: the stock program's first byte is the one that capvec reports instead of the vector's.
    let first = shell(enc).split_whitespace().next().unwrap().to_string();
    let again = shell(line(&stdout, "capvec kat"));
    assert!(again.contains(&format!("byte 0 of 2 is {first}, not 00")), "{again} {first}");
    // Wycheproof's test of three bytes, marked invalid: the decrypting command gives these bytes.
    let (key, iv) = ("c36ff15f72777ee21deec07b63c1a0cd", "a8446c27ea9068d8d924d5c4eac91157");
    let (message, out) = ("50b428", "3f7a26558ba51cf352219d34c46907ae");
    let pad = format!(
        "algorithm = aes-128-cbc-pkcs7\nid = pad\nkey = {key}\niv = {iv}\nin = {message}\nout = {out}\nresult = invalid\n"
    );
    let (stdout, _) = kat(&["--vectors", path(&vectors(&pad)), "--caps", "scalar"], 1);
    let dec = line(&stdout, "openssl enc -d -aes-128-cbc");
    assert_eq!(shell(dec).split_whitespace().collect::<String>(), message, "{dec}");
    // A value that is not an ISA string: the suggested command gives the hart the extensions that the value means.
    let dir = vectors(&ABC.replace("f20015ad", "f20015ae"));
    let set = "string:rv64gc_v_zvkgs x";
    let record = json(&["--vectors", path(&dir), "--caps", set, "--agnostic", "ones"], 1);
    let text = record["rows"][1]["failure"]["reproduce"].as_str().unwrap();
    let again = shell(line(text, "capvec kat"));
    assert!(again.contains("byte 31 of 32 is ad, not ae"), "{again}");
    let with = line(text, " --env 'OPENSSL_riscvcap=rv64gc_v_zvkgs x' ");
    let right = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert!(shell(with).contains(right), "{with}");
}

/// GCM with an IV that OpenSSL 3.5 does not accept: refused, but not because of the wrong tag.
const EARLY: &str = "algorithm = aes-128-gcm\nid = early\nkey = feffe9928665731c6d6a8f9467308308\niv = @129\n\
    in = 00\nout = 01\ntag = 00112233445566778899aabbccddeeff\nresult = invalid\n";

#[test]
fn a_refusal_before_the_operation_proves_nothing() {
    // Next to a vector that reaches the operation, it is counted as passed; alone, it means that nothing was tested.
    let both = vectors(&format!("{GCM}\n{EARLY}"));
    let rows = json(&["--vectors", path(&both), "--caps", "scalar"], 0)["rows"].clone();
    assert_eq!((&rows[0]["passed"], &rows[0]["early"]), (&2.into(), &1.into()), "{rows}");
    let alone = vectors(&format!("{EARLY}\n{ABC}"));
    let (stdout, _) = kat(&["--vectors", path(&alone), "--caps", "scalar"], 1);
    let message =
        "aes-128-gcm with scalar: all vectors of own.txt (enc) are refused before the operation";
    assert!(stdout.contains(message), "{stdout}");
    let rows = json(&["--vectors", path(&alone), "--caps", "scalar"], 1)["rows"].clone();
    assert_eq!((&rows[0]["passed"], &rows[0]["early"]), (&0.into(), &1.into()), "{rows}");
    assert_eq!(rows[1]["passed"], 1, "{rows}");
    // A key of a wrong length is a fault of the file: the refusal does not count for the library.
    let short = GCM.replace("key = fe", "key = ") + "result = invalid\n";
    let (stdout, _) = kat(&["--vectors", path(&vectors(&short)), "--caps", "scalar"], 1);
    assert!(stdout.contains("the vector's key has 15 bytes, AES-128-GCM takes 16"), "{stdout}");
}

/// A copy of what `kat` reads of the other tests' store, with a library that lacks the algorithms of these names.
fn store_without(names: &[&str]) -> tempfile::TempDir {
    let home = capvec_sysroot::Store::from_env().unwrap().home().to_path_buf();
    let store = tempfile::tempdir_in(home.parent().unwrap()).unwrap();
    let mut copy = std::process::Command::new("cp");
    let (sysroot, compiler) = ("sysroots/trixie-riscv64", "sysroots/trixie-riscv64-build");
    copy.args(["-al", "--parents", sysroot, compiler, "drivers"]).arg(store.path());
    // Other tests may be compiling there: their unfinished files may vanish during the copy.
    let _ = copy.current_dir(&home).stderr(std::process::Stdio::null()).status().unwrap();
    let library = "sysroots/trixie-riscv64/root/usr/lib/riscv64-linux-gnu/libcrypto.so.3";
    let library = store.path().join(library);
    let mut bytes = std::fs::read(&library).unwrap();
    for name in names {
        let places: Vec<usize> = (0..bytes.len() - name.len())
            .filter(|at| bytes[*at..].starts_with(name.as_bytes()))
            .collect();
        assert!(!places.is_empty(), "{name}");
        for at in places {
            // Overwrites both the name and the object identifier.
            bytes[at..at + name.len()].iter_mut().filter(|b| **b != b':').for_each(|b| *b = b'x');
        }
    }
    // Replaces the file instead of writing to it: it is a hard link to the library of the other tests.
    std::fs::remove_file(&library).unwrap();
    std::fs::write(&library, bytes).unwrap();
    store
}

#[test]
fn an_algorithm_that_the_library_lacks_is_not_available() {
    // Makes sure that the driver is built in the store of the other tests, where it is kept.
    kat(&["--vector", "lengths/sha.txt:sha256/in/17", "--caps", "scalar"], 0);
    let store = store_without(&["SM4-GCM:1.2.156.10197.1.104.8"]);
    let run = |format: &str| {
        let mut command = Command::cargo_bin("capvec").unwrap();
        let args = ["kat", "-q", "--algorithms", "sm4-gcm,sm4-ecb", "--caps", "scalar"];
        command.env("CAPVEC_HOME", store.path()).args(args).args(["--format", format]);
        String::from_utf8(command.assert().code(1).get_output().stdout.clone()).unwrap()
    };
    let text = run("table");
    assert!(text.contains("sm4-gcm is not available in this library: 500 vectors"), "{text}");
    assert!(line(&text, " sm4-gcm ").contains("not available"), "{text}");
    assert!(line(&text, " sm4-ecb ").contains("pass"), "{text}");
    let record: Value = serde_json::from_str(&run("json")).unwrap();
    let of = |name: &str| {
        let rows = record["rows"].as_array().unwrap();
        rows.iter().find(|r| r["algorithm"] == name).unwrap().clone()
    };
    let gone = of("sm4-gcm");
    assert_eq!((&gone["passed"], &gone["absent"]), (&0.into(), &gone["vectors"]), "{gone}");
    assert_eq!(of("sm4-ecb")["absent"], 0);
}
