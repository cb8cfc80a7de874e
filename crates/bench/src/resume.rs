//! Keeps the finished configurations of an unfinished sweep, so that the same command resumes it.
//!
//! `DIR/runs/` holds `identity.json` and one file for each configuration, each written atomically. The directory is
//! removed when the sweep is done: asking for a finished sweep measures it anew.

use anyhow::{Context, Result, bail};
use capvec_text::escape;
use capvec_util::atomic_file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};

const RUNS: &str = "runs";
const IDENTITY: &str = "identity.json";

/// What all configurations of a sweep have in common: figures with different identities are never mixed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// capvec's name and version.
    pub tool: String,
    /// SHA-256 of the running program.
    pub program: String,
    /// Name of the core and a digest of all its parameters; on other targets, the machine or the emulator.
    pub core: String,
    /// SHA-256 of the measured library.
    pub library: String,
    /// Packages of the sysroot with versions.
    pub packages: Vec<String>,
    /// Identifies the driver.
    pub driver: String,
    /// Cases.
    pub cases: Vec<String>,
    /// Message sizes.
    pub bytes: Vec<usize>,
    /// Identifies the vectors that are checked.
    pub vectors: String,
}

impl Identity {
    /// What differs, in the user's terms.
    fn differences(&self, other: &Identity) -> Vec<&'static str> {
        let checks = [
            (self.tool == other.tool, "the version of capvec"),
            (self.program == other.program, "the build of capvec"),
            (self.core == other.core, "--core (on other targets, the machine or the emulator)"),
            (self.library == other.library, "the library"),
            (self.packages == other.packages, "the packages of --sysroot"),
            (self.driver == other.driver, "the driver"),
            (self.cases == other.cases, "--cases"),
            (self.bytes == other.bytes, "--bytes"),
            (self.vectors == other.vectors, "the vectors"),
        ];
        checks.iter().filter(|(same, _)| !same).map(|(_, what)| *what).collect()
    }
}

/// The directory of `--out` holds something that does not belong to this sweep.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OtherSweep(String);

/// Locks the directory of `--out` for this run; the kernel unlocks it however the run ends.
fn lock(out: &Path) -> Result<Lock> {
    let open =
        || File::open(out).with_context(|| format!("--out: cannot use {}", escape::path(out)));
    let dir = open()?;
    match rustix::fs::flock(&dir, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Lock(dir)),
        Err(_) => bail!(
            "--out: another run is writing to {}; wait for it, or name another directory",
            escape::path(out)
        ),
    }
}

/// A locked directory.
struct Lock(File);

impl Drop for Lock {
    /// Unlocks explicitly: closing the file would not be enough while a child process that has not reached exec still
    /// has it open.
    fn drop(&mut self) {
        let _ = rustix::fs::flock(&self.0, rustix::fs::FlockOperation::Unlock);
    }
}

/// The finished configurations of a sweep.
pub struct Checkpoint {
    dir: PathBuf,
    /// Held while the checkpoint is in use: two sweeps with one directory would remove each other's files.
    _lock: Lock,
}

/// The state in which a checkpoint was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resumed {
    /// Number of finished configurations in it.
    pub finished: usize,
}

