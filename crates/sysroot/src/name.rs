//! Checks of names that are used in paths and in apt's command line.

use crate::error::{Error, Result};
use crate::host_archive::without_credentials;

/// Suffix of the name of a build sysroot, which compiles for another one.
pub const BUILD: &str = "-build";

/// Debian's architectures that a `SUITE-ARCH` name may end in (release and ports architectures).
const ARCHES: &[&str] = &[
    "alpha", "amd64", "arm64", "armel", "armhf", "hppa", "i386", "ia64", "loong64", "m68k",
    "mips64el", "mipsel", "powerpc", "ppc64", "ppc64el", "riscv64", "s390x", "sh4", "sparc64",
    "x32",
];

const MAX_LEN: usize = 100;

fn check(
    what: &'static str,
    value: &str,
    extra: &str,
    upper: bool,
    why: &'static str,
) -> Result<()> {
    let alphanumeric =
        |c: char| c.is_ascii_digit() || c.is_ascii_lowercase() || (upper && c.is_ascii_uppercase());
    let good = value.len() <= MAX_LEN
        && value.starts_with(alphanumeric)
        && value.chars().all(|c| alphanumeric(c) || extra.contains(c));
    if good {
        return Ok(());
    }
    Err(Error::Invalid { what, value: value.to_owned(), why: why.to_owned() })
}

/// Checks a sysroot's name: a single path component that is not hidden.
///
/// # Errors
/// [`Error::Invalid`] for anything else, such as `../x`.
pub fn check_name(name: &str) -> Result<()> {
    check(
        "sysroot name",
        name,
        "._+-",
        true,
        "use letters, digits and . _ + -, beginning with a letter or digit",
    )
}

/// Checks a suite's name.
///
/// # Errors
/// [`Error::Invalid`] if it is not one.
pub fn check_suite(suite: &str) -> Result<()> {
    check("suite", suite, ".-", false, "use a name such as trixie or sid, in lower case")
}

/// Checks the form of a Debian architecture name.
///
/// # Errors
/// [`Error::Invalid`] if it is not one.
pub fn check_arch(arch: &str) -> Result<()> {
    check("architecture", arch, "-", false, "use Debian's name for it, such as riscv64 or amd64")?;
    // Valid in packages, but not the architecture of a machine.
    if matches!(arch, "all" | "any" | "native") {
        let why = "name one architecture, such as riscv64".to_owned();
        return Err(Error::Invalid { what: "architecture", value: arch.to_owned(), why });
    }
    Ok(())
}

/// Checks a package's name against Debian Policy 5.6.1 (at least two characters: lower-case letters,
/// digits, plus, minus, period).
///
/// A trailing minus is refused, too: apt reads `NAME-` as "remove NAME".
///
/// # Errors
/// [`Error::Invalid`] if it is not a package name.
pub fn check_package(package: &str) -> Result<()> {
    let why = "use the package's name alone, such as openssl (no version, no architecture)";
    check("package name", package, "+.-", false, why)?;
    if package.len() < 2 || package.ends_with('-') {
        let value = package.to_owned();
        return Err(Error::Invalid { what: "package name", value, why: why.to_owned() });
    }
    Ok(())
}

/// Checks that an archive's URL has a scheme and is valid in apt's source list.
///
/// # Errors
/// [`Error::Invalid`], which does not show a password in the URL.
pub fn check_mirror(mirror: &str) -> Result<()> {
    let scheme = mirror.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
    let good = scheme.starts_with(|c: char| c.is_ascii_lowercase())
        && scheme.chars().all(|c| c.is_ascii_lowercase() || "+-".contains(c))
        && !mirror.contains(|c: char| c.is_whitespace() || c.is_control());
    if good {
        return Ok(());
    }
    Err(Error::Invalid {
        what: "mirror",
        value: without_credentials(mirror),
        why: "give --mirror (or CAPVEC_MIRROR) a URL such as https://HOST/debian or \
              file:/srv/debian"
            .to_owned(),
    })
}

/// Splits a default name `SUITE-ARCH`; `None` if it does not end in a known architecture.
pub(crate) fn split_suite_arch(name: &str) -> Option<(&str, &str)> {
    let (suite, arch) = name.rsplit_once('-')?;
    (ARCHES.contains(&arch) && check_suite(suite).is_ok()).then_some((suite, arch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_leave_the_store_are_refused() {
        for bad in ["../x", "..", ".", "", "a/b", ".hidden", "a b", "a\n", "-x", "é", "x\0"] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
        assert!(check_name(&"x".repeat(101)).is_err());
        for good in ["trixie-riscv64", "my_Root.2", "9+"] {
            assert!(check_name(good).is_ok(), "{good:?}");
        }
    }

    #[test]
    fn packages_that_apt_would_interpret_are_refused() {
        for bad in ["openssl-", "openssl=3", "openssl:amd64", "-y", "a", "", "open*", "./x.deb"] {
            assert!(check_package(bad).is_err(), "{bad:?}");
        }
        for good in ["openssl", "g++", "libstdc++6", "0ad", "libssl3t64"] {
            assert!(check_package(good).is_ok(), "{good:?}");
        }
    }

    #[test]
    fn suites_and_architectures_are_checked() {
        assert!(check_suite("bookworm-backports").is_ok());
        for bad in ["../trixie", "Trixie", "trixie/updates", "trixie main", ""] {
            assert!(check_suite(bad).is_err(), "{bad:?}");
        }
        assert!(check_arch("riscv64").is_ok());
        for bad in ["all", "riscv64 ", "RISCV64", "riscv64\";", ""] {
            assert!(check_arch(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn mirrors_need_a_scheme() {
        for bad in ["", "mirror.example/debian", "/srv/debian", "http://a b", "file:/a\nSuites: x"]
        {
            assert!(check_mirror(bad).is_err(), "{bad:?}");
        }
        for good in ["https://mirror.example/debian", "file:/srv/d", "mirror+file:/etc/x.list"] {
            assert!(check_mirror(good).is_ok(), "{good:?}");
        }
        let shown = check_mirror("https://me:secret@h/ x").unwrap_err().to_string();
        assert!(!shown.contains("secret"), "{shown}");
    }

    #[test]
    fn default_names_split_at_the_architecture() {
        assert_eq!(split_suite_arch("trixie-riscv64"), Some(("trixie", "riscv64")));
        assert_eq!(split_suite_arch("trixie-backports-amd64"), Some(("trixie-backports", "amd64")));
        assert_eq!(split_suite_arch("mine"), None);
        assert_eq!(split_suite_arch("trixie-backports"), None);
        assert_eq!(split_suite_arch("-riscv64"), None);
    }
}
