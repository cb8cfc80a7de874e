//! Files of translations that another engine has left for the same program. Builds with assertions compare the code that is
//! placed with that of a new translation, to the byte. Another process has other addresses; that it can use the files is
//! tested by running the command.
#![cfg(translates)]

use crate::common::campaign::campaign;
use crate::common::programs::{all, program};
use crate::common::{CODE, EAGER, Pair};
use capvec_isa::Op;
use capvec_jit::{Host, OfProgram, Options};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rng, word};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Runs the random program with this seed. Returns how many translations were used, and what was wrong with the file.
fn run(dir: &Path, core: &str, vlen: u32, seed: u64) -> (usize, Option<String>) {
    let kept = OfProgram::kept_in(dir, "program");
    let pair = Pair::of_program(core, vlen, Options { hot_threshold: 2, ..EAGER }, &kept);
    let (mut rng, ops) = (Rng::seeded(seed), all());
    campaign("of_program", pair, 6, |_| program(&mut rng, &ops));
    (kept.reused(), kept.finish())
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a directory");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn random_programs() {
    for (core, vlen) in [("ideal", 128), ("ideal", 256), ("karu64", 128), ("sifive-u74", 128)] {
        let mut reused = 0;
        for seed in 0..12 {
            let dir = tempfile::tempdir().expect("a directory");
            assert_eq!(run(dir.path(), core, vlen, seed).1, None);
            let (used, problem) = run(dir.path(), core, vlen, seed);
            assert!(problem.is_none() && files(dir.path()).len() <= 1);
            reused += used;
        }
        assert!(reused > 20, "{core}: {reused} translations were used");
    }
}

/// A translation that is damaged is noticed when it is needed; everything else, when the file is read.
#[test]
fn damaged_files_are_ignored_and_replaced() {
    let mut rng = Rng::new("damaged_files_are_ignored_and_replaced");
    let dir = tempfile::tempdir().expect("a directory");
    run(dir.path(), "ideal", 128, 1);
    let [file] = &files(dir.path())[..] else { panic!("one file") };
    let whole = std::fs::read(file).expect("it can be read");
    let all = run(dir.path(), "ideal", 128, 1).0;
    let mut noticed = 0;
    for round in 0..40 {
        let mut bytes = whole.clone();
        match round % 4 {
            0 => bytes.truncate(rng.below(whole.len() as u64) as usize),
            1 => bytes.push(0),
            _ => bytes[rng.below(whole.len() as u64) as usize] ^= 1 << rng.below(8),
        }
        std::fs::write(file, &bytes).expect("it can be written");
        let (used, problem) = run(dir.path(), "ideal", 128, 1);
        match problem {
            Some(problem) => {
                assert!(problem.starts_with(&*file.to_string_lossy()), "{problem}");
                assert!(used < all && (used == 0 || round % 4 > 1), "{used}: {problem}");
                noticed += 1;
            }
            None => assert!(used == all && round % 4 > 1, "{used}"),
        }
        let (used, problem) = run(dir.path(), "ideal", 128, 1);
        assert_eq!(problem, None);
        assert!(used > 0);
    }
    assert!(noticed > 25, "{noticed}");
}

/// One file has the right digest, but says that it is for something else; others can write to the other file.
#[test]
#[cfg_attr(
    not(target_arch = "x86_64"),
    ignore = "without core models it would be the same kind of engine"
)]
fn files_of_others_are_ignored() {
    let dir = tempfile::tempdir().expect("a directory");
    let other = tempfile::tempdir().expect("a directory");
    run(dir.path(), "ideal", 128, 1);
    run(other.path(), "karu64", 128, 1);
    let ([file], [from]) = (&files(dir.path())[..], &files(other.path())[..]) else {
        panic!("one file each")
    };
    let set = |mode| std::fs::set_permissions(file, PermissionsExt::from_mode(mode));
    set(0o620).expect("it is ours");
    let (used, problem) = run(dir.path(), "ideal", 128, 1);
    assert!(used == 0 && problem.is_some_and(|text| text.contains("can write to it")));
    set(0o600).expect("it is ours");
    let with_directory = |mode| {
        std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(mode)).expect("it is ours");
        run(dir.path(), "ideal", 128, 1)
    };
    let (used, problem) = with_directory(0o770);
    assert!(used == 0 && problem.is_some_and(|text| text.contains("owns its directory")));
    assert!(matches!(with_directory(0o750), (1.., None)));
    std::fs::copy(from, file).expect("it can be written");
    let (used, problem) = run(dir.path(), "ideal", 128, 1);
    assert!(used == 0 && problem.is_some_and(|text| text.contains("not what its name says")));
}

