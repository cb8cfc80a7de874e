//! Plans and their jobs, and the file of a plan: one JSON object for each line, the first of which describes the plan.

use crate::axes::Axes;
use crate::error::SweepError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// What produces figures: a version of capvec, and the program itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// The tool with its version.
    pub tool: String,
    /// SHA-256 of the program.
    pub program: String,
}

impl Build {
    fn name(&self) -> String {
        format!("{} ({})", self.tool, self.program.get(..12).unwrap_or(&self.program))
    }
}

/// The first line of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// What planned it.
    pub build: Build,
    /// Number of jobs.
    pub jobs: usize,
    /// Digests of the files that jobs name, such as core models, by path.
    pub files: BTreeMap<String, String>,
    /// Names of the axes.
    pub axes: Vec<String>,
}

/// One measurement: a command of `capvec bench`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Digest of all that the result depends on, as far as it is known when the sweep is planned.
    pub id: String,
    /// The flags of `capvec bench`.
    pub flags: Vec<String>,
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Describes it.
    pub head: Head,
    /// Its jobs, in order.
    pub jobs: Vec<Job>,
}

/// Names jobs by all that their results depend on, as far as it is known when the sweep is planned.
struct Naming<'a> {
    build: &'a Build,
    files: &'a BTreeMap<String, String>,
}

impl Naming<'_> {
    /// Only the files that these flags name count: another job's file may change without this job being run again.
    fn id(&self, flags: &[String]) -> String {
        let words = flags.iter().flat_map(|flag| flag.split(','));
        let files: BTreeMap<&String, &String> = match self.files.is_empty() {
            true => BTreeMap::new(),
            false => words.filter_map(|word| self.files.get_key_value(word)).collect(),
        };
        let on = serde_json::to_string(&(self.build, files)).unwrap_or_default();
        hex::encode(Sha256::digest([on, flags.join("\0")].concat()))
    }
}

impl Plan {
    /// The plan of these axes. `files` has the digests of the files that they name.
    ///
    /// # Errors
    /// Every combination is left out.
    pub fn of(
        file: &str,
        axes: &Axes,
        build: Build,
        files: BTreeMap<String, String>,
    ) -> Result<Plan, SweepError> {
        let fail = |why: String| SweepError::File { file: file.into(), why };
        let naming = Naming { build: &build, files: &files };
        let job = |values: Vec<&str>| {
            let flags = axes.flags(&values);
            Job { id: naming.id(&flags), flags }
        };
        let jobs: Vec<Job> = axes.walk().map(job).collect();
        if jobs.is_empty() {
            return Err(fail("every combination is left out; remove an [[exclude]]".into()));
        }
        let names = axes.axes.iter().map(|a| a.name.clone()).collect();
        Ok(Plan { head: Head { build, jobs: jobs.len(), files, axes: names }, jobs })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        // Strings, numbers and maps of strings can always be written as JSON.
        let line = |json: serde_json::Result<String>| json.unwrap_or_default() + "\n";
        let head = line(serde_json::to_string(&self.head));
        let jobs = self.jobs.iter().map(|job| line(serde_json::to_string(job)));
        std::iter::once(head).chain(jobs).collect()
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Names the line that is wrong; or jobs are missing.
    pub fn parse(file: &str, text: &str) -> Result<Plan, SweepError> {
        let wrong = |line: usize, why: String| SweepError::Line { file: file.into(), line, why };
        let mut lines = text.lines().enumerate();
        let (_, first) = lines.next().ok_or_else(|| SweepError::File {
            file: file.into(),
            why: "the file is empty; `capvec sweep plan` writes it".into(),
        })?;
        let head: Head = serde_json::from_str(first)
            .map_err(|e| wrong(1, format!("not the first line of a plan: {e}")))?;
        let naming = Naming { build: &head.build, files: &head.files };
        // A result is found by its job's id, so another job must not have that id.
        let job = |(index, line): (usize, &str)| {
            let job: Job = serde_json::from_str(line)
                .map_err(|e| wrong(index + 1, format!("not a job: {e}")))?;
            match job.id == naming.id(&job.flags) {
                true => Ok(job),
                false => Err(wrong(
                    index + 1,
                    "the job is not the one that was planned: its id is of other flags; plan again"
                        .into(),
                )),
            }
        };
        let jobs: Vec<Job> =
            lines.filter(|(_, l)| !l.trim().is_empty()).map(job).collect::<Result<_, _>>()?;
        if jobs.len() != head.jobs {
            let why = format!("it has {} of {} jobs; plan again", jobs.len(), head.jobs);
            return Err(SweepError::File { file: file.into(), why });
        }
        Ok(Plan { head, jobs })
    }

    /// Refuses a plan of another build.
    ///
    /// # Errors
    /// Names both.
    pub fn require(&self, file: &str, this: &Build) -> Result<(), SweepError> {
        match self.head.build == *this {
            true => Ok(()),
            false => Err(SweepError::Build {
                file: file.into(),
                planned: self.head.build.name(),
                this: this.name(),
            }),
        }
    }
}

/// A share of the jobs: every `of`-th of them, beginning with number `number`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    number: usize,
    of: usize,
}

impl Share {
    /// All jobs.
    pub const ALL: Share = Share { number: 1, of: 1 };

    /// The jobs of the share.
    pub fn take<T>(self, jobs: &[T]) -> impl Iterator<Item = &T> {
        jobs.iter().skip(self.number - 1).step_by(self.of)
    }
}

impl std::str::FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let parts =
            text.split_once('/').and_then(|(n, of)| Some((n.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of => Ok(Share { number, of }),
            _ => Err(format!("{text} is not a share, such as 1/8 to 8/8")),
        }
    }
}
