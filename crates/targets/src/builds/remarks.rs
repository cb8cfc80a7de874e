//! What the compiler says about loops that it did not vectorise, kept with a build.

use anyhow::{Context, Result};
use capvec_guest::{Compiler, is_not_vectorised};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// The file with the remarks, in a build's directory.
pub const REMARKS: &str = "remarks.txt";

/// The flag that asks a compiler, given by its command, for remarks.
pub fn flag(command: &[String]) -> &'static str {
    let is_clang = command.iter().any(|word| word.contains("clang"));
    if is_clang { Compiler::Clang.remarks() } else { Compiler::Gcc.remarks() }
}

/// Moves the remarks from a log to a file of their own, and removes gcc's explanations, which are a hundred times as long.
pub fn separate(log: &Path, remarks: &Path) -> Result<()> {
    let fail = |path: &Path| format!("reading or writing {}", path.display());
    let rest = log.with_extension("rest");
    let create = |path: &Path| File::create(path).map(BufWriter::new).with_context(|| fail(path));
    let (mut said, mut others) = (create(remarks)?, create(&rest)?);
    let lines = BufReader::new(File::open(log).with_context(|| fail(log))?).split(b'\n');
    for line in lines {
        let line = line.with_context(|| fail(log))?;
        let text = String::from_utf8_lossy(&line);
        if is_not_vectorised(&text) {
            writeln!(said, "{text}")?;
        } else if !text.contains(": missed: ") {
            writeln!(others, "{text}")?;
        }
    }
    said.flush()?;
    others.flush()?;
    std::fs::rename(&rest, log).with_context(|| fail(log))
}
