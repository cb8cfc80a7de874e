//! Scripts that are written, then executed.

use std::io::{Error, Result, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes an executable file, atomically.
///
/// Another process does the writing. A child that another thread starts has all open files of this process until its exec;
/// if the script was among them, executing it would fail with "Text file busy".
///
/// # Errors
/// The directory of `path` cannot be written to, or there is no `/bin/sh`.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let directory = path.parent().ok_or(std::io::ErrorKind::InvalidInput)?;
    let temporary = tempfile::tempdir_in(directory)?;
    let new = temporary.path().join("script");
    let mut shell = Command::new("/bin/sh")
        .args(["-c", "cat >\"$1\" && chmod 755 \"$1\"", "sh"])
        .arg(&new)
        .stdin(Stdio::piped())
        .spawn()?;
    let written = shell.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(text.as_bytes()));
    if !shell.wait()?.success() {
        return Err(Error::other("/bin/sh did not write it"));
    }
    written?;
    std::fs::rename(new, path)
}

#[cfg(test)]
mod tests {
    use super::write;
    use std::process::Command;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_script_can_be_executed_while_other_threads_start_programs() {
        let dir = tempfile::tempdir().expect("a directory");
        let script = dir.path().join("script");
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        Command::new("/bin/true").status().expect("it starts");
                    }
                });
            }
            let failed = (0..100).find_map(|n| {
                write(&script, &format!("#!/bin/sh\nexit {n}\n")).expect("it is written");
                let status = Command::new(&script).status();
                (status.as_ref().ok().and_then(|s| s.code()) != Some(n)).then_some(status)
            });
            done.store(true, Ordering::Relaxed);
            assert!(failed.is_none(), "{failed:?}");
        });
        assert_eq!(std::fs::read_dir(dir.path()).expect("a directory").count(), 1);
    }
}
