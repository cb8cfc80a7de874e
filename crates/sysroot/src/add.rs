//! Adds packages: the steps from package names to a sysroot in place.

use std::path::{Path, PathBuf};

use crate::apt::{Apt, Chosen};
use crate::error::{Error, Result};
use crate::host_archive::{
    Archive, Target, debian_archive, installed_keyring, without_credentials,
};
use crate::manifest::{Manifest, Origin, Package, Reason};
use crate::name::{
    check_arch, check_mirror, check_name, check_package, check_suite, split_suite_arch,
};
use crate::progress::Progress;
use crate::refresh::CONFIGURED;
use crate::store::Store;
use crate::sysroot::Sysroot;
use crate::unpack::unpack;
use crate::{DEFAULT_ARCH, DEFAULT_SUITE};

/// Packages to add to a sysroot. Options that are left out are taken from the sysroot if it exists, otherwise from
/// the defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// The sysroot's name; `SUITE-ARCH` if left out.
    pub name: Option<String>,
    /// Suite, such as `trixie`.
    pub suite: Option<String>,
    /// Debian architecture, such as `riscv64`.
    pub arch: Option<String>,
    /// The archive's URL; the machine's own Debian archive if left out.
    pub mirror: Option<String>,
    /// Keyring that verifies the archive; the installed one if left out.
    pub keyring: Option<PathBuf>,
    /// Names of the packages; at least one.
    pub packages: Vec<String>,
    /// The sysroot was not requested by name, so garbage collection may remove it.
    pub automatic: bool,
}

impl Request {
    /// A request for a sysroot that capvec makes for itself, of the default suite and architecture.
    #[must_use]
    pub fn automatic(name: &str, packages: &[&str]) -> Request {
        Request {
            name: Some(name.to_owned()),
            packages: packages.iter().map(|package| (*package).to_owned()).collect(),
            automatic: true,
            ..Request::default()
        }
    }
}

