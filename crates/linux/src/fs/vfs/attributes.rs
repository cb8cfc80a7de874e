//! Attributes by path and by descriptor.

use std::rc::Rc;

use rustix::fs::Access;

use super::Vfs;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{access, at, inotify as ev, s, utime};
use crate::fs::caller::Caller;
use crate::fs::host;
use crate::fs::open_file::OpenFile;
use crate::fs::open_file::directory::is_removed;
use crate::fs::path::located::{Dir, Node};
use crate::fs::path::resolve::Last;
use crate::fs::stat::{Stat, StatFs, Timespec};
use crate::fs::virt::file;

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

    /// Attributes of the object at `place`.
    pub(crate) fn stat_place(&self, place: &Dir) -> Result<Stat> {
        let mount = &place.mount;
        match &place.node {
            Node::Host(node) => {
                let host = host::stat(node.fd())?;
                let mut stat = node.inode().stat(&host, mount.dev(), mount.id);
                if stat.file_type() == s::IFLNK {
                    // Some host file systems report other permission bits.
                    stat.mode = s::IFLNK | 0o777;
                }
                Ok(stat)
            }
            Node::Virtual(node) => Ok(file::stat(*node, place, &self.shared)),
            Node::Ancestor => Ok(file::base_stat(s::IFDIR | 0o755, 0, place, &self.shared)),
            Node::Open(object) => object.stat(),
        }
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
    /// As readlink(2): `EINVAL` when it is no symbolic link.
    pub fn readlinkat(&self, c: &Caller<'_>, dirfd: i32, path: &[u8]) -> Result<Vec<u8>> {
        let empty = if dirfd == at::FDCWD { 0 } else { at::EMPTY_PATH };
        let place = self.locate(c, dirfd, path, at::SYMLINK_NOFOLLOW | empty)?;
        match &place.node {
            Node::Host(node) if node.kind() == s::IFLNK => host::read_link(node.fd()),
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

    pub(crate) fn check_access(&self, c: &Caller<'_>, place: &Dir, mode: u32) -> Result<()> {
        let stat = self.stat_place(place)?;
        let kind = stat.file_type();
        let writes = mode & access::W_OK != 0;
        if writes && matches!(kind, s::IFREG | s::IFDIR | s::IFLNK) {
            place.check_writable()?;
        }
        if mode & access::X_OK != 0 && kind != s::IFDIR && stat.mode & 0o111 == 0 {
            return Err(Errno::EACCES);
        }
        place.permit(c, mode)?;
        match (&place.node, place.host_fd()) {
            (Node::Virtual(_), _) if writes && kind == s::IFREG => Err(Errno::EACCES),
            (_, Some(fd)) if matches!(kind, s::IFREG | s::IFDIR) => {
                let mut wanted = Access::EXISTS;
                for (bit, flag) in
                    [(access::R_OK, Access::READ_OK), (access::W_OK, Access::WRITE_OK)]
                {
                    if mode & bit != 0 {
                        wanted |= flag;
                    }
                }
                self.host_fds.access(fd, wanted)
            }
            _ => Ok(()),
        }
    }

    /// Records a change of attributes or names.
    pub(crate) fn changed(&self, place: &Dir) -> Result<()> {
        if let (Some(inode), Some(fd)) = (place.inode(), place.host_fd()) {
            inode.changed(&host::stat(fd)?, self.platform().now());
        }
        Ok(())
    }

    /// `utimensat`; without `path` it is `futimens` of `dirfd`. Only what the guest sees changes:
    /// on a writable bind the host's modification time changes, too.
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
        match place.check_owner(c) {
            // Write permission suffices to set both times to the current time.
            Err(_) if times == [TimeArg::Now; 2] => place.permit(c, access::W_OK)?,
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
        place.permit(c, access::X_OK)?;
        if let Some(fd) = place.host_fd() {
            self.host_fds.access(fd, Access::EXEC_OK)?;
        }
        Ok(place)
    }

    /// The place of an open file that is not `O_PATH`.
    pub(super) fn place_of(&self, file: &Rc<OpenFile>) -> Result<Dir> {
        if file.is_path() {
            return Err(Errno::EBADF);
        }
        self.place_of_open(file)
    }

    /// The place of an open file.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub(crate) fn place_of_open(&self, file: &Rc<OpenFile>) -> Result<Dir> {
        match file.place() {
            Some(place) => Ok(Rc::clone(place)),
            None => {
                let open = Node::Open(file.shared_object());
                crate::fs::path::located::Place::child(&self.root(), file.label(), open)
            }
        }
    }
}
