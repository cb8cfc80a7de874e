//! A program of the user's that is linked with a library which capvec builds.

use anyhow::{Context, Result, ensure};
use capvec_text::escape;
use std::path::{Path, PathBuf};

/// A program: a directory of C files.
pub struct OwnProgram {
    name: String,
    /// Sources and headers, with their texts.
    files: Vec<(PathBuf, String)>,
}

impl OwnProgram {
    /// The program whose files are in this directory. It has the directory's name, which must not be that of the program `other`.
    ///
    /// # Errors
    /// The directory cannot be read, has no C files, or has that name.
    pub fn read(dir: &Path, other: &str) -> Result<OwnProgram> {
        let reading = || format!("--program {}", escape::path(dir));
        let dir = dir.canonicalize().with_context(reading)?;
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&dir).with_context(reading)? {
            let path = entry.with_context(reading)?.path();
            if is_c(&path) || path.extension().is_some_and(|e| e == "h") {
                let text = std::fs::read_to_string(&path).with_context(reading)?;
                files.push((path, text));
            }
        }
        files.sort();
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let program = OwnProgram { name, files };
        ensure!(
            program.units().next().is_some() && program.name != other,
            "{}: name a directory with the C files of a program; its name, which must not be {other}, becomes the program's",
            reading()
        );
        Ok(program)
    }

    /// Its file name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Everything that it is built from, with the texts.
    pub fn files(&self) -> &[(PathBuf, String)] {
        &self.files
    }

    /// The files to compile.
    pub fn units(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().map(|(path, _)| path).filter(|path| is_c(path))
    }
}

/// Whether this is the name of a C file.
pub fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_without_a_program_are_refused() {
        let top = tempfile::tempdir().unwrap();
        let refused =
            |dir: &Path| format!("{:#}", OwnProgram::read(dir, "selftest").err().unwrap());
        assert!(refused(&top.path().join("x")).contains("--program"));
        for name in ["selftest", "mine"] {
            let dir = top.path().join(name);
            std::fs::create_dir(&dir).unwrap();
            std::fs::write(dir.join("mine.h"), "").unwrap();
            assert!(refused(&dir).contains("C files of a program"));
            std::fs::write(dir.join("mine.c"), "").unwrap();
        }
        assert!(refused(&top.path().join("selftest")).contains("must not be selftest"));
        let mine = OwnProgram::read(&top.path().join("mine"), "selftest").unwrap();
        assert_eq!((mine.name(), mine.files().len(), mine.units().count()), ("mine", 2, 1));
    }
}
