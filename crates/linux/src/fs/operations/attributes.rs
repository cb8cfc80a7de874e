//! Attributes by path and by descriptor.

use std::rc::Rc;

use rustix::fs::Access;

use crate::base::errno::{Errno, Result};
use crate::fs::abi::{access, at, inotify as ev, s, utime};
use crate::fs::caller::Caller;
use crate::fs::host;
use crate::fs::kinds::directory::is_removed;
use crate::fs::open_file::OpenFile;
use crate::fs::path::located::{Dir, Node};
use crate::fs::shared_state::StoredByte;
use crate::fs::stat::{Stat, StatFs, Timespec};
use crate::fs::vfs::Vfs;
use crate::fs::vfs::resolve::Last;

/// One time of `utimensat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeArg {
    /// `UTIME_NOW`.
    Now,
    /// `UTIME_OMIT`.
    Omit,
    /// A point in time.
    At(Timespec),
}

impl TimeArg {
    /// The time of a guest's `struct timespec`.
    ///
    /// # Errors
    /// `EINVAL` for nanoseconds out of range.
    pub fn from_guest(sec: i64, nsec: u64) -> Result<TimeArg> {
        match nsec {
            utime::NOW => Ok(TimeArg::Now),
            utime::OMIT => Ok(TimeArg::Omit),
            0..=999_999_999 => Ok(TimeArg::At(Timespec { sec, nsec: nsec as u32 })),
            _ => Err(Errno::EINVAL),
        }
    }

    fn apply(self, now: Timespec, time: &mut Timespec) {
        match self {
            TimeArg::Now => *time = now,
            TimeArg::Omit => {}
            TimeArg::At(at) => *time = at,
        }
    }
}

/// Checks that no flag other than `allowed` is set.
pub(crate) fn check_flags(flags: u32, allowed: u32) -> Result<()> {
    if flags & !allowed == 0 { Ok(()) } else { Err(Errno::EINVAL) }
}

/// The flags of calls that locate an object by path.
pub(super) const LOCATE_FLAGS: u32 = at::SYMLINK_NOFOLLOW | at::EMPTY_PATH;

impl Vfs {
    /// `newfstatat` and, with its flags, `statx`.
    ///
    /// # Errors
    /// As stat(2); `EINVAL` for an unknown flag.
    pub fn stat_at(&self, c: &Caller<'_>, dirfd: i32, path: &[u8], flags: u32) -> Result<Stat> {
        check_flags(flags, LOCATE_FLAGS | at::NO_AUTOMOUNT | at::STATX_SYNC_TYPE)?;
        if path.is_empty() && flags & at::EMPTY_PATH != 0 && dirfd != at::FDCWD {
            return c.file(dirfd)?.stat();
        }
        self.stat_place(&self.locate(c, dirfd, path, flags)?)
    }

    /// `statfs`.
    ///
    /// # Errors
    /// As statfs(2).
    pub fn statfs(&self, c: &Caller<'_>, path: &[u8]) -> Result<StatFs> {
        let place = self.locate(c, at::FDCWD, path, 0)?;
        match &place.node {
            Node::Open(object) => Ok(object.statfs()),
            _ => Ok(place.mount.statfs()),
        }
    }

    /// `readlinkat`. An empty path means the link that `dirfd` was opened on with `O_PATH`.
    ///
    /// # Errors
    /// As readlink(2): `EINVAL` when it is not a symbolic link.
    pub fn readlinkat(&self, c: &Caller<'_>, dirfd: i32, path: &[u8]) -> Result<Vec<u8>> {
        let empty = if dirfd == at::FDCWD { 0 } else { at::EMPTY_PATH };
        let place = self.locate(c, dirfd, path, at::SYMLINK_NOFOLLOW | empty)?;
        match &place.node {
            Node::Host(node) if node.kind() == s::IFLNK => {
                self.shared
                    .transfers
                    .note(|| host::stat(node.fd()).ok().map(|s| StoredByte::first(&s)));
                host::read_link(node.fd())
            }
            Node::Virtual(node) => node.link_text(c),
            _ if path.is_empty() => Err(Errno::ENOENT),
            _ => Err(Errno::EINVAL),
        }
    }

