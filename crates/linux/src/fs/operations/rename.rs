//! Renaming directory entries.

use rustix::fs::{self, RenameFlags};

use super::attributes::check_flags;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{access, rename};
use crate::fs::caller::Caller;
use crate::fs::host;
use crate::fs::path::located::Dir;
use crate::fs::vfs::Vfs;
use crate::fs::vfs::resolve::{Found, Last};

/// What the flags of `renameat2` ask for.
#[derive(Clone, Copy)]
struct Flags {
    noreplace: bool,
    exchange: bool,
}

impl Flags {
    fn of(bits: u32) -> Result<Flags> {
        check_flags(bits, rename::NOREPLACE | rename::EXCHANGE)?;
        let flags = Flags {
            noreplace: bits & rename::NOREPLACE != 0,
            exchange: bits & rename::EXCHANGE != 0,
        };
        if flags.noreplace && flags.exchange { Err(Errno::EINVAL) } else { Ok(flags) }
    }

    fn of_host(self) -> RenameFlags {
        let mut flags = RenameFlags::empty();
        flags.set(RenameFlags::NOREPLACE, self.noreplace);
        flags.set(RenameFlags::EXCHANGE, self.exchange);
        flags
    }
}

impl Vfs {
    /// `renameat2` with `RENAME_NOREPLACE` and `RENAME_EXCHANGE`.
    ///
    /// # Errors
    /// As rename(2): `EXDEV` across mounts; `EBUSY` for a mount point.
    pub fn renameat2(
        &self,
        c: &Caller<'_>,
        old: (i32, &[u8]),
        new: (i32, &[u8]),
        flags: u32,
    ) -> Result<()> {
        let flags = Flags::of(flags)?;
        let from = self.resolve(c, old.0, old.1, Last::Name)?;
        let to = self.resolve(c, new.0, new.1, Last::Name)?;
        check_names(&from, &to, flags)?;
        if to.place.is_none() {
            to.check_free()?;
        }
        let (from_dir, to_dir) = (self.changeable(&from)?, self.changeable(&to)?);
        let source = from.place.as_ref().ok_or(Errno::ENOENT)?;
        permit(c, &from, source, &to, flags)?;
        check_objects(&from, source, &to, flags)?;
        let (from_name, to_name) = (host::component(&from.name)?, host::component(&to.name)?);
        fs::renameat_with(from_dir, from_name, to_dir, to_name, flags.of_host())?;
        self.notify_rename(&from, &to, flags.exchange);
        if let (Some(replaced), false) = (&to.place, flags.exchange) {
            self.note_name_removed(replaced, &to)?;
        }
        self.changed(source)?;
        self.touch_dir(&from.dir)?;
        self.touch_dir(&to.dir)
    }
}

/// Checks that both paths name entries of one mount.
fn check_names(from: &Found, to: &Found, flags: Flags) -> Result<()> {
    if from.dir.mount.id != to.dir.mount.id {
        return Err(Errno::EXDEV);
    }
    if from.is_special() {
        return Err(Errno::EBUSY);
    }
    if to.is_special() {
        return Err(if flags.noreplace { Errno::EEXIST } else { Errno::EBUSY });
    }
    Ok(())
}

/// Checks the caller's permissions for both directories, and for directories that get another parent.
fn permit(c: &Caller<'_>, from: &Found, source: &Dir, to: &Found, flags: Flags) -> Result<()> {
    from.dir.permit_removal(c.cred, source)?;
    match &to.place {
        Some(target) => to.dir.permit_removal(c.cred, target)?,
        None => to.dir.permit(c.cred, access::W_OK)?,
    }
    if from.dir.path() == to.dir.path() {
        return Ok(());
    }
    let exchanged = to.place.as_ref().filter(|_| flags.exchange);
    // Their `..` changes.
    for moved in [Some(source), exchanged].into_iter().flatten().filter(|place| place.is_dir()) {
        moved.permit(c.cred, access::W_OK)?;
    }
    Ok(())
}

/// Checks that the target exists or not, as the flags ask, and that a slash comes only after directories.
fn check_objects(from: &Found, source: &Dir, to: &Found, flags: Flags) -> Result<()> {
    match &to.place {
        Some(_) if flags.noreplace => return Err(Errno::EEXIST),
        None if flags.exchange => return Err(Errno::ENOENT),
        Some(target) if flags.exchange && to.slash && !target.is_dir() => {
            return Err(Errno::ENOTDIR);
        }
        _ => {}
    }
    if !source.is_dir() && (from.slash || (to.slash && !flags.exchange)) {
        return Err(Errno::ENOTDIR);
    }
    Ok(())
}
