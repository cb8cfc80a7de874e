//! `capvec kat` as a user runs it, on the stock library of the sysroot: what it checks, and that it can fail.

use assert_cmd::Command;
use assert_cmd::cargo::CommandCargoExt;
use serde_json::Value;
use std::path::Path;

/// `capvec kat ARGS` to the exit status `code`; gives standard output and standard error.
fn kat(args: &[&str], code: i32) -> (String, String) {
    let mut command = Command::cargo_bin("capvec").unwrap();
    let output =
        command.args([&["kat", "-q"], args].concat()).assert().code(code).get_output().clone();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn json(args: &[&str], code: i32) -> Value {
    serde_json::from_str(&kat(&[args, &["--format", "json"]].concat(), code).0).unwrap()
}

/// A directory of vectors with one file.
fn vectors(records: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let head = "format = capvec-vectors 1\norigin = a test\nlicence = none\n\n";
    std::fs::write(dir.path().join("own.txt"), format!("{head}{records}")).unwrap();
    dir
}

fn path(dir: &tempfile::TempDir) -> &str {
    Path::to_str(dir.path()).unwrap()
}

/// McGrew and Viega, test case 4; FIPS 180-4's "abc".
const GCM: &str = "algorithm = aes-128-gcm\nid = good\nkey = feffe9928665731c6d6a8f9467308308\niv = cafebabefacedbaddecaf888\n\
    aad = feedfacedeadbeeffeedfacedeadbeefabaddad2\nin = d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
    1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39\nout = 42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e\
    2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091\ntag = 5bc94fbc3221a5db94fae95ae7121a47\n";
const ABC: &str = "algorithm = sha256\nid = abc\nin = 616263\n\
    out = ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n";

#[test]
fn right_answers_pass_on_every_set_and_policy() {
    let dir = vectors(&format!("{GCM}\n{ABC}"));
    let args = ["--vectors", path(&dir), "--caps", "full", "--vlen", "128,512"];
    let record = json(&args, 0);
    let rows = record["rows"].as_array().unwrap();
    // Scalar, and two policies at two VLENs, of two algorithms.
    assert_eq!(rows.len(), 2 * (1 + 4));
    for r in rows {
        assert_eq!(
            (&r["passed"], &r["failed"], &r["unlike_scalar"]),
            (&1.into(), &0.into(), &0.into()),
            "{r}"
        );
        assert!(r["checks"].as_u64().unwrap() > 8, "{r}");
    }
    assert_eq!(json(&args, 0), record);
}

/// The line with this text.
fn line<'a>(text: &'a str, with: &str) -> &'a str {
    text.lines().find(|l| l.contains(with)).unwrap_or_else(|| panic!("no {with}: {text}"))
}

