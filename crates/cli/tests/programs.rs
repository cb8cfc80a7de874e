//! Debian's unmodified python3, perl, sqlite3 and gpg do real work. Their results are compared with independent
//! implementations, and two runs with each other, byte for byte.

use crate::common::{guest, output};
use crate::openpgp;
use sha2::Digest;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// `--bind` of a host path.
fn bind(host: &Path, guest: &str) -> String {
    format!("--bind={}:{guest}", host.display())
}

/// The scripts that the guest runs.
fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest")
}

/// Bytes that repeat only after a long time (a linear congruential generator's high bytes).
fn bytes(seed: u32, len: usize) -> Vec<u8> {
    let step = |x: &u32| Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    std::iter::successors(Some(seed), step).map(|x| (x >> 24) as u8).skip(1).take(len).collect()
}

fn hex<D: Digest>(data: &[u8]) -> String {
    D::digest(data).iter().fold(String::new(), |text, b| text + &format!("{b:02x}"))
}

#[test]
fn python_hashes_files_in_processes_and_threads() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut expected = String::new();
    for (name, len) in [("long", 70_001), ("block", 128), ("short", 13), ("empty", 0)] {
        let data = bytes(len, len as usize);
        std::fs::write(dir.path().join(name), &data).expect("a file");
        for (algorithm, digest) in [
            ("sha1", hex::<sha1::Sha1>(&data)),
            ("sha256", hex::<sha2::Sha256>(&data)),
            ("sha512", hex::<sha2::Sha512>(&data)),
            ("sha3_256", hex::<sha3::Sha3_256>(&data)),
            ("sm3", hex::<sm3::Sm3>(&data)),
        ] {
            writeln!(expected, "{name} {algorithm} {digest}").expect("memory");
        }
    }
    let scripts = bind(&scripts(), "/scripts");
    let program = ["python3", "/scripts/digests.py", "long", "block", "short", "empty"];
    let run = || output(guest(&[&scripts, "--stats"], &program).current_dir(dir.path()), 0);
    let (first, second) = (run(), run());
    assert_eq!(first.0, expected);
    assert_eq!(first, second, "statistics agree, too");
}

#[test]
fn perl_counts_words() {
    let text = include_str!("../../../README.md");
    let mut counts = BTreeMap::new();
    // Words as perl's \b delimits them: letters without adjacent digits or underscores.
    for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        if !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphabetic()) {
            *counts.entry(word.to_ascii_lowercase()).or_insert(0) += 1;
        }
    }
    let mut most: Vec<(String, i32)> = counts.into_iter().collect();
    most.sort_by_key(|(_, n)| -n);
    let mut expected = String::new();
    for (word, n) in &most[..5] {
        writeln!(expected, "{word} {n} {}", hex::<sha1::Sha1>(word.as_bytes())).expect("memory");
    }
    writeln!(expected, "{}", hex::<sha2::Sha384>(text.as_bytes())).expect("memory");
    let scripts = bind(&scripts(), "/scripts");
    let run = || output(guest(&[&scripts], &["perl", "/scripts/words.pl"]).write_stdin(text), 0).0;
    assert_eq!(run(), expected);
    assert_eq!(run(), expected);
}

#[test]
fn sqlite_builds_a_database() {
    let input = tempfile::tempdir().expect("a directory");
    let mut table = String::from("id,town,age\n");
    let mut towns: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for id in 1..=5000 {
        let (town, age) = (format!("town{}", id * 7 % 13), id % 90);
        writeln!(table, "{id},{town},{age}").expect("memory");
        let entry = towns.entry(town).or_default();
        *entry = (entry.0 + 1, entry.1 + age);
    }
    std::fs::write(input.path().join("people.csv"), table).expect("a file");
    let mut expected = String::from("wal\n");
    for (town, (n, age)) in towns {
        writeln!(expected, "{town}|{n}|{age}").expect("memory");
    }
    expected += "ok\n0|0|0\n";
    let run = || {
        let db = tempfile::tempdir().expect("a directory");
        let binds =
            [bind(&scripts(), "/scripts"), bind(input.path(), "/in"), bind(db.path(), "/db:rw")];
        let program = ["sqlite3", "/db/people.db", ".read /scripts/towns.sql"];
        let (out, _) = output(&mut guest(&[&binds[0], &binds[1], &binds[2]], &program), 0);
        assert_eq!(out, expected);
        // Another process finds the database in the same state.
        let ask = ["sqlite3", "-readonly", "/db/people.db", "SELECT sum(id), max(age) FROM people"];
        assert_eq!(output(&mut guest(&[&binds[2]], &ask), 0).0, "12502500|9\n");
        std::fs::read(db.path().join("people.db")).expect("the database")
    };
    let first = run();
    assert!(first.starts_with(b"SQLite format 3\0"));
    assert_eq!(first, run());
}

/// Makes a key, exports it, signs, encrypts, decrypts and verifies.
const SIGNING: &str = "
set -e
gpg --batch --quiet --passphrase '' --quick-gen-key 'Guest <guest@example.org>' ed25519 sign never
keys=$(gpg --list-keys --with-colons)
fingerprint=${keys#*fpr:::::::::}
gpg --batch --quiet --passphrase '' --quick-add-key ${fingerprint%%:*} cv25519 encr never
gpg --batch --export > key
gpg --batch --detach-sign --output signature message
gpg --batch --quiet --trust-model always --encrypt --recipient guest@example.org --output secret message
[[ $(gpg --batch --quiet --decrypt secret) == $(<message) ]]
gpg --batch --verify signature message
text=$(<message)
echo \"${text//money/honey}\" > changed
! gpg --batch --verify signature changed
gpgconf --kill gpg-agent
echo done";

#[test]
fn gpg_makes_a_key_and_signs() {
    let run = || {
        let dir = tempfile::tempdir().expect("a directory");
        let message = "send money\n".repeat(1000);
        std::fs::write(dir.path().join("message"), &message).expect("a file");
        let (out, err) = output(
            guest(
                &[&bind(dir.path(), "/keys:rw")],
                &["bash", "-c", &format!("cd /keys; {SIGNING}")],
            )
            .current_dir(dir.path()),
            0,
        );
        assert_eq!(out, "done\n", "{err}");
        assert!(err.contains("Good signature") && err.contains("BAD signature"), "{err}");
        let read =
            |name| std::fs::read(dir.path().join(name)).expect("a file that the guest has written");
        let (key, signature) = (read("key"), read("signature"));
        openpgp::verify(&key, &signature, message.as_bytes()).expect("the signature is right");
        assert!(openpgp::verify(&key, &signature, b"send honey\n").is_err());
        (key, signature, read("secret"), err)
    };
    assert_eq!(run(), run());
}
