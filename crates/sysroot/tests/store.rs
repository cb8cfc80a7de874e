//! The store without apt: registered directories, damage, the lock.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use capvec_sysroot::{Collect, Error, Item, Origin, Progress, Request, Store};
use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

fn quiet(_: &Progress) {}

fn store() -> (TempDir, Store) {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(&home.path().join("new")).unwrap();
    (home, store)
}

fn tree() -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    fs::create_dir_all(tree.path().join("usr/bin")).unwrap();
    fs::write(tree.path().join("usr/bin/x"), "12345").unwrap();
    tree
}

/// A sysroot as apt would make it.
fn by_hand(home: &Path, name: &str) {
    let dir = home.join("new/sysroots").join(name);
    fs::create_dir_all(dir.join("root/usr/bin")).unwrap();
    let text = r#"{"format": 1, "origin": {"kind": "apt", "suite": "trixie", "arch": "riscv64",
        "mirror": "https://mirror.example/debian", "mirror_given": false, "keyring": null},
        "packages": [{"name": "openssl", "version": "1", "arch": "riscv64", "sha256": "00",
        "reason": "requested"}]}"#;
    fs::write(dir.join("packages.json"), text).unwrap();
}

#[test]
fn a_directory_is_registered_in_place() {
    let ((_home, store), tree) = (store(), tree());
    let sysroot = store.register("mine", tree.path(), &mut quiet).unwrap();
    assert_eq!(sysroot.root, tree.path().canonicalize().unwrap());
    assert_eq!(sysroot.manifest.origin, Origin::Directory { path: sysroot.root.clone() });
    assert_eq!(sysroot.size_bytes().unwrap(), 5);
    // Registering again changes nothing; its packages are unknown.
    store.register("mine", tree.path(), &mut quiet).unwrap();
    assert_eq!(store.ensure("mine", &["openssl"], &mut quiet).unwrap(), sysroot.root);

    let another = self::tree();
    let error = store.register("mine", another.path(), &mut quiet).unwrap_err();
    assert!(matches!(error, Error::Mismatch { .. }), "{error}");
    let add = Request {
        name: Some("mine".to_owned()),
        packages: vec!["openssl".to_owned()],
        ..Request::default()
    };
    let error = store.add(&add, &mut quiet).unwrap_err();
    assert!(error.to_string().contains("capvec sysroot remove mine"), "{error}");

    store.remove("mine", &mut quiet).unwrap();
    assert!(tree.path().join("usr/bin/x").is_file());
    assert!(store.list().unwrap().is_empty());
}

#[test]
fn a_directory_that_is_no_root_is_refused() {
    let (home, store) = store();
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    let empty = tempfile::tempdir().unwrap();
    for path in [file.as_path(), empty.path(), Path::new("/nonexistent")] {
        let error = store.register("mine", path, &mut quiet).unwrap_err();
        assert!(matches!(error, Error::NotARoot { .. }), "{error}");
    }
    let error = store.register("../mine", empty.path(), &mut quiet).unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error}");
}

#[test]
fn a_missing_registered_directory_is_damage() {
    let ((_home, store), tree) = (store(), tree());
    store.register("mine", tree.path(), &mut quiet).unwrap();
    drop(tree);
    let error = store.get("mine").unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("capvec sysroot remove mine"), "{error}");
    store.remove("mine", &mut quiet).unwrap();
}

type Damage = fn(&Path);

