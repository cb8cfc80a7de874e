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
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", command]).env("PATH", path).output().unwrap();
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

/// Stock OpenSSL's AES-XTS is wrong at VLEN 2048, with one path: known there, and right beside it.
#[test]
fn a_known_limit_of_a_path_is_one_of_its_sets_and_vlens() {
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
    let limit = "Known limit of OpenSSL 3.5 with zvbb zvkg zvkned at VLEN 2048 and above";
    assert!(
        stdout.contains(limit) && stdout.contains("1 of 1 vectors fail as the library"),
        "{stdout}"
    );
    let again = shell(line(&stdout, "capvec kat"));
    assert!(again.contains(limit), "{again}");
}

/// A wrong answer with patterns in every field, a wrong plaintext, and names that a shell would take apart.
#[test]
fn commands_that_show_a_failure_again_run_in_a_shell() {
    let name = "it's $HOME";
    let ctr = format!(
        "algorithm = aes-128-ctr\nid = {name}\nkey = @16\niv = @16\nin = 2561\nout = 0000\n"
    );
    let dir = vectors(&ctr);
    let (stdout, _) = kat(&["--vectors", path(&dir), "--caps", "scalar"], 1);
    let enc = line(&stdout, "openssl enc -e -aes-128-ctr");
    let key = "000102030405060708090a0b0c0d0e0f";
    assert!(enc.contains(&format!("-K {key} -iv {key} ")), "{enc}");
    // What they show is the same: the stock program's first byte is what the vector's is not.
    let first = shell(enc).split_whitespace().next().unwrap().to_string();
    let again = shell(line(&stdout, "capvec kat"));
    assert!(again.contains(&format!("byte 0 of 2 is {first}, not 00")), "{again} {first}");
    // Wycheproof's test of three bytes, called wrong: what decrypts it gives these.
    let (key, iv) = ("c36ff15f72777ee21deec07b63c1a0cd", "a8446c27ea9068d8d924d5c4eac91157");
    let (message, out) = ("50b428", "3f7a26558ba51cf352219d34c46907ae");
    let pad = format!(
        "algorithm = aes-128-cbc-pkcs7\nid = pad\nkey = {key}\niv = {iv}\nin = {message}\nout = {out}\nresult = invalid\n"
    );
    let (stdout, _) = kat(&["--vectors", path(&vectors(&pad)), "--caps", "scalar"], 1);
    let dec = line(&stdout, "openssl enc -d -aes-128-cbc");
    assert_eq!(shell(dec).split_whitespace().collect::<String>(), message, "{dec}");
    // What OpenSSL misreads is no ISA: the hart has what the value means.
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
    let lacking = vectors("algorithm = sha256\nid = 1\nin = 00\n");
    let tag = GCM.replace("tag = ", &format!("tag = {}", "00".repeat(65536 - 16)));
    let tagged = vectors(&tag);
    let signed = vectors("algorithm = sha256\nid = 1\nin = @+3\n");
    let twice = vectors(&format!("{ABC}\n{ABC}"));
    let falling = "algorithm = sha256\nid = 1\nlengths = 5-3 3\nout-fnv1a64 = 0000000000000000\n";
    let falling = vectors(falling);
    let cases: [(&[&str], &str); 13] = [
        (&["--vectors", path(&signed)], "own.txt, line 7: in: @+3: no length"),
        (&["--vectors", path(&twice)], "own.txt, line 10: id abc a second time"),
        (&["--vectors", path(&falling)], "own.txt, line 5: lengths = 5-3 3: 5-3 has"),
        (&["--vectors", path(&lacking)], "own.txt, line 5: vector 1: the record lacks out"),
        (&["--vectors", path(&tagged)], "own.txt, line 12: tag: longer than 64 bytes"),
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

/// GCM with an IV that OpenSSL 3.5 does not take: refused, but not for what a vector would say.
const EARLY: &str = "algorithm = aes-128-gcm\nid = early\nkey = feffe9928665731c6d6a8f9467308308\niv = @129\n\
    in = 00\nout = 01\ntag = 00112233445566778899aabbccddeeff\nresult = invalid\n";

#[test]
fn what_is_refused_before_the_operation_is_no_proof() {
    // Beside a vector that gets as far, it is counted; alone, nothing was tested.
    let both = vectors(&format!("{GCM}\n{EARLY}"));
    let rows = json(&["--vectors", path(&both), "--caps", "scalar"], 0)["rows"].clone();
    assert_eq!((&rows[0]["passed"], &rows[0]["early"]), (&2.into(), &1.into()), "{rows}");
    let alone = vectors(&format!("{EARLY}\n{ABC}"));
    let (stdout, _) = kat(&["--vectors", path(&alone), "--caps", "scalar"], 1);
    let told =
        "aes-128-gcm with scalar: all vectors of own.txt (enc) are refused before the operation";
    assert!(stdout.contains(told), "{stdout}");
    let rows = json(&["--vectors", path(&alone), "--caps", "scalar"], 1)["rows"].clone();
    assert_eq!((&rows[0]["passed"], &rows[0]["early"]), (&0.into(), &1.into()), "{rows}");
    assert_eq!(rows[1]["passed"], 1, "{rows}");
    // A key that the algorithm does not have is the file's fault, not the library's merit.
    let short = GCM.replace("key = fe", "key = ") + "result = invalid\n";
    let (stdout, _) = kat(&["--vectors", path(&vectors(&short)), "--caps", "scalar"], 1);
    assert!(stdout.contains("the vector's key has 15 bytes, AES-128-GCM takes 16"), "{stdout}");
}

/// A store like that of the other tests, whose library lacks the algorithms of these names.
fn store_without(names: &[&str]) -> tempfile::TempDir {
    let home = capvec_sysroot::Store::from_env().unwrap().home().to_path_buf();
    let store = tempfile::tempdir_in(home.parent().unwrap()).unwrap();
    for part in ["sysroots", "drivers"] {
        let mut copy = std::process::Command::new("cp");
        copy.arg("-al").arg(home.join(part)).arg(store.path());
        // Others may be compiling there: what they have not finished vanishes meanwhile.
        let _ = copy.stderr(std::process::Stdio::null()).status().unwrap();
    }
    let library = "sysroots/trixie-riscv64/root/usr/lib/riscv64-linux-gnu/libcrypto.so.3";
    let library = store.path().join(library);
    let mut bytes = std::fs::read(&library).unwrap();
    for name in names {
        let places: Vec<usize> = (0..bytes.len() - name.len())
            .filter(|at| bytes[*at..].starts_with(name.as_bytes()))
            .collect();
        assert!(!places.is_empty(), "{name}");
        for at in places {
            // Neither name nor object identifier is left.
            bytes[at..at + name.len()].iter_mut().filter(|b| **b != b':').for_each(|b| *b = b'x');
        }
    }
    // Not through the link, which is the others' library.
    std::fs::remove_file(&library).unwrap();
    std::fs::write(&library, bytes).unwrap();
    store
}

#[test]
fn an_algorithm_that_the_library_lacks_is_not_available() {
    // Built, if it is not yet, where it stays.
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

#[test]
fn what_ran_is_told() {
    let dir = vectors(ABC);
    let args = ["--vectors", path(&dir), "--caps", "full,v", "--vlen", "128,512"];
    let (stdout, _) = kat(&args, 0);
    let ran = "Ran on sim: 1 capability set without vectors, 2 with, at VLEN 128, 512, with agnostic elements undisturbed, ones. \
        Equal to the scalar path, byte for byte and refusal for refusal: 8 of 8 vectors on other sets.";
    assert!(stdout.contains(ran), "{stdout}");
    let (stdout, _) = kat(&["--vectors", path(&dir), "--caps", "scalar"], 0);
    assert!(stdout.contains("Nothing to compare with the scalar path"), "{stdout}");
}

#[cfg(unix)]
#[test]
fn a_loop_of_links_is_named() {
    let dir = vectors(ABC);
    std::fs::create_dir(dir.path().join("sub")).unwrap();
    std::os::unix::fs::symlink("..", dir.path().join("sub/up")).unwrap();
    let (_, stderr) = kat(&["--vectors", path(&dir)], 2);
    assert!(
        stderr.contains("--vectors") && stderr.contains("sub/up is a symbolic link"),
        "{stderr}"
    );
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
    let (_, stderr) = kat(&other, 2);
    assert!(stderr.contains("the vectors") && stderr.contains("runs"), "{stderr}");
    let (resumed, stderr) = kat(&with_out, 0);
    assert!(stderr.contains("goes on"), "{stderr}");
    assert!(!out.join("runs").exists());
    assert_eq!(resumed, kat(&args, 0).0);
}
