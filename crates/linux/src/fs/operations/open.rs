//! Opening files.

use std::os::fd::OwnedFd;
use std::rc::Rc;

use crate::base::errno::{Errno, Result};
use crate::fs::abi::{access, at, inotify as ev, o, s};
use crate::fs::caller::Caller;
use crate::fs::host::{self, SAFE_MODE};
use crate::fs::inode::owner::Owner;
use crate::fs::kinds::device::{DeviceFile, open_tty};
use crate::fs::kinds::directory::DirFile;
use crate::fs::kinds::host_file::HostFile;
use crate::fs::kinds::path_file::PathFile;
use crate::fs::kinds::stdio::Stream;
use crate::fs::kinds::virtual_file::VirtFile;
use crate::fs::mount::Source;
use crate::fs::object::FileObject;
use crate::fs::open_file::{FileRef, OpenFile};
use crate::fs::path::located::{Dir, HostNode, Node};
use crate::fs::vfs::Vfs;
use crate::fs::vfs::resolve::{Found, Last};
use crate::fs::virtual_trees::entry::Device;
use crate::fs::virtual_trees::node::VirtNode;

/// Attempts at creating a file that another host process creates or removes at the same time.
const CREATE_ATTEMPTS: usize = 8;

/// The host's mode of a new file until its own is set; a private file keeps it.
const NEW_MODE: u32 = 0o600;

impl Vfs {
    /// `openat`. The caller installs the description in its table.
    ///
    /// # Errors
    /// As open(2). A socket or device node of the host, or a FIFO that the guest has not made, is refused with `EACCES` (`ENXIO` for
    /// a socket): opening it could block or act on the host.
    pub fn openat(
        &self,
        c: &Caller<'_>,
        dirfd: i32,
        path: &[u8],
        flags: u32,
        mode: u32,
    ) -> Result<FileRef> {
        if flags & o::PATH != 0 {
            return self.open_path(c, dirfd, path, flags);
        }
        if flags & o::TMPFILE_BIT != 0 {
            return self.open_unnamed(c, dirfd, path, flags, mode);
        }
        if flags & (o::CREAT | o::DIRECTORY) == o::CREAT | o::DIRECTORY {
            return Err(Errno::EINVAL);
        }
        for _ in 0..CREATE_ATTEMPTS {
            match self.open_or_create(c, dirfd, path, flags, mode) {
                Err(Errno::EEXIST) if flags & o::EXCL == 0 => {}
                other => return other,
            }
        }
        Err(Errno::EAGAIN)
    }

    fn open_path(&self, c: &Caller<'_>, dirfd: i32, path: &[u8], flags: u32) -> Result<FileRef> {
        let last = if flags & o::NOFOLLOW != 0 { Last::NoFollow } else { Last::Follow };
        let place = self.resolve(c, dirfd, path, last)?.existing()?;
        if flags & o::DIRECTORY != 0 && !place.is_dir() {
            return Err(Errno::ENOTDIR);
        }
        let kept = flags & (o::PATH | o::DIRECTORY | o::NOFOLLOW);
        let file = match &place.node {
            // Another description of an object without a place of its own, such as a pipe.
            Node::Open(object) => PathFile::of_open(self, Rc::clone(object), Rc::clone(&place)),
            _ => PathFile::new(self, Rc::clone(&place)),
        };
        Ok(OpenFile::at(&place, Box::new(file), kept))
    }

    fn open_or_create(
        &self,
        c: &Caller<'_>,
        dirfd: i32,
        path: &[u8],
        flags: u32,
        mode: u32,
    ) -> Result<FileRef> {
        let create = flags & o::CREAT != 0;
        let last = match (create, flags & (o::NOFOLLOW | o::EXCL)) {
            (true, 0) => Last::Create,
            (true, _) => Last::Name,
            (false, _) if flags & o::NOFOLLOW != 0 => Last::NoFollow,
            (false, _) => Last::Follow,
        };
        let found = self.resolve(c, dirfd, path, last)?;
        if create && found.slash && !found.is_special() {
            return Err(Errno::EISDIR);
        }
        match &found.place {
            Some(_) if create && flags & o::EXCL != 0 => Err(Errno::EEXIST),
            Some(place) => {
                let file = self.open_place(c, place, flags)?;
                file.announce();
                if flags & o::TRUNC != 0 && place.kind() == s::IFREG {
                    file.notify(ev::MODIFY);
                }
                Ok(file)
            }
            None if create => {
                let file = self.create(c, &found, flags, mode & !c.umask)?;
                file.announce();
                Ok(file)
            }
            None => Err(Errno::ENOENT),
        }
    }

