//! Measures libraries on targets, one sweep after the other, and puts everything into one record.

use crate::openssl_speed_rows;
use crate::resume::{Checkpoint, Identity};
use crate::run::Runner;
use crate::sweep::{self, Plan};
use crate::sweep_record::record;
use anyhow::Result;
use capvec_record::{Evaluated, Record};
use capvec_targets::Library;
use capvec_util::atomic_file;
use std::path::{Path, PathBuf};

/// What is measured in addition to plans, and where unfinished results are kept.
pub struct Options {
    /// The tool with its version.
    pub tool: &'static str,
    /// The directory of `--out`.
    pub out: Option<PathBuf>,
    /// Number of libraries.
    pub libraries: usize,
    /// Number of targets.
    pub targets: usize,
    /// Whether the record explains what extensions add.
    pub explain: bool,
    /// Whether `openssl speed` runs as well.
    pub speed: bool,
}

/// Receives the progress of a recording.
pub trait Progress: Sync {
    /// An unfinished sweep in a directory is resumed: this many of its configurations are finished.
    fn resumes(&self, dir: &Path, finished: usize);
    /// A sweep of this many configurations begins.
    fn begins(&self, configurations: usize);
    /// A configuration is finished.
    fn advances(&self);
    /// `openssl speed` begins.
    fn begins_speed(&self);
    /// A sweep is finished.
    fn ends(&self);
}

/// A recording in progress.
pub struct Recording {
    options: Options,
    record: Option<Record>,
    kept: Vec<Kept>,
}

/// The checkpoint of a sweep, and its directory if no other sweep uses it.
struct Kept {
    checkpoint: Checkpoint,
    own: Option<PathBuf>,
}

/// A finished record. The checkpoints of its sweeps are kept until the record is written.
pub struct Recorded {
    /// The record, and what is computed from it.
    pub record: Evaluated,
    kept: Vec<Kept>,
}

impl Recording {
    /// A recording without figures.
    pub fn new(options: Options) -> Recording {
        Recording { options, record: None, kept: Vec::new() }
    }

    /// Measures a library on a target, both opened by `runner`.
    ///
    /// # Errors
    /// As [`sweep::run`]; or `openssl speed` fails, or the directory of `--out` cannot be used.
    pub fn add(
        &mut self,
        runner: &Runner,
        library: &Library,
        plan: &Plan,
        progress: &dyn Progress,
    ) -> Result<()> {
        let kept = self.open(runner, plan, progress)?;
        progress.begins(plan.len());
        let checkpoint = kept.as_ref().map(|k| &k.checkpoint);
        let swept = sweep::run(runner, plan, checkpoint, &|| progress.advances())?;
        let mut more = record(runner, plan, swept, self.options.tool, self.options.explain)?;
        if self.options.speed {
            progress.begins_speed();
            more.speed = openssl_speed_rows::measure(runner, plan, &more.rows)?;
        }
        progress.ends();
        more.builds.extend(library.build.as_ref().map(|b| b.manifest.clone()));
        self.kept.extend(kept);
        match &mut self.record {
            Some(record) => record.join(more),
            None => self.record = Some(more),
        }
        Ok(())
    }

    /// The checkpoint of a sweep. One of several has a directory of its own.
    fn open(&self, runner: &Runner, plan: &Plan, progress: &dyn Progress) -> Result<Option<Kept>> {
        let Some(out) = &self.options.out else { return Ok(None) };
        let several = self.options.libraries * self.options.targets > 1;
        let own = several.then(|| out.join(directory(&self.name(runner))));
        let dir = own.as_ref().unwrap_or(out);
        atomic_file::prepare(dir)?;
        let (checkpoint, resumed) = Checkpoint::open(dir, &self.identity(runner, plan)?)?;
        if resumed.finished > 0 {
            progress.resumes(dir, resumed.finished);
        }
        Ok(Some(Kept { checkpoint, own }))
    }

    fn identity(&self, runner: &Runner, plan: &Plan) -> Result<Identity> {
        let cases = plan.cases.iter().map(|c| c.id.clone()).collect();
        let vectors = plan.gate.as_ref().map_or("none".into(), |g| g.id());
        runner.identity(self.options.tool, cases, plan.bytes.clone(), vectors)
    }

    /// The name of one of several sweeps: its library, and its core if there are several.
    fn name(&self, runner: &Runner) -> String {
        match runner.core_digest().get(..16) {
            Some(digest) if self.options.targets > 1 => format!("{}-{digest}", runner.subject()),
            _ => runner.subject().into(),
        }
    }

    /// The record of everything that was added; `None` if nothing was.
    ///
    /// # Errors
    /// The published figures cannot be read.
    pub fn finish(self) -> Result<Option<Recorded>> {
        let Some(record) = self.record else { return Ok(None) };
        Ok(Some(Recorded { record: record.evaluate()?, kept: self.kept }))
    }
}

impl Recorded {
    /// Removes the checkpoints, since the record is written.
    ///
    /// # Errors
    /// Names the directory that cannot be removed.
    pub fn finish(self) -> Result<()> {
        for Kept { checkpoint, own } in self.kept {
            checkpoint.finish()?;
            // The directory may hold other files.
            own.map_or(Ok(()), |own| std::fs::remove_dir(own).or(Ok::<(), std::io::Error>(())))?;
        }
        Ok(())
    }
}

/// The directory of one of several sweeps: its name as one component of a path, distinct for every name.
fn directory(name: &str) -> String {
    name.replace('%', "%25").replace('/', "%2F").replace(':', "-")
}

#[cfg(test)]
mod tests {
    use super::directory;

    #[test]
    fn results_of_a_library_file_are_kept_below_out() {
        assert_eq!(directory("openssl:asm"), "openssl-asm");
        let names = ["/opt/a/b", "/opt/a%2Fb", "../a", "./a"].map(directory);
        for (i, name) in names.iter().enumerate() {
            assert!(!name.contains('/') && !matches!(name.as_str(), "." | ".."), "{name}");
            assert_eq!(names.iter().position(|n| n == name), Some(i));
        }
    }
}
