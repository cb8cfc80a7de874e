//! Builds of small trees that are configured and made like OpenSSL's.

use super::*;
use std::path::Path;
use std::process::Command;

#[test]
fn names_are_one_path_component() {
    for bad in ["", "../x", ".x", "a/b", "-x", "a b"] {
        assert!(check_name(bad).is_err(), "{bad}");
    }
    assert!(check_name("aarch64-no-asm").is_ok());
}

#[test]
fn a_missing_build_is_distinguished_from_an_unreadable_one() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path()).unwrap();
    assert!(find(&store, "x").unwrap().is_none() && list(&store).unwrap().is_empty());
    std::fs::create_dir_all(dir.path().join("builds/x")).unwrap();
    // An interruption would leave this state if builds were not made elsewhere and renamed.
    assert!(find(&store, "x").unwrap().is_none() && list(&store).unwrap().is_empty());
    std::fs::write(dir.path().join("builds/x/build.json"), "{").unwrap();
    let e = format!("{:#}", find(&store, "x").unwrap_err());
    assert!(e.contains("builds/x/build.json"), "{e}");
}

/// A source tree that is configured and built like OpenSSL's.
fn tree_of(configure: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("Configure"), configure).unwrap();
    dir
}

fn spec(source: &Path) -> Spec {
    Spec {
        arch: Arch::Aarch64,
        name: "x".into(),
        options: vec!["no-asm".into()],
        cflags: "-O1".into(),
        remarks: false,
        command: false,
        source: Some(source.into()),
        own: Vec::new(),
        cc: Some("sh -c true".into()),
    }
}

const CONFIGURE: &str = r#"open(my $f, ">", "Makefile"); print $f
    "build_generated:\n\t\@true\nlibcrypto.so:\n\techo '@ARGV' > libcrypto.so.3\n";"#;

#[test]
fn a_build_is_made_once_and_described() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path()).unwrap();
    let (source, archives) = (tree_of(CONFIGURE), tempfile::tempdir().unwrap());
    let archive = archives.path().join("s.tar");
    let mut tar = Command::new("tar");
    tar.arg("-cf").arg(&archive).arg("-C").arg(source.path()).arg("Configure");
    assert!(tar.status().unwrap().success());
    let first = build(&store, &spec(&archive), &mut |_| ()).unwrap();
    let text = std::fs::read_to_string(first.dir.join(LIBRARY)).unwrap();
    assert!(
        text.starts_with("linux-aarch64 shared")
            && text.contains("no-asm CC=sh -c true CFLAGS=-O1"),
        "{text}"
    );
    assert!(first.manifest.source.contains(&digest(&archive).unwrap()));
    let mut steps = 0;
    let again = build(&store, &spec(&archive), &mut |_| steps += 1).unwrap();
    assert_eq!((again.manifest, steps), (first.manifest.clone(), 0));
    let other = Spec { options: Vec::new(), ..spec(&archive) };
    assert_ne!(build(&store, &other, &mut |_| ()).unwrap().manifest.id, first.manifest.id);
    assert_eq!(list(&store).unwrap().len(), 1);
    let unknown = require(&store, "y").unwrap_err().to_string();
    assert!(unknown.contains("there is no build y;"), "{unknown}");
    require(&store, "x").unwrap();
    remove(&store, "x").unwrap();
    assert!(!first.dir.exists() && list(&store).unwrap().is_empty());
    let left = std::fs::read_dir(home.path().join("builds")).unwrap().count();
    assert_eq!(left, 0, "no hidden files remain");
}

#[test]
fn the_command_is_kept_with_the_library_that_it_needs() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path()).unwrap();
    let source = tree_of(
        r#"mkdir("apps"); open(my $f, ">", "Makefile"); print $f "build_generated:\n\t\@true\n",
        "libcrypto.so:\n\techo '@ARGV' > libcrypto.so.3\nlibssl.so:\n\techo s > libssl.so.3\n",
        "apps/openssl:\n\techo o > apps/openssl\n";"#,
    );
    let with = Spec { command: true, ..spec(source.path()) };
    let built = build(&store, &with, &mut |_| ()).unwrap();
    let read = |name: &str| std::fs::read_to_string(built.dir.join(name)).unwrap();
    assert_eq!((read("libssl.so.3").as_str(), read(COMMAND).as_str()), ("s\n", "o\n"));
    assert!(!read(LIBRARY).contains("no-apps"));
    let without = build(&store, &spec(source.path()), &mut |_| ()).unwrap();
    assert!(!without.dir.join(COMMAND).exists() && without.manifest.id != built.manifest.id);
}

