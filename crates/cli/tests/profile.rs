//! `capvec run --profile`: exact counts by function and by call path.

use crate::common::{SYSROOT, capvec, compiled, guest, output, set_up};
use std::collections::BTreeMap;
use std::path::Path;

/// Runs a program, with its profile in the file `out`; returns standard output and standard error.
fn profiled(options: &[&str], program: &[&str], status: i32, out: &Path) -> (String, String) {
    let out = format!("--profile={}", out.display());
    let options = [options, &[&out, "--no-cwd", "--stats"]].concat();
    output(&mut guest(&options, program), status)
}

/// Cycles by call path, of a file of collapsed stacks.
fn folded(path: &Path) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(path).expect("UTF-8");
    let mut paths = BTreeMap::new();
    for line in text.lines() {
        let (path, cycles) = line.rsplit_once(' ').expect("a count");
        let cycles: u64 = cycles.parse().expect("a number");
        // A process that executes its own program again has two roots of one name.
        *paths.entry(path.to_owned()).or_default() += cycles;
    }
    paths
}

/// The number on the line that begins with this, without separators.
fn counted(stats: &str, name: &str) -> u64 {
    let line = stats.lines().find(|l| l.trim_start().starts_with(name)).expect("a line");
    line.rsplit(' ').next().expect("a number").replace('_', "").parse().expect("a number")
}

/// On the core `ideal` a cycle is an instruction, so the expected counts are those of the program's assembly.
#[test]
fn every_way_between_functions_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let bind = compiled("profile");
    let mut all = Vec::new();
    for engine in ["interp", "jit"] {
        let out = dir.path().join("out.folded");
        let (_, stats) = profiled(&[&bind, "--engine", engine], &["/built/profile"], 0, &out);
        let paths = folded(&out);
        assert_eq!(paths.values().sum::<u64>(), counted(&stats, "retired instructions"));
        all.push(paths);
    }
    assert_eq!(all[0], all[1]);
    let paths = &all[0];
    let main = paths.keys().find(|p| p.ends_with(";main")).expect("main ran");
    let below = |path: &str| paths.get(&format!("{main};{path}")).copied();
    for (path, insns) in [
        ("tail", 5000 * 2),
        ("leaf", 5000 * 11),
        ("through_t0", 5000 * 3),
        ("through_t0;millicode", 5000 * 2),
        ("split", 5000 * 6),
        ("catches;deep;deepest;leaf", 11),
        ("catches;after_longjmp;leaf", 11),
        ("recursive;leaf", 11),
        ("recursive;recursive;recursive;leaf", 11),
        ("signals;after_handler;leaf", 11),
    ] {
        assert_eq!(below(path), Some(insns), "{path}");
    }
    let sum = |wanted: &dyn Fn(&str) -> bool| -> u64 {
        paths.iter().filter(|(p, _)| wanted(p)).map(|(_, n)| n).sum()
    };
    assert_eq!(sum(&|p| p.contains(";signals;") && p.ends_with(";handler;leaf")), 11);
    assert_eq!(sum(&|p| !p.contains(";main") && p.ends_with(";worker;leaf")), 2 * 1000 * 11);
    // The child of fork continues its parent's path; the program that it executes begins anew.
    let child = main.replace("(100)", "(103)");
    assert_eq!(paths.get(&format!("{child};in_child;leaf")), Some(&11), "{child}");
    assert_eq!(paths.get(&format!("{child};leaf")), Some(&11));
    assert_eq!(sum(&|p| p.ends_with("leaf")), 11 * (5000 + 3 + 10 + 1 + 2000 + 2));
}

