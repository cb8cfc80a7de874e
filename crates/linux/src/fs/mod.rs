//! The guest's file system.
//!
//! The guest's `/` is a sysroot directory of the host, read-only. Scratch directories are private
//! and writable, binds show further host directories, and `/dev`, `/proc` and `/sys` are virtual.
//! A [`Vfs`] resolves paths in that name space and makes open file descriptions ([`OpenFile`]),
//! which processes hold in descriptor tables ([`FdTable`]).
//!
//! The guest is hostile. Paths are walked one component at a time, symbolic links are followed by
//! us and in the guest's name space only, `..` goes back along the way that was walked, and the
//! kernel confines each host look-up to one component beneath a directory that is held open.
//!
//! Everything is single-threaded and reproducible: listings are sorted, inode and device numbers
//! are given out in order, time stamps and random bytes come from the [`Platform`]. No operation
//! waits for another process of the guest: it returns `EAGAIN`, and the caller parks the thread.

pub mod abi;
mod attr;
mod caller;
mod channel;
mod descriptors;
mod dev;
mod dir;
mod epoll;
mod eventfd;
mod fcntl;
mod fifo;
mod file;
mod flock;
mod host;
mod hostfile;
mod inode;
mod inotify;
mod mount;
mod names;
mod object;
mod open;
mod permission;
mod pipe;
mod place;
mod platform;
mod private;
mod proc;
mod procfmt;
mod procsource;
mod record_lock;
mod resolve;
mod shared;
mod signalfd;
mod stat;
mod stdio;
mod sysfs;
#[cfg(test)]
mod tests;
mod timerfd;
mod unix;
mod vfs;
mod virt;
mod virtfile;
mod watch;

pub use attr::TimeArg;
pub use caller::Caller;
pub use descriptors::FdTable;
pub use epoll::Epoll;
pub use fcntl::{FLOCK_SIZE, LockWait, Locked, Locker, fcntl_lock};
pub use file::{FileRef, OpenFile, copy};
pub use inode::{InodeRef, MappedPages};
pub use inotify::Inotify;
pub use mount::{Bind, SetupError, VfsConfig};
pub use object::{
    Directory, Events, FileObject, HostStream, IoctlArg, Mappable, Pipe, Pollable, Positioned,
    Recorded, Socket,
};
pub use place::{Dir, Place};
pub use platform::{FixedPlatform, Platform, Xoshiro256};
pub use procsource::{
    InetTable, Mapping, ProcInfo, ProcSource, SingleProcess, SystemInfo, SysvKind,
};
pub use record_lock::LockOwner;
pub use signalfd::SignalFd;
pub use stat::{Stat, StatFs, Timespec, makedev, split_dev};
pub use timerfd::{TimerFd, TimerSetting};
pub use unix::{Kind as SocketKind, Peer, Received, UnixSocket};
pub use vfs::Vfs;