impl Checkpoint {
    /// The checkpoint in the directory of `--out`.
    ///
    /// # Errors
    /// It holds an unfinished sweep of another command, tool or library: the message says what differs and what to do.
    pub fn open(out: &Path, identity: &Identity) -> Result<(Checkpoint, Resumed)> {
        let checkpoint = Checkpoint { dir: out.join(RUNS), _lock: lock(out)? };
        let fail = || format!("--out: cannot use {}", escape::path(&checkpoint.dir));
        std::fs::create_dir_all(&checkpoint.dir).with_context(fail)?;
        let file = checkpoint.dir.join(IDENTITY);
        match std::fs::read_to_string(&file) {
            Ok(text) => checkpoint.same(&text, identity)?,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                checkpoint.empty()?;
                atomic_file::write(&file, &(serde_json::to_string_pretty(identity)? + "\n"))?;
            }
            Err(e) => return Err(e).with_context(fail),
        }
        let entries = std::fs::read_dir(&checkpoint.dir).with_context(fail)?;
        let names =
            entries.filter_map(|e| Some(e.ok()?.file_name().to_string_lossy().into_owned()));
        let finished = names.filter(|n| n.ends_with(".json") && n != IDENTITY).count();
        Ok((checkpoint, Resumed { finished }))
    }

    /// Refuses a directory with other files: finishing the sweep removes the directory with everything in it.
    fn empty(&self) -> Result<()> {
        let fail = || format!("--out: cannot use {}", escape::path(&self.dir));
        let mut entries = std::fs::read_dir(&self.dir).with_context(fail)?;
        match entries.next() {
            None => Ok(()),
            Some(_) => bail!(OtherSweep(format!(
                "--out: {} holds files that are not those of a sweep; name another directory",
                escape::path(&self.dir)
            ))),
        }
    }

    fn same(&self, text: &str, identity: &Identity) -> Result<()> {
        let differs = match serde_json::from_str::<Identity>(text) {
            Ok(old) => old.differences(identity),
            Err(_) => vec![IDENTITY],
        };
        if !differs.is_empty() {
            bail!(OtherSweep(format!(
                "--out: {} holds an unfinished sweep that differs in {}; finish that sweep, name another \
                 directory, or remove this one to start again",
                escape::path(&self.dir),
                differs.join(", ")
            )));
        }
        Ok(())
    }

    fn path(&self, key: &str) -> PathBuf {
        self.dir.join(format!("{key}.json"))
    }

    /// The results under `key`; without a checkpoint, or if it has none, those of `run`, which the checkpoint then keeps.
    ///
    /// # Errors
    /// Those of `run`, and of `Checkpoint::save`.
    pub fn get_or_run<R: Serialize + DeserializeOwned>(
        checkpoint: Option<&Checkpoint>,
        key: impl FnOnce() -> String,
        run: impl FnOnce() -> Result<R>,
    ) -> Result<R> {
        let Some(checkpoint) = checkpoint else { return run() };
        let key = key();
        if let Some(results) = checkpoint.load(&key) {
            return Ok(results);
        }
        let results = run()?;
        checkpoint.save(&key, &results)?;
        Ok(results)
    }

    /// The results under `key`; `None` if they are missing or unreadable and have to be measured.
    pub fn load<R: DeserializeOwned>(&self, key: &str) -> Option<R> {
        serde_json::from_str(&std::fs::read_to_string(self.path(key)).ok()?).ok()
    }

    /// Stores results under `key`.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    fn save(&self, key: &str, results: &impl Serialize) -> Result<()> {
        atomic_file::write(&self.path(key), &serde_json::to_string(results)?)
    }

    /// Removes the checkpoint: its sweep is done.
    ///
    /// # Errors
    /// Names the directory if that fails.
    pub fn finish(self) -> Result<()> {
        let fail = || format!("--out: cannot remove {}", escape::path(&self.dir));
        std::fs::remove_dir_all(&self.dir).with_context(fail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::Results;
    use capvec_targets::Probe;

    fn identity() -> Identity {
        Identity {
            tool: "capvec 1".into(),
            program: "p".into(),
            core: "c".into(),
            library: "l".into(),
            packages: vec!["openssl 3".into()],
            driver: "d".into(),
            cases: vec!["sha256".into()],
            bytes: vec![64],
            vectors: "v".into(),
        }
    }

    fn results() -> Results {
        Results {
            version: "OpenSSL 3".into(),
            self_check: Err("off by one".into()),
            probe: Probe { hwprobe: [(4, u64::MAX)].into(), ..Probe::default() },
            cases: Vec::new(),
        }
    }

    #[test]
    fn other_files_in_the_directory_are_not_touched() {
        let dir = tempfile::tempdir().unwrap();
        let own = dir.path().join(RUNS).join("precious.txt");
        std::fs::create_dir(dir.path().join(RUNS)).unwrap();
        std::fs::write(&own, "precious").unwrap();
        let e = Checkpoint::open(dir.path(), &identity()).map(|_| ()).unwrap_err().to_string();
        assert!(e.contains("--out") && e.contains("not those of a sweep"), "{e}");
        assert_eq!(std::fs::read_to_string(own).unwrap(), "precious");
    }

    #[test]
    fn kept_results_are_found_again_until_the_sweep_is_complete() {
        let dir = tempfile::tempdir().unwrap();
        let (checkpoint, opened) = Checkpoint::open(dir.path(), &identity()).unwrap();
        assert_eq!(opened.finished, 0);
        assert_eq!(checkpoint.load::<Results>("k"), None);
        checkpoint.save("k", &results()).unwrap();
        let e = Checkpoint::open(dir.path(), &identity()).map(|_| ()).unwrap_err().to_string();
        assert!(e.contains("--out") && e.contains("another run"), "{e}");
        drop(checkpoint);
        let (checkpoint, opened) = Checkpoint::open(dir.path(), &identity()).unwrap();
        assert_eq!((opened.finished, checkpoint.load("k")), (1, Some(results())));
        std::fs::write(dir.path().join("runs/k.json"), "{\"version\":").unwrap();
        assert_eq!(checkpoint.load::<Results>("k"), None);
        checkpoint.finish().unwrap();
        assert!(!dir.path().join("runs").exists());
    }

    #[test]
    fn what_the_checkpoint_has_is_not_run_again() {
        let dir = tempfile::tempdir().unwrap();
        let (checkpoint, _) = Checkpoint::open(dir.path(), &identity()).unwrap();
        let runs = std::cell::Cell::new(0);
        let run = || {
            runs.set(runs.get() + 1);
            Ok(runs.get())
        };
        let get =
            |checkpoint, key: &str| Checkpoint::get_or_run(checkpoint, || key.into(), run).unwrap();
        assert_eq!(
            [get(Some(&checkpoint), "a"), get(Some(&checkpoint), "b"), get(Some(&checkpoint), "a")],
            [1, 2, 1]
        );
        assert_eq!([get(None, "a"), get(None, "a")], [3, 4]);
        // A failure is not kept.
        let fail = || -> Result<u32> { bail!("no") };
        assert!(Checkpoint::get_or_run(Some(&checkpoint), || "c".into(), fail).is_err());
        assert_eq!(checkpoint.load::<u32>("c"), None);
    }

    #[test]
    fn another_sweep_is_refused_and_named() {
        let dir = tempfile::tempdir().unwrap();
        Checkpoint::open(dir.path(), &identity()).unwrap();
        let refused = |other: Identity| {
            format!("{:#}", Checkpoint::open(dir.path(), &other).map(|_| ()).unwrap_err())
        };
        let e = refused(Identity { bytes: vec![1], core: "x".into(), ..identity() });
        assert!(e.contains("--bytes") && e.contains("--core") && e.contains("runs"), "{e}");
        assert!(!e.contains("--cases"), "{e}");
        let e = refused(Identity { packages: Vec::new(), ..identity() });
        assert!(e.contains("packages"), "{e}");
        std::fs::write(dir.path().join("runs/identity.json"), "").unwrap();
        assert!(refused(identity()).contains("identity.json"));
    }
}
