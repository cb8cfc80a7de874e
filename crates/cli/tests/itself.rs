//! `capvec self`.

use crate::common::{capvec, output};
use std::path::Path;
use std::process::Command;

#[test]
fn everything_works_here() {
    capvec().args(["bench", "-q", "--setup-only"]).assert().success();
    let (out, _) = output(capvec().args(["self", "check"]), 0);
    assert!(out.lines().count() == 6 && out.lines().all(|l| l.starts_with("ok ")), "{out}");
    assert!(out.contains("interpreter: 3002 instructions, the result is right"), "{out}");
    assert!(out.contains("trixie-riscv64 is complete"), "{out}");
}

#[test]
fn what_does_not_work_is_named_with_a_remedy() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let (out, _) = output(capvec().args(["self", "check"]).env("CAPVEC_HOME", file.path()), 1);
    let failed: Vec<&str> = out.lines().filter(|l| l.starts_with("FAILED")).collect();
    assert!(
        failed[0].contains("store: cannot make") && failed[0].contains("set CAPVEC_HOME"),
        "{out}"
    );
}

/// Every sub-command has a page, and every shell completes every sub-command.
#[test]
fn pages_and_completions_cover_every_sub_command() {
    let (help, _) = output(capvec().arg("--help"), 0);
    let commands = help.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
    let lines = commands.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    let names: Vec<&str> = lines.filter_map(|l| l.split_whitespace().next()).collect();
    assert!(names.len() > 18 && names.contains(&"self"), "{names:?}");
    let dir = tempfile::tempdir().unwrap();
    output(capvec().args(["self", "man"]).arg(dir.path().join("man1")), 0);
    for name in names.iter().filter(|n| **n != "help") {
        let page =
            std::fs::read_to_string(dir.path().join(format!("man1/capvec-{name}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let (text, _) = output(capvec().args(["self", "completions", shell]), 0);
        assert!(names.iter().all(|name| text.contains(name)), "{shell}");
    }
}

/// The shipped cores, and files: a core may be one's own.
#[test]
fn names_of_cores_are_completed_and_so_are_files() {
    let script = |shell| output(capvec().args(["self", "completions", shell]), 0).0;
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("capvec.bash"), script("bash")).unwrap();
    let complete = |word: &str| {
        let text = format!(
            ". ./capvec.bash; COMP_WORDS=(capvec bench --core {word}); COMP_CWORD=3\n\
             _capvec capvec {word} --core; echo \"${{COMPREPLY[*]}}\"; complete -p capvec"
        );
        output(assert_cmd::Command::new("bash").args(["-c", &text]).current_dir(dir.path()), 0).0
    };
    let cores = complete("th");
    assert!(cores.starts_with("thead-c908 thead-c910\n"), "{cores}");
    // Readline then completes files.
    let none = complete("./");
    assert!(none.starts_with('\n') && none.contains(" -o default "), "{none}");
    let zsh = script("zsh");
    assert!(zsh.contains(":CORE:_capvec_cores' "), "{zsh}");
    assert!(zsh.contains("'cores:core:(ascalon-x ideal karu64 "), "{zsh}");
    assert_eq!(zsh.matches("(ascalon-x ideal ").count(), 1, "{zsh}");
    let fish = script("fish");
    assert!(fish.contains("-l core ") && fish.contains("-r -F -a \"ascalon-x\\t''\n"), "{fish}");
    assert!(!fish.contains("-r -f -a \"ascalon-x"), "{fish}");
    // Help does not list them.
    assert!(
        !output(capvec().args(["bench", "--help"]), 0).0.contains("[possible values: ascalon-x")
    );
}

/// What the Debian package takes from the repository is there, and `packages/pages.sh` makes the rest.
#[test]
fn everything_in_the_debian_package_is_made() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(package.join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let metadata = &manifest["package"]["metadata"];
    let made = tempfile::tempdir().unwrap();
    let pages = made.path().join("pages");
    let program = env!("CARGO_BIN_EXE_capvec");
    let mut script = Command::new(package.join("../../packages/pages.sh"));
    assert!(script.arg(program).arg(&pages).status().unwrap().success());
    for written in ["capvec", "changelog.gz"] {
        std::fs::write(made.path().join(written), "").unwrap();
    }
    let assets = metadata["deb"]["assets"].as_array().unwrap();
    for asset in assets {
        let from = asset[0].as_str().unwrap();
        let file = match from.strip_prefix("../../target/package/") {
            Some(file) => made.path().join(file.trim_end_matches('*')),
            None => package.join(from),
        };
        assert!(file.exists(), "{from}");
    }
    assert!(assets.len() > 5 && pages.join("man1/capvec-bench.1.gz").exists());
    // The archives that `cargo binstall` looks for are those of `make dist`.
    let name = metadata["binstall"]["bin-dir"].as_str().unwrap().split('/').next().unwrap();
    let script = std::fs::read_to_string(package.join("../../packages/dist.sh")).unwrap();
    assert!(script.contains("name=capvec-$version-$target\n"));
    assert!(script.contains("here=$(uname -m)-unknown-linux-musl\n"));
    assert_eq!(name, "{ name }-{ version }-{ target-arch }-unknown-linux-musl");
}

/// The commands of the archive's `INSTALL.txt` install everything that `packages/dist.sh` puts next to it.
#[test]
fn the_static_binary_is_installed_by_its_own_instructions() {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packages");
    let (made, prefix) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let program = env!("CARGO_BIN_EXE_capvec");
    let mut script = Command::new(packages.join("pages.sh"));
    assert!(script.arg(program).arg(made.path()).status().unwrap().success());
    std::fs::write(made.path().join("capvec"), "").unwrap();
    let text = std::fs::read_to_string(packages.join("INSTALL.txt")).unwrap();
    let commands = text.split("    PREFIX=/usr/local\n").nth(1).unwrap().split("\n\n").next();
    let mut shell = assert_cmd::Command::new("bash");
    shell.args(["-ec", commands.unwrap()]).current_dir(made.path()).env("PREFIX", prefix.path());
    output(&mut shell, 0);
    for file in [
        "bin/capvec",
        "share/man/man1/capvec-bench.1.gz",
        "share/bash-completion/completions/capvec",
        "share/zsh/site-functions/_capvec",
        "share/fish/vendor_completions.d/capvec.fish",
    ] {
        assert!(prefix.path().join(file).is_file(), "{file}");
    }
    let script = std::fs::read_to_string(packages.join("dist.sh")).unwrap();
    assert!(script.contains(" packages/INSTALL.txt "));
}

/// Every script that makes packages lists those of the others, too.
#[test]
fn checksums_cover_every_kind_of_package() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let dir = tempfile::tempdir().unwrap();
    let name = "capvec-1.0.0-x86_64-unknown-linux-musl";
    let packages = [
        &format!("{name}.tar.gz"),
        &format!("{name}.cdx.json"),
        "capvec_1.0.0-1_amd64.deb",
        "capvec-1.0.0-cp310-abi3-manylinux_2_28_x86_64.whl",
    ];
    for name in packages.into_iter().chain(["capvec.log"]) {
        std::fs::write(dir.path().join(name), name).unwrap();
    }
    let script = |path| assert_cmd::Command::new(root.join(path));
    let sums = || output(script("packages/sums.sh").arg(dir.path()), 0).0;
    let listed = sums();
    assert!(packages.iter().all(|name| listed.contains(&format!("  {name}\n"))), "{listed}");
    assert_eq!((listed.lines().count(), &sums()), (packages.len(), &listed));
    let mut check = assert_cmd::Command::new("sha256sum");
    check.args(["--check", "--strict", "SHA256SUMS"]).current_dir(dir.path());
    output(&mut check, 0);
    for script in ["packages/dist.sh", "packages/deb.sh", "python/wheels.sh"] {
        let text = std::fs::read_to_string(root.join(script)).unwrap();
        assert!(text.ends_with("\npackages/sums.sh\n"), "{script}");
    }
}