/// OpenSSL 3.0 stops at the options no-docs and no-apps.
#[test]
fn options_that_the_source_does_not_know_are_left_out() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path()).unwrap();
    let list = "my @disablables = (\n \"apps\",\n \"tests\",\n);\n";
    let source = tree_of(&format!("{list}{CONFIGURE}"));
    let built = build(&store, &spec(source.path()), &mut |_| ()).unwrap();
    let text = std::fs::read_to_string(built.dir.join(LIBRARY)).unwrap();
    let used = text.split(" CC=").next().unwrap();
    assert_eq!(used, "linux-aarch64 shared no-tests no-apps no-engine no-module no-asm");
    assert_eq!(built.manifest.configure.join(" "), format!("{used} CFLAGS=-O1"));
}

/// OpenSSL's own sources are a download of 50 MB and take minutes; all but their Configure is the same here.
#[test]
fn a_file_of_ones_own_is_built_in_place_of_the_sources() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path()).unwrap();
    let configure = r#"my $tree = $0; $tree =~ s,/Configure$,,; open(my $f, ">", "Makefile"); print $f
        "build_generated:\n\t\@true\nlibcrypto.so:\n\tcat $tree/sha/keccak.c $tree/sha/keccak.c.orig > libcrypto.so.3\n";"#;
    let (source, archives) = (tree_of(configure), tempfile::tempdir().unwrap());
    std::fs::create_dir(source.path().join("sha")).unwrap();
    std::fs::write(source.path().join("sha/keccak.c"), "the source's\n").unwrap();
    let (archive, own) = (archives.path().join("s.tar"), archives.path().join("own.c"));
    std::fs::write(&own, "one's own\n").unwrap();
    let mut tar = Command::new("tar");
    tar.arg("-cf").arg(&archive).arg("-C").arg(source.path()).args(["Configure", "sha"]);
    assert!(tar.status().unwrap().success());
    let replaced = |file: &str| {
        let own = vec![OwnFile::replacing(&format!("{file}={}", own.display())).unwrap()];
        build(&store, &Spec { own, ..spec(&archive) }, &mut |_| ())
    };
    let first = replaced("sha/keccak.c").unwrap();
    let text = std::fs::read_to_string(first.dir.join(LIBRARY)).unwrap();
    assert_eq!(text, "one's own\nthe source's\n");
    let described = format!("; sha/keccak.c replaced, SHA-256 {}", digest(&own).unwrap());
    assert!(first.manifest.source.ends_with(&described), "{}", first.manifest.source);
    // A changed file is another build.
    std::fs::write(&own, "changed\n").unwrap();
    let second = replaced("sha/keccak.c").unwrap();
    assert_ne!(second.manifest.id, first.manifest.id);
    let text = std::fs::read_to_string(second.dir.join(LIBRARY)).unwrap();
    assert!(text.starts_with("changed\n"), "{text}");
    // What cannot be replaced leaves the last build in place.
    let e = format!("{:#}", replaced("sha/other.c").unwrap_err());
    assert!(e.contains("the source has no such file"), "{e}");
    assert_eq!(find(&store, "x").unwrap().unwrap().manifest, second.manifest);
}

#[test]
fn a_failed_build_shows_the_end_of_its_log() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path()).unwrap();
    let source = tree_of("print STDERR qq(target already defined\n); exit 3;");
    let e = format!("{:#}", build(&store, &spec(source.path()), &mut |_| ()).unwrap_err());
    assert!(e.contains("target already defined") && e.contains("perl"), "{e}");
    assert!(list(&store).unwrap().is_empty());
}

#[test]
fn remarks_are_kept_with_the_build() {
    let said = [
        "a.c:1:2: missed: couldn't vectorize loop",
        "a.c:1:2: missed: not vectorized: no vectype for stmt",
        "a.c:3:4: warning: unused",
    ];
    let lines: String =
        said.iter().map(|line| format!("\\t\\@echo \\\"{line}\\\" >&2\\n")).collect();
    let configure = CONFIGURE.replace("libcrypto.so:\\n", &format!("libcrypto.so:\\n{lines}"));
    let (home, source) = (tempfile::tempdir().unwrap(), tree_of(&configure));
    let store = Store::at(home.path()).unwrap();
    let spec = Spec { remarks: true, ..spec(source.path()) };
    let built = build(&store, &spec, &mut |_| ()).unwrap();
    let read = |name: &str| std::fs::read_to_string(built.dir.join(name)).unwrap();
    assert_eq!(read(REMARKS), format!("{}\n", said[0]));
    let log = read("build.log");
    assert!(log.contains(said[2]) && !log.contains("vectype"), "{log}");
    assert!(read(LIBRARY).contains("CFLAGS=-O1 -fopt-info-vec-missed"), "the compiler is asked");
}
