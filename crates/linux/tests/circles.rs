//! No files of this crate import each other in a circle.
//!
//! An import of a name leads to the file that defines it: re-exports are followed. Tests inside files do not count.

use std::collections::{BTreeMap, BTreeSet};

use crate::layers::{root, sources};

/// A module, as the names on the path to it.
type Module = Vec<String>;

/// A file's code and its imports.
#[derive(Default)]
struct File {
    code: String,
    /// The paths of its `use` declarations, and whether each is a re-export.
    uses: Vec<(Vec<String>, bool)>,
}

type Files = BTreeMap<Module, File>;

/// Splits a list at the commas outside braces.
fn items(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&list[start..]);
    items
}

/// The paths of a tree of imports.
fn paths(prefix: &[String], tree: &str, all: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let (head, group) = match tree.split_once('{') {
        Some((head, rest)) => (head, rest.rsplit_once('}').map(|(group, _)| group)),
        None => (tree.split(" as ").next().unwrap_or(tree), None),
    };
    let names = head.split("::").map(str::trim).filter(|name| !name.is_empty() && *name != "self");
    let path: Vec<String> = prefix.iter().cloned().chain(names.map(str::to_owned)).collect();
    match group {
        Some(group) => items(group).into_iter().for_each(|item| paths(&path, item, all)),
        None if tree.is_empty() => {}
        None => all.push(path),
    }
}

/// Separates a file's `use` declarations from its other code, without comments and tests.
fn parse(text: &str) -> File {
    let mut file = File::default();
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut lines = code.lines().filter_map(|line| line.split("//").next());
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        if start.contains("mod ") && start.trim_end().ends_with(';') {
            continue;
        }
        let visibility =
            |v: &str| matches!(v, "" | "pub ") || v.starts_with("pub(") && v.ends_with(") ");
        let Some((v, tree)) = start.split_once("use ").filter(|(v, _)| visibility(v)) else {
            file.code.push_str(line);
            file.code.push('\n');
            continue;
        };
        let (public, mut tree) = (!v.is_empty(), tree.to_owned());
        while !tree.contains(';') {
            tree.push_str(lines.next().expect("the end of the declaration"));
        }
        let mut all = Vec::new();
        paths(&[], tree.split(';').next().unwrap_or_default(), &mut all);
        file.uses.extend(all.into_iter().map(|path| (path, public)));
    }
    file
}

fn files() -> Files {
    let read = |path: std::path::PathBuf| {
        let name = path.strip_prefix(root()).expect("below src").with_extension("");
        let names = name.iter().map(|part| part.to_str().expect("UTF-8").to_owned());
        let module = names.filter(|name| name != "mod" && name != "lib").collect();
        (module, parse(&std::fs::read_to_string(&path).expect("UTF-8")))
    };
    sources(&root()).into_iter().map(read).collect()
}

