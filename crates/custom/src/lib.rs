//! Custom instructions (docs/custom.md): a file says what they are and what they compute; afterwards they are
//! part of the instruction table of this process, and every engine, core model and command knows them.

#![warn(missing_docs)]

mod check;
mod compile;
mod faults;
mod file;
mod hart_memory;
mod header;
mod operand;
mod program;
mod scalar;
mod variant;
mod vector;

use capvec_language::Source;
pub use capvec_language::{Errors, Warning};

use capvec_isa::custom::{NewExtension, RegisterError, register};
use capvec_isa::{Ext, Op};
use capvec_sim::Semantics;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Maximum number of bytes of a file.
const MAX_TEXT: u64 = 1 << 20;

/// An extension that has been read and checked.
pub struct Extension {
    rows: NewExtension,
    semantics: Vec<Semantics>,
    warnings: Vec<Warning>,
}

/// An instruction of a file, and one of another extension that has an encoding in common with it.
#[derive(Clone, Copy, Debug)]
pub struct Overlap<'e> {
    /// The mnemonic.
    pub insn: &'e str,
    /// Where its encoding is: file, line and column.
    pub enc: &'e str,
    /// The other instruction.
    pub op: Op,
    /// Its extension.
    pub ext: Ext,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// It is faulty.
    #[error("{0}")]
    Faulty(Errors),
    /// Its name is taken by another file, or there are too many.
    #[error("{0}")]
    Register(#[from] RegisterError),
}

/// Reads a file and checks it; nothing is registered.
///
/// # Errors
/// [`Error::Io`], [`Error::Faulty`].
pub fn read(path: &Path) -> Result<Extension, Error> {
    let io = |error| Error::Io { path: path.into(), error };
    let mut text = String::new();
    // A device may never end.
    let read = std::fs::File::open(path).map_err(io)?.take(MAX_TEXT + 1).read_to_string(&mut text);
    read.map_err(|e| match e.kind() {
        ErrorKind::InvalidData => io(std::io::Error::other(
            "not UTF-8; a file of instructions is TOML text (docs/custom.md)",
        )),
        _ => io(e),
    })?;
    if text.len() as u64 > MAX_TEXT {
        return Err(io(std::io::Error::other("larger than 1 MiB; divide it into several files")));
    }
    parse(&path.display().to_string(), &text)
}

/// Checks the text of a file, which errors call `file`.
///
/// # Errors
/// [`Error::Faulty`].
pub fn parse(file: &str, text: &str) -> Result<Extension, Error> {
    let parsed: file::File = toml::from_str(text).map_err(|e| {
        let remedy = "docs/custom.md lists the keys, and what each of them takes";
        let fault = (e.span().unwrap_or_default(), e.message().to_string(), remedy.to_string());
        Error::Faulty(Errors::of(&Source { file, line: 1, text }, vec![fault]))
    })?;
    compile::extension(file, text, &parsed).map_err(Error::Faulty)
}

impl Extension {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.rows.name
    }

    /// What its author probably did not mean.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Instructions of other extensions, earlier files included, that have an encoding in common with one of these. A hart that has
    /// the other extension cannot have these.
    pub fn clashes(&self) -> Vec<Overlap<'_>> {
        let mut all = Vec::new();
        for insn in &self.rows.insns {
            let pattern = insn.pattern();
            for op in Op::all().filter(|op| pattern.overlaps(op.row().pattern())) {
                if let Some(ext) = op.row().exts.iter().next() {
                    all.push(Overlap { insn: &insn.name, enc: &insn.model.enc, op, ext });
                }
            }
        }
        all
    }

    /// The extension for C and assembler: macros that emit its instructions with compilers that do not know them.
    pub fn header(&self) -> String {
        header::text(&self.rows)
    }

    /// What its instructions do, in the order of the file.
    pub fn semantics(&self) -> &[Semantics] {
        &self.semantics
    }

    /// Adds the extension to the instruction table of this process.
    ///
    /// # Errors
    /// [`Error::Register`].
    pub fn register(self) -> Result<(Ext, Vec<Op>), Error> {
        let (ext, ops) = register(self.rows)?;
        for (op, semantics) in ops.iter().zip(self.semantics) {
            capvec_sim::install(*op, semantics);
        }
        Ok((ext, ops))
    }
}