#[test]
fn errors_of_damage_name_the_remedy() {
    let damages: &[Damage] = &[
        |dir| fs::remove_dir_all(dir.join("root")).unwrap(),
        |dir| fs::remove_dir(dir.join("root/usr/bin")).unwrap(),
        |dir| fs::remove_file(dir.join("packages.json")).unwrap(),
        |dir| fs::write(dir.join("packages.json"), "{\"format\": 1,").unwrap(),
        |dir| fs::write(dir.join("packages.json"), [0xff, 0xfe]).unwrap(),
        |dir| {
            let text = fs::read_to_string(dir.join("packages.json")).unwrap();
            fs::write(dir.join("packages.json"), text.replace("1,", "999,")).unwrap();
        },
        |dir| {
            fs::remove_dir_all(dir).unwrap();
            symlink("/nonexistent", dir).unwrap();
        },
    ];
    for (number, damage) in damages.iter().enumerate() {
        let (home, store) = store();
        by_hand(home.path(), "trixie-riscv64");
        by_hand(home.path(), "whole");
        assert!(store.ensure("trixie-riscv64", &["openssl"], &mut quiet).is_ok());
        damage(&home.path().join("new/sysroots/trixie-riscv64"));
        let error = store.ensure("trixie-riscv64", &["openssl"], &mut quiet).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{number}: {error}");
        assert!(error.to_string().contains("capvec sysroot remove trixie-riscv64"), "{error}");
        let list = store.list().unwrap();
        assert!(list.len() == 2 && list[0].1.is_err() && list[1].1.is_ok(), "{number}");
        store.remove("trixie-riscv64", &mut quiet).unwrap();
        assert_eq!(store.list().unwrap().len(), 1, "{number}");
    }
}

/// A sysroot that capvec has made for itself, with a file of `bytes` bytes, last used `age` seconds after the epoch.
fn automatic(home: &Path, name: &str, age: u64, bytes: usize) {
    by_hand(home, name);
    let dir = home.join("new/sysroots").join(name);
    let manifest = dir.join("packages.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"format\": 1,", "\"format\": 1, \"automatic\": true,"))
        .unwrap();
    fs::write(dir.join("root/usr/bin/x"), vec![0; bytes]).unwrap();
    let used = File::create(dir.join("used")).unwrap();
    used.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(age)).unwrap();
}

fn names(items: &[Item]) -> Vec<&str> {
    items.iter().map(|i| i.name.as_str()).collect()
}

#[test]
fn the_least_recently_used_replaceable_items_are_collected_first() {
    let (home, store) = store();
    by_hand(home.path(), "mine");
    automatic(home.path(), "middle", 20, 100);
    automatic(home.path(), "oldest", 10, 100);
    automatic(home.path(), "newest", 30, 100);
    let archives = home.path().join("new/apt/archives");
    fs::create_dir_all(&archives).unwrap();
    fs::write(archives.join("x.deb"), "12345").unwrap();
    let names_left = || store.list().unwrap().into_iter().map(|(n, _)| n).collect::<Vec<_>>();
    let all = names_left();

    let drivers = store.drivers();
    fs::write(drivers.join("driver"), "1234567").unwrap();
    let now = names(
        &store.collect(Collect { keep: 0, dry_run: true, only: None }, &mut quiet).unwrap().busy,
    )
    .join(",");
    assert_eq!(now, "compiled drivers", "this process uses them");

    let what = Collect { keep: 212, dry_run: true, only: None };
    let done = store.collect(what, &mut quiet).unwrap();
    assert_eq!((names(&done.removed), done.removed[0].bytes), (vec!["oldest"], 100));
    assert_eq!(names(&done.kept), ["middle", "newest", "downloaded packages", "compiled drivers"]);
    assert_eq!(names_left(), all, "a dry run removes nothing");

    // A sysroot in use is kept.
    let used = File::open(home.path().join("new/sysroots/oldest/used")).unwrap();
    flock(&used, FlockOperation::LockShared).unwrap();
    let done = store.collect(Collect { dry_run: false, ..what }, &mut quiet).unwrap();
    assert_eq!((names(&done.removed), names(&done.busy)), (vec!["middle"], vec!["oldest"]));
    assert_eq!(names_left(), ["mine", "newest", "oldest"]);
    // Closing the file would not be enough while a child of another test, before its exec, still has it open.
    flock(&used, FlockOperation::Unlock).unwrap();

    let only = Collect { keep: 0, dry_run: false, only: Some("old") };
    assert_eq!(names(&store.collect(only, &mut quiet).unwrap().removed), ["oldest"]);
    let rest = Collect { keep: 0, dry_run: false, only: None };
    let done = store.collect(rest, &mut quiet).unwrap();
    assert_eq!(names(&done.removed), ["newest", "downloaded packages"]);
    assert_eq!(names(&done.busy), ["compiled drivers"]);
    assert_eq!(names_left(), ["mine"], "a sysroot that the user has named is kept");
    assert!(!archives.join("x.deb").exists());
    let none = Store::at(&home.path().join("nosuch")).unwrap();
    assert!(none.collect(rest, &mut quiet).unwrap().removed.is_empty());
    assert!(!home.path().join("nosuch").exists(), "a query must not create a store");
}

