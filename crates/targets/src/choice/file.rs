//! A libcrypto given by its path: drivers load it by its name from a directory.

use super::SubjectName;
use crate::backend::LIBRARY;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// What the path may be.
const TAKEN: &str = "name a libcrypto.so.3 of OpenSSL 3, the directory that has one, or openssl:NAME of `capvec build`";

/// The directory of a libcrypto.so.3: the path is that directory, or a link to the file, or the file itself.
///
/// # Errors
/// No libcrypto.so.3 is at that path; the message says what is.
pub fn directory(name: &str) -> Result<PathBuf> {
    let path = std::path::absolute(name)?;
    if path.is_dir() {
        if !path.join(LIBRARY).is_file() {
            bail!("no {LIBRARY} in this directory; {TAKEN}")
        }
        return Ok(path);
    }
    if !path.is_file() {
        bail!("{}; {TAKEN}", absent(name))
    }
    let dir = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let real = |p: &Path| p.canonicalize().ok();
    // Such as libcrypto.so or libcrypto.so.3.0.17, when one of the two is a link to the other.
    if real(&path).is_some() && real(&path) == real(&dir.join(LIBRARY)) {
        return Ok(dir);
    }
    match soname(&path) {
        Ok(name) if name == LIBRARY => {
            bail!("programs load it by the name {LIBRARY}: give a copy or a link that name")
        }
        Ok(name) => bail!("it is {name}; {TAKEN}"),
        Err(e) => bail!("it is {e}; {TAKEN}"),
    }
}

/// The error for a path that does not exist: it may be the name of a subject, which is not a path.
fn absent(name: &str) -> &'static str {
    match name.parse() {
        Ok(SubjectName::OpenSsl) => {
            "this is not a path; without the flag, the target's own OpenSSL is used"
        }
        Ok(SubjectName::Capvec | SubjectName::Provider) => {
            "this is not a path; give a build of OpenSSL, which --target sim compares with libcapvec in any case"
        }
        _ => "there is no such file",
    }
}

/// Refuses a directory in which a file of another kind is called libcrypto.so.3.
///
/// # Errors
/// Says what it is.
pub fn is_libcrypto(dir: &Path) -> Result<()> {
    let path = dir.join(LIBRARY);
    match soname(&path) {
        Ok(name) if name == LIBRARY => Ok(()),
        Ok(name) => bail!("{} is {name}, whatever it is called; {TAKEN}", path.display()),
        Err(e) => bail!("{} is {e}", path.display()),
    }
}

/// The name that a file gives itself.
fn soname(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("unreadable: {}", path.display()))?;
    let report = capvec_binscan::scan(&bytes)?;
    Ok(report.soname.unwrap_or_else(|| "no shared library with a soname".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn fails(path: &Path) -> String {
        directory(path.to_str().unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn only_a_libcrypto_is_accepted() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        assert!(fails(dir.path()).contains("no libcrypto.so.3 in"));
        std::fs::write(at("libcrypto.so.3"), "x").unwrap();
        std::fs::write(at("libssl.so.3"), "y").unwrap();
        std::fs::write(at("libc.so.6"), std::fs::read(std::env::current_exe().unwrap()).unwrap())
            .unwrap();
        symlink("libcrypto.so.3", at("libcrypto.so")).unwrap();
        for name in ["libcrypto.so.3", "libcrypto.so", ""] {
            assert_eq!(directory(at(name).to_str().unwrap()).unwrap(), at("").join(""), "{name}");
        }
        assert!(fails(&at("libssl.so.3")).contains("not an ELF file"));
        let program = fails(&at("libc.so.6"));
        assert!(program.contains("no shared library") && program.contains("capvec build"));
        assert!(fails(&at("absent")).contains("no such file"));
        assert!(is_libcrypto(dir.path()).is_err());
        for (name, words) in [("openssl", "the target's own"), ("capvec", "a build of OpenSSL")] {
            let said = fails(Path::new(name));
            assert!(said.contains(words) && said.contains("openssl:NAME"), "{said}");
        }
    }
}