    /// `faccessat` and `faccessat2`: the real user's rights, or with `AT_EACCESS` the effective one's, bounded
    /// by the mount and by the rights of the host's user.
    ///
    /// # Errors
    /// As access(2): `EROFS`, `EACCES`; `EINVAL` for an unknown mode or flag.
    pub fn faccessat(
        &self,
        c: &Caller<'_>,
        dirfd: i32,
        path: &[u8],
        mode: u32,
        flags: u32,
    ) -> Result<()> {
        check_flags(flags, LOCATE_FLAGS | at::EACCESS)?;
        check_flags(mode, access::R_OK | access::W_OK | access::X_OK)?;
        let real = c.cred.as_real();
        let cred = if flags & at::EACCESS != 0 { c.cred } else { &real };
        let (pid, tid, cwd, umask) = (c.pid, c.tid, c.cwd, c.umask);
        let c = &Caller { pid, tid, cwd, umask, cred, fds: c.fds, procs: c.procs };
        let place = self.locate(c, dirfd, path, flags)?;
        self.check_access(c, &place, mode)
    }

    /// `utimensat`; without `path` it is `futimens` of `dirfd`. Only the times that the guest sees
    /// change; on a writable bind, the host's modification time changes, too.
    ///
    /// # Errors
    /// As utimensat(2): `EROFS`; `EPERM` for a virtual file.
    pub fn utimensat(
        &self,
        c: &Caller<'_>,
        dirfd: i32,
        path: Option<&[u8]>,
        times: [TimeArg; 2],
        flags: u32,
    ) -> Result<()> {
        check_flags(flags, LOCATE_FLAGS)?;
        let place = match path {
            Some(path) => self.locate(c, dirfd, path, flags)?,
            None => self.place_of(&c.file(dirfd)?)?,
        };
        if times == [TimeArg::Omit; 2] {
            return Ok(());
        }
        place.check_writable()?;
        match place.check_owner(c.cred) {
            // Write permission suffices to set both times to the current time.
            Err(_) if times == [TimeArg::Now; 2] => place.permit(c.cred, access::W_OK)?,
            checked => checked?,
        }
        let fd = place.host_fd().ok_or(Errno::EPERM)?;
        let now = self.platform().now();
        let inode = place.inode().ok_or(Errno::EPERM)?;
        let mut mtime = None;
        inode.update(&host::stat(fd)?, |t| {
            times[0].apply(now, &mut t.atime);
            times[1].apply(now, &mut t.mtime);
            t.ctime = now;
            mtime = (times[1] != TimeArg::Omit).then_some(t.mtime);
        });
        self.notify(
            &place,
            match times.map(|time| time == TimeArg::Omit) {
                [false, true] => ev::ACCESS,
                [true, false] => ev::MODIFY,
                _ => ev::ATTRIB,
            },
        );
        match mtime {
            Some(mtime) if place.kind() != s::IFLNK => self.host_fds.set_mtime(fd, mtime),
            _ => Ok(()),
        }
    }

    /// `truncate`.
    ///
    /// # Errors
    /// As truncate(2).
    pub fn truncate(&self, c: &Caller<'_>, path: &[u8], size: i64) -> Result<()> {
        if size < 0 {
            return Err(Errno::EINVAL);
        }
        let place = self.locate(c, at::FDCWD, path, 0)?;
        match place.kind() {
            s::IFDIR => Err(Errno::EISDIR),
            s::IFREG => self.open_place(c, &place, crate::fs::abi::o::WRONLY)?.truncate(size),
            _ => Err(Errno::EINVAL),
        }
    }

    /// `chdir`: the new working directory.
    ///
    /// # Errors
    /// As chdir(2).
    pub fn chdir(&self, c: &Caller<'_>, path: &[u8]) -> Result<Dir> {
        let place = self.resolve(c, at::FDCWD, path, Last::Follow)?.existing()?;
        self.enter(c, place)
    }

    /// `fchdir`: the new working directory.
    ///
    /// # Errors
    /// `ENOTDIR`, `EACCES`.
    pub fn fchdir(&self, c: &Caller<'_>, file: &OpenFile) -> Result<Dir> {
        self.enter(c, Rc::clone(file.place().ok_or(Errno::ENOTDIR)?))
    }

    /// `getcwd` for the working directory `dir`, without the terminating NUL.
    ///
    /// # Errors
    /// `ENOENT` when the directory was removed.
    pub fn getcwd(&self, dir: &Dir) -> Result<Vec<u8>> {
        if is_removed(dir)? {
            return Err(Errno::ENOENT);
        }
        Ok(dir.path().to_vec())
    }

    fn enter(&self, c: &Caller<'_>, place: Dir) -> Result<Dir> {
        if !place.is_dir() {
            return Err(Errno::ENOTDIR);
        }
        place.permit(c.cred, access::X_OK)?;
        if let Some(fd) = place.host_fd() {
            self.host_fds.access(fd, Access::EXEC_OK)?;
        }
        Ok(place)
    }
}