#[test]
fn a_sysroot_that_this_process_uses_is_not_collected() {
    let (home, store) = store();
    automatic(home.path(), "here", 10, 100);
    store.get("here").unwrap();
    let rest = Collect { keep: 0, dry_run: false, only: None };
    let done = store.collect(rest, &mut quiet).unwrap();
    assert_eq!((names(&done.busy), names(&done.removed)), (vec!["here"], vec![]));
    assert!(done.busy[0].used > SystemTime::now() - Duration::from_secs(3600));
}

#[test]
fn removing_a_sysroot_removes_the_one_that_compiles_for_it() {
    let (home, store) = store();
    by_hand(home.path(), "mine");
    by_hand(home.path(), "other");
    automatic(home.path(), "mine-build", 10, 100);
    by_hand(home.path(), "other-build");
    let removed = store.remove("mine", &mut quiet).unwrap();
    assert!(removed.names == ["mine", "mine-build"] && removed.damaged.is_none(), "{removed:?}");
    let removed = store.remove("other", &mut quiet).unwrap();
    assert!(
        removed.names == ["other"] && removed.damaged.is_none(),
        "the user made it: {removed:?}"
    );
    // A damaged one may be the user's: it is kept and reported.
    by_hand(home.path(), "third");
    automatic(home.path(), "third-build", 10, 100);
    fs::write(home.path().join("new/sysroots/third-build/packages.json"), "{").unwrap();
    let removed = store.remove("third", &mut quiet).unwrap();
    let (name, why) = removed.damaged.unwrap();
    assert_eq!((removed.names, name.as_str()), (vec!["third".to_string()], "third-build"));
    assert!(why.to_string().contains("third-build"), "{why}");
    assert_eq!(store.remove("third-build", &mut quiet).unwrap().names, ["third-build"]);
    // The name that older versions gave such a sysroot.
    by_hand(home.path(), "doctor-openssl-riscv64");
    let list = store.list().unwrap();
    let is = |name: &str| list.iter().any(|(n, s)| n == name && s.as_ref().unwrap().is_automatic());
    assert!(is("doctor-openssl-riscv64") && !is("other-build"));
}

/// A sysroot becomes the user's own when the user adds to it.
#[test]
fn adding_by_name_claims_a_sysroot() {
    let (home, store) = store();
    automatic(home.path(), "trixie-riscv64", 10, 100);
    store.ensure("trixie-riscv64", &["openssl"], &mut quiet).unwrap();
    assert!(store.get("trixie-riscv64").unwrap().is_automatic());
    let request = Request { packages: vec!["openssl".to_owned()], ..Request::default() };
    store.add(&request, &mut quiet).unwrap();
    assert!(!store.get("trixie-riscv64").unwrap().is_automatic());
    let again = Request { automatic: true, ..request };
    assert!(!store.add(&again, &mut quiet).unwrap().is_automatic());
}