    /// Creates a file and opens it; watchers are not notified of the opening.
    pub(in crate::fs) fn create(
        &self,
        c: &Caller<'_>,
        found: &Found,
        flags: u32,
        mode: u32,
    ) -> Result<FileRef> {
        found.check_free()?;
        // Directories of `/sys` have no operation that creates a file.
        if let Some(Source::Sys) = found.dir.virtual_tree() {
            return Err(Errno::EACCES);
        }
        let fd = host::create(self.dir_for_creation(c, &found.dir)?, &found.name, flags, NEW_MODE)?;
        self.touch_dir(&found.dir)?;
        let label = found.dir.join(&found.name);
        let file = self.made(c, fd, (&found.dir, Some(&found.name)), label, (flags, mode))?;
        self.notify_entry(&found.dir, ev::CREATE, &found.name, false);
        Ok(file)
    }

    /// Opens a host file that has just been created in a directory, named or unnamed, and sets its mode.
    fn made(
        &self,
        c: &Caller<'_>,
        fd: OwnedFd,
        (dir, name): (&Dir, Option<&[u8]>),
        label: Vec<u8>,
        (flags, mode): (u32, u32),
    ) -> Result<FileRef> {
        let mode = mode & SAFE_MODE;
        if !dir.mount.is_private() {
            // The host process has a umask of its own.
            rustix::fs::fchmod(&fd, mode.into())?;
        }
        let object = HostFile::new(self, fd, &dir.mount, label, flags)?.with_name(dir, name);
        object.created()?;
        if let (Some(inode), true) = (object.recorded().inode(), dir.mount.is_private()) {
            inode.0.set_owner(Owner::new(c.cred, mode));
        }
        Ok(OpenFile::new(Box::new(object), flags & !o::TMPFILE_BIT))
    }

    /// `O_TMPFILE`: an unnamed file in the directory `path`.
    fn open_unnamed(
        &self,
        c: &Caller<'_>,
        dirfd: i32,
        path: &[u8],
        flags: u32,
        mode: u32,
    ) -> Result<FileRef> {
        let writes = flags & o::ACCMODE != o::RDONLY;
        if flags & o::DIRECTORY == 0 || !writes || flags & o::CREAT != 0 {
            return Err(Errno::EINVAL);
        }
        let dir = self.resolve(c, dirfd, path, Last::Follow)?.existing()?;
        if !dir.is_dir() {
            return Err(Errno::ENOTDIR);
        }
        let flags = flags & !o::DIRECTORY;
        if let Some(Source::Proc | Source::Sys) = dir.virtual_tree() {
            return Err(Errno::EOPNOTSUPP);
        }
        let fd = host::create_unnamed(self.dir_for_creation(c, &dir)?, flags, NEW_MODE)?;
        let label = dir.join(b"#tmpfile (deleted)");
        let file = self.made(c, fd, (&dir, None), label, (flags, mode & !c.umask))?;
        file.announce();
        Ok(file)
    }

    /// Opens the object at `place`, if the caller may.
    pub(crate) fn open_place(&self, c: &Caller<'_>, place: &Dir, flags: u32) -> Result<FileRef> {
        let reads = if flags & o::ACCMODE != o::WRONLY { access::R_OK } else { 0 };
        let writes = flags & o::ACCMODE != o::RDONLY || flags & o::TRUNC != 0;
        place.permit(c.cred, reads | if writes { access::W_OK } else { 0 })?;
        self.open_permitted(c, place, flags)
    }

