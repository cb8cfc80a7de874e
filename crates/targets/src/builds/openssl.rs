//! Configures and compiles libcrypto.

use anyhow::{Context, Result, bail};
use capvec_util::pool;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// The library in OpenSSL's Makefile.
const LIBRARY_TARGET: &str = "libcrypto.so";
/// The command there, with the library that it needs besides.
const COMMAND_TARGETS: [&str; 2] = ["libssl.so", "apps/openssl"];

/// Options of all builds that OpenSSL 3.0's Configure refuses as unknown.
const NEWER: [&str; 2] = ["no-docs", "no-apps"];

/// Removes options that this source tree's Configure does not know, of those that only save time.
pub fn keep_known(options: &mut Vec<String>, tree: &Path) {
    let text = std::fs::read_to_string(tree.join("Configure")).unwrap_or_default();
    let list = text.split_once("my @disablables = (").and_then(|(_, rest)| rest.split_once(");"));
    let Some((list, _)) = list else { return };
    let unknown = |option: &str| {
        NEWER.contains(&option) && !list.contains(&format!("\"{}\"", &option["no-".len()..]))
    };
    options.retain(|option| !unknown(option));
}

/// Configures and compiles the shared libcrypto; with `command`, also the command `openssl`.
pub fn make(
    tree: &Path,
    made: &Path,
    arguments: &[String],
    command: bool,
    log: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<()> {
    progress("configuring OpenSSL");
    let mut out = File::create(log).with_context(|| format!("writing {}", log.display()))?;
    let mut perl = Command::new("perl");
    perl.arg(tree.join("Configure")).args(arguments).current_dir(made);
    logged(&mut perl, &mut out, log, &mut |_| ()).context(
        "OpenSSL's Configure needs perl with its standard modules (on Debian and Ubuntu: apt install perl)",
    )?;
    let mut make = Command::new("make");
    make.arg(format!("-j{}", pool::processors())).args(["build_generated", LIBRARY_TARGET]);
    make.args(COMMAND_TARGETS.iter().filter(|_| command));
    make.current_dir(made).env_remove("MAKEFLAGS").env_remove("MFLAGS");
    let files = if command { 1000 } else { 900 };
    let mut units = 0;
    logged(&mut make, &mut out, log, &mut |line| {
        units += usize::from(line.contains(" -c -o "));
        progress(&format!("compiling OpenSSL: {units} files, of about {files}"));
    })
}

fn logged(
    command: &mut Command,
    out: &mut File,
    log: &Path,
    line: &mut dyn FnMut(&str),
) -> Result<()> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let errors = out.try_clone()?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors);
    let mut child = command.spawn().with_context(|| format!("running {shown}"))?;
    if let Some(stdout) = child.stdout.take() {
        for text in BufReader::new(stdout).split(b'\n') {
            let text = String::from_utf8_lossy(&text?).into_owned();
            line(&text);
            writeln!(out, "{text}")?;
        }
    }
    let status = child.wait()?;
    if status.success() {
        return Ok(());
    }
    let text = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let from = text.lines().count().saturating_sub(8);
    let last: Vec<&str> = text.lines().skip(from).collect();
    bail!("{shown} ended with {status}; the end of {}:\n{}", log.display(), last.join("\n"))
}
