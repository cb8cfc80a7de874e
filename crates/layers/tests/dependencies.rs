//! What the manifests of the crates say: rendering a record links no engine, no sysroot and no kernel, and the diagram of the
//! crates is right.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// For each crate, the crates of this repository that it names.
type Graph = BTreeMap<String, BTreeSet<String>>;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What every crate depends on, according to its manifest. Tests may depend on more.
fn manifests() -> Graph {
    let crates = std::fs::read_dir(repository().join("crates")).unwrap().flatten();
    let own = |dir: PathBuf| {
        let text = std::fs::read_to_string(dir.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = text.parse().unwrap();
        let tables = ["dependencies", "build-dependencies"].map(|t| manifest.get(t));
        let names = tables.into_iter().flatten().flat_map(|t| t.as_table().unwrap().keys());
        names.filter_map(|n| n.strip_prefix("capvec-")).map(str::to_owned).collect()
    };
    crates.map(|e| (e.file_name().into_string().unwrap(), own(e.path()))).collect()
}

/// What a crate reaches in a graph, directly or not.
fn reached(graph: &Graph, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut next = vec![from];
    while let Some(name) = next.pop() {
        let all = graph.get(name).into_iter().flatten();
        next.extend(all.filter(|n| found.insert(n.to_string())).map(String::as_str));
    }
    found
}

#[test]
fn report_depends_on_records_and_what_they_need() {
    let found = reached(&manifests(), "report");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["isa", "record", "text", "util"]);
}

/// The crates and arrows of docs/crates.dot. The folder of the instruction table is not a crate.
fn diagram() -> Graph {
    let text = std::fs::read_to_string(repository().join("docs/crates.dot")).unwrap();
    let mut graph = Graph::new();
    for statement in text.split([';', '{', '}', '\n']).map(str::trim) {
        if let Some((from, to)) = statement.split_once(" -> ") {
            let to = to.split_whitespace().next().unwrap();
            if to != "table" {
                graph.entry(from.into()).or_default().insert(to.into());
            }
        } else if let Some((name, attributes)) = statement.split_once(" [")
            && attributes.starts_with("label=")
        {
            graph.entry(name.into()).or_default();
        }
    }
    graph
}

/// The crates that ARCHITECTURE.md lists, and whether they are for developers alone.
fn listed() -> BTreeMap<String, bool> {
    let text = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let (_, list) = text.split_once("\ncrates/\n").unwrap();
    let (list, _) = list.split_once("\n```").unwrap();
    let entry = |line: &str| {
        let (name, _) = line.trim_start().split_once("/ ").unwrap();
        (name.to_owned(), line.ends_with(" (developers)"))
    };
    list.lines().map(entry).collect()
}

#[test]
fn the_diagram_of_the_crates_agrees_with_the_manifests() {
    let (manifests, diagram, listed) = (manifests(), diagram(), listed());
    assert!(manifests.keys().eq(listed.keys()), "ARCHITECTURE.md: {:?}", listed.keys());
    let shipped = listed.iter().filter(|(_, developers)| !**developers).map(|(name, _)| name);
    assert!(shipped.eq(diagram.keys()), "docs/crates.dot: {:?}", diagram.keys());
    for (name, arrows) in &diagram {
        // Every arrow is a dependency or follows from dependencies.
        let needed = reached(&manifests, name);
        let wrong: Vec<_> = arrows.difference(&needed).collect();
        assert!(wrong.is_empty(), "docs/crates.dot: {name} does not need {wrong:?}");
        // Every dependency is an arrow or follows from arrows.
        let shown = reached(&diagram, name);
        let missing: Vec<_> = manifests[name].difference(&shown).collect();
        assert!(missing.is_empty(), "docs/crates.dot: {name} needs {missing:?}, too");
    }
}
