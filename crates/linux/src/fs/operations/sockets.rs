//! Making sockets, and their names: paths of the guest's file system, and abstract names.

use std::rc::Rc;

use rustix::fs::{FileType, Mode};

use crate::base::errno::{Errno, Result};
use crate::fs::abi::{access, at, o, s};
use crate::fs::caller::Caller;
use crate::fs::host;
use crate::fs::open_file::FileRef;
use crate::fs::path::located::Node;
use crate::fs::unix::{Kind, Peer, UnixSocket};
use crate::fs::vfs::Vfs;
use crate::fs::vfs::resolve::Last;

impl Vfs {
    /// `socket(AF_UNIX)`; `flags` may contain `O_NONBLOCK`.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn unix_socket(&self, kind: Kind, process: Peer, flags: u32) -> Result<FileRef> {
        self.sockets.open(kind, process, flags)
    }

    /// `socketpair(AF_UNIX)`; `flags` are `SOCK_NONBLOCK` and `SOCK_CLOEXEC`, which equal the `O_*` flags.
    ///
    /// # Errors
    /// `EINVAL` for another flag; `ENOMEM`.
    pub fn socketpair(&self, kind: Kind, process: Peer, flags: u32) -> Result<(FileRef, FileRef)> {
        if flags & !(o::CLOEXEC | o::NONBLOCK) != 0 {
            return Err(Errno::EINVAL);
        }
        self.sockets.open_pair(kind, process, flags)
    }

    /// Binds a socket to an address: a path, at which a socket node is created (nobody on the host listens there), or
    /// NUL and an abstract name.
    ///
    /// # Errors
    /// As bind(2): `EINVAL` if it is bound, `EADDRINUSE`; those of creating the node.
    pub fn bind_unix(&self, c: &Caller<'_>, socket: &Rc<UnixSocket>, address: &[u8]) -> Result<()> {
        if socket.address.borrow().is_some() {
            return Err(Errno::EINVAL);
        }
        if address.first() == Some(&0) {
            self.sockets.name(socket, address)?;
        } else {
            self.make_socket(c, socket, path_of(address))?;
        }
        *socket.address.borrow_mut() = Some(address.to_vec());
        Ok(())
    }

    fn make_socket(&self, c: &Caller<'_>, socket: &Rc<UnixSocket>, path: &[u8]) -> Result<()> {
        let found = self.resolve(c, at::FDCWD, path, Last::Name)?;
        if found.place.is_some() {
            return Err(Errno::EADDRINUSE);
        }
        found.check_free()?;
        if found.slash {
            return Err(Errno::ENOENT);
        }
        let dir = self.dir_for_creation(c, &found.dir)?;
        rustix::fs::mknodat(dir, host::component(&found.name)?, FileType::Socket, Mode::RWXU, 0)?;
        self.created(c, &found.dir, &found.name, 0o777 & !c.umask)?;
        let made = host::stat(host::locate(dir, &found.name)?)?;
        self.sockets.bind(socket, self.inodes.record(&made)?.ino());
        Ok(())
    }

    /// The socket that has this address.
    ///
    /// # Errors
    /// `ECONNREFUSED` when it has been closed, or the path leads to another kind of file; those of the path.
    pub fn find_unix(&self, c: &Caller<'_>, address: &[u8]) -> Result<Rc<UnixSocket>> {
        if address.first() == Some(&0) {
            return self.sockets.named(address).ok_or(Errno::ECONNREFUSED);
        }
        let place = self.resolve(c, at::FDCWD, path_of(address), Last::Follow)?.existing()?;
        place.permit(c.cred, access::W_OK)?;
        match &place.node {
            Node::Host(node) if node.kind() == s::IFSOCK => {
                self.sockets.bound_to(node.inode().ino()).ok_or(Errno::ECONNREFUSED)
            }
            _ => Err(Errno::ECONNREFUSED),
        }
    }
}

/// The path in an address: it ends at the first NUL.
fn path_of(address: &[u8]) -> &[u8] {
    address.split(|b| *b == 0).next().unwrap_or_default()
}
