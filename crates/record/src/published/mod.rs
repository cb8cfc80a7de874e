//! Published measurements: the files of the repository's `published/`. Its README.md says what each is compared with.

pub mod arm64;
pub mod kernels;
pub mod speeds;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    /// No published figure lies about unnoticed: the README says who reads a file, or why nobody does.
    #[test]
    fn the_readme_has_a_line_for_every_file() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../published");
        let names = std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name());
        let mut files: BTreeSet<String> = names.map(|n| n.into_string().unwrap()).collect();
        assert!(files.remove("README.md"));
        let readme = std::fs::read_to_string(dir.join("README.md")).unwrap();
        let lines = readme.lines().filter_map(|l| l.strip_prefix("| `")?.split_once('`'));
        let listed: BTreeSet<String> = lines.map(|(name, _)| name.to_string()).collect();
        assert_eq!(listed, files);
    }
}
