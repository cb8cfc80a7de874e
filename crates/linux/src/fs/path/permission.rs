//! File permissions (path_resolution(7), "Permissions").
//!
//! Owners and modes of private files are kept in the records of their inodes and checked here; the host's own file is
//! always accessible to the host's user. Owners and modes of virtual files are checked here, too. Files of the host,
//! in the sysroot and under binds, appear to be owned by user 0; the mount and the rights of the host's user decide.

use super::located::{Node, Place};
use crate::base::cred::{Cred, cap};
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{access, s};
use crate::fs::inode::owner::Owner;

/// The sticky bit.
const STICKY: u32 = 0o1000;

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

    /// Checks that a thread with these credentials may do what only a file's owner may.
    ///
    /// # Errors
    /// `EPERM`.
    pub(crate) fn check_owner(&self, cred: &Cred) -> Result<()> {
        let owns = self.owner().is_none_or(|owner| cred.uid.fs == owner.uid);
        if owns || cred.has(cap::FOWNER) { Ok(()) } else { Err(Errno::EPERM) }
    }

    /// Checks that a thread with these credentials has the rights `want` (`access::*`).
    ///
    /// # Errors
    /// `EACCES`.
    pub(crate) fn permit(&self, cred: &Cred, want: u32) -> Result<()> {
        match self.owner() {
            Some(owner) if !owner.permits(cred, self.is_dir(), want) => Err(Errno::EACCES),
            _ => Ok(()),
        }
    }

    /// Checks that a thread with these credentials may remove `victim` from this directory.
    ///
    /// # Errors
    /// `EACCES`; `EPERM` for another's file in a directory with the sticky bit.
    pub(crate) fn permit_removal(&self, cred: &Cred, victim: &Place) -> Result<()> {
        self.permit(cred, access::W_OK)?;
        let mine = |o: Owner| o.uid == cred.uid.fs;
        let sticky = self.owner().is_some_and(|dir| dir.mode & STICKY != 0 && !mine(dir));
        let theirs = sticky && victim.owner().is_some_and(|file| !mine(file));
        if theirs && !cred.has(cap::FOWNER) { Err(Errno::EPERM) } else { Ok(()) }
    }
}
