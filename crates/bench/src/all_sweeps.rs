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
    /// capvec's name and version.
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
pub trait SweepProgress: Sync {
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
        progress: &dyn SweepProgress,
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

    /// Opens the checkpoint of a sweep; `None` without `--out`. If there are several sweeps, each has a directory of its own.
    fn open(
        &self,
        runner: &Runner,
        plan: &Plan,
        progress: &dyn SweepProgress,
    ) -> Result<Option<Kept>> {
        let Some(out) = &self.options.out else { return Ok(None) };
        let several = self.options.libraries * self.options.targets > 1;
        let own = several.then(|| out.join(self.directory(runner)));
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

    /// The directory of one of several sweeps: it names the library and, if there are several cores, the first digits of the
    /// digest of the core.
    fn directory(&self, runner: &Runner) -> String {
        let subject = component(runner.subject());
        match runner.core_digest().get(..16) {
            Some(digest) if self.options.targets > 1 => format!("{subject}-{digest}"),
            _ => subject,
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
    /// Removes the checkpoints, once the record is written.
    ///
    /// # Errors
    /// Names the directory that cannot be removed.
    pub fn remove_checkpoints(self) -> Result<()> {
        for Kept { checkpoint, own } in self.kept {
            checkpoint.finish()?;
            if let Some(own) = own {
                // It stays if it holds other files.
                let _ = std::fs::remove_dir(own);
            }
        }
        Ok(())
    }
}

/// A subject as one component of a path, distinct for every subject: the first `:` becomes `-`. A `-` before it, or in a subject
/// without `:`, is escaped, and so are later `:`.
fn component(subject: &str) -> String {
    let (kind, name) = subject.split_once(':').map_or((subject, None), |(k, n)| (k, Some(n)));
    let escape = |text: &str| text.replace('%', "%25").replace('/', "%2F");
    let kind = escape(kind).replace('-', "%2D");
    // `.` and `..` are directories that exist.
    let kind = kind.strip_prefix('.').map_or(kind.clone(), |rest| format!("%2E{rest}"));
    match name {
        Some(name) => format!("{kind}-{}", escape(name).replace(':', "%3A")),
        None => kind,
    }
}

#[cfg(test)]
mod tests {
    use super::component;

    #[test]
    fn results_of_a_library_file_are_kept_below_out() {
        assert_eq!(component("openssl:asm"), "openssl-asm");
        assert_eq!(component("openssl:no-asm"), "openssl-no-asm");
        let paths = ["/opt/a/b", "/opt/a%2Fb", "../a", "./a", "..", ".", "openssl-asm"];
        let builds = ["openssl:asm", "openssl:a:b", "openssl:a-b", "openssl-a:b"];
        let names: Vec<String> = paths.iter().chain(&builds).map(|s| component(s)).collect();
        for (i, name) in names.iter().enumerate() {
            assert!(!name.contains('/') && !matches!(name.as_str(), "." | ".."), "{name}");
            assert_eq!(names.iter().position(|n| n == name), Some(i));
        }
    }
}
