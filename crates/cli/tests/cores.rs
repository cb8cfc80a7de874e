//! `capvec cores`.

use assert_cmd::Command;

fn capvec(args: &[&str]) -> (String, String, Option<i32>) {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    let out = c.arg("cores").args(args).output().expect("capvec starts");
    let text = |b: Vec<u8>| String::from_utf8(b).expect("UTF-8");
    (text(out.stdout), text(out.stderr), out.status.code())
}

fn json(args: &[&str]) -> serde_json::Value {
    let (out, err, code) = capvec(&[args, &["--format", "json"]].concat());
    assert_eq!((err.as_str(), code), ("", Some(0)));
    serde_json::from_str(&out).expect("JSON")
}

#[test]
fn lists_and_pages_are_as_in_the_snapshots() {
    insta::assert_snapshot!("cores_list", capvec(&["list"]).0);
    insta::assert_snapshot!("cores_list_json", capvec(&["list", "--format", "json"]).0);
    insta::assert_snapshot!("cores_show", capvec(&["show", "ideal"]).0);
    insta::assert_snapshot!("cores_show_json", capvec(&["show", "ideal", "--format", "json"]).0);
}

/// The page of a core shows every parameter of its file, each with its source.
#[test]
fn every_parameter_of_a_core_is_shown_with_its_source() {
    let text = std::fs::read_to_string("../../cores/karu64.toml").expect("the core file");
    let file: toml::Table = text.parse().expect("TOML");
    fn leaves(prefix: &str, table: &toml::Table, found: &mut Vec<(String, toml::Table)>) {
        for (key, value) in table {
            let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
            match value.as_table() {
                Some(t) if t.contains_key("value") => found.push((name, t.clone())),
                Some(t) => leaves(&name, t, found),
                None => {}
            }
        }
    }
    let mut expected = Vec::new();
    leaves("", &file, &mut expected);
    assert!(expected.len() > 30, "{}", expected.len());
    let shown = json(&["show", "karu64"]);
    let shown = shown["parameters"].as_array().expect("a list");
    // The costs of drafts are assumed, not stated.
    let assumed =
        |p: &&serde_json::Value| p["source"].as_str().is_some_and(|s| s.starts_with("assumed: "));
    assert_eq!(shown.len() - shown.iter().filter(assumed).count(), expected.len());
    assert!(shown.iter().filter(assumed).count() == 3);
    let page = capvec(&["show", "karu64"]).0;
    for (key, value) in expected {
        let p = shown.iter().find(|p| p["key"] == key.as_str()).unwrap_or_else(|| panic!("{key}"));
        assert_eq!(p["value"], serde_json::to_value(&value["value"]).expect("JSON"), "{key}");
        assert_eq!(p["source"].as_str(), value["source"].as_str(), "{key}");
        assert!(page.contains(&key), "{key}");
    }
}

#[test]
fn a_users_file_is_shown() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("mine.toml");
    let text = std::fs::read_to_string("../../cores/ideal.toml").expect("the core file");
    let mine =
        text.replace("name = \"ideal\"", "name = \"mine\"").replace("1_000_000_000", "2_500_000");
    std::fs::write(&path, mine).expect("a file");
    let shown = json(&["show", path.to_str().expect("UTF-8")]);
    assert_eq!((&shown["name"], &shown["frequency_hz"]), (&"mine".into(), &2_500_000.into()));

    std::fs::write(&path, text.replace("vlen = {", "vlan = {")).expect("a file");
    let (out, err, code) = capvec(&["show", path.to_str().expect("UTF-8")]);
    assert_eq!((out.as_str(), code), ("", Some(2)));
    assert!(err.contains("mine.toml") && err.contains("vlen"), "{err}");
}

#[test]
fn unknown_names_are_usage_errors_that_list_the_known_ones() {
    let wrong: [(&[&str], &[&str]); 5] = [
        (&["show", "karu65"], &["karu65", "karu64", "marian", ".toml"]),
        (&["show", "./none.toml"], &["none.toml"]),
        (&["show"], &["CORE"]),
        (&["list", "--format", "xml"], &["--format"]),
        (&["shew"], &["shew"]),
    ];
    for (args, words) in wrong {
        let (out, err, code) = capvec(args);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{args:?}: {err}");
        assert!(words.iter().all(|w| err.contains(w)), "{args:?}: {err}");
    }
}

/// docs/silicon.md quotes these tables. Cycles are the same in every run.
#[test]
fn validate_prints_the_tables_of_the_page() {
    let cores = ["sifive-p550", "spacemit-x100", "spacemit-x60"];
    let (text, err, code) = capvec(&[&["validate", "-q", "--format", "md"][..], &cores].concat());
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let page = std::fs::read_to_string("../../docs/silicon.md").expect("the page");
    // Those of Cryptogams need a record.
    let shown = |l: &&str| l.starts_with('|') && !l.contains("Cryptogams");
    let lines: Vec<&str> = text.lines().filter(shown).collect();
    assert_eq!(lines.len(), 2 + 14 + 2 + 4, "{text}");
    for line in lines {
        assert!(page.contains(line), "docs/silicon.md lacks {line}");
    }
}

