//! `docs/tables.md` and README.md against the program: their commands, their cases, some of their figures.

use assert_cmd::Command;

/// `capvec ARGS`, which must succeed.
fn capvec(args: &[&str]) -> String {
    let mut command = Command::cargo_bin("capvec").expect("the program is built");
    let out = command.args(args).assert().success();
    String::from_utf8(out.get_output().stdout.clone()).expect("UTF-8")
}

fn file(name: &str) -> String {
    std::fs::read_to_string(format!("../../{name}")).expect(name)
}

/// The commands of a text, as words behind `capvec`.
fn commands(text: &str) -> Vec<Vec<&str>> {
    let starts = ["    capvec ", "    target/release/capvec "];
    let lines = text.lines().filter_map(|l| starts.iter().find_map(|s| l.strip_prefix(s)));
    lines.map(|l| l.split('#').next().unwrap_or(l).split_whitespace().collect()).collect()
}

#[test]
fn the_commands_of_the_texts_are_understood() {
    let tables = file("docs/tables.md");
    let of_tables = commands(&tables);
    assert_eq!(of_tables.len(), 2, "{of_tables:?}");
    let readme = file("README.md");
    let bench = commands(&readme).into_iter().filter(|c| c[0] == "bench");
    for command in of_tables.into_iter().chain(bench) {
        // Set up only: nothing is measured, all arguments are read.
        let dir = tempfile::tempdir().expect("a directory");
        let out = dir.path().join("out");
        let mut args: Vec<&str> = command.clone();
        if let Some(at) = args.iter().position(|a| *a == "--out") {
            args[at + 1] = out.to_str().expect("UTF-8");
        }
        args.push("--setup-only");
        assert_eq!(capvec(&args), "", "{command:?}");
    }
}

/// The lines of the Markdown tables under a heading of the second level.
fn section<'a>(text: &'a str, title: &str) -> Vec<Vec<&'a str>> {
    let from = text.find(&format!("## {title}\n")).expect(title);
    let rest = &text[from + 3..];
    let rest = &rest[..rest.find("\n## ").unwrap_or(rest.len())];
    let rows = rest.lines().filter(|l| l.starts_with("| "));
    rows.map(|l| l.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn every_case_stands_in_the_tables_with_passing_answers() {
    let text = file("docs/tables.md");
    for (title, group) in [("Symmetric algorithms", "symmetric"), ("Public-key algorithms", "pkey")]
    {
        let rows = section(&text, title);
        let list = capvec(&["bench", "--list", "--cases", group]);
        let mut count = 0;
        for id in list.lines().filter_map(|l| l.strip_prefix("  ")?.split(' ').next()) {
            let mut own = rows.iter().filter(|r| r[0] == id && r.last() == Some(&"pass"));
            assert!(own.next().is_some(), "{id} does not stand under \"{title}\"");
            count += 1;
        }
        assert!(count > 15, "{count} cases");
    }
    assert!(!text.contains("wrong") && !text.contains("SIG"), "a figure is blank");
}

/// Figures that are quick to take again. If one differs, `make tables` writes the file anew.
#[test]
fn figures_of_the_tables_are_those_of_the_program() {
    let text = file("docs/tables.md");
    let quick = [
        ("Symmetric algorithms", "sha256"),
        ("Symmetric algorithms", "sm4-ecb"),
        ("Symmetric algorithms", "aes-128-gcm"),
        ("Symmetric algorithms", "aes-128-key"),
        ("Public-key algorithms", "x25519"),
    ];
    for (title, case) in quick {
        let args = ["bench", "-q", "--cases", case, "--caps", "scalar,dispatch,auto,full"];
        let fresh = capvec(&[&args[..], &["--format", "md"]].concat());
        let line = |text: &str| {
            let start = format!("| {case} |");
            let lines: Vec<String> = text
                .lines()
                .filter(|l| l.starts_with(&start) && l.ends_with("| pass |"))
                .map(String::from)
                .collect();
            lines
        };
        let stands = line(&text[text.find(title).expect(title)..]);
        let fresh = line(&fresh);
        assert!(!fresh.is_empty() && stands.starts_with(&fresh), "{stands:?} {fresh:?}");
    }
}

#[test]
fn the_table_of_the_readme_is_as_printed() {
    let readme = file("README.md");
    let printed = capvec(&["bench", "-q"]);
    let wanted = printed.lines().take_while(|l| !l.is_empty());
    for line in wanted {
        assert!(readme.lines().any(|l| l.strip_prefix("    ") == Some(line)), "not there: {line}");
    }
}