impl Store {
    /// Root of sysroot `name` with `packages` in it; see [`crate::ensure`].
    ///
    /// A registered directory is used as it is: its packages are unknown.
    ///
    /// # Errors
    /// [`Error::NotSuiteArch`] if the sysroot does not exist and its name does not say how to create it; otherwise as
    /// [`Store::add`].
    pub fn ensure(
        &self,
        name: &str,
        packages: &[&str],
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<PathBuf> {
        let mut request = Request {
            name: Some(name.to_owned()),
            packages: packages.iter().map(|package| (*package).to_owned()).collect(),
            ..Request::default()
        };
        if let Some(sysroot) = self.find(name)? {
            let own = matches!(sysroot.manifest.origin, Origin::Directory { .. });
            if own || missing(&sysroot.manifest, &request.packages).is_empty() {
                let root = self.refresh(sysroot).root;
                self.note_use(name);
                return Ok(root);
            }
            request.automatic = sysroot.is_automatic();
        } else {
            let Some((suite, arch)) = split_suite_arch(name) else {
                return Err(Error::NotSuiteArch { name: name.to_owned() });
            };
            request.suite = Some(suite.to_owned());
            request.arch = Some(arch.to_owned());
            request.automatic = true;
        }
        Ok(self.add(&request, progress)?.root)
    }

    /// Adds packages with their dependencies to a sysroot, which is made if necessary.
    ///
    /// Changes nothing and needs no network if all are installed. Otherwise everything that was ever requested is
    /// resolved together anew, so that the versions always fit each other, and the tree replaces the old one in one
    /// step.
    ///
    /// # Errors
    /// Every error of this crate; the sysroot is unchanged then.
    pub fn add(&self, request: &Request, progress: &mut dyn FnMut(&Progress)) -> Result<Sysroot> {
        request.check()?;
        let name = request.name();
        if let Some(sysroot) = self.find(&name)? {
            request.check_fits(&sysroot)?;
            let claimed = !request.automatic && sysroot.is_automatic();
            if sysroot.manifest.all_requested(&request.packages) && !claimed {
                let sysroot = self.refresh(sysroot);
                self.note_use(&name);
                return Ok(sysroot);
            }
        }
        let _lock = self.lock(progress)?;
        // Another capvec may have added it while this one waited for the lock.
        let existing = self.find(&name)?;
        if let Some(sysroot) = &existing {
            request.check_fits(sysroot)?;
            if missing(&sysroot.manifest, &request.packages).is_empty() {
                let automatic = request.automatic && sysroot.is_automatic();
                return self.mark_requested(sysroot.clone(), &request.packages, automatic);
            }
        }
        self.build(&name, request, existing.as_ref(), progress)?;
        self.get(&name)
    }

    /// Marks installed dependencies as requested.
    fn mark_requested(
        &self,
        mut sysroot: Sysroot,
        packages: &[String],
        automatic: bool,
    ) -> Result<Sysroot> {
        sysroot.manifest.automatic = Some(automatic);
        for package in &mut sysroot.manifest.packages {
            if packages.contains(&package.name) {
                package.reason = Reason::Requested;
            }
        }
        self.write_manifest(&sysroot.name, &sysroot.manifest)?;
        self.note_use(&sysroot.name);
        Ok(sysroot)
    }

    /// Builds the tree in a temporary directory and moves it into place. Needs the lock.
    fn build(
        &self,
        name: &str,
        request: &Request,
        existing: Option<&Sysroot>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<()> {
        let (target, origin) = self.target(request, existing)?;
        let mut requested = request.packages.clone();
        requested.extend(existing.iter().flat_map(|s| s.manifest.requested()).map(str::to_owned));
        requested.sort();
        requested.dedup();

        let apt = Apt::new(&self.apt_dir(), &target)?;
        progress(&Progress::Updating {
            suite: target.suite.clone(),
            arch: target.arch.clone(),
            mirror: target.mirror(),
        });
        apt.update()?;
        progress(&Progress::Resolving { requested: requested.len() });
        let chosen = apt.resolve(&requested)?;
        apt.download(&requested, &chosen, progress)?;

        let new = self.scratch(name)?;
        unpack(&chosen, &new, progress)?;
        crate::installed_files::record(&new, &new.join("root"))?;
        let package = |chosen: &Chosen| record(chosen, &requested);
        let mut manifest = Manifest::new(origin, chosen.iter().map(package).collect());
        let automatic = request.automatic && existing.is_none_or(Sysroot::is_automatic);
        manifest.automatic = Some(automatic);
        manifest.configured = Some(CONFIGURED);
        manifest.write(&new)?;
        self.place(name, &new)
    }

    /// The archive to fetch from, and its record for the manifest.
    pub(crate) fn target(
        &self,
        request: &Request,
        existing: Option<&Sysroot>,
    ) -> Result<(Target, Origin)> {
        let (mut suite, mut arch) = (DEFAULT_SUITE.to_owned(), DEFAULT_ARCH.to_owned());
        let mut mirror = request.mirror.clone().or_else(|| self.mirror.clone());
        let mut keyring = request.keyring.clone().or_else(|| self.keyring.clone());
        if let Some(Origin::Apt { suite: s, arch: a, mirror: m, mirror_given, keyring: k }) =
            existing.map(|sysroot| &sysroot.manifest.origin)
        {
            (suite, arch) = (s.clone(), a.clone());
            mirror = mirror.or_else(|| mirror_given.then(|| m.clone()));
            keyring = keyring.or_else(|| k.clone());
        }
        let suite = request.suite.clone().unwrap_or(suite);
        let arch = request.arch.clone().unwrap_or(arch);
        let keyring = keyring.map(|keyring| check_keyring(&keyring)).transpose()?;
        let archive = archive(mirror.as_deref(), keyring.as_deref())?;
        let shown = without_credentials(&archive.uri);
        let origin = Origin::Apt {
            suite: suite.clone(),
            arch: arch.clone(),
            // Credentials are not stored, and without them the URL would not work later.
            mirror_given: mirror.is_some() && shown == archive.uri,
            mirror: shown,
            keyring: keyring.map(PathBuf::from),
        };
        Ok((Target { suite, arch, archive }, origin))
    }
}

impl Request {
    fn name(&self) -> String {
        let suite = self.suite.as_deref().unwrap_or(DEFAULT_SUITE);
        let arch = self.arch.as_deref().unwrap_or(DEFAULT_ARCH);
        self.name.clone().unwrap_or_else(|| format!("{suite}-{arch}"))
    }

    fn check(&self) -> Result<()> {
        self.suite.as_deref().map_or(Ok(()), check_suite)?;
        self.arch.as_deref().map_or(Ok(()), check_arch)?;
        check_name(&self.name())?;
        if self.packages.is_empty() {
            let why = "name at least one package, such as openssl".to_owned();
            return Err(Error::Invalid { what: "package list", value: String::new(), why });
        }
        self.packages.iter().try_for_each(|package| check_package(package))
    }

    /// Checks that the sysroot has the requested suite and architecture.
    fn check_fits(&self, sysroot: &Sysroot) -> Result<()> {
        let Origin::Apt { suite, arch, .. } = &sysroot.manifest.origin else {
            return Err(sysroot.mismatch("one that packages can be added to".to_owned()));
        };
        let asked_suite = self.suite.as_ref().unwrap_or(suite);
        let asked_arch = self.arch.as_ref().unwrap_or(arch);
        if (asked_suite, asked_arch) == (suite, arch) {
            return Ok(());
        }
        Err(sysroot.mismatch(format!("{asked_suite} for {asked_arch}")))
    }
}

impl Manifest {
    fn all_requested(&self, packages: &[String]) -> bool {
        packages.iter().all(|package| self.requested().any(|name| name == package))
    }
}

fn missing<'a>(manifest: &Manifest, packages: &'a [String]) -> Vec<&'a String> {
    packages.iter().filter(|package| manifest.package(package).is_none()).collect()
}

