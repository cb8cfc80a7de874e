//! The files that code of the user's own is built from.

use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// The main program.
pub(crate) const MAIN: [(&str, &str); 5] = [
    ("capvec_measure.c", include_str!("../own/measure.c")),
    ("capvec_check.c", include_str!("../own/check.c")),
    ("capvec_buffers.c", include_str!("../own/buffers.c")),
    ("capvec_abi.S", include_str!("../own/abi.S")),
    ("capvec_own.h", include_str!("../own/capvec_own.h")),
];
/// Maximum number of files in directories with headers.
const MOST_HEADERS: usize = 10_000;

/// Extensions of files that the compiler compiles or links.
const KINDS: [&str; 6] = ["c", "S", "s", "o", "a", "so"];

/// What to build.
pub struct Sources {
    /// Sources, objects and libraries.
    pub files: Vec<PathBuf>,
    /// Further sources: names and texts.
    pub written: Vec<(String, String)>,
    /// Directories with headers.
    pub include: Vec<PathBuf>,
    /// Further arguments of the compiler.
    pub flags: Vec<String>,
}

impl Sources {
    /// Whether all that they name can be read.
    ///
    /// # Errors
    /// Names the file or directory that cannot be read, is of no kind that is compiled or linked, or has the name of another.
    pub fn check(&self) -> Result<()> {
        self.read()?;
        self.stamps().map(drop)
    }

    /// The flags, and a line for each header of the directories.
    pub(crate) fn stamps(&self) -> Result<Vec<String>> {
        let mut depends = self.flags.clone();
        for dir in &self.include {
            stamp(dir, &mut depends).with_context(|| format!("reading {}", dir.display()))?;
        }
        Ok(depends)
    }

    /// The files by their names, with their contents.
    pub(crate) fn read(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let mut names = BTreeSet::from(MAIN.map(|(name, _)| name.to_string()));
        let mut read = |path: &PathBuf| {
            let name = path
                .file_name()
                .and_then(|n| n.to_str())
                .with_context(|| format!("{} is not the path of a file", path.display()))?;
            let kind = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            ensure!(
                KINDS.contains(&kind) && !name.starts_with('-'),
                "{}: not a kind of file that is compiled or linked; give {} files",
                path.display(),
                KINDS.map(|k| format!(".{k}")).join(", ")
            );
            ensure!(names.insert(name.into()), "two files are named {name}; rename one");
            let text =
                std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
            Ok((name.to_string(), text))
        };
        let files = self.files.iter().map(&mut read).collect::<Result<Vec<_>>>()?;
        let written = self.written.iter().map(|(name, text)| (name.clone(), text.clone().into()));
        Ok(files.into_iter().chain(written).chain(self.headers()?).collect())
    }

    /// The headers next to the files, which `#include "…"` finds.
    fn headers(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        let mut found: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let parents: BTreeSet<&Path> = self.files.iter().filter_map(|f| f.parent()).collect();
        for parent in parents {
            let dir = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            let fail = || format!("reading {}", dir.display());
            for entry in std::fs::read_dir(dir).with_context(fail)? {
                let path = entry.with_context(fail)?.path();
                let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
                let own = MAIN.iter().any(|(own, _)| *own == name);
                if own || path.extension().is_none_or(|e| e != "h") || !path.is_file() {
                    continue;
                }
                let text = std::fs::read(&path).with_context(fail)?;
                let other = found.insert(name.into(), text.clone());
                ensure!(
                    other.is_none_or(|other| other == text),
                    "two headers next to the files are named {name}, and differ; rename one"
                );
                ensure!(found.len() < MOST_HEADERS, "{}: too many headers", dir.display());
            }
        }
        Ok(found)
    }
}

/// Appends a line for each file in a directory with headers, which changes when the file does.
fn stamp(dir: &Path, lines: &mut Vec<String>) -> Result<()> {
    let mut entries = std::fs::read_dir(dir)?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        let (path, about) = (entry.path(), entry.metadata()?);
        if about.is_dir() {
            stamp(&path, lines)?;
            continue;
        }
        ensure!(lines.len() < MOST_HEADERS, "more than {MOST_HEADERS} files");
        lines.push(format!("{} {} {:?}", path.display(), about.len(), about.modified()?));
    }
    Ok(())
}
