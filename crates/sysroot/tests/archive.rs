//! Adds packages from a miniature archive: what succeeds, and what is refused.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use capvec_sysroot::{Error, Origin, Progress, Reason, Store, Sysroot};
use common::{Archive, Key, SUITE, TOOLS, have, sha256};

const NAME: &str = "mini-riscv64";

fn quiet(_: &Progress) {}

fn names(sysroot: &Sysroot) -> Vec<&str> {
    sysroot.manifest.packages.iter().map(|package| package.name.as_str()).collect()
}

/// Asserts that a failure left no sysroot, not even a hidden one.
fn assert_nothing_there(archive: &Archive) {
    assert!(archive.store().list().unwrap().is_empty());
    let sysroots = archive.home("sysroots");
    let left: Vec<_> = fs::read_dir(sysroots).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn packages_come_with_dependencies_links_and_record() {
    if !have(TOOLS) {
        return;
    }
    let key = Key::new();
    let archive = Archive::signed(&key);
    let request = archive.request(&key.keyring(), &["tool"]);
    let mut steps = Vec::new();
    let sysroot = archive.store().add(&request, &mut |step| steps.push(step.clone())).unwrap();

    assert_eq!(sysroot.name, NAME);
    assert_eq!(names(&sysroot), ["library", "tool"]);
    let library = sysroot.manifest.package("library").unwrap();
    assert_eq!((library.version.as_str(), library.arch.as_str()), ("1:2.0~rc1+b1", "riscv64"));
    assert_eq!(library.sha256, sha256(&archive.deb("library")));
    assert_eq!(library.reason, Reason::Dependency);
    assert_eq!(sysroot.manifest.package("tool").unwrap().reason, Reason::Requested);
    let Origin::Apt { suite, arch, .. } = &sysroot.manifest.origin else { panic!() };
    assert_eq!((suite.as_str(), arch.as_str()), (SUITE, "riscv64"));

    let root = &sysroot.root;
    let is =
        |path: &str, text: &str| assert_eq!(fs::read_to_string(root.join(path)).unwrap(), text);
    is("usr/bin/tool", "tool");
    is("bin/tool", "tool");
    is("lib/riscv64-linux-gnu/lib.so.1", "library");
    is("usr/lib/riscv64-linux-gnu/lib.so.1", "library");
    is("lib64/x", "library");
    is("usr/lib/riscv64-linux-gnu/y", "library");
    let link = |path: &str| fs::read_link(root.join(path)).unwrap();
    assert_eq!(link("lib"), Path::new("usr/lib"));
    assert_eq!(link("lib64"), Path::new("usr/lib64"));
    assert_eq!(link("usr/bin/sh"), Path::new("bash"));
    assert_eq!(link("etc/alternatives/t"), Path::new("/usr/bin/tool"));
    assert!(!root.join("lib32").exists() && !root.join("DEBIAN").exists());
    let passwd = fs::read_to_string(root.join("etc/passwd")).unwrap();
    assert!(
        passwd.starts_with("root:x:0:0:") && passwd.contains("\ntool:x:100:65534:"),
        "{passwd}"
    );
    assert_eq!(fs::metadata(root.join("tmp")).unwrap().permissions().mode() & 0o7777, 0o1777);
    assert!(["dev", "proc", "sys"].iter().all(|dir| root.join(dir).is_dir()));

    let unpacked = |step: &&Progress| matches!(step, Progress::Unpacking { packages: 2, .. });
    assert_eq!(steps.iter().filter(unpacked).count(), 2);
    assert!(sysroot.size_bytes().unwrap() > 0);
}

#[test]
fn files_that_changed_are_found() {
    if !have(TOOLS) {
        return;
    }
    let key = Key::new();
    let archive = Archive::signed(&key);
    let store = archive.store();
    let sysroot = store.add(&archive.request(&key.keyring(), &["tool"]), &mut quiet).unwrap();
    let check = |contents| sysroot.check(contents).unwrap().unwrap();
    let whole = check(true);
    assert!(whole.files >= 4 && whole.changed.is_empty(), "{whole:?}");
    let changed = |contents| -> Vec<(String, String)> {
        let found = check(contents).changed.into_iter();
        found.map(|c| (c.path.display().to_string(), c.what)).collect()
    };
    // The size is the same, so only the contents show the change.
    fs::write(sysroot.root.join("usr/bin/tool"), "loot").unwrap();
    assert_eq!(changed(false), []);
    let loot = ("usr/bin/tool".to_owned(), "contents differ from what was installed".to_owned());
    assert_eq!(changed(true), std::slice::from_ref(&loot));
    let library = sysroot.root.join("usr/lib/riscv64-linux-gnu/lib.so.1");
    fs::File::options().write(true).open(&library).unwrap().set_len(3).unwrap();
    let short =
        ("usr/lib/riscv64-linux-gnu/lib.so.1".to_owned(), "3 bytes, installed with 7".to_owned());
    assert_eq!(changed(false), std::slice::from_ref(&short));
    assert_eq!(changed(true), [loot, short]);
    fs::remove_file(&library).unwrap();
    assert_eq!(changed(false)[0].1, "missing");
}

#[test]
fn installed_packages_need_no_archive() {
    if !have(TOOLS) {
        return;
    }
    let key = Key::new();
    let archive = Archive::signed(&key);
    let store = archive.store();
    let root = store.add(&archive.request(&key.keyring(), &["tool"]), &mut quiet).unwrap().root;
    fs::remove_dir_all(archive.path("dists")).unwrap();
    fs::remove_dir_all(archive.path("pool")).unwrap();
    fs::remove_dir_all(archive.home("apt")).unwrap();

    assert_eq!(store.ensure(NAME, &["tool", "library"], &mut quiet).unwrap(), root);
    let again = archive.request(&key.keyring(), &["library"]);
    let sysroot = store.add(&again, &mut quiet).unwrap();
    assert_eq!(sysroot.manifest.package("library").unwrap().reason, Reason::Requested);
    assert_eq!(store.get(NAME).unwrap().manifest, sysroot.manifest);

    // A new package needs the network; the failure changes nothing.
    let error = store.ensure(NAME, &["extra"], &mut quiet).unwrap_err();
    assert!(matches!(error, Error::NoSuite { .. }), "{error}");
    assert_eq!(store.get(NAME).unwrap().manifest, sysroot.manifest);
    assert!(root.join("usr/bin/tool").is_file());
}

#[test]
fn adding_keeps_what_was_requested() {
    if !have(TOOLS) {
        return;
    }
    let key = Key::new();
    let archive = Archive::signed(&key);
    let store = archive.store();
    store.add(&archive.request(&key.keyring(), &["tool"]), &mut quiet).unwrap();
    // Remains of an interrupted run.
    fs::create_dir_all(archive.home("sysroots/.new-other/root/usr")).unwrap();
    fs::create_dir_all(archive.home(&format!("sysroots/.old-{NAME}/root"))).unwrap();
    // Mirror, keyring and suite come from the manifest.
    let root = store.ensure(NAME, &["extra"], &mut quiet).unwrap();
    assert!(root.join("usr/share/extra/f").is_file() && root.join("usr/bin/tool").is_file());
    let sysroot = store.get(NAME).unwrap();
    assert_eq!(names(&sysroot), ["extra", "library", "tool"]);
    assert_eq!(sysroot.manifest.requested().collect::<Vec<_>>(), ["extra", "tool"]);
    let entries = fs::read_dir(archive.home("sysroots")).unwrap();
    assert_eq!(entries.count(), 1, "the leftovers are gone");

    let other = capvec_sysroot::Request {
        arch: Some("amd64".to_owned()),
        name: Some(NAME.to_owned()),
        ..archive.request(&key.keyring(), &["tool"])
    };
    let error = store.add(&other, &mut quiet).unwrap_err();
    assert!(matches!(error, Error::Mismatch { .. }), "{error}");
}

#[test]
fn a_failure_while_unpacking_leaves_the_old_tree() {
    if !have(TOOLS) {
        return;
    }
    let key = Key::new();
    let archive = Archive::signed(&key);
    let store = archive.store();
    let request = archive.request(&key.keyring(), &["collides"]);
    let error = store.add(&request, &mut quiet).unwrap_err();
    assert!(matches!(error, Error::Collision { .. }), "{error}");
    assert!(store.list().unwrap().is_empty());

    let before = store.add(&archive.request(&key.keyring(), &["tool"]), &mut quiet).unwrap();
    assert!(store.add(&request, &mut quiet).is_err());
    assert_eq!(store.get(NAME).unwrap().manifest, before.manifest);
    assert!(before.root.join("usr/bin/tool").is_file());
}

#[test]
fn unsigned_archives_are_refused() {
    if !have(&["apt-get", "dpkg-deb", "gpgv"]) {
        return;
    }
    let archive = Archive::unsigned();
    // Any keyring will do, as there is no signature to verify.
    let keyring = archive.path("empty.gpg");
    fs::write(&keyring, "").unwrap();
    let error = archive.store().add(&archive.request(&keyring, &["tool"]), &mut quiet).unwrap_err();
    assert!(matches!(error, Error::Signature { .. }), "{error}");
    assert!(error.to_string().contains("CAPVEC_KEYRING"), "{error}");
    assert_nothing_there(&archive);
}

#[test]
fn archives_signed_by_another_key_are_refused() {
    if !have(TOOLS) {
        return;
    }
    let (key, other) = (Key::new(), Key::new());
    let archive = Archive::signed(&key);
    let request = archive.request(&other.keyring(), &["tool"]);
    let error = archive.store().add(&request, &mut quiet).unwrap_err();
    assert!(matches!(error, Error::Signature { .. }), "{error}");
    assert_nothing_there(&archive);
}

#[test]
fn an_index_changed_after_signing_is_refused() {
    if !have(TOOLS) {
        return;
    }
    let key = Key::new();
    let archive = Archive::signed(&key);
    let index = archive.path(&format!("dists/{SUITE}/main/binary-riscv64/Packages"));
    let text = fs::read_to_string(&index).unwrap();
    fs::write(&index, text.replace("Recommends", "Recommendz")).unwrap();
    let request = archive.request(&key.keyring(), &["tool"]);
    assert!(archive.store().add(&request, &mut quiet).is_err());
    assert_nothing_there(&archive);
}

/// Changes one byte of a file, keeping its size.
fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_changed_package_is_refused() {
    if !have(TOOLS) {
        return;
    }
    let key = Key::new();
    let archive = Archive::signed(&key);
    flip(&archive.deb("library"));
    let request = archive.request(&key.keyring(), &["tool"]);
    let error = archive.store().add(&request, &mut quiet).unwrap_err();
    assert!(matches!(error, Error::Apt { .. } | Error::Checksum { .. }), "{error}");
    assert_nothing_there(&archive);
}

/// A source is covered by the signature: the signature covers the index, which covers the description and the archive.
#[test]
fn a_source_package_must_match_the_signed_index() {
    if !have(TOOLS) {
        return;
    }
    let (key, other) = (Key::new(), Key::new());
    let fetch = |archive: &Archive, keyring: &Path| {
        archive.store().source(&archive.request(keyring, &[]), "program", &mut quiet)
    };
    let archive = Archive::signed(&key);
    let source = fetch(&archive, &key.keyring()).unwrap();
    assert_eq!((source.version.as_str(), source.sha256), ("1.0-1", sha256(&archive.orig())));
    assert_eq!(fs::read(&source.orig).unwrap(), fs::read(archive.orig()).unwrap());

    let error = fetch(&Archive::signed(&other), &key.keyring()).unwrap_err();
    assert!(matches!(error, Error::Signature { .. }), "{error}");
    let index = |a: &Archive| a.path(&format!("dists/{SUITE}/main/source/Sources"));
    for path in [Archive::orig, Archive::dsc, index] {
        let archive = Archive::signed(&key);
        flip(&path(&archive));
        assert!(fetch(&archive, &key.keyring()).is_err());
        // The incomplete files are not accepted later, either.
        assert!(fetch(&archive, &key.keyring()).is_err());
    }
}

#[test]
fn a_damaged_package_in_the_cache_is_fetched_anew() {
    if !have(TOOLS) {
        return;
    }
    let key = Key::new();
    let archive = Archive::signed(&key);
    let (store, request) = (archive.store(), archive.request(&key.keyring(), &["tool"]));
    store.add(&request, &mut quiet).unwrap();
    store.remove(NAME, &mut quiet).unwrap();
    let cached = archive.home("apt/archives/library_1%3a2.0~rc1+b1_riscv64.deb");
    flip(&cached);
    let sysroot = store.add(&request, &mut quiet).unwrap();
    assert_eq!(sha256(&cached), sysroot.manifest.package("library").unwrap().sha256);
}

fn error(store: &Store, request: &capvec_sysroot::Request) -> Error {
    store.add(request, &mut quiet).unwrap_err()
}

#[test]
fn missing_packages_are_named() {
    if !have(TOOLS) {
        return;
    }
    let key = Key::new();
    let archive = Archive::signed(&key);
    let (store, keyring) = (archive.store(), key.keyring());
    let text = error(&store, &archive.request(&keyring, &["tool", "nosuch"])).to_string();
    assert!(text.contains("no package nosuch in suite mini for riscv64"), "{text}");
    // apt would treat these as a virtual package and as patterns.
    for name in ["anything", "too.", "librar+"] {
        let error = error(&store, &archive.request(&keyring, &[name]));
        assert!(matches!(error, Error::NoPackage { .. }), "{error}");
    }
    let text = error(&store, &archive.request(&keyring, &["unmet"])).to_string();
    assert!(text.contains("not-there"), "{text}");

    let mut request = archive.request(&keyring, &["tool"]);
    request.arch = Some("s390x".to_owned());
    assert!(matches!(error(&store, &request), Error::NoArch { .. }));
    request.suite = Some("nosuch".to_owned());
    assert!(matches!(error(&store, &request), Error::NoSuite { .. }));
    request.keyring = Some("/nonexistent".into());
    assert!(matches!(error(&store, &request), Error::Invalid { what: "keyring", .. }));
    assert_nothing_there(&archive);
}

#[test]
fn two_additions_at_once_both_succeed() {
    if !have(TOOLS) {
        return;
    }
    let key = Key::new();
    let archive = Archive::signed(&key);
    std::thread::scope(|scope| {
        for package in ["tool", "extra"] {
            let (store, request) = (archive.store(), archive.request(&key.keyring(), &[package]));
            scope.spawn(move || store.add(&request, &mut quiet).unwrap());
        }
    });
    assert_eq!(names(&archive.store().get(NAME).unwrap()), ["extra", "library", "tool"]);
}
