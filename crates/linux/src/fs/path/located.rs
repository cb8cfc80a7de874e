//! Objects that paths of the guest lead to.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::s;
use crate::fs::host;
use crate::fs::inode::table::InodeTable;
use crate::fs::inode::{Inode, InodeRef};
use crate::fs::mount::{Mount, Source};
use crate::fs::object::FileObject;
use crate::fs::shared_state::Shared;
use crate::fs::virtual_trees::{self, node::VirtNode};
use crate::fs::watch::EventSource;

/// An object that a path of the guest led to, with the directories on the way, like `struct path` of Linux. A [`Dir`]
/// serves as working directory and as base of relative paths; it stays valid when the directory is renamed, though its
/// path is the old one then.
pub struct Place {
    parent: Option<Dir>,
    path: Vec<u8>,
    pub(crate) mount: Rc<Mount>,
    pub(crate) node: Node,
    /// The charge for this place; its parents have charges of their own.
    charge: Charge,
}

/// Bytes charged for a place in addition to its path: itself, and the host's descriptor.
const PLACE: u64 = 512;

/// A located object, usually a directory.
pub type Dir = Rc<Place>;

/// The object at a place.
pub(crate) enum Node {
    /// A host object, held by an `O_PATH` descriptor.
    Host(HostNode),
    /// An object of `/dev`, `/proc` or `/sys`.
    Virtual(VirtNode),
    /// A directory that exists only because something is mounted below it.
    Ancestor,
    /// The object of an open file without a place, reached through `/proc/PID/fd`.
    Open(Rc<dyn FileObject>),
}

/// A located host object.
pub(crate) struct HostNode {
    fd: Rc<OwnedFd>,
    /// Type bits of its mode.
    kind: u32,
    /// The host's device number.
    dev: u64,
    inode: Rc<Inode>,
}

impl HostNode {
    pub fn new(inodes: &InodeTable, fd: Rc<OwnedFd>) -> Result<HostNode> {
        let stat = host::stat(&*fd)?;
        let kind = stat.st_mode & s::IFMT;
        Ok(HostNode { fd, kind, dev: stat.st_dev, inode: inodes.record(&stat)? })
    }

    /// The entry `name` of this directory. It may lie on another file system that the host has mounted there, except
    /// those of the host's kernel.
    ///
    /// # Errors
    /// `ENOENT`; `EACCES` for the kernel's; those of the host.
    pub fn entry(&self, inodes: &InodeTable, name: &[u8]) -> Result<HostNode> {
        let node = HostNode::new(inodes, Rc::new(host::locate(self.fd(), name)?))?;
        if node.dev != self.dev && host::is_kernel_interface(node.fd())? {
            return Err(Errno::EACCES);
        }
        Ok(node)
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    pub fn kind(&self) -> u32 {
        self.kind
    }

    pub fn inode(&self) -> &Rc<Inode> {
        &self.inode
    }
}

impl Place {
    /// The root of the name space.
    pub(crate) fn root(shared: &Shared, inodes: &InodeTable, mount: Rc<Mount>) -> Result<Dir> {
        let node = Self::root_node(inodes, &mount)?;
        let charge = shared.charge(PLACE)?;
        Ok(Rc::new(Place { parent: None, path: Vec::new(), mount, node, charge }))
    }

    /// The root of a mount, found at `path` in `parent`.
    pub(crate) fn mounted(
        inodes: &InodeTable,
        parent: &Dir,
        path: Vec<u8>,
        mount: Rc<Mount>,
    ) -> Result<Dir> {
        let node = Self::root_node(inodes, &mount)?;
        Self::below(parent, path, mount, node)
    }

    /// An object found at `path` in `parent`, on the same mount.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub(crate) fn child(parent: &Dir, path: Vec<u8>, node: Node) -> Result<Dir> {
        Self::below(parent, path, Rc::clone(&parent.mount), node)
    }

    fn below(parent: &Dir, path: Vec<u8>, mount: Rc<Mount>, node: Node) -> Result<Dir> {
        let charge = parent.charge.another(PLACE + path.len() as u64)?;
        Ok(Rc::new(Place { parent: Some(Rc::clone(parent)), path, mount, node, charge }))
    }

