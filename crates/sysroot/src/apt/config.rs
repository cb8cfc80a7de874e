//! apt's private directories and its configuration.
//!
//! The system's apt configuration remains in force as far as it concerns reaching archives (proxy, credentials,
//! certificates). Everything that would touch the system (hooks) or change the outcome (pins, default release,
//! permission for unsigned archives) is switched off. See apt.conf(5).

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::Apt;
use crate::error::{Error, Result};
use crate::host_archive::Target;

impl<'a> Apt<'a> {
    /// Prepares the private directories below `dir` and writes apt's configuration there.
    pub(crate) fn new(dir: &Path, target: &'a Target) -> Result<Apt<'a>> {
        Apt::with(dir, target, &target.arch, Apt::sources)
    }

    /// The same for source packages, which have no architecture.
    pub(crate) fn of_sources(dir: &Path, target: &'a Target) -> Result<Apt<'a>> {
        Apt::with(dir, target, "sources", Apt::source_sources)
    }

    fn with(
        dir: &Path,
        target: &'a Target,
        of: &str,
        sources: fn(&Apt<'a>) -> String,
    ) -> Result<Apt<'a>> {
        let state = dir.join(format!("{}-{of}", target.suite));
        let apt = Apt { target, state, archives: dir.join("archives") };
        for dir in [&apt.state.join("lists/partial"), &apt.archives.join("partial")] {
            fs::create_dir_all(dir).map_err(Error::io("create", dir))?;
        }
        apt.write("status", "")?;
        apt.write("capvec.sources", &sources(&apt))?;
        apt.write("apt.conf", &apt.config()?)?;
        Ok(apt)
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.state.join(name);
        // Readable by the owner only: a mirror's URL may carry a password.
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        let mut file = options.open(&path).map_err(Error::io("write", &path))?;
        file.write_all(text.as_bytes()).map_err(Error::io("write", &path))
    }

    fn sources(&self) -> String {
        // `Targets` excludes the indexes of apt-file and AppStream.
        let arch = &self.target.arch;
        self.stanza("deb") + &format!("Architectures: {arch}\nTargets: Packages\n")
    }

    fn source_sources(&self) -> String {
        self.stanza("deb-src")
    }

    fn stanza(&self, kind: &str) -> String {
        let Target { suite, archive, .. } = self.target;
        // apt uses packages of file: archives in place; copy: puts them into the cache.
        let uri = match archive.uri.strip_prefix("file:") {
            Some(path) => format!("copy:{path}"),
            None => archive.uri.clone(),
        };
        let mut text = format!("Types: {kind}\nURIs: {uri}\nSuites: {suite}\nComponents: main\n");
        if let Some(keys) = &archive.signed_by {
            text.push_str(&format!("Signed-By: {keys}\n"));
        }
        text
    }

    fn config(&self) -> Result<String> {
        let (state, archives) = (quotable(&self.state)?, quotable(&self.archives)?);
        let arch = &self.target.arch;
        Ok(format!(
            r#"Dir::State "{state}";
Dir::State::lists "{state}/lists";
Dir::State::status "{state}/status";
Dir::State::extended_states "{state}/extended_states";
Dir::Cache "{state}";
Dir::Cache::archives "{archives}";
Dir::Cache::pkgcache "pkgcache.bin";
Dir::Cache::srcpkgcache "";
Dir::Log "{state}/log";
Dir::Etc::sourcelist "{state}/capvec.sources";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
APT::Architecture "{arch}";
#clear APT::Architectures;
APT::Architectures {{ "{arch}"; }};
#clear APT::Default-Release;
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Invoke;
#clear DPkg::Post-Invoke;
#clear DPkg::Pre-Install-Pkgs;
#clear AptCli::Hooks;
APT::Update::Error-Mode "any";
APT::Install-Recommends "false";
APT::Install-Suggests "false";
APT::Keep-Downloaded-Packages "true";
APT::Sandbox::User "root";
APT::Get::AllowUnauthenticated "false";
Acquire::AllowInsecureRepositories "false";
Acquire::AllowWeakRepositories "false";
Acquire::AllowDowngradeToInsecureRepositories "false";
Acquire::AllowReleaseInfoChange "true";
Acquire::Languages "none";
"#
        ))
    }
}

/// The path as text, if apt's configuration can quote it.
fn quotable(path: &Path) -> Result<&str> {
    let good = |text: &&str| !text.contains(|c: char| c == '"' || c.is_control());
    path.to_str().filter(good).ok_or_else(|| Error::Invalid {
        what: "store directory",
        value: path.display().to_string(),
        why: "apt needs a path in UTF-8 without quotes: set CAPVEC_HOME to another one".to_owned(),
    })
}
