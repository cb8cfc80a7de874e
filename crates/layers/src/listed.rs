//! Imports between the parts of a folder, compared with a list.

use crate::{Module, between};
use std::collections::{BTreeMap, BTreeSet};

/// Compares the imports with a list of all modules directly in `folder`, and returns a line for each difference. The list gives
/// each module with those that it imports, all of which must come before it.
pub fn differences(
    imports: &BTreeMap<Module, BTreeSet<Module>>,
    folder: &[&str],
    list: &[(&str, &[&str])],
) -> Vec<String> {
    let folder: Module = folder.iter().map(|name| (*name).to_owned()).collect();
    let name = |module: &Module| module.last().cloned().unwrap_or_default();
    let actual: BTreeMap<String, BTreeSet<String>> = between(imports, &folder)
        .iter()
        .map(|(module, of)| (name(module), of.iter().map(name).collect()))
        .collect();
    let listed: BTreeSet<&str> = list.iter().map(|(name, _)| *name).collect();
    let absent = |name: &&String| !listed.contains(name.as_str());
    let mut found: Vec<String> =
        actual.keys().filter(absent).map(|name| format!("{name} is not listed")).collect();
    for (rank, (name, allowed)) in list.iter().enumerate() {
        let Some(imported) = actual.get(*name) else {
            found.push(format!("{name} is listed, but does not exist"));
            continue;
        };
        let before: BTreeSet<&str> = list[..rank].iter().map(|(name, _)| *name).collect();
        let later = allowed.iter().filter(|other| !before.contains(**other));
        found.extend(later.map(|other| format!("{name} may not import {other}: it comes later")));
        let more = imported.iter().filter(|other| !allowed.contains(&other.as_str()));
        found.extend(more.map(|other| format!("{name} imports {other}, which is not listed")));
        let fewer = allowed.iter().filter(|other| !imported.contains(**other));
        found.extend(fewer.map(|other| format!("{name} does not import {other}, which is listed")));
    }
    found
}