    fn open_permitted(&self, c: &Caller<'_>, place: &Dir, flags: u32) -> Result<FileRef> {
        if let Node::Open(object) = &place.node {
            return Ok(OpenFile::new(object.reopen(flags)?, flags));
        }
        let writes = flags & o::ACCMODE != o::RDONLY || flags & o::TRUNC != 0;
        let kind = place.kind();
        match kind {
            s::IFDIR if writes || flags & o::CREAT != 0 => return Err(Errno::EISDIR),
            s::IFDIR => {}
            _ if flags & o::DIRECTORY != 0 => return Err(Errno::ENOTDIR),
            s::IFLNK => return Err(Errno::ELOOP),
            _ => {}
        }
        let object: Box<dyn FileObject> = match &place.node {
            _ if kind == s::IFDIR => Box::new(DirFile::open(self, c, place)?),
            Node::Host(node) => self.open_host(node, place, flags, writes)?,
            Node::Virtual(node) => self.open_virtual(c, *node, place, writes)?,
            Node::Ancestor | Node::Open(_) => return Err(Errno::EIO),
        };
        Ok(match kind {
            s::IFDIR | s::IFIFO => OpenFile::at(place, object, flags),
            _ => OpenFile::new(object, flags),
        })
    }

    fn open_host(
        &self,
        node: &HostNode,
        place: &Dir,
        flags: u32,
        writes: bool,
    ) -> Result<Box<dyn FileObject>> {
        match node.kind() {
            s::IFREG => {}
            s::IFIFO => return self.open_fifo(node, place, flags),
            s::IFSOCK => return Err(Errno::ENXIO),
            _ => return Err(Errno::EACCES),
        }
        if writes {
            place.check_writable()?;
        }
        let fd = self.host_fds.reopen(node.fd(), flags)?;
        if flags & o::TRUNC != 0 {
            node.inode().modified(&host::stat(&fd)?, self.platform().now());
            node.inode().truncated(0)?;
            if place.mount.is_private() {
                node.inode().charge_contents(0)?;
            }
        }
        let label = place.path().to_vec();
        let file = HostFile::new(self, fd, &place.mount, label, flags)?;
        Ok(Box::new(match place.entry() {
            (Some(dir), name) => file.with_name(dir, Some(name)),
            (None, _) => file,
        }))
    }

    fn open_virtual(
        &self,
        c: &Caller<'_>,
        node: VirtNode,
        place: &Dir,
        writes: bool,
    ) -> Result<Box<dyn FileObject>> {
        let shared = Rc::clone(&self.shared);
        match node.device() {
            Some(Device::Tty) => Ok(Box::new(Stream::new(self, open_tty(&self.shared)?)?)),
            Some(device) => Ok(Box::new(DeviceFile::new(device, Rc::clone(place), shared)?)),
            None if writes => Err(Errno::EACCES),
            None => {
                let content = node.content(self, c)?;
                Ok(Box::new(VirtFile::new(content, Rc::clone(place), shared)?))
            }
        }
    }

    /// Opens a program for `execve` and `execveat`: a regular file that may be executed. Returns
    /// its guest path, too, for `/proc/PID/exe`.
    ///
    /// # Errors
    /// As execve(2): `EACCES` when it is not a regular file or is not executable, `ELOOP` for a symbolic
    /// link with `AT_SYMLINK_NOFOLLOW`.
    pub fn open_exec(
        &self,
        c: &Caller<'_>,
        dirfd: i32,
        path: &[u8],
        at_flags: u32,
    ) -> Result<(FileRef, Vec<u8>)> {
        if at_flags & !(at::EMPTY_PATH | at::SYMLINK_NOFOLLOW) != 0 {
            return Err(Errno::EINVAL);
        }
        let place = self.locate(c, dirfd, path, at_flags)?;
        match place.kind() {
            s::IFLNK => return Err(Errno::ELOOP),
            s::IFREG => {}
            _ => return Err(Errno::EACCES),
        }
        self.check_access(c, &place, access::X_OK)?;
        // A program may be executable without being readable.
        let file = self.open_permitted(c, &place, o::RDONLY)?;
        file.announce();
        file.notify(ev::ACCESS);
        let path = place.path().to_vec();
        Ok((file, path))
    }

    /// Opens a regular file for reading by capvec itself: no watcher is notified.
    ///
    /// # Errors
    /// Those of the path; `EACCES` if it is not a regular file of the host, or the caller may not read it.
    pub fn open_unnoticed(&self, c: &Caller<'_>, path: &[u8]) -> Result<FileRef> {
        let place = self.locate(c, at::FDCWD, path, 0)?;
        match (place.kind(), &place.node) {
            (s::IFREG, Node::Host(_)) => self.open_place(c, &place, o::RDONLY),
            _ => Err(Errno::EACCES),
        }
    }
}
