//! Reading a source file: its code, and what its `use` declarations bring into it.

/// A file's code and its imports.
#[derive(Default)]
pub struct File {
    /// Its code without comments, tests and `use` declarations.
    pub code: String,
    /// Its `use` declarations.
    pub(crate) uses: Vec<Use>,
}

/// A name that a `use` declaration brings into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    /// The path that it stands for.
    pub(crate) path: Vec<String>,
    /// The name: the last component of the path, or the name after `as`.
    pub(crate) name: String,
    /// Whether it is a re-export.
    pub(crate) public: bool,
}

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

/// The paths of a tree of imports, each with the name that it gets.
fn paths(prefix: &[String], tree: &str, all: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    let (head, group) = match tree.split_once('{') {
        Some((head, rest)) => (head, rest.rsplit_once('}').map(|(group, _)| group)),
        None => (tree, None),
    };
    let (head, alias) = match head.split_once(" as ") {
        Some((head, alias)) => (head, Some(alias.trim().to_owned())),
        None => (head, None),
    };
    let names = head.split("::").map(str::trim).filter(|name| !name.is_empty() && *name != "self");
    let path: Vec<String> = prefix.iter().cloned().chain(names.map(str::to_owned)).collect();
    match (group, path.last()) {
        (Some(group), _) => items(group).into_iter().for_each(|item| paths(&path, item, all)),
        (None, Some(last)) if !tree.is_empty() => {
            let name = alias.unwrap_or_else(|| last.clone());
            all.push((path, name));
        }
        (None, _) => {}
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
        file.uses.extend(all.into_iter().map(|(path, name)| Use { path, name, public }));
    }
    file
}
