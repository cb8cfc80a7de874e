//! Attributes of places, access to them, and the places of open files and devices.

use std::rc::Rc;

use rustix::fs::Access;

use super::Vfs;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{access, s};
use crate::fs::caller::Caller;
use crate::fs::host;
use crate::fs::mount::Source;
use crate::fs::open_file::OpenFile;
use crate::fs::path::located::{Dir, Node, Place};
use crate::fs::stat::Stat;
use crate::fs::virtual_access::stat as virtual_stat;
use crate::fs::virtual_trees::dev::ROOT;
use crate::fs::virtual_trees::entry::Entry;
use crate::fs::virtual_trees::node::VirtNode;

impl Vfs {
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
            Node::Virtual(node) => Ok(virtual_stat::stat(*node, place, &self.shared)),
            Node::Ancestor => Ok(virtual_stat::base_stat(s::IFDIR | 0o755, 0, place, &self.shared)),
            Node::Open(object) => object.stat(),
        }
    }

    /// Checks that the caller has the rights `mode` (`access::*`) to the object at `place`, bounded by the mount and by the
    /// rights of the host's user.
    ///
    /// # Errors
    /// `EROFS`, `EACCES`.
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
        place.permit(c.cred, mode)?;
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

    /// Records that a directory's entries have changed.
    pub(crate) fn touch_dir(&self, dir: &Dir) -> Result<()> {
        if let Node::Host(node) = &dir.node {
            node.inode().modified(&host::stat(node.fd())?, self.platform().now());
        }
        Ok(())
    }

    /// The place of an open file that is not `O_PATH`.
    pub(in crate::fs) fn place_of(&self, file: &Rc<OpenFile>) -> Result<Dir> {
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
                Place::child(&self.root(), file.label(), open)
            }
        }
    }

    /// The place of a device in `/dev`.
    ///
    /// # Errors
    /// `ENXIO` when there is no such device.
    pub(crate) fn device_place(&self, name: &str) -> Result<Dir> {
        let path = [b"/dev/".as_slice(), name.as_bytes()].concat();
        let mount = self.mounts.iter().find(|mount| matches!(mount.source, Source::Dev));
        let (Some(mount), Entry::Tree(entries)) = (mount, &ROOT) else {
            return Err(Errno::ENXIO);
        };
        let (_, entry) = entries.iter().find(|(n, _)| *n == name).ok_or(Errno::ENXIO)?;
        let dev = Place::mounted(&self.inodes, &self.root(), b"/dev".to_vec(), Rc::clone(mount))?;
        Place::child(&dev, path, Node::Virtual(VirtNode::Fixed(entry)))
    }
}
