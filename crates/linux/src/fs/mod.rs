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
mod anon_inode;
mod caller;
mod dev;
mod host;
mod inode;
mod locks;
mod notify;
mod open_file;
mod path;
mod pipe;
mod platform;
mod proc;
mod setup;
mod shared_state;
mod stat;
mod sysfs;
#[cfg(test)]
mod tests;
mod unix;
mod vfs;
mod virt;

pub use anon_inode::epoll::Epoll;
pub use anon_inode::signalfd::SignalFd;
pub use anon_inode::timerfd::{TimerFd, TimerSetting};
pub use caller::{Caller, Processes};
pub use inode::{InodeRef, MappedPages};
pub use locks::fcntl::{FLOCK_SIZE, LockWait, Locked, Locker, fcntl_lock};
pub use locks::record_lock::LockOwner;
pub use notify::inotify::Inotify;
pub use open_file::events::Events;
pub use open_file::fd_table::FdTable;
pub use open_file::object::{
    Directory, FileObject, HostStream, IoctlArg, Mappable, Pipe, Pollable, Positioned, Recorded,
    Socket,
};
pub use open_file::{FileRef, OpenFile, copy};
pub use path::located::{Dir, Place};
pub use platform::{FixedPlatform, Platform, Xoshiro256};
pub use proc::queries::{
    InetTable, Mapping, ProcInfo, ProcSource, SingleProcess, SocketCounts, SystemInfo, SysvKind,
};
pub use setup::{Bind, SetupError, VfsConfig};
pub use stat::{Stat, StatFs, Timespec, makedev, split_dev};
pub use unix::{Kind as SocketKind, Peer, Received, UnixSocket};
pub use vfs::Vfs;
pub use vfs::attributes::TimeArg;
