//! The links of the repository's pages: each leads to a file, and to a heading of it where it names one.

use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every Markdown file below `dir`, except in directories that are built or hidden.
fn pages(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let kept = !["target", "out"].contains(&name.as_str()) && !name.starts_with('.');
        if path.is_dir() && kept {
            found.extend(pages(&path));
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
    found
}

/// The anchor that GitHub gives a heading: lower case, blanks as hyphens, and otherwise only letters, digits, hyphens and
/// underscores.
fn anchor(heading: &str) -> String {
    let lower = heading.trim().to_lowercase();
    let kept = lower.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// What is wrong with a link of `page`.
fn broken(page: &Path, link: &str) -> Option<String> {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let file = if file.is_empty() { page.into() } else { page.parent().unwrap().join(file) };
    if !file.exists() {
        return Some(format!("{} links to {link}, which does not exist", page.display()));
    }
    let found = heading.is_empty()
        || fs::read_to_string(file)
            .unwrap()
            .lines()
            .filter_map(|l| l.strip_prefix('#'))
            .any(|l| anchor(l.trim_start_matches('#')) == heading);
    (!found).then(|| format!("{} links to {link}, but there is no such heading", page.display()))
}

#[test]
fn every_link_leads_somewhere() {
    let mut links = 0;
    let mut wrong = Vec::new();
    for page in pages(&repository()) {
        let text = fs::read_to_string(&page).unwrap();
        let own = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
        for link in own.filter(|l| !l.contains("://")) {
            links += 1;
            wrong.extend(broken(&page, link));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(links > 50, "{links}");
}

#[test]
fn a_broken_link_is_found() {
    let page = repository().join("README.md");
    assert_eq!(broken(&page, "docs/targets.md#known-answers"), None);
    assert!(broken(&page, "docs/none.md").is_some());
    assert!(broken(&page, "docs/targets.md#none").is_some());
    assert_eq!(anchor(" Files: `--program` and `--package`"), "files---program-and---package");
}
