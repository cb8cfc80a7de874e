//! The modules of `fs`, each a file or a folder of `src/fs`, import each other in one direction.
//!
//! A type can have methods in several modules, which need no import to be called. So the methods of `Vfs`, most of which are
//! above its definition, are checked, too.

use std::collections::{BTreeMap, BTreeSet};

use capvec_layers::{File, Files, Module, files, imports, parse};

use crate::layers::root;

/// The modules. Each may use those that come before it.
const ORDER: [&str; 23] = [
    // The interface of Linux, and the host.
    "abi",
    "stat",
    "platform",
    "config",
    "host",
    // What is recorded about files.
    "locks",
    "watch",
    "shared_state",
    "events",
    "channel",
    "inode",
    "object",
    // The name space.
    "mount",
    "virtual_texts",
    "virtual_trees",
    "path",
    // Open files, and the thread that makes a call.
    "open_file",
    "caller",
    "virtual_access",
    // The state of the file system.
    "unix",
    "vfs",
    // The kinds of files, and the operations that open them.
    "kinds",
    "operations",
];

/// The position of a file of `fs` in the order; `None` for other files, and for `fs/mod.rs`, which only re-exports.
fn rank(file: &Module) -> Option<usize> {
    let module = file.get(1).filter(|_| file[0] == "fs")?;
    Some(ORDER.iter().position(|name| name == module).expect("a module of the list"))
}

/// The methods of `Vfs` that a file defines, and the text of these definitions.
fn methods_of_vfs(file: &File) -> (BTreeSet<String>, String) {
    let blocks = file.code.split("\nimpl Vfs {\n").skip(1);
    let text: String = blocks.map(|block| block.split("\n}\n").next().unwrap_or(block)).collect();
    let names = text.split("fn ").skip(1).filter_map(|rest| rest.split(['(', '<']).next());
    (names.map(str::to_owned).collect(), text)
}

/// The methods that are called on `receiver` in a text.
fn calls<'a>(text: &'a str, receiver: &str) -> BTreeSet<&'a str> {
    let after = text.split(receiver).skip(1).filter_map(|rest| rest.trim_start().strip_prefix('.'));
    let name = |rest: &'a str| {
        let (name, _) = rest.split_once('(')?;
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then_some(name)
    };
    after.filter_map(name).collect()
}

/// The uses of a module by one that comes before it.
fn upward_uses(files: &Files) -> Vec<String> {
    let mut found = Vec::new();
    for (from, others) in imports(files) {
        let Some(own) = rank(&from) else { continue };
        let upward = others.iter().filter(|to| rank(to).is_some_and(|rank| rank > own));
        found.extend(upward.map(|to| format!("{} imports {}", from.join("::"), to.join("::"))));
    }
    let mut homes = BTreeMap::new();
    for (file, contents) in files {
        let Some(rank) = rank(file) else { continue };
        homes.extend(methods_of_vfs(contents).0.into_iter().map(|name| (name, rank)));
    }
    for (file, contents) in files {
        let Some(rank) = rank(file) else { continue };
        let (_, own) = methods_of_vfs(contents);
        let called = calls(&contents.code, "vfs").into_iter().chain(calls(&own, "self"));
        let upward = called.filter(|name| homes.get(*name).is_some_and(|home| *home > rank));
        found.extend(upward.map(|name| format!("{} calls Vfs::{name}", file.join("::"))));
    }
    found
}

#[test]
fn modules_use_only_those_before_them() {
    let files = files(&root());
    let modules: BTreeSet<&str> = files
        .keys()
        .filter(|file| file.len() > 1 && file[0] == "fs")
        .map(|file| file[1].as_str())
        .collect();
    assert_eq!(modules, ORDER.into_iter().collect());
    let found = upward_uses(&files);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_check_finds_upward_uses() {
    let of = |files: &[(&str, &str)]| {
        let file = |(path, text): &(&str, &str)| -> (Module, File) {
            (path.split("::").map(str::to_owned).collect(), parse(text))
        };
        let root = (Module::new(), File::default());
        let fs = ("fs", "pub use vfs::Vfs;");
        upward_uses(&files.iter().chain([&fs]).map(file).chain([root]).collect())
    };
    let vfs = ("fs::vfs", "struct Vfs;\nimpl Vfs {\n    fn stat(&self) {}\n}\n");
    let open = (
        "fs::operations::open",
        "use crate::fs::vfs::Vfs;\n\nimpl Vfs {\n    fn open(&self) { self.stat() }\n}\n",
    );
    assert!(of(&[vfs, open]).is_empty());
    assert_eq!(
        of(&[vfs, ("fs::path::located", "use crate::fs::Vfs;")]),
        ["fs::path::located imports fs::vfs"]
    );
    assert_eq!(
        of(&[vfs, open, ("fs::kinds::pipe", "fn f(vfs: &Vfs) { vfs.open() }")]),
        ["fs::kinds::pipe calls Vfs::open"]
    );
    let low = ("fs::vfs", "struct Vfs;\n\nimpl Vfs {\n    fn stat(&self) { self.open() }\n}\n");
    assert_eq!(of(&[low, open]), ["fs::vfs calls Vfs::open"]);
}