/// A table of one instruction becomes a core that loads.
#[test]
fn a_table_becomes_a_core() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = |name: &str| dir.path().join(name).to_str().expect("UTF-8").to_string();
    let row = "<tr><td>vadd.vv v8,v16,v24</td>".to_string()
        + &"<td>0.5</td><td>1.0</td><td>2.0</td><td>4.0</td>".repeat(4);
    std::fs::write(path("table"), row + "</tr>\n").expect("a file");
    let import = |form: &str| {
        let (table, core) = (path("table"), path("mine.toml"));
        capvec(&["import", form, &table, "--name", "mine", "--like", "spacemit-x60", "-o", &core])
    };
    let (out, err, code) = import("rvv-bench");
    assert_eq!((out.as_str(), code), ("", Some(0)), "{err}");
    assert!(err.contains("1 of "), "{err}");
    let shown = json(&["show", &path("mine.toml")]);
    let parameters = shown["parameters"].as_array().expect("a list");
    let valu = parameters.iter().find(|p| p["key"] == "vector.class.valu").expect("a class");
    assert_eq!(valu["value"]["first"], 0.5);
    assert!(valu["source"].as_str().is_some_and(|s| s.contains("rvv-bench, table")), "{valu}");
    assert!(err.contains("warning: the table does not state its VLEN; 256 is assumed"), "{err}");
    let table = path("table");
    let nowhere =
        ["import", "rvv-bench", &table, "--name", "m", "--like", "karu64", "-o", "/nodir/k.toml"];
    let (out, error, code) = capvec(&nowhere);
    assert_eq!((out.as_str(), code), ("", Some(3)), "{error}");
    assert!(
        error.contains("-o /nodir/k.toml: cannot be written") && error.contains("name a file"),
        "{error}"
    );
    let (out, err, code) = import("llvm-mca");
    assert_eq!((out.as_str(), code), ("", Some(2)));
    assert!(err.contains("no instruction in the form of llvm-mca"), "{err}");
    std::fs::write(&table, "\n").expect("a file");
    let (out, err, code) = import("llvm-mca");
    assert_eq!((out.as_str(), code), ("", Some(2)));
    assert!(err.contains("table is empty; see docs/silicon.md"), "{err}");
}

/// One figure, made by a core that takes twice as long to start: the fit finds that.
#[test]
fn a_fit_finds_the_value_that_made_the_figure() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("speeds.csv");
    let file = file.to_str().expect("UTF-8");
    // 31.72 cycles per byte with the shipped values; more with a slower start.
    let line = "karu64,sha256,zvkb_zvknha,16384,2300,1,75,made up,here";
    std::fs::write(
        file,
        format!("core,case,set,bytes,kBps,processes,clock_mhz,program,source\n{line}\n"),
    )
    .expect("a file");
    let args = ["fit", "karu64", "-q", "--to", file, "--free", "vector.startup=5..12"];
    let (text, err, code) = capvec(&[&args[..], &["--format", "json"]].concat());
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let fitted = crate::common::conforming("fitted", &text);
    let row = &fitted["rows"][0];
    let [published, before, after] =
        ["published", "before", "after"].map(|of| row[of].as_f64().expect("a number"));
    assert!((after / published - 1.0).abs() < 0.005, "{row}");
    assert!((before / published - 1.0).abs() > 0.01, "{row}");
    assert!(fitted["parameters"][0]["values"][0].as_f64().is_some_and(|v| v > 7.5), "{fitted}");
    for (free, said) in [
        ("vector.statup", "did you mean vector.startup?"),
        ("vector.startup=8..12", "must lie between the bounds"),
        ("core.isa", "not a number"),
        ("dcache.size", "cannot be searched"),
        ("dcache.size", "must be a power of two"),
        ("dcache.ways=0..4", "dcache.ways=0"),
    ] {
        let (out, err, code) = capvec(&["fit", "karu64", "--to", file, "--free", free]);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{err}");
        assert!(err.contains("--free") && err.contains(said), "{err}");
    }
}

