//! Updates sysroots of older versions in place: they lack files that capvec writes now.

use crate::apt_output::Index;
use crate::complete::configure;
use crate::error::Result;
use crate::installed_files;
use crate::manifest::Package;
use crate::store::Store;
use crate::sysroot::Sysroot;
use crate::tool::{command, run_on};

/// Version of the files that [`configure`] writes; sysroots without a version are older than the first.
pub(crate) const CONFIGURED: u32 = 1;

impl Store {
    /// Writes what an older version left out. A sysroot that cannot be written, or that another capvec has locked, is
    /// used unchanged.
    pub(crate) fn refresh(&self, sysroot: Sysroot) -> Sysroot {
        if sysroot.manifest.configured >= Some(CONFIGURED) || !sysroot.is_fetched() {
            return sysroot;
        }
        let Ok(Some(_lock)) = self.try_lock() else { return sysroot };
        // Read again: another capvec may have replaced it.
        match self.find(&sysroot.name) {
            Ok(Some(found)) => self.refreshed(found.clone()).unwrap_or(found),
            _ => sysroot,
        }
    }

    fn refreshed(&self, mut sysroot: Sysroot) -> Result<Sysroot> {
        let packages = sysroot.manifest.packages.iter();
        let scripts: Vec<String> = packages.filter_map(|package| self.script(package)).collect();
        let written = configure(&sysroot.root, &scripts)?;
        installed_files::note(&self.dir(&sysroot.name), &sysroot.root, &written)?;
        sysroot.manifest.configured = Some(CONFIGURED);
        self.write_manifest(&sysroot.name, &sysroot.manifest)?;
        Ok(sysroot)
    }

    /// The `postinst` script of a package whose archive is still in the cache, verified against the signed index.
    fn script(&self, package: &Package) -> Option<String> {
        let Package { name, version, arch, sha256, .. } = package.clone();
        let index = Index { name, version, arch, sha256 };
        let file = self.apt_dir().join("archives").join(index.file_name());
        if installed_files::digest(&file).ok()? != index.sha256 {
            return None;
        }
        let mut show = command("dpkg-deb");
        show.arg("--info").arg(&file).arg("postinst");
        String::from_utf8(run_on(&file, "dpkg-deb", &mut show).ok()?).ok()
    }
}
