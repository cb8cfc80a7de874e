//! The list of pages is complete.

use std::path::Path;

#[test]
fn every_page_is_in_the_list_of_pages() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let list = std::fs::read_to_string(docs.join("README.md")).unwrap();
    let files = std::fs::read_dir(&docs).unwrap().flatten();
    let mut names: Vec<_> = files.map(|f| f.file_name().into_string().unwrap()).collect();
    names.retain(|n| n.ends_with(".md") && n != "README.md");
    assert!(names.len() > 10, "{names:?}");
    names.retain(|n| !list.contains(&format!("({n})")) && !list.contains(&format!("({n}#")));
    assert!(names.is_empty(), "docs/README.md does not name {names:?}");
}