fn record(chosen: &Chosen, requested: &[String]) -> Package {
    let index = chosen.index.clone();
    let wanted = requested.contains(&index.name);
    Package {
        name: index.name,
        version: index.version,
        arch: index.arch,
        sha256: index.sha256,
        reason: if wanted { Reason::Requested } else { Reason::Dependency },
    }
}

fn archive(mirror: Option<&str>, keyring: Option<&str>) -> Result<Archive> {
    let Some(mirror) = mirror else {
        let mut archive = debian_archive()?;
        archive.signed_by = keyring.map(str::to_owned).or(archive.signed_by);
        return Ok(archive);
    };
    check_mirror(mirror)?;
    let signed_by = keyring.map(str::to_owned).or_else(installed_keyring);
    if signed_by.is_none() {
        return Err(Error::NoKeyring { mirror: without_credentials(mirror) });
    }
    Ok(Archive { uri: mirror.to_owned(), signed_by })
}

/// The keyring's absolute path, if apt's `Signed-By` can express it.
fn check_keyring(keyring: &Path) -> Result<String> {
    let invalid = |why: String| Error::Invalid {
        what: "keyring",
        value: keyring.display().to_string(),
        why: format!("{why}; check --keyring (or CAPVEC_KEYRING)"),
    };
    let path = std::fs::canonicalize(keyring).map_err(|error| invalid(error.to_string()))?;
    if !path.is_file() {
        return Err(invalid("it is not a file".to_owned()));
    }
    let good = |text: &&str| !text.contains(|c: char| c.is_whitespace() || c.is_control());
    let text = path.to_str().filter(good);
    text.map(str::to_owned).ok_or_else(|| invalid("apt needs a path without spaces".to_owned()))
}
