//! Where vectors come from: `vectors/`, built into the program, or a directory.

use super::files::FILES;
use super::format::{self, ParseError, Vector};
use super::{Algorithm, Names, algorithms};
use anyhow::{Context, Result, bail};
use capvec_guest::Subject;
use capvec_record::escape;
use std::path::{Path, PathBuf};

/// Vectors, with the algorithm of each.
pub struct Vectors {
    /// In the order of the files.
    pub vectors: Vec<Vector>,
    /// By vector, the index of its algorithm in `algorithms`.
    pub of: Vec<usize>,
    /// Those that were asked for.
    pub algorithms: Vec<Algorithm>,
    /// One vector was picked out of its file.
    pub(super) alone: bool,
}

/// The files that are built in, by name.
fn embedded() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}

impl Vectors {
    /// Those of the named algorithms of a library; of `dir`, if given, instead of those built in.
    ///
    /// # Errors
    /// Names the file and line, or the name that is not there.
    pub fn load(names: Names, dir: Option<&Path>, subject: Subject) -> Result<Vectors> {
        let mut vectors = Vec::new();
        match dir {
            None => {
                for (name, text) in embedded() {
                    vectors.extend(format::parse(name, text)?);
                }
            }
            Some(dir) => read_dir(dir, dir, &mut Vec::new(), &mut vectors)?,
        }
        Vectors::of(names, vectors, subject)
    }

    /// Keeps the vector `FILE:ID` alone.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn keep(&mut self, name: &str) -> Result<()> {
        let mut of = self.of.iter().copied();
        let both: Vec<_> = self.vectors.drain(..).zip(of.by_ref()).collect();
        let is = |v: &Vector| {
            name.strip_prefix(&v.file).and_then(|r| r.strip_prefix(':')) == Some(&v.id)
        };
        let found = both.into_iter().find(|(v, _)| is(v));
        let (vector, algorithm) = found
            .with_context(|| format!("--vector {name}: there is no such vector; write FILE:ID"))?;
        self.algorithms = vec![self.algorithms.swap_remove(algorithm)];
        (self.vectors, self.of, self.alone) = (vec![vector], vec![0], true);
        Ok(())
    }

    /// What a vector is of.
    pub(super) fn algorithm(&self, vector: usize) -> Option<&Algorithm> {
        self.of.get(vector).and_then(|a| self.algorithms.get(*a))
    }

    /// The driver's job for a vector.
    pub(super) fn line(&self, vector: usize) -> String {
        match (self.vectors.get(vector), self.algorithm(vector)) {
            (Some(v), Some(a)) => super::job::line(a, v),
            _ => String::new(),
        }
    }

    fn of(names: Names, all: Vec<Vector>, subject: Subject) -> Result<Vectors> {
        let known = algorithms()?;
        for v in &all {
            let algorithm = known.iter().find(|a| a.id == v.algorithm);
            let checked = algorithm
                .ok_or_else(|| format!("there is no algorithm {}", v.algorithm))
                .and_then(|a| v.suits(a));
            checked.map_err(|what| {
                let line = v.line;
                ParseError { file: v.file.clone(), line, what: format!("vector {}: {what}", v.id) }
            })?;
        }
        let mut algorithms = super::algorithm::select(names, subject)?;
        algorithms.retain(|a| all.iter().any(|v| v.algorithm == a.id));
        let mut of = Vec::new();
        let mut vectors: Vec<Vector> = Vec::new();
        // By algorithm, so that the driver keeps what it has fetched.
        for (i, a) in algorithms.iter().enumerate() {
            let own = all.iter().filter(|v| v.algorithm == a.id);
            vectors.extend(own.cloned());
            of.resize(vectors.len(), i);
        }
        Ok(Vectors { vectors, of, algorithms, alone: false })
    }
}

/// Every `*.txt` below `dir`, by name. `above` are the directories that it is in, without symbolic links.
fn read_dir(
    top: &Path,
    dir: &Path,
    above: &mut Vec<PathBuf>,
    into: &mut Vec<Vector>,
) -> Result<()> {
    let fail = || format!("--vectors: reading {}", escape::path(dir));
    let real = dir.canonicalize().with_context(fail)?;
    if above.contains(&real) {
        bail!(
            "--vectors: {} is a symbolic link to {}, which it is in: such a loop has no end; remove the link",
            escape::path(dir),
            escape::path(&real)
        );
    }
    above.push(real);
    let entries = std::fs::read_dir(dir).with_context(fail)?;
    let mut paths: Vec<_> =
        entries.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>().with_context(fail)?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read_dir(top, &path, above, into)?;
        } else if path.extension().is_some_and(|e| e == "txt") {
            let name = path.strip_prefix(top).unwrap_or(&path).display().to_string();
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("--vectors: reading {}", escape::path(&path)))?;
            into.extend(format::parse(&name, &text)?);
        }
    }
    above.pop();
    Ok(())
}