/// The file that a path in the file `from` leads to, if it is one of this crate.
fn target(files: &Files, from: &Module, path: &[String]) -> Option<Module> {
    let mut base = from.clone();
    let mut rest = path;
    match path.first().map(String::as_str)? {
        "crate" => (base, rest) = (Module::new(), &path[1..]),
        "super" => {
            while rest.first().is_some_and(|name| name == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        name => {
            base.push(name.to_owned());
            files.get(&base)?;
            base.pop();
        }
    }
    while let Some(name) = rest.first() {
        base.push(name.clone());
        if !files.contains_key(&base) {
            base.pop();
            break;
        }
        rest = &rest[1..];
    }
    let exported = |(path, public): &&(Vec<String>, bool)| *public && path.last() == rest.first();
    match files[&base].uses.iter().find(exported) {
        Some((path, _)) if !rest.is_empty() => target(files, &base, path),
        _ => Some(base),
    }
}

/// The paths in code that begin at this crate, at an outer module or at an inner one.
fn inline_paths(files: &Files, module: &Module, code: &str) -> Vec<Vec<String>> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let words = code.split(|c: char| !is_name(c)).filter(|word| word.contains("::"));
    let path = |word: &str| -> Vec<String> {
        word.split("::").map(|name| name.trim_matches(':').to_owned()).collect()
    };
    let inner = |path: &Vec<String>| {
        let child: Module = module.iter().chain(path.first()).cloned().collect();
        path[0] == "crate" || path[0] == "super" || files.contains_key(&child)
    };
    words.map(path).filter(inner).collect()
}

/// The files that each file imports.
fn imports(files: &Files) -> BTreeMap<Module, BTreeSet<Module>> {
    let of = |(module, file): (&Module, &File)| {
        let used = |path: &Vec<String>| {
            let name = path.last().expect("a name");
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            file.code.split(|c| !is_name(c)).any(|word| word == name)
        };
        let declared = file.uses.iter().filter(|(path, public)| !public || used(path));
        let declared = declared.map(|(path, _)| path.clone());
        let all = declared.chain(inline_paths(files, module, &file.code));
        let targets = all.filter_map(|path| target(files, module, &path));
        (module.clone(), targets.filter(|to| to != module).collect())
    };
    files.iter().map(of).collect()
}

/// The imports that are left when files outside circles are taken away: those that import none of the others, and those
/// that none of the others import.
fn circles(mut imports: BTreeMap<Module, BTreeSet<Module>>) -> BTreeMap<Module, BTreeSet<Module>> {
    loop {
        let imported: BTreeSet<Module> = imports.values().flatten().cloned().collect();
        let before = imports.len();
        imports.retain(|file, of| !of.is_empty() && imported.contains(file));
        if imports.len() == before {
            return imports;
        }
        let left: BTreeSet<Module> = imports.keys().cloned().collect();
        imports.values_mut().for_each(|of| of.retain(|file| left.contains(file)));
    }
}

#[test]
fn files_import_each_other_in_no_circle() {
    let circles = circles(imports(&files()));
    let line = |(file, of): (&Module, &BTreeSet<Module>)| {
        let of: Vec<String> = of.iter().map(|to| to.join("::")).collect();
        format!("{} imports {}\n", file.join("::"), of.join(", "))
    };
    let lines: String = circles.iter().map(line).collect();
    assert!(lines.is_empty(), "these files import each other:\n{lines}");
}

#[test]
fn the_check_finds_circles() {
    let file = |text: &str| parse(text);
    let module = |name: &str| vec![name.to_owned()];
    let names = |files: &[(&str, &str)]| -> Vec<String> {
        let files = files.iter().map(|(name, text)| (module(name), file(text)));
        let files = files.chain([(Module::new(), File::default())]).collect();
        circles(imports(&files)).into_keys().map(|file| file.join("::")).collect()
    };
    let (a, b) = (
        ("a", "use crate::b::{self, B as _};"),
        ("b", "use std::fmt;\nuse crate::{\n    c::C,\n};"),
    );
    assert!(names(&[a, b, ("c", "use crate::d::D;"), ("d", "struct D;")]).is_empty());
    assert_eq!(names(&[a, b, ("c", "fn f(a: super::a::A) {}"), ("d", "")]), ["a", "b", "c"]);
    // Through a re-export, which is itself no import unless the file uses the name.
    let c = ("c", "use crate::d::A;\nstruct C;");
    assert_eq!(names(&[a, b, c, ("d", "pub(crate) use crate::a::A;")]), ["a", "b", "c"]);
    let d = ("d", "pub use crate::c::C;\npub use crate::a::A;\nstruct D(A);");
    assert_eq!(names(&[a, b, c, d]), ["a", "b", "c"]);
    assert!(
        names(&[("a", "use crate::d::E;"), ("d", "pub use crate::a::A;\nstruct E;")]).is_empty()
    );
    assert_eq!(
        names(&[("a", "use crate::d::E;"), ("d", "pub use crate::a::A;\nstruct E(A);")]),
        ["a", "d"]
    );
}
