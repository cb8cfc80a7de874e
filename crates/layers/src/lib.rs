//! Which files of a crate import which, read from their sources, for the tests that keep imports in one direction.
//!
//! An import of a name leads to the file that defines it: re-exports are followed. Tests inside files do not count.

#![warn(missing_docs)]

mod listed;
mod parse;

pub use listed::differences;
pub use parse::{File, parse};

use parse::Use;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A module, as the names on the path to it.
pub type Module = Vec<String>;

/// The files of a crate.
pub type Files = BTreeMap<Module, File>;

/// The source files in a folder, without tests.
pub fn sources(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a directory").map(|e| e.expect("readable").path());
    let entries = entries.filter(|path| !path.ends_with("tests") && !path.ends_with("tests.rs"));
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The modules that a text declares for tests only.
fn test_modules(text: &str) -> impl Iterator<Item = &str> {
    let declared = text.split("#[cfg(test)]\n").skip(1).filter_map(|rest| rest.lines().next());
    let declared = declared.filter_map(|line| line.strip_suffix(';')?.split("mod ").nth(1));
    declared.map(str::trim)
}

/// The files below `root`, the sources of a crate, without tests. The crate's root is the empty path.
pub fn files(root: &Path) -> Files {
    let (mut files, mut tests) = (Files::new(), BTreeSet::new());
    let has_library = root.join("lib.rs").exists();
    for path in sources(root) {
        let name = path.strip_prefix(root).expect("below the root").with_extension("");
        let names: Module =
            name.iter().map(|part| part.to_str().expect("UTF-8").to_owned()).collect();
        let module: Module = match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            // Another crate, which imports this one.
            ["main"] if has_library => continue,
            ["lib" | "main"] => Module::new(),
            [.., "mod"] => names[..names.len() - 1].to_vec(),
            _ => names,
        };
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        let inner = |name: &str| module.iter().cloned().chain([name.to_owned()]).collect();
        tests.extend(test_modules(&text).map(inner));
        files.insert(module, parse(&text));
    }
    files.retain(|module, _| !tests.iter().any(|test: &Module| module.starts_with(test)));
    files
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
    let exported = |u: &&Use| u.public && rest.first() == Some(&u.name);
    match files[&base].uses.iter().find(exported) {
        Some(u) => target(files, &base, &[&u.path, &rest[1..]].concat()),
        None => Some(base),
    }
}

/// The paths in code that begin at this crate, at an outer module, at an inner one, or at a name that a `use` declaration brought
/// into the file. Such a name is replaced by the path that it stands for.
fn inline_paths(files: &Files, module: &Module, file: &File) -> Vec<Vec<String>> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let words = file.code.split(|c: char| !is_name(c)).filter(|word| word.contains("::"));
    let path = |word: &str| -> Vec<String> {
        word.split("::").map(|name| name.trim_matches(':').to_owned()).collect()
    };
    let whole = |path: Vec<String>| {
        if let Some(u) = file.uses.iter().find(|u| u.name == path[0]) {
            return Some([&u.path, &path[1..]].concat());
        }
        let child: Module = module.iter().chain(path.first()).cloned().collect();
        let inner = path[0] == "crate" || path[0] == "super" || files.contains_key(&child);
        inner.then_some(path)
    };
    words.map(path).filter_map(whole).collect()
}

/// The files that each file imports.
pub fn imports(files: &Files) -> BTreeMap<Module, BTreeSet<Module>> {
    let of = |(module, file): (&Module, &File)| {
        let used = |name: &str| {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            file.code.split(|c| !is_name(c)).any(|word| word == name)
        };
        let declared = file.uses.iter().filter(|u| !u.public || used(&u.name));
        let declared = declared.map(|u| u.path.clone());
        let all = declared.chain(inline_paths(files, module, file));
        let targets = all.filter_map(|path| target(files, module, &path));
        (module.clone(), targets.filter(|to| to != module).collect())
    };
    files.iter().map(of).collect()
}

/// The imports in circles, and on a way from one circle to another. To find them, a file that imports no other file, or that
/// no other file imports, is removed until there is none.
pub fn circles(
    mut imports: BTreeMap<Module, BTreeSet<Module>>,
) -> BTreeMap<Module, BTreeSet<Module>> {
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
pub fn between(
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
pub fn report(circles: &BTreeMap<Module, BTreeSet<Module>>) -> String {
    let line = |(file, of): (&Module, &BTreeSet<Module>)| {
        let of: Vec<String> = of.iter().map(|to| to.join("::")).collect();
        format!("{} imports {}\n", file.join("::"), of.join(", "))
    };
    circles.iter().map(line).collect()
}

/// The circles between modules of one folder, each with all that is in it. A folder's `mod.rs` belongs to all its files, so
/// imports from and to it do not count.
pub fn circles_of_folders(files: &Files) -> Vec<BTreeMap<Module, BTreeSet<Module>>> {
    let imports = imports(files);
    let folders: BTreeSet<&[String]> =
        imports.keys().flat_map(|file| (0..file.len()).map(|n| &file[..n])).collect();
    let circles = folders.into_iter().map(|folder| circles(between(&imports, folder)));
    circles.filter(|circles| !circles.is_empty()).collect()
}