/// The symbols of a stripped program come from the file that its debug link names, and from where Debian's debug packages have them: by
/// build ID, with compressed sections.
#[test]
fn symbols_come_from_a_detached_file() {
    let bind = compiled("profile");
    let (dir, debug) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let own = format!("--bind={}:/own:rw", dir.path().display());
    let package = format!("--bind={}:/usr/lib/debug:rw", debug.path().display());
    let run = |script: &str| {
        output(&mut guest(&[&bind, &own, &package], &["bash", "-c", script]), 0);
    };
    let names = || {
        let out = dir.path().join("out.folded");
        profiled(&[&own, &package], &["/own/stripped"], 0, &out);
        folded(&out)
    };
    let has_names = |paths: &BTreeMap<String, u64>| paths.keys().any(|p| p.ends_with(";main;tail"));
    run("cd /own && objcopy --only-keep-debug /built/profile profile.debug \
        && objcopy --strip-all --add-gnu-debuglink=profile.debug /built/profile stripped");
    let linked = names();
    run("mv /own/profile.debug /own/elsewhere");
    let without = names();
    run("[[ $(readelf -n /built/profile) =~ Build\\ ID:\\ (..)([0-9a-f]+) ]] \
        && id=/usr/lib/debug/.build-id/${BASH_REMATCH[1]} && mkdir -p $id \
        && objcopy --only-keep-debug --compress-debug-sections /built/profile $id/${BASH_REMATCH[2]}.debug");
    let packaged = names();
    assert!(has_names(&linked), "{:?}", linked.keys());
    assert!(!without.keys().any(|path| path.contains(";main")), "{:?}", without.keys());
    assert_eq!(linked, packaged);
    assert_eq!(linked.values().sum::<u64>(), without.values().sum::<u64>());
}

/// Instructions and cycles of every call path are the same with both engines on every core, and their sum is the run's.
#[test]
fn engines_agree_on_every_call_path_and_core() {
    let dir = tempfile::tempdir().unwrap();
    let script = "for i in 1 2 3; do echo $i; done | sort -r | openssl dgst -sha512; kill -TERM $$";
    let hash = "openssl dgst -sha3-256 /etc/passwd";
    // A second takes the fewest instructions on the core with the lowest frequency.
    let speed = "openssl speed -seconds 1 -bytes 64 -evp aes-128-gcm";
    for core in ["ideal", "karu64", "marian", "ux900"] {
        let second = if core == "karu64" { speed } else { hash };
        for (k, (script, status)) in [(script, 143), (second, 0)].into_iter().enumerate() {
            let run = |engine| {
                let out = dir.path().join(format!("{engine}{k}.pb"));
                let options = ["--core", core, "--engine", engine, "--quantum", "999"];
                let reported = profiled(&options, &["bash", "-c", script], status, &out);
                (reported, std::fs::read(&out).expect("a profile"))
            };
            let (interp, jit) = (run("interp"), run("jit"));
            assert_eq!(interp.0, jit.0, "{core}");
            assert!(interp.1 == jit.1, "{core}: the profiles differ");
            let stats = &interp.0.1;
            let summed = format!(
                "{} cycles, {} instructions",
                counted(stats, "cycles"),
                counted(stats, "retired instructions")
            );
            assert!(stats.contains(&summed), "{core}: {summed}: {stats}");
        }
    }
}

/// A profile changes no count, and it has the functions of libraries that the program loads later, too.
#[test]
fn a_profile_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.txt");
    let program = ["python3", "-c", "import _bz2; print(len(_bz2.BZ2Compressor().compress(b'x')))"];
    let core = ["--core", "karu64"];
    let plain = output(&mut guest(&[&core[..], &["--no-cwd", "--stats"]].concat(), &program), 0);
    let (printed, stats) = profiled(&core, &program, 0, &out);
    assert_eq!(plain.0, printed);
    assert!(stats.ends_with(&plain.1), "{stats}{}", plain.1);
    let text = std::fs::read_to_string(out).unwrap();
    assert!(text.contains("BZ2_bzCompressInit (libbz2.so"), "{text}");
}

/// The file is refused before anything runs.
#[test]
fn files_that_cannot_be_written_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |options: &[&str], expected: &str| {
        let (printed, error) = output(&mut guest(options, &["bash", "-c", "echo ran"]), 2);
        assert!(printed.is_empty() && error.contains(expected), "{printed}{error}");
    };
    refused(&["--profile", "out.png"], "give one of .svg, .json, .pb.gz, .pb, .folded, .txt");
    refused(&["--profile", "/nonexistent/x.svg"], "--profile: cannot write /nonexistent/x.svg");
    refused(&["--profile", "x.svg", "--engine", "both"], "--engine both; use interp or jit");
    let taken = dir.path().join("d.svg");
    std::fs::create_dir(&taken).unwrap();
    refused(&["--profile", taken.to_str().unwrap()], "is a directory");
}

