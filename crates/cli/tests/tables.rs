//! Compares `docs/tables.md`, `docs/models.md` and README.md with the program: their commands, cases and some figures.

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

/// The commands of a text, each as the words after `capvec`.
fn commands(text: &str) -> Vec<Vec<&str>> {
    let starts = ["    capvec ", "    target/release/capvec "];
    let lines = text.lines().filter_map(|l| starts.iter().find_map(|s| l.strip_prefix(s)));
    lines.map(|l| l.split('#').next().unwrap_or(l).split_whitespace().collect()).collect()
}

#[test]
fn the_commands_of_the_pages_are_valid() {
    let tables = file("docs/tables.md");
    let table_commands = commands(&tables);
    assert_eq!(table_commands.len(), 2, "{table_commands:?}");
    let readme = file("README.md");
    let bench = commands(&readme).into_iter().filter(|c| c[0] == "bench");
    for command in table_commands.into_iter().chain(bench) {
        // With --setup-only, all arguments are read and nothing is measured.
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
fn every_case_is_in_the_tables_with_passing_answers() {
    let text = file("docs/tables.md");
    for (title, group) in [("Symmetric algorithms", "symmetric"), ("Public-key algorithms", "pkey")]
    {
        let rows = section(&text, title);
        let list = capvec(&["bench", "--list", "--cases", group]);
        let mut count = 0;
        for id in list.lines().filter_map(|l| l.strip_prefix("  ")?.split(' ').next()) {
            let mut own = rows.iter().filter(|r| r[0] == id && r.last() == Some(&"pass"));
            assert!(own.next().is_some(), "{id} is missing under \"{title}\"");
            count += 1;
        }
        assert!(count > 15, "{count} cases");
    }
    assert!(!text.contains("wrong") && !text.contains("SIG"), "a figure is blank");
}

/// Measures those figures again that are quick to measure. If one differs, `make tables` writes the page anew.
#[test]
fn figures_of_the_tables_agree_with_the_program() {
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

/// The largest deviation of these ratios from 1, rounded up to a whole percent.
fn within(ratios: &[f64]) -> String {
    let worst = ratios.iter().map(|r| (r - 1.0).abs()).fold(0.0, f64::max);
    format!("within {} %", (worst * 100.0).ceil())
}

/// A text without line ends, so that a sentence can be searched for.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_table_of_the_readme_agrees_with_the_program() {
    let readme = file("README.md");
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().to_str().expect("UTF-8");
    let printed = capvec(&["bench", "-q", "--out", out]);
    let wanted = printed.lines().take_while(|l| !l.is_empty());
    for line in wanted {
        assert!(
            readme.lines().any(|l| l.strip_prefix("    ") == Some(line)),
            "missing in README.md: {line}"
        );
    }
    // The text states how far the figures are from the published ones.
    let record = std::fs::read_to_string(dir.path().join("record.json")).expect("a record");
    let record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
    let rows = record["rows"].as_array().expect("a list").iter();
    let published: Vec<_> = rows.filter(|r| r["ratio"].is_f64()).collect();
    let ratios: Vec<f64> = published.iter().filter_map(|r| r["ratio"].as_f64()).collect();
    let best = |case: &serde_json::Value| {
        let of = |r: &&&serde_json::Value| r["case"] == *case && r["capset"] != "scalar";
        published.iter().find(of)?["ratio"].as_f64()
    };
    let scalar = published.iter().filter(|r| r["capset"] == "scalar");
    let speedups: Vec<f64> =
        scalar.filter_map(|r| Some(best(&r["case"])? / r["ratio"].as_f64()?)).collect();
    assert_eq!((ratios.len(), speedups.len()), (20, 10));
    let (speeds, ups) = (within(&ratios), within(&speedups));
    let sentence = format!("all twenty speeds are {speeds} of them, all ten speed-ups {ups} (");
    assert!(words(&readme).contains(&sentence), "{sentence}");
    let sentence = format!(
        "its speeds are {speeds} of the published ones, its speed-ups, which combine the errors of two speeds, {ups}"
    );
    assert!(words(&file("docs/models.md")).contains(&sentence), "{sentence}");
}

/// The predictions are those for `openssl speed`, as listed on the page.
#[test]
fn the_predictions_on_the_models_page_are_as_accurate_as_it_says() {
    let text = file("docs/models.md");
    let rows = section(&text, "karu64");
    let figures: Vec<[f64; 6]> = rows
        .iter()
        .filter_map(|r| {
            let number = |i: usize| r.get(i)?.parse::<f64>().ok();
            Some([number(1)?, number(2)?, number(3)?, number(5)?, number(6)?, number(7)?])
        })
        .collect();
    assert_eq!(figures.len(), 10, "{rows:?}");
    let (mut speeds, mut ups) = (Vec::new(), Vec::new());
    for [scalar, s, s_ratio, best, b, b_ratio] in figures {
        for (predicted, published, ratio) in [(s, scalar, s_ratio), (b, best, b_ratio)] {
            assert!((predicted / published - ratio).abs() <= 0.00501, "{predicted} / {published}");
            speeds.push(predicted / published);
        }
        ups.push(b / s / (best / scalar));
    }
    let sentence = format!(
        "Speeds of this table are {} of the published ones, speed-ups (best over scalar) {}.",
        within(&speeds),
        within(&ups)
    );
    assert!(words(&text).contains(&sentence), "{sentence}");
}

/// By default, VLEN is each core's own.
#[test]
fn the_help_of_bench_says_the_vlen_of_each_core() {
    let list: serde_json::Value =
        serde_json::from_str(&capvec(&["cores", "list", "--format", "json"])).expect("JSON");
    let cores = list.as_array().expect("a list").iter();
    let own: Vec<String> =
        cores.map(|c| format!("{} {}", c["name"].as_str().expect("a name"), c["vlen"])).collect();
    let help = words(&capvec(&["bench", "--help"]));
    assert!(help.contains(&format!("the core's own ({});", own.join(", "))), "{own:?}: {help}");
}
