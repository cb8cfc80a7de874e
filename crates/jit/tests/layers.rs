//! The modules of this crate import each other in one direction: its files and folders only as listed here, the files of a
//! folder without circles.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules of the crate, each with those that it imports, all of which come before it.
const CRATE: [(&str, &[&str]); 12] = [
    ("host_features", &[]),
    ("options", &["host_features"]),
    ("access", &[]),
    ("timed", &["access"]),
    ("x64", &["access", "host_features", "options", "timed"]),
    ("block", &["timed", "x64"]),
    ("space", &["block", "timed"]),
    ("tally", &["space"]),
    ("hot_path", &["block", "space"]),
    ("kept", &["host_features", "x64"]),
    ("engine", &["block", "hot_path", "kept", "options", "space", "tally", "timed", "x64"]),
    ("both", &[]),
];

/// The same for the folders of the code generator.
const X64: [(&str, &[&str]); 11] = [
    ("asm", &[]),
    ("runtime", &["asm"]),
    ("vector_plan", &["asm"]),
    ("analysis", &["runtime", "vector_plan"]),
    ("emit", &["analysis", "asm", "runtime"]),
    ("scalar", &["analysis", "asm", "emit", "runtime"]),
    ("vector", &["asm", "emit", "runtime", "vector_plan"]),
    ("cycles", &["analysis", "asm", "emit", "runtime", "vector_plan"]),
    ("border", &["asm", "cycles", "runtime"]),
    (
        "translate",
        &["analysis", "asm", "cycles", "emit", "runtime", "scalar", "vector", "vector_plan"],
    ),
    ("portable", &["analysis", "asm", "runtime", "translate"]),
];

type Module = Vec<String>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The modules in a folder, each with its file, without tests.
fn modules(dir: &Path, path: &Module) -> Vec<(Module, PathBuf)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).expect("a directory") {
        let file = entry.expect("readable").path();
        let name = file.file_stem().expect("a name").to_str().expect("UTF-8").to_owned();
        let inner: Module = path.iter().cloned().chain([name.clone()]).collect();
        match name.as_str() {
            "lib" | "tests" => {}
            "mod" => all.push((path.clone(), file)),
            _ if file.is_dir() => all.extend(modules(&file, &inner)),
            _ => all.push((inner, file)),
        }
    }
    all
}

/// Adds the paths that a text names after a prefix: `a::b`, or several in braces.
fn paths(text: &str, prefix: &Module, all: &mut Vec<Module>) {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        let (mut depth, mut start) = (0, 0);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                '}' | ',' if depth == 0 => {
                    paths(&group[start..at], prefix, all);
                    start = at + 1;
                    if c == '}' {
                        return;
                    }
                }
                _ => {}
            }
        }
        return;
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let path: Module = prefix.iter().cloned().chain([text[..end].to_owned()]).collect();
    match text[end..].strip_prefix("::") {
        Some(rest) => paths(rest, &path, all),
        None => all.push(path),
    }
}

/// The modules of this crate that a module imports, as far as they are among `known`.
fn imports(module: &Module, file: &Path, known: &BTreeSet<Module>) -> BTreeSet<Module> {
    let text = std::fs::read_to_string(file).expect("UTF-8");
    let code = text.split("#[cfg(test)]").next().expect("the text");
    let code: Vec<&str> = code.lines().filter_map(|line| line.split("//").next()).collect();
    let code = code.join("\n");
    let parent = module[..module.len() - 1].to_vec();
    let mut all = Vec::new();
    for (prefix, base) in [("crate::", Module::new()), ("super::", parent)] {
        for (at, _) in code.match_indices(prefix) {
            if !code[..at].ends_with("super::") && !code[..at].ends_with('_') {
                paths(&code[at + prefix.len()..], &base, &mut all);
            }
        }
    }
    assert!(!code.contains("super::super"), "{}", file.display());
    let module_of = |path: &Module| {
        let mut outwards = (1..=path.len()).rev().map(|n| path[..n].to_vec());
        outwards.find(|m| known.contains(m))
    };
    all.iter().filter_map(module_of).collect()
}

/// Each module with the modules that it imports.
fn graph() -> BTreeMap<Module, BTreeSet<Module>> {
    let all = modules(&root(), &Module::new());
    let known: BTreeSet<Module> = all.iter().map(|(module, _)| module.clone()).collect();
    all.iter().map(|(module, file)| (module.clone(), imports(module, file, &known))).collect()
}

/// Checks the imports between the parts of a module: `list` has all parts, each with those that it imports.
fn check(graph: &BTreeMap<Module, BTreeSet<Module>>, path: &[&str], list: &[(&str, &[&str])]) {
    let part = |m: &Module| {
        let inside = m.len() > path.len() && m.iter().zip(path).all(|(a, b)| a == b);
        inside.then(|| m[path.len()].clone())
    };
    let parts: BTreeSet<String> = graph.keys().filter_map(part).collect();
    assert_eq!(parts, list.iter().map(|(name, _)| (*name).to_owned()).collect());
    for (rank, (name, allowed)) in list.iter().enumerate() {
        let mut imported = BTreeSet::new();
        for (_, others) in graph.iter().filter(|(m, _)| part(m).as_deref() == Some(name)) {
            imported.extend(others.iter().filter_map(part).filter(|other| other != name));
        }
        let expected: BTreeSet<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(imported, expected, "what {name} imports is not what is listed");
        let lower = |name: &&str| list[..rank].iter().any(|(other, _)| other == name);
        assert!(allowed.iter().all(lower), "{name} may import only modules before it");
    }
}

#[test]
fn imports_run_one_way() {
    let graph = graph();
    check(&graph, &[], &CRATE);
    check(&graph, &["x64"], &X64);
}