#[test]
fn unknown_names_and_wrong_requests() {
    let (home, store) = store();
    by_hand(home.path(), "whole");
    let error = store.get("nosuch").unwrap_err();
    assert!(error.to_string().contains("there are: whole"), "{error}");
    assert!(matches!(store.remove("nosuch", &mut quiet), Err(Error::NotFound { .. })));
    for name in ["..", "../whole", ".new-x", ""] {
        assert!(matches!(store.remove(name, &mut quiet), Err(Error::Invalid { .. })), "{name}");
        assert!(matches!(store.get(name), Err(Error::Invalid { .. })), "{name}");
    }
    let error = store.ensure("nosuch", &["openssl"], &mut quiet).unwrap_err();
    assert!(matches!(error, Error::NotSuiteArch { .. }), "{error}");
    let request = |packages: &[&str]| Request {
        packages: packages.iter().map(|name| (*name).to_owned()).collect(),
        ..Request::default()
    };
    for packages in [&[][..], &["a b"], &["-y", "openssl"]] {
        let error = store.add(&request(packages), &mut quiet).unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{error}");
    }
}

#[test]
fn a_store_that_cannot_be_written_names_its_variable() {
    let (home, tree) = (tempfile::tempdir().unwrap(), tree());
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    let store = Store::at(&file).unwrap();
    let error = store.register("mine", tree.path(), &mut quiet).unwrap_err();
    assert!(error.to_string().contains("CAPVEC_HOME"), "{error}");
}

#[test]
fn writers_wait_for_the_lock() {
    let ((home, store), tree) = (store(), tree());
    fs::create_dir_all(home.path().join("new")).unwrap();
    let lock = File::create(home.path().join("new/lock")).unwrap();
    flock(&lock, FlockOperation::LockExclusive).unwrap();
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            let mut progress = |step: &Progress| send.send(step.clone()).unwrap();
            store.register("mine", tree.path(), &mut progress).map(drop)
        });
        assert_eq!(receive.recv().unwrap(), Progress::Waiting);
        assert!(store.list().unwrap().is_empty(), "readers do not wait");
        drop(lock);
        waiter.join().unwrap().unwrap();
    });
    assert_eq!(store.list().unwrap().len(), 1);
}

#[test]
fn a_sysroot_of_an_older_version_gets_its_accounts_when_it_is_used() {
    let (home, store) = store();
    by_hand(home.path(), "trixie-riscv64");
    let dir = home.path().join("new/sysroots/trixie-riscv64");
    let write = |name: &str, text: &str| {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    // Files from the older version, one of which the user has changed.
    let older = "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
    write("root/etc/passwd", older);
    write("root/etc/group", "root:x:0:\nnogroup:x:65534:\nmine:x:7:\n");
    let sum = "0".repeat(64);
    write("files.txt", &format!("{sum} 7 etc/passwd\n{sum} 0 other/etc/passwd\n"));
    let sysroot = store.get("trixie-riscv64").unwrap();
    let read = |name: &str| fs::read_to_string(dir.join(name)).unwrap();
    assert!(read("root/etc/passwd").contains("\nwww-data:x:33:33:"));
    assert!(read("root/etc/group").ends_with("mine:x:7:\n"));
    assert!(read("root/etc/hosts").contains("\tlocalhost\n"));
    let check = sysroot.check(true).unwrap().unwrap();
    let changed: Vec<_> = check.changed.iter().map(|c| c.path.display().to_string()).collect();
    assert_eq!(changed, ["other/etc/passwd"]);
    assert!(!read("files.txt").contains("etc/group"));
    // This happens once: later changes by the user are kept.
    write("root/etc/hosts", "127.0.0.1 mine\n");
    fs::remove_file(dir.join("root/etc/shadow")).unwrap();
    store.ensure("trixie-riscv64", &["openssl"], &mut quiet).unwrap();
    assert_eq!(read("root/etc/hosts"), "127.0.0.1 mine\n");
    assert!(!dir.join("root/etc/shadow").exists());
}

#[test]
fn a_registered_directory_is_left_as_it_is() {
    let ((_home, store), tree) = (store(), tree());
    store.register("mine", tree.path(), &mut quiet).unwrap();
    store.get("mine").unwrap();
    assert!(!tree.path().join("etc").exists());
}
