//! Directory entries: creating, linking and removing.

use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::{self, AtFlags, Mode};

use super::attributes::check_flags;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{access, at, inotify as ev, limit, o, s};
use crate::fs::caller::Caller;
use crate::fs::host::{self, SAFE_MODE};
use crate::fs::inode::owner::Owner;
use crate::fs::mount::Hit;
use crate::fs::path::located::{Dir, Node};
use crate::fs::shared_state::StoredByte;
use crate::fs::vfs::Vfs;
use crate::fs::vfs::resolve::{Found, Last};

/// Maximum number of hard links to a file: ext4's limit, the smallest of common file systems, so that it is the same
/// on every host.
const MAX_LINKS: u32 = 65000;

impl Vfs {
    /// `mkdirat`.
    ///
    /// # Errors
    /// As mkdir(2).
    pub fn mkdirat(&self, c: &Caller<'_>, dirfd: i32, path: &[u8], mode: u32) -> Result<()> {
        let found = self.new_name(c, dirfd, path, true)?;
        let dir = self.dir_for_creation(c, &found.dir)?;
        fs::mkdirat(dir, host::component(&found.name)?, Mode::RWXU)?;
        self.created(c, &found.dir, &found.name, mode & !c.umask)
    }

    /// `mknodat`: regular files and named pipes; other kinds would exist on the host.
    ///
    /// # Errors
    /// As mknod(2); `EPERM` for any other kind.
    pub fn mknodat(&self, c: &Caller<'_>, dirfd: i32, path: &[u8], mode: u32) -> Result<()> {
        match mode & s::IFMT {
            0 | s::IFREG => {
                let found = self.new_name(c, dirfd, path, false)?;
                let flags = o::CREAT | o::EXCL | o::WRONLY;
                self.create(c, &found, flags, mode & !c.umask).map(drop)
            }
            s::IFIFO => {
                let found = self.new_name(c, dirfd, path, false)?;
                self.make_fifo(c, &found.dir, &found.name, mode & !c.umask)
            }
            s::IFSOCK | s::IFCHR | s::IFBLK => Err(Errno::EPERM),
            _ => Err(Errno::EINVAL),
        }
    }

    /// `symlinkat`. The text is stored unchanged, and resolved in the guest only.
    ///
    /// # Errors
    /// As symlink(2).
    pub fn symlinkat(&self, c: &Caller<'_>, target: &[u8], dirfd: i32, path: &[u8]) -> Result<()> {
        if target.is_empty() {
            return Err(Errno::ENOENT);
        }
        if target.len() >= limit::PATH_MAX {
            return Err(Errno::ENAMETOOLONG);
        }
        let found = self.new_name(c, dirfd, path, false)?;
        let dir = self.dir_for_creation(c, &found.dir)?;
        let name = host::component(&found.name)?;
        fs::symlinkat(target, dir, &name)?;
        self.shared.transfers.note(|| {
            let stat = fs::statat(dir, &name, AtFlags::SYMLINK_NOFOLLOW);
            stat.ok().map(|s| StoredByte::first(&s))
        });
        self.created(c, &found.dir, &found.name, 0o777)
    }

    /// `linkat`.
    ///
    /// # Errors
    /// As link(2): `EXDEV` across mounts, `EPERM` for a directory.
    pub fn linkat(
        &self,
        c: &Caller<'_>,
        old: (i32, &[u8]),
        new: (i32, &[u8]),
        flags: u32,
    ) -> Result<()> {
        check_flags(flags, at::SYMLINK_FOLLOW | at::EMPTY_PATH)?;
        let follow = if flags & at::SYMLINK_FOLLOW != 0 { 0 } else { at::SYMLINK_NOFOLLOW };
        let source = self.locate(c, old.0, old.1, follow | (flags & at::EMPTY_PATH))?;
        let found = self.new_name(c, new.0, new.1, false)?;
        if source.is_dir() {
            return Err(Errno::EPERM);
        }
        if self.stat_place(&source)?.dev != found.dir.mount.dev() {
            return Err(Errno::EXDEV);
        }
        found.dir.permit(c.cred, access::W_OK)?;
        self.add_link(&source, &found)?;
        self.changed(&source)?;
        self.notify_inode(&source, ev::ATTRIB);
        self.notify_entry(&found.dir, ev::CREATE, &found.name, false);
        self.touch_dir(&found.dir)
    }

    /// Makes another hard link to a file; on a private mount it is charged to the guest's memory.
    fn add_link(&self, source: &Dir, found: &Found) -> Result<()> {
        let dir = found.dir.writable_dir()?;
        let (fd, inode) = source.host_fd().zip(source.inode()).ok_or(Errno::EPERM)?;
        let names = host::stat(fd)?.st_nlink as u32;
        if names >= MAX_LINKS {
            return Err(Errno::EMLINK);
        }
        let private = found.dir.mount.is_private();
        if private {
            inode.set_link_count(names + 1)?;
        }
        if let Err(e) = self.host_fds.link(fd, dir, &found.name) {
            if private {
                // A smaller charge cannot fail.
                let _ = inode.set_link_count(names);
            }
            return Err(e);
        }
        inode.watched.note_linked();
        self.inodes.remember(&host::stat(fd)?, inode);
        Ok(())
    }

