//! The sysroots of the distribution's libraries, for which drivers are built.

use crate::packaged::Packaged;
use crate::tools::beside;
use anyhow::{Result, bail};
use capvec_sysroot::{Origin, Store, Sysroot};

/// The sysroot of a library of the distribution of `sysroot`, fetched if necessary: drivers for the library run in it.
///
/// # Errors
/// What apt reports; or `sysroot` is a registered directory, of whose distribution nothing is known.
pub fn packaged_sysroot(
    store: &Store,
    sysroot: &str,
    library: Packaged,
    progress: &mut dyn FnMut(&str),
) -> Result<Sysroot> {
    if let Origin::Directory { .. } = store.get(sysroot)?.manifest.origin {
        bail!(
            "--sysroot {sysroot}: {} is fetched from a distribution, but this is a directory; name a sysroot such as \
             trixie-riscv64",
            library.name()
        );
    }
    beside(
        store,
        sysroot,
        &format!("-{}", library.name().replace(':', "-")),
        library.headers(),
        progress,
    )
}
