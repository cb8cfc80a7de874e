//! The site's list of pages.

use std::path::Path;

#[test]
fn every_page_is_on_the_site() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let nav = std::fs::read_to_string(root.join("docs/site/mkdocs.yml")).unwrap();
    for entry in std::fs::read_dir(root.join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") {
            assert!(
                nav.contains(&format!("docs/{name}\n")),
                "docs/site/mkdocs.yml lacks docs/{name}"
            );
        }
    }
    let pages =
        nav.split("\nnav:").nth(1).unwrap().lines().filter_map(|l| l.trim().rsplit(' ').next());
    for page in pages
        .filter(|p| p.ends_with(".md") && !p.contains("reference/") && *p != "records/README.md")
    {
        assert!(root.join(page).exists(), "docs/site/mkdocs.yml names {page}");
    }
}
