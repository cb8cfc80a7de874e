//! For build scripts: writes Rust tables of C sources, each unit with its text and the headers that it includes, directly
//! or not. Paths are relative to the root of the repository.

#![warn(missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Units of one directory.
pub struct Part {
    /// Name of the table.
    pub name: &'static str,
    /// Directory, from the root of the repository.
    pub dir: &'static str,
    /// The units that are used.
    pub units: Units,
    /// Further directories to search for headers.
    pub include: &'static [&'static str],
}

/// Which units of a directory.
pub enum Units {
    /// The unit of this name, and those whose names begin with it and an underscore, in alphabetical order.
    Named(&'static str),
    /// All units, in the order of `link_order.txt`, the rest by name.
    All,
}

const ORDER: &str = "crates/guest/link_order.txt";

/// Writes `parts.rs` to the build's directory; `krate` is the path of the crate that has the types `Part` and `Unit`.
pub fn write(krate: &str, parts: &[&Part]) {
    let mut text = String::new();
    for part in parts {
        table(&mut text, krate, part);
    }
    let to = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&to).join("parts.rs"), text).expect("writing parts.rs");
    println!("cargo:rerun-if-changed={}", root().join(ORDER).display());
}

/// Adds a table of all headers of a directory to the output of [`write()`]: for headers that foreign code includes.
pub fn write_headers(name: &str, dir: &str) {
    let files = names_in(dir).into_iter().filter(|n| n.ends_with(".h"));
    let files: String = files.map(|n| source(&n, &root().join(dir).join(&n))).collect();
    let to = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let to = Path::new(&to).join("parts.rs");
    let text = std::fs::read_to_string(&to).expect("parts.rs is written first");
    let text = text
        + &format!(
            "/// The headers of `{dir}`.\npub static {name}: &[(&str, &str)] = &[{files}];\n"
        );
    std::fs::write(&to, text).expect("writing parts.rs");
}

/// Stops the build if a folder of `dir` is no part, or `dir` itself has units: they would never be compiled.
pub fn every_folder_is_a_part(dir: &str, parts: &[&Part]) {
    let loose = units_of(dir);
    assert!(loose.is_empty(), "{dir}: {loose:?} belong to no part: move them to a folder");
    for folder in names_in(dir).into_iter().filter(|n| root().join(dir).join(n).is_dir()) {
        let path = format!("{dir}/{folder}");
        let used = parts.iter().any(|p| p.dir == path);
        assert!(used, "{path} is no part: list it in the build script");
    }
}

/// Stops the build if a unit of these directories belongs to no part, since it would never be compiled.
pub fn every_unit_is_used(dirs: &[&str], parts: &[&Part]) {
    for dir in dirs {
        for unit in units_of(dir) {
            let used = parts.iter().filter(|p| p.dir == *dir).any(|p| chosen(p).contains(&unit));
            assert!(used, "{dir}/{unit} belongs to no part: list it in the build script");
        }
    }
}

fn table(text: &mut String, krate: &str, part: &Part) {
    let dirs: Vec<&str> = std::iter::once(part.dir).chain(part.include.iter().copied()).collect();
    writeln!(text, "/// Units of `{}`.", part.dir).expect("a string takes any text");
    writeln!(text, "pub static {}: {krate}::Part = {krate}::Part {{ units: &[", part.name)
        .expect("writing to memory");
    for unit in chosen(part) {
        let path = root().join(part.dir).join(&unit);
        let mut headers = BTreeMap::new();
        included(&path, &dirs, &mut headers);
        let headers: String = headers.iter().map(|(name, path)| source(name, path)).collect();
        let own = source(&unit, &path);
        writeln!(text, "{krate}::Unit {{ source: {own} headers: &[{headers}] }},")
            .expect("writing to memory");
    }
    text.push_str("] };\n");
    for dir in dirs {
        println!("cargo:rerun-if-changed={}", root().join(dir).display());
    }
}

/// A pair of a file's name and its text, as Rust source.
fn source(name: &str, path: &Path) -> String {
    format!("({name:?}, include_str!({:?})),", path.display().to_string())
}

fn chosen(part: &Part) -> Vec<String> {
    match part.units {
        Units::Named(name) => {
            let is_own = |unit: &String| {
                let rest = unit.strip_prefix(name);
                rest.is_some_and(|rest| rest.starts_with(['.', '_']))
            };
            units_of(part.dir).into_iter().filter(is_own).collect()
        }
        Units::All => in_order(part.dir),
    }
}

fn in_order(dir: &str) -> Vec<String> {
    let order = read(&root().join(ORDER));
    let place = |unit: &String| {
        let line = format!("{dir}/{unit}");
        order.lines().position(|l| l == line).unwrap_or(usize::MAX)
    };
    let mut units = units_of(dir);
    units.sort_by_key(|u| (place(u), u.clone()));
    units
}

fn units_of(dir: &str) -> Vec<String> {
    let names = names_in(dir).into_iter();
    names.filter(|n| n.ends_with(".c") || n.ends_with(".S")).collect()
}

/// Sorted names of the files of a directory.
fn names_in(dir: &str) -> Vec<String> {
    let path = root().join(dir);
    let entries = std::fs::read_dir(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let names = entries.map(|e| e.expect("a directory's entry").file_name());
    let names = names.map(|n| n.into_string().expect("sources have names of ASCII"));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The headers that `file` includes with quotation marks, and those that these include. A header that is in none of
/// `dirs` must belong to the library that the program is for; its name then has a slash.
fn included(file: &Path, dirs: &[&str], found: &mut BTreeMap<String, PathBuf>) {
    for line in read(file).lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let Some(rest) = directive.and_then(|d| d.strip_prefix("include \"")) else { continue };
        let Some((name, _)) = rest.split_once('"') else { continue };
        let places = dirs.iter().map(|d| root().join(d).join(name));
        let Some(path) = places.into_iter().find(|p| p.is_file()) else {
            assert!(
                name.contains('/'),
                "{}: \"{name}\" is in none of {dirs:?}: add its directory in the build script",
                file.display()
            );
            continue;
        };
        if found.insert(name.to_string(), path.clone()).is_none() {
            included(&path, dirs, found);
        }
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn root() -> PathBuf {
    let dir = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    Path::new(&dir).join("../..")
}
