//! File permissions (path_resolution(7), "Permissions").
//!
//! Owners and modes of private files are kept in the records of their inodes and checked here; the host's own file is
//! always accessible to the host's user. Owners and modes of virtual files are checked here, too. Files of the host,
//! in the sysroot and under binds, appear to be owned by user 0; the mount and the rights of the host's user decide.

use super::located::{Dir, Node, Place};
use crate::base::cred::cap;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{access, inotify as ev, s};
use crate::fs::caller::Caller;
use crate::fs::vfs::Vfs;

/// The sticky bit.
const STICKY: u32 = 0o1000;

/// Owner and permission bits of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    /// User.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Permission bits.
    pub mode: u32,
}

impl Owner {
    /// The owner of a file that the caller creates.
    pub fn new(c: &Caller<'_>, mode: u32) -> Owner {
        Owner { uid: c.cred.uid.fs, gid: c.cred.gid.fs, mode }
    }

    /// Whether it gives the caller the rights `want` (`access::*`) to a directory, or to another file.
    fn permits(&self, c: &Caller<'_>, is_dir: bool, want: u32) -> bool {
        let shift = if c.cred.uid.fs == self.uid {
            6
        } else if c.cred.in_group(self.gid) {
            3
        } else {
            0
        };
        if self.mode >> shift & want == want {
            return true;
        }
        let reads = if is_dir { access::R_OK | access::X_OK } else { access::R_OK };
        let executable = is_dir || want & access::X_OK == 0 || self.mode & 0o111 != 0;
        (c.cred.has(cap::DAC_OVERRIDE) && executable)
            || (c.cred.has(cap::DAC_READ_SEARCH) && want & !reads == 0)
    }
}

impl Place {
    /// The owner and mode that decide about access; `None` where the host's rights decide.
    pub(crate) fn owner(&self) -> Option<Owner> {
        match &self.node {
            Node::Virtual(node) => {
                let (uid, gid) = node.owner();
                Some(Owner { uid, gid, mode: node.mode() & !s::IFMT })
            }
            _ => self.inode().and_then(|inode| inode.owner()),
        }
    }

    /// Checks that the caller may do what only a file's owner may.
    ///
    /// # Errors
    /// `EPERM`.
    pub(crate) fn check_owner(&self, c: &Caller<'_>) -> Result<()> {
        let owns = self.owner().is_none_or(|owner| c.cred.uid.fs == owner.uid);
        if owns || c.cred.has(cap::FOWNER) { Ok(()) } else { Err(Errno::EPERM) }
    }

    /// Checks that the caller has the rights `want` (`access::*`).
    ///
    /// # Errors
    /// `EACCES`.
    pub(crate) fn permit(&self, c: &Caller<'_>, want: u32) -> Result<()> {
        match self.owner() {
            Some(owner) if !owner.permits(c, self.is_dir(), want) => Err(Errno::EACCES),
            _ => Ok(()),
        }
    }

    /// Checks that the caller may remove `victim` from this directory.
    ///
    /// # Errors
    /// `EACCES`; `EPERM` for another's file in a directory with the sticky bit.
    pub(crate) fn permit_removal(&self, c: &Caller<'_>, victim: &Place) -> Result<()> {
        self.permit(c, access::W_OK)?;
        let mine = |o: Owner| o.uid == c.cred.uid.fs;
        let sticky = self.owner().is_some_and(|dir| dir.mode & STICKY != 0 && !mine(dir));
        let theirs = sticky && victim.owner().is_some_and(|file| !mine(file));
        if theirs && !c.cred.has(cap::FOWNER) { Err(Errno::EPERM) } else { Ok(()) }
    }
}

impl Vfs {
    /// Changes a file's user and group, where the record has them; `u32::MAX` leaves one unchanged.
    ///
    /// # Errors
    /// As chown(2): `EROFS`, `EPERM`.
    pub(crate) fn chown_place(&self, c: &Caller<'_>, place: &Dir, to: (u32, u32)) -> Result<()> {
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
