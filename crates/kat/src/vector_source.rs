//! The source of vectors: `vectors/`, built into the program, or a directory.

use super::format::{self, ParseError, Vector};
use super::vector_files::FILES;
use super::{Algorithm, Names, algorithms};
use anyhow::{Context, Result, bail};
use capvec_bench::case::Kind;
use capvec_guest::{LibraryKind, Packaged};
use capvec_text::escape;
use std::path::{Path, PathBuf};

/// Vectors, each with its algorithm.
pub struct Vectors {
    /// By algorithm; those of one algorithm are in the order of the files.
    pub vectors: Vec<Vector>,
    /// For each vector, the index of its algorithm in `algorithms`.
    pub of: Vec<usize>,
    /// The requested algorithms.
    pub algorithms: Vec<Algorithm>,
    /// Whether a single vector was picked out.
    pub(super) alone: bool,
}

/// The built-in files, by name.
fn embedded() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}

impl Vectors {
    /// The vectors of the named algorithms of a library: those of `dir`, if given, else the built-in ones.
    ///
    /// # Errors
    /// Names the file and line, or the name that does not exist.
    pub fn load(names: Names, dir: Option<&Path>, kind: LibraryKind) -> Result<Vectors> {
        let mut vectors = Vec::new();
        match dir {
            None => {
                for (name, text) in embedded() {
                    vectors.extend(format::parse(name, text)?);
                }
            }
            Some(dir) => read_dir(dir, dir, &mut Vec::new(), &mut vectors)?,
        }
        Vectors::of(names, vectors, kind)
    }

    /// Keeps only the vector `FILE:ID`.
    ///
    /// # Errors
    /// There is no vector of that name.
    pub fn keep(&mut self, name: &str) -> Result<()> {
        let mut of = self.of.iter().copied();
        let both: Vec<_> = self.vectors.drain(..).zip(of.by_ref()).collect();
        let is = |v: &Vector| {
            name.strip_prefix(&v.file).and_then(|r| r.strip_prefix(':')) == Some(&v.id)
        };
        let found = both.into_iter().find(|(v, _)| is(v));
        let (vector, algorithm) = found.with_context(|| {
            format!("--vector {name}: no such vector; copy FILE:ID from the report of a failure")
        })?;
        self.algorithms = vec![self.algorithms.swap_remove(algorithm)];
        (self.vectors, self.of, self.alone) = (vec![vector], vec![0], true);
        Ok(())
    }

    /// Keeps only the vectors with these indices, which ascend.
    pub(super) fn keep_only(&mut self, indices: &[usize]) {
        let kept = |i: &usize| Some((self.vectors.get(*i)?.clone(), *self.of.get(*i)?));
        (self.vectors, self.of) = indices.iter().filter_map(kept).unzip();
    }

    /// The algorithm of a vector.
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

    fn of(names: Names, all: Vec<Vector>, kind: LibraryKind) -> Result<Vectors> {
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
        let mut algorithms = super::algorithm::select(names, kind)?;
        algorithms.retain(|a| all.iter().any(|v| v.algorithm == a.id));
        let mut of = Vec::new();
        let mut vectors: Vec<Vector> = Vec::new();
        // Sorted by algorithm, so that the driver can keep what it fetched.
        for (i, a) in algorithms.iter().enumerate() {
            let own = all.iter().filter(|v| v.algorithm == a.id && is_for(kind, a, v));
            vectors.extend(own.cloned());
            of.resize(vectors.len(), i);
        }
        Ok(Vectors { vectors, of, algorithms, alone: false })
    }
}

/// The interface of GnuTLS takes nonces of GCM of up to 12 bytes, and reports nothing if one is longer. OpenSSL, with which Node
/// computes, takes nonces of up to 128 bytes (`vectors/known_failures.toml`).
fn is_for(kind: LibraryKind, algorithm: &Algorithm, v: &Vector) -> bool {
    let longest = match kind {
        LibraryKind::Packaged(Packaged::GnuTls) => 12,
        LibraryKind::Packaged(Packaged::NodeCrypto) => 128,
        _ => return true,
    };
    !matches!(algorithm.kind, Kind::Aead | Kind::Mac) || format::length(&v.iv) <= longest
}

/// Every `*.txt` below `dir`, by name. `above` has its parent directories, without symbolic links.
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
            "--vectors: {} is a symbolic link to {}, a directory that contains it; remove the link, because such a loop has no end",
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
