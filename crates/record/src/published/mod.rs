//! Published measurements: the files of the repository's `published/`. Its README.md says what each is compared with.

pub mod arm64;
pub mod cryptogams;
pub mod kernels;
mod line;
pub mod pqc;
#[cfg(test)]
mod quoted;
pub mod silicon;
pub mod speeds;

/// The lines of a file, without comments and the header.
fn rows(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter(|l| !l.starts_with('#')).skip(1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    /// Each file has a line in the README, which names the Rust files that read it.
    #[test]
    fn every_file_is_read_by_something() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let names = std::fs::read_dir(root.join("published")).unwrap();
        let names = names.map(|e| e.unwrap().file_name().into_string().unwrap());
        let files: BTreeSet<String> = names.filter(|n| n != "README.md").collect();
        let readme = std::fs::read_to_string(root.join("published/README.md")).unwrap();
        let lines = readme.lines().filter_map(|l| l.strip_prefix("| `")?.split_once('`'));
        let lines: Vec<(&str, &str)> = lines.collect();
        let listed: BTreeSet<String> = lines.iter().map(|(name, _)| name.to_string()).collect();
        assert_eq!(listed, files);
        for (name, line) in lines {
            let named = |t: &&str| t.starts_with("crates/") && t.ends_with(".rs");
            let readers: Vec<&str> = line.split('`').filter(named).collect();
            assert!(!readers.is_empty(), "published/README.md: {name}: no reader");
            for reader in readers {
                let source = std::fs::read_to_string(root.join(reader));
                let source = source.unwrap_or_else(|e| panic!("{name}: {reader}: {e}"));
                let file = format!("published/{name}\")");
                let mut included = source.split("include_str!(\"").skip(1);
                let reads = included.any(|p| p.trim_start_matches("../").starts_with(&file));
                assert!(reads, "{reader} does not read {name}");
            }
        }
    }
}
