//! `--library`: another libcrypto than the target's own.

use super::{Args, place};
use crate::cmd::Usage;
use anyhow::{Context, Result};
use capvec_bench::target::LIBRARY;
use std::path::{Path, PathBuf};

/// The directory of the library that `--library` names: its drivers look for it there by its name.
pub fn library(args: &Args) -> Result<Option<PathBuf>> {
    let Some(name) = &args.libcrypto else { return Ok(None) };
    if let Some(build) = name.strip_prefix("openssl:") {
        let dir = place(args).build("--library", build)?.dir;
        place(args).fits("--library", name, &dir)?;
        return Ok(Some(dir));
    }
    let wrong = |what: String| Usage(format!("--library {name}: {what}"));
    let dir = directory(name).map_err(wrong)?;
    place(args).fits("--library", name, &dir)?;
    is_libcrypto(&dir.join(LIBRARY)).map_err(wrong)?;
    Ok(Some(dir))
}

/// What would be taken.
const TAKEN: &str = "name a libcrypto.so.3 of OpenSSL 3, the directory that has one, or openssl:NAME of `capvec build`";

/// The directory of a libcrypto.so.3, which the path is, leads to, or has in it.
fn directory(name: &str) -> Result<PathBuf, String> {
    let path = std::path::absolute(name).map_err(|e| e.to_string())?;
    if path.is_dir() {
        return match path.join(LIBRARY).is_file() {
            true => Ok(path),
            false => Err(format!("no {LIBRARY} in this directory; {TAKEN}")),
        };
    }
    if !path.is_file() {
        return Err(format!("there is no such file; {TAKEN}"));
    }
    let dir = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let real = |p: &Path| p.canonicalize().ok();
    // Such as libcrypto.so or libcrypto.so.3.0.17, of which libcrypto.so.3 is a link or a target.
    if real(&path).is_some() && real(&path) == real(&dir.join(LIBRARY)) {
        return Ok(dir);
    }
    let is = of(&path).map_or_else(|e| format!("it is {e}"), |soname| format!("it is {soname}"));
    Err(match is == format!("it is {LIBRARY}") {
        true => format!("programs load it by the name {LIBRARY}: call a copy or a link so"),
        false => format!("{is}; {TAKEN}"),
    })
}

/// What a file calls itself.
fn of(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let report = capvec_doctor::scan(&bytes).map_err(|e| e.to_string())?;
    Ok(report.soname.unwrap_or_else(|| "no shared library with a name of its own".into()))
}

/// A copy of something else may be called so.
fn is_libcrypto(path: &Path) -> Result<(), String> {
    match of(path).map_err(|e| format!("{} is {e}", path.display()))? {
        soname if soname == LIBRARY => Ok(()),
        soname => Err(format!("{} is {soname}, whatever it is called; {TAKEN}", path.display())),
    }
}

/// Whether the driver loaded that library: what the dynamic linker takes instead must not be diagnosed under its name.
pub fn was_loaded(dir: &Path, loaded: Option<&str>) -> Result<()> {
    let real = |p: &Path| p.canonicalize().ok();
    let own = real(&dir.join(LIBRARY));
    let loaded = loaded.context("--library: the driver has a libcrypto inside and loads none")?;
    if own.is_none() || real(Path::new(loaded)) != own {
        let dir = dir.display();
        anyhow::bail!("--library: the driver loaded {loaded} and not the {LIBRARY} of {dir}")
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn fails(path: &Path) -> String {
        directory(path.to_str().unwrap()).unwrap_err()
    }

    #[test]
    fn only_a_libcrypto_is_taken() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        assert!(fails(dir.path()).contains("no libcrypto.so.3 in"));
        std::fs::write(at("libcrypto.so.3"), "x").unwrap();
        std::fs::write(at("libssl.so.3"), "y").unwrap();
        std::fs::write(at("libc.so.6"), std::fs::read(std::env::current_exe().unwrap()).unwrap())
            .unwrap();
        symlink("libcrypto.so.3", at("libcrypto.so")).unwrap();
        for name in ["libcrypto.so.3", "libcrypto.so", ""] {
            assert_eq!(directory(at(name).to_str().unwrap()), Ok(at("").join("")), "{name}");
        }
        assert!(fails(&at("libssl.so.3")).contains("not an ELF file"));
        let program = fails(&at("libc.so.6"));
        assert!(program.contains("no shared library") && program.contains("capvec build"));
        assert!(fails(&at("absent")).contains("no such file"));
        assert!(is_libcrypto(&at("libcrypto.so.3")).is_err());
    }

    #[test]
    fn another_library_than_the_one_that_was_named_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let own = dir.path().join(LIBRARY);
        std::fs::write(&own, "x").unwrap();
        assert!(was_loaded(dir.path(), own.to_str()).is_ok());
        let e = was_loaded(dir.path(), Some("/usr/lib/libcrypto.so.3")).unwrap_err().to_string();
        assert!(e.contains("loaded /usr/lib/libcrypto.so.3"), "{e}");
        assert!(was_loaded(dir.path(), None).is_err());
    }
}
