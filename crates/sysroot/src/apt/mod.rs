//! apt with a private state: its own lists, caches, locks and (empty) dpkg status.

mod config;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::apt_output::{Index, Stage, failure, index_entries, percent, planned};
use crate::error::{Error, Result};
use crate::host_archive::Target;
use crate::progress::Progress;
use crate::tool::{command, output, run_on, start_error};

/// A package that apt selected, and the file to which it is downloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub index: Index,
    pub file: PathBuf,
}

/// apt with its private directories.
pub(crate) struct Apt<'a> {
    target: &'a Target,
    state: PathBuf,
    archives: PathBuf,
}

impl Apt<'_> {
    fn tool(&self, program: &str) -> Command {
        let mut command = command(program);
        command.arg("-c").arg(self.state.join("apt.conf")).arg("-q");
        command
    }

    fn run(&self, stage: Stage, command: &mut Command) -> Result<String> {
        let result = output(command)?;
        let stdout = String::from_utf8_lossy(&result.stdout).into_owned();
        let stderr = String::from_utf8_lossy(&result.stderr);
        // apt before 2.1 lacks APT::Update::Error-Mode and only warns if a mirror cannot be reached.
        if result.status.success() && !stderr.contains("Failed to fetch") {
            return Ok(stdout);
        }
        Err(failure(stage, self.target, &stderr, &stdout))
    }

    /// Fetches the suite's index and verifies its signature.
    ///
    /// # Errors
    /// Network, signature and suite errors; [`Error::NoArch`] if the suite lacks the architecture.
    pub(crate) fn update(&self) -> Result<()> {
        self.run(Stage::Update, self.tool("apt-get").arg("update"))?;
        let mut query = self.tool("apt-get");
        query.args(["indextargets", "--format", "$(FILENAME)", "Created-By: Packages"]);
        let files = self.run(Stage::Update, &mut query)?;
        if files.lines().any(|file| Path::new(file).is_file()) {
            return Ok(());
        }
        let Target { suite, arch, .. } = self.target.clone();
        Err(Error::NoArch { mirror: self.target.mirror(), suite, arch })
    }

    /// Fetches the suite's index of sources and verifies its signature.
    ///
    /// # Errors
    /// Network, signature and suite errors.
    pub(crate) fn update_sources(&self) -> Result<()> {
        self.run(Stage::Update, self.tool("apt-get").arg("update")).map(drop)
    }

    /// Downloads the files of a source package into `dir`. apt compares each with the signed index.
    ///
    /// # Errors
    /// Network errors; the package does not exist.
    pub(crate) fn download_source(&self, name: &str, dir: &Path) -> Result<()> {
        let mut source = self.tool("apt-get");
        source.args(["--yes", "--download-only", "--only-source", "source", name]).current_dir(dir);
        self.run(Stage::Download, &mut source).map(drop)
    }

    /// Resolves `requested` to these packages and their dependencies.
    ///
    /// # Errors
    /// [`Error::NoPackage`] for names that the suite does not have, [`Error::Unresolvable`].
    pub(crate) fn resolve(&self, requested: &[String]) -> Result<Vec<Chosen>> {
        self.check_known(requested)?;
        let mut simulate = self.tool("apt-get");
        simulate.args(["--simulate", "install"]).args(requested);
        let plan = planned(&self.run(Stage::Resolve, &mut simulate)?);
        // apt treats an unknown name as a pattern or a virtual package, so every requested name must be among its
        // selection.
        let left_out = |name: &&String| !plan.iter().any(|(planned, _)| planned == *name);
        self.refuse_missing(requested.iter().filter(left_out).cloned().collect())?;

        let mut show = self.tool("apt-cache");
        show.args(["--no-all-versions", "show"]);
        show.args(plan.iter().map(|(name, version)| format!("{name}={version}")));
        let index = index_entries(&self.run(Stage::Resolve, &mut show)?);
        plan.iter().map(|(name, version)| self.with_digest(&index, name, version)).collect()
    }

    /// A package of the plan with what the signed index says about it.
    fn with_digest(&self, index: &[Index], name: &str, version: &str) -> Result<Chosen> {
        let wanted = |entry: &&Index| entry.name == name && entry.version == version;
        let Some(index) = index.iter().find(wanted).cloned() else {
            let message = format!("the index has no SHA-256 for {name} {version}");
            return Err(Error::Apt { action: "read the index", message });
        };
        let file = self.archives.join(index.file_name());
        Ok(Chosen { index, file })
    }

    fn check_known(&self, requested: &[String]) -> Result<()> {
        let mut show = self.tool("apt-cache");
        let result = output(show.args(["--no-all-versions", "show"]).args(requested))?;
        let known = index_entries(&String::from_utf8_lossy(&result.stdout));
        let unknown = |name: &&String| !known.iter().any(|entry| entry.name == **name);
        self.refuse_missing(requested.iter().filter(unknown).cloned().collect())
    }

    fn refuse_missing(&self, missing: Vec<String>) -> Result<()> {
        if missing.is_empty() {
            return Ok(());
        }
        let Target { suite, arch, .. } = self.target.clone();
        Err(Error::NoPackage {
            packages: missing.join(", "),
            suite,
            arch,
            mirror: self.target.mirror(),
        })
    }

    /// Downloads what [`Apt::resolve`] returned for the same `requested` into the cache, and compares every file with
    /// the SHA-256 of the signed index.
    ///
    /// # Errors
    /// Network errors; [`Error::Checksum`].
    pub(crate) fn download(
        &self,
        requested: &[String],
        chosen: &[Chosen],
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<()> {
        self.fetch(requested, chosen.len(), progress)?;
        progress(&Progress::Verifying { packages: chosen.len() });
        // apt checks only the size of files that are already in its cache, so damaged ones are fetched again.
        let damaged = mismatches(chosen)?;
        if damaged.is_empty() {
            return Ok(());
        }
        for file in damaged.iter().map(|chosen| &chosen.file).filter(|file| file.exists()) {
            fs::remove_file(file).map_err(Error::io("remove", file))?;
        }
        self.fetch(requested, chosen.len(), progress)?;
        match mismatches(chosen)?.first() {
            None => Ok(()),
            Some(chosen) => Err(Error::Checksum {
                path: chosen.file.clone(),
                expected: chosen.index.sha256.clone(),
            }),
        }
    }

    fn fetch(
        &self,
        requested: &[String],
        packages: usize,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<()> {
        let mut install = self.tool("apt-get");
        install.args(["-o", "APT::Status-Fd=2", "--yes", "--download-only", "install"]);
        install.args(requested).stdout(Stdio::null()).stderr(Stdio::piped());
        progress(&Progress::Downloading { packages, percent: 0.0 });
        let mut child = install.spawn().map_err(start_error("apt-get"))?;
        let mut errors = String::new();
        if let Some(stderr) = child.stderr.take() {
            for line in BufReader::new(stderr).split(b'\n').map_while(std::io::Result::ok) {
                let line = String::from_utf8_lossy(&line);
                match percent(&line) {
                    Some(percent) => progress(&Progress::Downloading { packages, percent }),
                    None => errors.push_str(&format!("{line}\n")),
                }
            }
        }
        let status = child.wait().map_err(start_error("apt-get"))?;
        if status.success() {
            return Ok(());
        }
        Err(failure(Stage::Download, self.target, &errors, ""))
    }
}

/// The packages whose file is missing or does not have the index's SHA-256.
fn mismatches(chosen: &[Chosen]) -> Result<Vec<&Chosen>> {
    let (present, mut wrong): (Vec<_>, Vec<_>) = chosen.iter().partition(|c| c.file.is_file());
    let Some(first) = present.first() else { return Ok(wrong) };
    let mut sums = command("sha256sum");
    sums.arg("--zero").arg("--").args(present.iter().map(|chosen| &chosen.file));
    let text = run_on(&first.file, "sha256sum", &mut sums)?;
    let mut found = text.split(|byte| *byte == 0);
    for chosen in present {
        let sum = found.next().unwrap_or_default();
        if !sum.starts_with(chosen.index.sha256.as_bytes()) {
            wrong.push(chosen);
        }
    }
    Ok(wrong)
}
