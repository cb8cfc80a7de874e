//! Owners and permission bits by path and by descriptor.

use std::rc::Rc;

use super::attributes::{LOCATE_FLAGS, check_flags};
use crate::base::cred::cap;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{inotify as ev, s};
use crate::fs::caller::Caller;
use crate::fs::host;
use crate::fs::inode::owner::Owner;
use crate::fs::open_file::OpenFile;
use crate::fs::path::located::Dir;
use crate::fs::vfs::Vfs;

impl Vfs {
    /// `fchmodat` and `fchmodat2`. Set-user-ID and set-group-ID are dropped: the host's user must
    /// not get files that lend its rights.
    ///
    /// # Errors
    /// As chmod(2): `EROFS`; `EOPNOTSUPP` for a symbolic link; `EPERM` for a virtual file.
    pub fn fchmodat(
        &self,
        c: &Caller<'_>,
        dirfd: i32,
        path: &[u8],
        mode: u32,
        flags: u32,
    ) -> Result<()> {
        check_flags(flags, LOCATE_FLAGS)?;
        self.chmod_place(c, &self.locate(c, dirfd, path, flags)?, mode)
    }

    /// `fchmod`.
    ///
    /// # Errors
    /// As [`Vfs::fchmodat`]; `EBADF` on `O_PATH`.
    pub fn fchmod(&self, c: &Caller<'_>, file: &Rc<OpenFile>, mode: u32) -> Result<()> {
        self.chmod_place(c, &self.place_of(file)?, mode)
    }

    fn chmod_place(&self, c: &Caller<'_>, place: &Dir, mode: u32) -> Result<()> {
        if place.kind() == s::IFLNK {
            return Err(Errno::EOPNOTSUPP);
        }
        place.check_writable()?;
        let fd = place.host_fd().ok_or(Errno::EPERM)?;
        place.check_owner(c.cred)?;
        match (place.inode(), place.owner()) {
            (Some(inode), Some(owner)) => {
                inode.set_owner(Owner { mode: mode & host::SAFE_MODE, ..owner });
            }
            _ => self.host_fds.chmod(fd, mode)?,
        }
        self.notify(place, ev::ATTRIB);
        self.changed(place)
    }

    /// `fchownat` to a user and group. Under a writable bind it is accepted without effect: there everything
    /// belongs to root in the guest and to one user on the host.
    ///
    /// # Errors
    /// As chown(2): `EROFS`, `EPERM`.
    pub fn fchownat(
        &self,
        c: &Caller<'_>,
        dirfd: i32,
        path: &[u8],
        to: (u32, u32),
        flags: u32,
    ) -> Result<()> {
        check_flags(flags, LOCATE_FLAGS)?;
        self.chown_place(c, &self.locate(c, dirfd, path, flags)?, to)
    }

    /// `fchown`, as [`Vfs::fchownat`].
    ///
    /// # Errors
    /// `EROFS`, `EPERM`; `EBADF` on `O_PATH`.
    pub fn fchown(&self, c: &Caller<'_>, file: &Rc<OpenFile>, to: (u32, u32)) -> Result<()> {
        self.chown_place(c, &self.place_of(file)?, to)
    }

    /// Changes a file's user and group, where the record has them; `u32::MAX` leaves one unchanged.
    ///
    /// # Errors
    /// As chown(2): `EROFS`, `EPERM`.
    fn chown_place(&self, c: &Caller<'_>, place: &Dir, to: (u32, u32)) -> Result<()> {
        place.check_writable()?;
        let changes = to != (u32::MAX, u32::MAX);
        if let Some(old) = place.owner() {
            self.give(c, place, old, to, changes)?;
        }
        if changes {
            self.notify(place, ev::ATTRIB);
        }
        Ok(())
    }

    fn give(
        &self,
        c: &Caller<'_>,
        place: &Dir,
        old: Owner,
        to: (u32, u32),
        changes: bool,
    ) -> Result<()> {
        let pick = |new, old| if new == u32::MAX { old } else { new };
        let new = Owner { uid: pick(to.0, old.uid), gid: pick(to.1, old.gid), ..old };
        let own = c.cred.uid.fs == old.uid && new.uid == old.uid;
        let may = own && (new.gid == old.gid || c.cred.in_group(new.gid));
        if !may && changes && !c.cred.has(cap::CHOWN) {
            return Err(Errno::EPERM);
        }
        if let Some(inode) = place.inode() {
            inode.set_owner(new);
        }
        self.changed(place)
    }
}
