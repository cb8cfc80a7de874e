//! Package trees ("sysroots") of other architectures, fetched through apt.
//!
//! A [`Store`] keeps one directory per sysroot. [`Store::add`] resolves, verifies, downloads and
//! unpacks packages with the machine's own `apt-get`, but in a private state directory, so that
//! neither root nor any change to the system is needed. [`ensure`] is the short way for callers
//! that only want a path: it touches nothing and needs no network once the packages are there.

mod accounts;
mod add;
mod alternatives;
mod apt;
mod apt_output;
mod error;
mod files;
mod finish;
mod gc;
mod machine;
mod manifest;
mod name;
mod pam;
mod progress;
mod refresh;
mod source;
mod sources;
mod store;
mod tool;
mod unpack;

use std::path::PathBuf;

pub use add::Request;
pub use error::{Error, Result};
pub use files::{Changed, Check};
pub use gc::{BUILD, Collect, Collected, Item};
pub use manifest::{Manifest, Origin, Package, Reason};
pub use name::{check_arch, check_mirror, check_name, check_package, check_suite};
pub use progress::Progress;
pub use source::Source;
pub use store::{Store, Sysroot};

/// Suite taken when the user names none: the first stable Debian release with riscv64.
pub const DEFAULT_SUITE: &str = "trixie";
/// Architecture taken when the user names none.
pub const DEFAULT_ARCH: &str = "riscv64";

/// Root directory of sysroot `name` in the user's default store, with `packages` in it.
///
/// Quick and offline when they are there already. Otherwise a name of the form `SUITE-ARCH` is
/// created or extended through apt; `progress` is told of each step.
///
/// # Errors
/// Whatever [`Store::ensure`] reports; every message names its remedy.
pub fn ensure(
    name: &str,
    packages: &[&str],
    progress: &mut dyn FnMut(&Progress),
) -> Result<PathBuf> {
    Store::from_env()?.ensure(name, packages, progress)
}