    fn root_node(inodes: &InodeTable, mount: &Mount) -> Result<Node> {
        Ok(match &mount.source {
            Source::Host(fd) | Source::Scratch(fd) => {
                Node::Host(HostNode::new(inodes, Rc::clone(fd))?)
            }
            Source::Dev => Node::Virtual(VirtNode::Fixed(&virtual_trees::dev::ROOT)),
            Source::Proc => Node::Virtual(VirtNode::ProcRoot),
            Source::Sys => Node::Virtual(VirtNode::Fixed(&virtual_trees::sys::ROOT)),
        })
    }

    /// The absolute guest path at which it was found.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        if self.path.is_empty() { b"/" } else { &self.path }
    }

    /// The guest path of `name` in this directory.
    pub(crate) fn join(&self, name: &[u8]) -> Vec<u8> {
        [&self.path, &b"/"[..], name].concat()
    }

    /// The directory that `..` leads to; the root is its own parent.
    pub(crate) fn parent(self: &Rc<Self>) -> &Dir {
        self.parent.as_ref().unwrap_or(self)
    }

    /// The directory in which it was found, unless something is mounted here, and its name there.
    pub(crate) fn entry(&self) -> (Option<&Dir>, &[u8]) {
        let dir = self.parent.as_ref().filter(|dir| dir.mount.id == self.mount.id);
        (dir, self.path.rsplit(|b| *b == b'/').next().unwrap_or_default())
    }

    /// Type bits of its mode.
    pub(crate) fn kind(&self) -> u32 {
        match &self.node {
            Node::Host(node) => node.kind(),
            Node::Virtual(node) => node.mode() & s::IFMT,
            Node::Ancestor => s::IFDIR,
            Node::Open(object) => object.stat().map_or(0, |stat| stat.file_type()),
        }
    }

    pub(crate) fn is_dir(&self) -> bool {
        self.kind() == s::IFDIR
    }

    /// The host object's descriptor, if there is a host object.
    pub(crate) fn host_fd(&self) -> Option<BorrowedFd<'_>> {
        match &self.node {
            Node::Host(node) => Some(node.fd()),
            Node::Open(object) => object.mappable().host_fd(),
            Node::Virtual(_) | Node::Ancestor => None,
        }
    }

    /// The record of the host inode, if there is one.
    pub(crate) fn inode(&self) -> Option<&Rc<Inode>> {
        match &self.node {
            Node::Host(node) => Some(node.inode()),
            Node::Open(object) => object.recorded().inode().map(|InodeRef(inode)| inode),
            Node::Virtual(_) | Node::Ancestor => None,
        }
    }

    /// Which of `/dev`, `/proc` and `/sys` the object belongs to.
    pub(crate) fn virtual_tree(&self) -> Option<&Source> {
        matches!(self.node, Node::Virtual(_)).then_some(&self.mount.source)
    }

    /// The source of events at this place.
    pub(crate) fn event_source(&self) -> Option<EventSource> {
        let node = match &self.node {
            Node::Host(node) => node,
            Node::Open(object) => return object.recorded().event_source(),
            _ => return None,
        };
        let (dir, name) = self.entry();
        let name = dir.and_then(|dir| Some((Rc::clone(&dir.inode()?.watched), name.to_vec())));
        Some(EventSource::found(&node.inode().watched, node.kind() == s::IFDIR, name))
    }

    /// The host directory, if entries can be created and removed in it.
    ///
    /// # Errors
    /// `EROFS` on a read-only mount, `EPERM` in a virtual directory.
    pub(crate) fn writable_dir(&self) -> Result<BorrowedFd<'_>> {
        self.check_writable()?;
        match &self.node {
            Node::Host(node) => Ok(node.fd()),
            _ => Err(Errno::EPERM),
        }
    }

    /// Checks that it is not on a read-only mount.
    ///
    /// # Errors
    /// `EROFS`.
    pub(crate) fn check_writable(&self) -> Result<()> {
        let writable = match &self.node {
            Node::Open(object) => !object.statfs().read_only,
            Node::Ancestor => false,
            Node::Host(_) | Node::Virtual(_) => self.mount.writable,
        };
        if writable { Ok(()) } else { Err(Errno::EROFS) }
    }
}