/// Of two sizes of a case, one is held out; the core is changed before the fit; a parameter without effect keeps its value, and
/// is not among the flags.
#[test]
fn a_fit_takes_single_sizes_and_a_changed_core() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("speeds.csv");
    let file = file.to_str().expect("UTF-8");
    let line = |bytes: u32| format!("karu64,sha256,scalar,{bytes},210,1,75,made up,here\n");
    let head = "core,case,set,bytes,kBps,processes,clock_mhz,program,source\n";
    let text = head.to_string() + &line(1024) + &line(8192) + &line(16384);
    std::fs::write(file, text).expect("a file");
    let fit = |args: &[&str]| capvec(&[&["fit", "karu64", "-q", "--to", file][..], args].concat());
    let free = ["--free", "vector.startup,dcache.read=0..4", "--set", "dcache.ways=2"];
    let held = ["--hold-out", "sha256/scalar/1024"];
    let (text, err, code) = fit(&[&free[..], &held].concat());
    assert_eq!(code, Some(0), "{err}");
    let flags = text.lines().last().expect("a line");
    assert!(flags.contains("--core karu64 --set dcache.ways=2 --set dcache.read="), "{flags}");
    assert!(!flags.contains("vector.startup"), "{flags}");
    let (text, _, _) = fit(&[&free[..], &held, &["--format", "json"]].concat());
    let fitted = crate::common::conforming("fitted", &text);
    let held: Vec<_> =
        fitted["rows"].as_array().expect("a list").iter().map(|r| &r["held_out"]).collect();
    assert_eq!(held, [true, false, false]);
    let startup = &fitted["parameters"][0];
    assert_eq!((&startup["before"], &startup["has_effect"]), (&startup["values"], &false.into()));
    let (_, err, code) = fit(&["--free", "dcache.read", "--only", "sha256/scalar/64"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("sha256/scalar/1024, sha256/scalar/8192"), "{err}");
}

/// What leaves nothing to fit is wrong in the command line; nothing is run.
#[test]
fn a_fit_needs_figures_and_different_parameters() {
    for (args, said) in [
        (&["karu64", "--free", "dcache.read,dcache.read"][..], "dcache.read: it is named twice"),
        (&["karu64", "--free", "dcache.read+dcache.read"], "dcache.read: it is named twice"),
        (
            &["karu64", "--free", "dcache.read", "--only", "scalar", "--hold-out", "scalar"],
            "figures to fit (0) is less than that of parameters (1)",
        ),
        (
            &["karu64", "--free", "dcache.read", "--to", "../../published/silicon.csv"],
            "silicon.csv: the file has no speeds of karu64",
        ),
        (&["marian", "--free", "dcache.read"], "marian: no speeds of `openssl speed`"),
        (
            &["marian", "--free", "dcache.read", "--to", "../../published/marian_table1.csv"],
            "figures of other programs than `openssl speed`",
        ),
    ] {
        let (out, err, code) = capvec(&[&["fit"][..], args].concat());
        assert_eq!((out.as_str(), code), ("", Some(2)), "{err}");
        assert!(err.contains(said), "{err}");
    }
}

#[test]
fn validate_needs_published_figures() {
    for (name, said) in [
        ("marian", "no speeds of this core are published"),
        ("spacemit-x6", "did you mean spacemit-x60?"),
    ] {
        let (out, err, code) = capvec(&["validate", name]);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{err}");
        assert!(err.contains(said), "{err}");
    }
}

/// The U74's figures are of programs that are not here: they are shown without a prediction.
#[test]
fn validate_shows_what_it_cannot_predict() {
    let shown = json(&["validate", "sifive-u74"]);
    let rows = shown["rows"].as_array().expect("a list");
    let why = |text: &str| {
        let says = |row: &&serde_json::Value| row["why"].as_str().is_some_and(|w| w.contains(text));
        rows.iter().filter(says).count()
    };
    assert_eq!((rows.len(), why("assembly"), why("does not have it")), (34, 24, 10));
    assert!(rows.iter().all(|row| row["predicted"].is_null()), "{rows:?}");
}

/// A record of `capvec measure` predicts the figure of the same core, title, set and size.
#[test]
fn validate_takes_figures_of_kernels_from_a_record() {
    let dir = tempfile::tempdir().expect("a directory");
    let (code, out) = (dir.path().join("f.c"), dir.path().join("out"));
    let text =
        "#include <capvec/measure.h>\nCAPVEC_MEASURE(\"sha256\", n, __asm__(\"nop; nop\"))\n";
    std::fs::write(&code, text).expect("a file");
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    let measure = ["measure", "-q", "--core", "sifive-u74", "--caps", "scalar", "--bytes", "16384"];
    c.args(measure).arg("--out").args([&out, &code]).assert().success();
    let record = out.join("record.json");
    let shown = json(&["validate", "sifive-u74", "--measured", record.to_str().expect("UTF-8")]);
    let text = std::fs::read_to_string(record).expect("a record");
    let record: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let cycles = record["rows"][0]["cycles_per_op"].as_f64().expect("a number");
    let rows = shown["rows"].as_array().expect("a list");
    let predicted: Vec<_> = rows.iter().filter(|row| !row["predicted"].is_null()).collect();
    assert_eq!(predicted.len(), 1, "{predicted:?}");
    let row = predicted[0];
    assert_eq!((&row["case"], &row["set"]), (&"sha256".into(), &"scalar".into()));
    let per_byte = row["predicted"].as_f64().expect("a number");
    assert!((per_byte - cycles / 16384.0).abs() < 1e-12, "{per_byte}, {cycles}");
}
