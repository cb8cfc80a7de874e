//! No files of this crate import each other in a circle, and no folders within one folder do.
//!
//! An import of a name leads to the file that defines it: re-exports are followed. Tests inside files do not count.

use std::collections::{BTreeMap, BTreeSet};

use crate::layers::{root, sources};

/// A module, as the names on the path to it.
pub type Module = Vec<String>;

/// A file's code and its imports.
#[derive(Default)]
pub struct File {
    pub code: String,
    /// The paths of its `use` declarations, and whether each is a re-export.
    uses: Vec<(Vec<String>, bool)>,
}

pub type Files = BTreeMap<Module, File>;

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
pub fn parse(text: &str) -> File {
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

/// The files of this crate, without tests.
pub fn files() -> Files {
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
pub fn imports(files: &Files) -> BTreeMap<Module, BTreeSet<Module>> {
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

/// The imports in circles, and on a way from one circle to another. To find them, a file that imports no other file, or that
/// no other file imports, is removed until there is none.
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

/// The imports between the modules directly in `folder`, each with all that is in it.
fn between(
    imports: &BTreeMap<Module, BTreeSet<Module>>,
    folder: &[String],
) -> BTreeMap<Module, BTreeSet<Module>> {
    let part = |file: &Module| {
        file.starts_with(folder).then(|| file.get(..folder.len() + 1).map(<[_]>::to_vec)).flatten()
    };
    let mut parts: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (file, of) in imports {
        let Some(from) = part(file) else { continue };
        let others = of.iter().filter_map(part).filter(|to| *to != from);
        parts.entry(from.clone()).or_default().extend(others);
    }
    parts
}

/// A line for each module in a circle.
fn report(circles: &BTreeMap<Module, BTreeSet<Module>>) -> String {
    let line = |(file, of): (&Module, &BTreeSet<Module>)| {
        let of: Vec<String> = of.iter().map(|to| to.join("::")).collect();
        format!("{} imports {}\n", file.join("::"), of.join(", "))
    };
    circles.iter().map(line).collect()
}

#[test]
fn files_import_each_other_in_no_circle() {
    let lines = report(&circles(imports(&files())));
    assert!(lines.is_empty(), "these files import each other:\n{lines}");
}

#[test]
fn modules_of_a_folder_import_each_other_in_no_circle() {
    let imports = imports(&files());
    let folders: BTreeSet<&[String]> =
        imports.keys().flat_map(|file| (0..file.len()).map(|n| &file[..n])).collect();
    let circles = folders.into_iter().map(|folder| circles(between(&imports, folder)));
    let lines: String = circles.map(|circles| report(&circles)).collect();
    assert!(lines.is_empty(), "these modules import each other:\n{lines}");
}

#[test]
fn the_check_finds_circles_of_folders() {
    let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
    let file = |(path, text): (&str, &str)| (module(path), parse(text));
    let files = [
        ("a", ""),
        ("a::low", ""),
        ("a::high", "use crate::b::B;"),
        ("b", "use crate::a::low::Low;\nstruct B;"),
    ];
    let files = files.map(file).into_iter().chain([(Module::new(), File::default())]).collect();
    let imports = imports(&files);
    assert!(circles(imports.clone()).is_empty());
    let circle: Vec<Module> = circles(between(&imports, &[])).into_keys().collect();
    assert_eq!(circle, [module("a"), module("b")]);
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