/// The sums over all instructions are the run's counts on every core, also with signals, faults and processes in turn.
#[test]
fn annotations_add_up() {
    let bind = compiled("profile");
    let annotate = |core: &str, options: &[&str], program: &[&str], status| {
        set_up();
        let mut command = capvec();
        command.args([
            "annotate",
            "--sysroot",
            SYSROOT,
            "--no-cwd",
            "--stats",
            "--core",
            core,
            &bind,
        ]);
        output(command.args(options).arg("--").args(program), status)
    };
    let script = ["bash", "-c", "echo a | openssl dgst -sha512; kill -TERM $$"];
    for core in ["ideal", "karu64", "marian", "ux900"] {
        for program in [&script[..], &["/built/profile"]] {
            let (text, stats) = annotate(core, &["--quantum", "999"], program, 0);
            let (cycles, insns) =
                (counted(&stats, "cycles"), counted(&stats, "retired instructions"));
            let summed = format!("all functions: {cycles} cycles, {insns} instructions\n");
            assert!(text.ends_with(&summed), "{core}: {summed}{text}");
        }
    }
    let (text, _) = annotate("karu64", &["--function", "leaf"], &["/built/profile"], 0);
    let rows: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    let leaf: Vec<&Vec<&str>> = rows.iter().filter(|r| r.get(1) == Some(&"7016")).collect();
    assert_eq!(leaf.len(), 11, "{text}");
    assert!(leaf.iter().take(10).all(|r| r[9] == "addi"), "{text}");
    let numbers =
        |r: &[&str]| -> Vec<u64> { r.iter().map(|n| n.parse().expect("a number")).collect() };
    for r in &leaf {
        let n = numbers(&r[2..8]);
        assert_eq!(n[0], n[1..].iter().sum::<u64>(), "{r:?}");
    }
    let sum: u64 = leaf.iter().map(|r| numbers(&r[2..3])[0]).sum();
    assert!(text.contains(&format!("leaf (/built/profile): {sum} cycles")), "{text}");
    let (_, error) = annotate("ideal", &["--function", "none"], &["/built/profile"], 1);
    assert!(
        error.contains("--function none: no function of this name") && error.contains("leaf"),
        "{error}"
    );
}

/// The functions of a row add up to it, but for the driver's loop; the figures themselves are those without --profile.
#[test]
fn bench_divides_operations_by_function() {
    let bench = [
        "bench",
        "-q",
        "--subject",
        "capvec",
        "--cases",
        "sha256,sm4-ctr",
        "--caps",
        "scalar,full",
    ];
    let bench = [&bench[..], &["--bytes", "1024", "--kat", "none", "--format", "json"]].concat();
    let rows = |args: &[&str]| {
        let (text, _) = output(capvec().args(args), 0);
        let record: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        record["rows"].as_array().expect("rows").clone()
    };
    let (plain, divided) = (rows(&bench), rows(&[&bench[..], &["--profile"]].concat()));
    assert!(!plain.is_empty());
    for (a, b) in plain.iter().zip(&divided) {
        assert_eq!(
            (&a["cycles_per_op"], &a["insns_per_op"]),
            (&b["cycles_per_op"], &b["insns_per_op"])
        );
        assert!(a.get("functions").is_none());
        let functions = b["functions"].as_array().expect("functions");
        let sum = |of: &str| functions.iter().filter_map(|f| f[of].as_f64()).sum::<f64>();
        let whole = b["insns_per_op"].as_f64().expect("a figure");
        assert!((sum("insns") - whole).abs() < 40.0, "{whole} {functions:?}");
        let first = functions[0]["name"].as_str().expect("a name");
        assert!(!first.contains("driver"), "{first}");
    }
}