/// What a command prints that the program told its user to run.
fn shell(command: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin("capvec");
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = std::process::Command::new("bash");
    // Not every machine has xxd.
    let command = command.replace(" | xxd -p -c 0", "");
    let output = shell.args(["-c", &command]).env("PATH", path).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_wrong_answer_is_named_with_what_shows_it_again() {
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
    // Both commands, as they stand there.
    let again = shell(line(&stdout, "capvec kat"));
    assert!(again.contains("hash, one update: byte 31 of 32 is ad, not ae"), "{again}");
    let right = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert!(shell(line(&stdout, "openssl dgst")).contains(right));
    // A tag that is not right, and one that is called wrong but is not.
    let wrong_tag = GCM.replace("5bc94fbc", "5bc94fbd");
    let (stdout, _) = kat(&["--vectors", path(&vectors(&wrong_tag)), "--caps", "scalar"], 1);
    assert!(stdout.contains("encrypt, one update: byte 63 of 76 is bc, not bd"), "{stdout}");
    let forged = format!("{GCM}result = invalid\n");
    let (stdout, _) = kat(&["--vectors", path(&vectors(&forged)), "--caps", "scalar"], 1);
    assert!(stdout.contains("decrypt, one update: accepted, must be refused"), "{stdout}");
}

/// `_zvkgs` is misread as Zvkg, which the hart lacks: the library's own failure, in every vector that gets there.
#[test]
fn a_library_that_goes_wrong_on_a_set_fails_there_and_only_there() {
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

#[test]
fn a_vector_alone_and_its_command_for_the_stock_program() {
    let id = "lengths/sha.txt:sha256/in/17";
    let record = json(&["--vector", id, "--caps", "full", "--agnostic", "ones"], 0);
    let rows = record["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|r| r["vectors"] == 1 && r["algorithm"] == "sha256"));
    assert_eq!(rows[1]["agnostic"], "ones");
}

/// Of the whole, one algorithm of every kind; `make kat` runs all.
#[test]
fn what_is_built_in_passes() {
    let of = "sm3,poly1305,aes-128-cbc-pkcs7,aes-128-cfb1,sha512-224,sm2,ml-kem-512";
    let (csv, _) = kat(&["--algorithms", of, "--caps", "full", "--format", "csv"], 0);
    assert_eq!(csv.lines().count(), 1 + 7 * 3, "{csv}");
    assert!(
        csv.starts_with(
            "algorithm,capset,capstring,vlen,agnostic,vectors,checks,passed,failed,known,"
        ),
        "{csv}"
    );
}

/// Stock OpenSSL refuses long IVs of GCM: shown as such, and no failure.
#[test]
fn known_limits_of_the_library_are_shown_as_such() {
    let (stdout, _) = kat(&["--vector", "wycheproof/aes-gcm.txt:268", "--caps", "scalar"], 0);
    assert!(
        stdout.contains("Known limit of OpenSSL") && stdout.contains("GCM_IV_MAX_SIZE"),
        "{stdout}"
    );
    assert!(stdout.contains("1 of 1 vectors fail as the library is known to"), "{stdout}");
    let again = shell(line(&stdout, "capvec kat"));
    assert!(again.contains("GCM_IV_MAX_SIZE"), "{again}");
    let record = json(&["--vector", "wycheproof/aes-gcm.txt:268", "--caps", "scalar"], 0);
    assert_eq!((&record["rows"][0]["known"], &record["rows"][0]["passed"]), (&1.into(), &0.into()));
}

#[test]
fn out_gets_all_files() {
    let dir = vectors(ABC);
    let out = dir.path().join("out");
    let args = [
        "--vectors",
        path(&dir),
        "--caps",
        "scalar",
        "--out",
        out.to_str().unwrap(),
        "--format",
        "csv",
    ];
    let (csv, _) = kat(&args, 0);
    assert_eq!(std::fs::read_to_string(out.join("kat.csv")).unwrap(), csv);
    assert!(out.join("kat.json").is_file() && out.join("kat.md").is_file());
}

#[test]
fn usage_errors_name_the_flag() {
    let broken = vectors("algorithm = sha256\nid = 1\nin = 0\n");
    let unknown = vectors("algorithm = sha257\nid = 1\nin = 00\n");
    let cases: [(&[&str], &str); 8] = [
        (&["--algorithms", "aes-127"], "--algorithms aes-127"),
        (&["--caps", "zvknedd"], "zvknedd"),
        (&["--vlen", "100"], "--vlen"),
        (&["--agnostic", "zeros"], "--agnostic"),
        (&["--vector", "nowhere:1"], "--vector nowhere:1"),
        (&["--vectors", "/nonexistent"], "--vectors"),
        (&["--vectors", path(&broken)], "own.txt, line 7: in"),
        (&["--vectors", path(&unknown)], "sha257"),
    ];
    for (args, needle) in cases {
        let (stdout, stderr) = kat(args, 2);
        assert!(stdout.is_empty() && stderr.contains(needle), "{args:?}: {stderr}");
    }
}

fn finished(out: &Path) -> usize {
    let entries = std::fs::read_dir(out.join("runs")).into_iter().flatten().flatten();
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    names.filter(|n| n.ends_with(".json") && n != "identity.json").count()
}

#[test]
fn an_interrupted_run_goes_on_with_the_same_results() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let args = ["--algorithms", "sm3,hmac-sm3", "--caps", "full,v", "--format", "csv"];
    let with_out = [&args[..], &["--out", out.to_str().unwrap()]].concat();
    let mut child = std::process::Command::cargo_bin("capvec")
        .unwrap()
        .args([&["kat", "-q"], &with_out[..]].concat())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while finished(&out) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it was interrupted");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Other vectors are another run: not mixed, nothing lost.
    let other = ["--algorithms", "sm3", "--out", out.to_str().unwrap()];
    let (_, stderr) = kat(&other, 1);
    assert!(stderr.contains("the vectors") && stderr.contains("runs"), "{stderr}");
    let (resumed, stderr) = kat(&with_out, 0);
    assert!(stderr.contains("goes on"), "{stderr}");
    assert!(!out.join("runs").exists());
    assert_eq!(resumed, kat(&args, 0).0);
}
