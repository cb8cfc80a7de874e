//! Follows CONTRIBUTING.md's "Add an instruction" step by step, and checks that all files that it names exist.

use crate::emit;
use crate::model::Table;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = include_str!("../../../CONTRIBUTING.md");

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A change that the page prescribes: the file, the line below which the text goes (none if the file is new), the
/// text.
struct Change {
    file: &'static str,
    below: Option<&'static str>,
    text: String,
}

/// Words in backquotes.
fn quoted(text: &'static str) -> Vec<&'static str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The changes of the section, in order. A block is indented by seven columns; the paragraph before it ends by naming
/// the file.
fn changes() -> Vec<Change> {
    let section = PAGE.split("\n## ").find(|s| s.starts_with("Add an instruction")).unwrap();
    let mut all: Vec<Change> = Vec::new();
    let mut before = 0;
    let mut at = 0;
    for line in section.split_inclusive('\n') {
        let (from, to) = (at, at + line.len());
        at = to;
        match line.strip_prefix("       ") {
            Some(code) if before == from => all.last_mut().unwrap().text += code,
            Some(code) => {
                let paragraph = &section[before..from];
                let asked = paragraph.rfind("New file").max(paragraph.rfind("Into `")).unwrap();
                let names = quoted(&paragraph[asked..]);
                let below = names.get(1).copied();
                all.push(Change { file: names[0], below, text: code.into() });
            }
            None if line.trim().is_empty() && before == from && !all.is_empty() => {
                all.last_mut().unwrap().text += "\n";
            }
            None => continue,
        }
        before = to;
    }
    all
}

/// Makes the changes in `root`.
fn follow(root: &Path) {
    for Change { file, below, text } in changes() {
        let path = root.join(file);
        let text = text.trim_end().to_string() + "\n";
        let Some(below) = below else {
            assert!(!path.exists(), "{file} is there already");
            fs::write(&path, text).unwrap();
            continue;
        };
        let old = fs::read_to_string(&path).unwrap();
        let at = old.find(below).unwrap_or_else(|| panic!("{file} has no {below}"));
        let end = at + old[at..].find('\n').unwrap() + 1;
        // A line of a list takes the list's indentation; module code has none.
        fs::write(&path, format!("{}{text}{}", &old[..end], &old[end..])).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(from, to).unwrap();
}

#[test]
fn the_table_takes_the_instruction_and_the_module_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(repository().join("isa")).unwrap() {
        let path = entry.unwrap().path();
        copy(&path, &dir.path().join("isa").join(path.file_name().unwrap()));
    }
    const FILES: [&str; 2] = ["crates/sim/src/exec/mod.rs", "crates/sim/tests/main.rs"];
    let [modules, _] = FILES;
    for file in FILES {
        copy(&repository().join(file), &dir.path().join(file));
    }
    follow(dir.path());
    let table = Table::load(&dir.path().join("isa")).unwrap();
    let files = emit::files(&table).unwrap();
    let text = |name: &str| &files.iter().find(|(path, _)| path.ends_with(name)).unwrap().1;
    assert!(text("exec/generated.rs").contains("xexample::addxor::<"));
    assert!(text("isa/src/generated/ext.rs").contains("Xexample"));
    let modules = fs::read_to_string(dir.path().join(modules)).unwrap();
    for insn in &table.insns {
        let module = &table.base(insn).module;
        assert!(modules.contains(&format!("\nmod {module};\n")), "exec/mod.rs has no mod {module}");
    }
    assert!(dir.path().join("crates/sim/src/exec/xexample.rs").exists());
    for file in FILES {
        let text = fs::read_to_string(dir.path().join(file)).unwrap();
        let lines: Vec<&str> = text.lines().filter(|l| l.starts_with("mod ")).collect();
        assert!(lines.is_sorted(), "{file}: rustfmt would sort {lines:?}");
    }
}

#[test]
fn every_file_that_the_page_names_is_there() {
    let new: Vec<&str> = changes().iter().filter(|c| c.below.is_none()).map(|c| c.file).collect();
    let words = quoted(PAGE).into_iter().filter(|w| {
        w.contains('/') && !w.contains([' ', '*', '.'])
            || w.ends_with(".rs")
            || w.ends_with(".toml")
    });
    let mut named = 0;
    for word in words.filter(|w| w.contains('/') && !w.contains(['<', ' ', '…', '*'])) {
        let path = word.trim_start_matches("./");
        if !new.contains(&path)
            && !word.contains("NAME")
            && !word.contains("path/to")
            && !word.contains("mine")
            // What builds leave behind.
            && !word.starts_with("target/")
        {
            assert!(
                repository().join(path).exists(),
                "CONTRIBUTING.md names {word}, which does not exist"
            );
            named += 1;
        }
    }
    assert!(named > 8, "{named}");
}

/// `make help` prints, and names every target that is not made by another's rule.
#[test]
fn make_help_names_every_target() {
    let help =
        Command::new("make").args(["-s", "help"]).current_dir(repository()).output().unwrap();
    assert!(help.status.success(), "{}", String::from_utf8_lossy(&help.stderr));
    let help = String::from_utf8(help.stdout).unwrap();
    let makefile = fs::read_to_string(repository().join("Makefile")).unwrap();
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    let targets = makefile.lines().filter_map(|line| line.split_once(':').map(|(name, _)| name));
    let mut count = 0;
    for name in targets.filter(|name| !name.is_empty() && name.chars().all(is_name)) {
        let named = help.contains(&format!("make {name}"));
        assert!(named || name == "help", "make help does not name {name}");
        count += 1;
    }
    assert!(count > 20, "{count} targets");
}

/// The lists that the page adds a new file to are complete.
#[test]
fn the_lists_that_the_page_names_are_whole() {
    let lists = [
        ("cores", "crates/timing/src/core.rs", &["zvku-area.csv"][..]),
        (
            "cases",
            "crates/bench/src/case/case_files.rs",
            &["dispatch.toml", "overrides.toml", "secrets.toml"],
        ),
    ];
    for (dir, list, others) in lists {
        assert!(quoted(PAGE).contains(&list), "CONTRIBUTING.md does not name {list}");
        let text = fs::read_to_string(repository().join(list)).unwrap();
        for entry in fs::read_dir(repository().join(dir)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let listed = text.contains(&format!("{dir}/{name}"));
            assert!(listed || others.contains(&name.as_str()), "{list} does not list {dir}/{name}");
        }
    }
}

/// `make walkthrough`: the result of the steps compiles, passes its test, and is shown.
#[test]
#[ignore = "compiles the workspace: make walkthrough"]
fn the_result_compiles_and_passes() {
    let dir = tempfile::tempdir().unwrap();
    let run = |command: &mut Command| {
        let out = command.output().unwrap();
        assert!(out.status.success(), "{command:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    };
    let mut list = Command::new("git");
    for file in run(list.args(["ls-files"]).current_dir(repository())).lines() {
        copy(&repository().join(file), &dir.path().join(file));
    }
    follow(dir.path());
    let cargo = |args: &str| {
        let mut cargo = Command::new(env!("CARGO"));
        let target = repository().join("target/walkthrough");
        cargo.args(args.split(' ')).current_dir(dir.path()).env("CARGO_TARGET_DIR", target);
        run(&mut cargo)
    };
    cargo("run -q -p capvec-isagen");
    cargo("fmt --all --check");
    let tests = cargo("test -p capvec-sim --test all xexample::");
    assert!(tests.contains("test result: ok. 1 passed"), "{tests}");
    cargo("test -q -p capvec-isa");
    assert!(cargo("run -q -p capvec -- isa addxor").contains("extension: xexample"));
}