    /// `unlinkat`; with `AT_REMOVEDIR` it is `rmdir`.
    ///
    /// # Errors
    /// As unlink(2) and rmdir(2); `EBUSY` for a mount point.
    pub fn unlinkat(&self, c: &Caller<'_>, dirfd: i32, path: &[u8], flags: u32) -> Result<()> {
        check_flags(flags, at::REMOVEDIR)?;
        let found = self.resolve(c, dirfd, path, Last::Name)?;
        let remove_dir = flags & at::REMOVEDIR != 0;
        if found.is_special() {
            return Err(match &found.name[..] {
                _ if !remove_dir => Errno::EISDIR,
                b"." => Errno::EINVAL,
                b".." => Errno::ENOTEMPTY,
                _ => Errno::EBUSY,
            });
        }
        let dir = self.changeable(&found)?;
        let place = found.place.as_ref().ok_or(Errno::ENOENT)?;
        found.dir.permit_removal(c.cred, place)?;
        match (place.is_dir(), remove_dir) {
            (true, false) => return Err(Errno::EISDIR),
            (false, true) => return Err(Errno::ENOTDIR),
            (false, false) if found.slash => return Err(Errno::ENOTDIR),
            _ => {}
        }
        let at_flags = if remove_dir { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        fs::unlinkat(dir, host::component(&found.name)?, at_flags)?;
        if !remove_dir {
            self.notify_inode(place, ev::ATTRIB);
        }
        self.note_name_removed(place, &found)?;
        self.notify_entry(&found.dir, ev::DELETE, &found.name, remove_dir);
        self.touch_dir(&found.dir)
    }

    /// Makes a named pipe. In a bind the host sees it, too, but its data stays in the guest.
    fn make_fifo(&self, c: &Caller<'_>, dir: &Dir, name: &[u8], mode: u32) -> Result<()> {
        let at = self.dir_for_creation(c, dir)?;
        let (kind, user) = (fs::FileType::Fifo, fs::Mode::RUSR);
        fs::mknodat(at, host::component(name)?, kind, user, 0)?;
        self.created(c, dir, name, mode)
    }

    /// The host directory of a place, if the caller may create entries in it.
    ///
    /// # Errors
    /// As [`crate::fs::path::located::Place::writable_dir`]; `EACCES`; `ENOSPC`.
    pub(in crate::fs) fn dir_for_creation<'a>(
        &self,
        c: &Caller<'_>,
        dir: &'a Dir,
    ) -> Result<BorrowedFd<'a>> {
        dir.permit(c.cred, access::W_OK | access::X_OK)?;
        if dir.mount.is_private() {
            self.inodes.room_for_inode()?;
        }
        dir.writable_dir()
    }

    /// Records that the host object `name` in `dir` has been created, and sets its mode.
    pub(in crate::fs) fn created(
        &self,
        c: &Caller<'_>,
        dir: &Dir,
        name: &[u8],
        mode: u32,
    ) -> Result<()> {
        let made = host::locate(dir.writable_dir()?, name)?;
        let stat = host::stat(&made)?;
        let inode = self.inodes.record(&stat)?;
        inode.created(&stat, self.platform().now());
        if dir.mount.is_private() {
            inode.set_owner(Owner::new(c.cred, mode & SAFE_MODE));
            inode.charge_contents(0)?;
        } else if stat.st_mode & s::IFMT != s::IFLNK {
            // The host process has a umask of its own.
            self.host_fds.chmod(made.as_fd(), mode)?;
        }
        let kind = stat.st_mode & s::IFMT;
        if kind == s::IFIFO {
            inode.set_guest_fifo();
        }
        self.notify_entry(dir, ev::CREATE, name, kind == s::IFDIR);
        self.touch_dir(dir)
    }

    /// Resolves a path whose last component is to be created.
    fn new_name(&self, c: &Caller<'_>, dirfd: i32, path: &[u8], for_dir: bool) -> Result<Found> {
        let found = self.resolve(c, dirfd, path, Last::Name)?;
        found.check_free()?;
        if found.slash && !for_dir {
            return Err(Errno::ENOENT);
        }
        Ok(found)
    }

    /// The host directory of an entry, if the entry may be removed or renamed.
    pub(super) fn changeable<'a>(&self, found: &'a Found) -> Result<BorrowedFd<'a>> {
        match self.mounts.at(&found.dir.join(&found.name)) {
            Hit::None if found.place.is_none() && found.dir.virtual_tree().is_some() => {
                Err(Errno::ENOENT)
            }
            Hit::None => found.dir.writable_dir(),
            Hit::Mount(_) | Hit::Ancestor => Err(Errno::EBUSY),
        }
    }

    /// Notes that a name of an object has been removed; after the last one, the host may reuse its inode number.
    pub(super) fn note_name_removed(&self, place: &Dir, found: &Found) -> Result<()> {
        let Node::Host(node) = &place.node else { return Ok(()) };
        if let Some(dir) = found.dir.inode() {
            node.inode().watched.renamed(&dir.watched, &found.name, None);
        }
        let stat = host::stat(node.fd())?;
        if stat.st_nlink == 0 || place.is_dir() {
            self.inodes.forget(&stat);
            node.inode().watched.note_unlinked();
        } else if place.mount.is_private() {
            node.inode().set_link_count(stat.st_nlink as u32)?;
        }
        Ok(())
    }
}
