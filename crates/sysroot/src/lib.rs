//! Package trees ("sysroots") of other architectures, fetched through apt.
//!
//! A [`Store`] keeps one directory per sysroot. [`Store::add`] resolves, verifies, downloads and unpacks packages
//! with the machine's own `apt-get`, but in a private state directory, so it needs neither root nor any change to the
//! system. [`ensure`] is a shortcut for callers that only need a path: it changes nothing and needs no network if the
//! packages are already there.

#![warn(missing_docs)]

mod accounts;
mod add;
mod alternatives;
mod apt;
mod apt_output;
mod apt_sources;
mod complete;
mod error;
mod gc;
mod host_archive;
mod installed_files;
mod manifest;
mod name;
mod new_file;
mod pam;
mod progress;
mod refresh;
mod source_packages;
mod store;
mod sysroot;
mod tool;
mod unpack;

use std::path::PathBuf;

pub use add::Request;
pub use error::{Error, Result};
pub use gc::{Collect, Collected, Item};
pub use installed_files::{Changed, Check};
pub use manifest::{Manifest, Origin, Package, Reason};
pub use name::{BUILD, check_arch, check_mirror, check_name, check_package, check_suite};
pub use progress::Progress;
pub use source_packages::Source;
pub use store::{Removed, Store};
pub use sysroot::Sysroot;

/// Default suite: the first stable Debian release with riscv64.
pub const DEFAULT_SUITE: &str = "trixie";
/// Default architecture.
pub const DEFAULT_ARCH: &str = "riscv64";

/// Root directory of sysroot `name` in the user's default store, with `packages` in it.
///
/// Fast and offline if they are already there. Otherwise creates or extends a sysroot named `SUITE-ARCH` through apt,
/// reporting each step to `progress`.
///
/// # Errors
/// Those of [`Store::ensure`]; every message names its remedy.
pub fn ensure(
    name: &str,
    packages: &[&str],
    progress: &mut dyn FnMut(&Progress),
) -> Result<PathBuf> {
    Store::from_env()?.ensure(name, packages, progress)
}