/// The engine neither waits for the writer of a pipe nor takes memory for a file that only seems to be large.
#[test]
fn only_regular_files_of_limited_size_are_read() {
    let dir = tempfile::tempdir().expect("a directory");
    run(dir.path(), "ideal", 128, 1);
    let [file] = &files(dir.path())[..] else { panic!("one file") };
    let ignored = |why: &str| {
        let (used, problem) = run(dir.path(), "ideal", 128, 1);
        assert!(used == 0 && problem.is_some_and(|text| text.contains(why)), "{why}");
    };
    let large = std::fs::OpenOptions::new().write(true).open(file).expect("it is ours");
    large.set_len(2 << 30).expect("a sparse file");
    ignored("larger than all such files together may be");
    std::fs::remove_file(file).expect("it is ours");
    rustix::fs::mkfifoat(rustix::fs::CWD, file, rustix::fs::Mode::RWXU).expect("a pipe");
    ignored("not a regular file");
    // A link to a file that is ours, and could be executed if it were here.
    let real = dir.path().join("real");
    std::fs::rename(file, &real).expect("it is ours");
    std::os::unix::fs::symlink(&real, file).expect("the name is free");
    ignored("not a regular file");
}

/// Adds `by` to a0 forever.
fn adding(by: i64) -> Vec<u8> {
    let add = word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (10, 10, by));
    [add, word(Op::Jal, |d| d.imm = -4)].iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// How many translations a run of this code uses; `again` begins a second address space first.
fn uses(dir: &Path, name: &str, options: Options, code: &[u8], again: bool) -> usize {
    let kept = OfProgram::kept_in(dir, name);
    let mut pair = Pair::of_program("ideal", 128, options, &kept);
    if again {
        pair.load(&adding(100));
        pair.run(10);
        pair.replace_harts(Agnostic::Undisturbed);
    }
    pair.load(code);
    for _ in 0..10 {
        pair.run(100);
    }
    assert!(pair.jit.1.pc >= CODE);
    let used = kept.reused();
    assert_eq!(kept.finish(), None);
    used
}

/// Each build has other code at the same address.
#[test]
fn a_program_that_is_rebuilt_keeps_its_file() {
    let dir = tempfile::tempdir().expect("a directory");
    let run = |by| uses(dir.path(), "a", EAGER, &adding(by), false);
    for build in 1..30 {
        assert_eq!(run(build), 0, "{build}");
        assert_eq!(run(build), 1, "{build}");
        let [file] = &files(dir.path())[..] else { panic!("one file") };
        assert!(std::fs::metadata(file).is_ok_and(|file| file.len() < 4000), "{build}");
    }
    assert_eq!(run(22), 1, "the eight that were used last are there");
    assert_eq!(run(21), 0, "others made room");
}

/// A file is removed only if it seems abandoned, since another run may be writing it.
#[test]
fn temporary_files_of_killed_processes_are_removed() {
    let dir = tempfile::tempdir().expect("a directory");
    let (old, new) = (dir.path().join(".new-old"), dir.path().join(".new-new"));
    let two_hours_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    std::fs::File::create(&new).expect("a file");
    let file = std::fs::File::create(&old).expect("a file");
    file.set_modified(two_hours_ago).expect("it is ours");
    assert_eq!(uses(dir.path(), "a", EAGER, &adding(1), false), 0);
    assert!(new.exists() && !old.exists());
}

#[test]
fn only_the_same_code_of_the_same_program() {
    let dir = tempfile::tempdir().expect("a directory");
    let run = |name, options, by, again| uses(dir.path(), name, options, &adding(by), again);
    assert_eq!(run("a", EAGER, 1, false), 0);
    assert_eq!(run("a", EAGER, 1, false), 1);
    assert_eq!(run("b", EAGER, 1, false), 0, "another program");
    assert_eq!(run("a", EAGER, 2, false), 0, "other code at the same address");
    assert_eq!(run("a", EAGER, 2, false), 1);
    assert_eq!(run("a", EAGER, 1, false), 1);
    assert_eq!(run("a", Options { count: true, ..EAGER }, 1, false), 0, "code that counts");
    assert_eq!(run("a", EAGER, 1, true), 0, "the second address space");
    // Generated code for other hosts depends on no feature.
    if cfg!(not(target_arch = "x86_64")) {
        return;
    }
    let host = Host { sha: false, ..Host::ALL };
    assert_eq!(run("a", Options { host, ..EAGER }, 1, false), 0, "another host");
}
