//! The guest's file system.
//!
//! The guest's `/` is a sysroot directory of the host, read-only. Scratch directories are private
//! and writable, binds show further host directories, and `/dev`, `/proc` and `/sys` are virtual.
//! A [`Vfs`] resolves paths in that name space and makes open file descriptions ([`OpenFile`]),
//! which processes hold in descriptor tables ([`FdTable`]). `vfs` has its state and resolves paths, `kinds` has the kinds of
//! open files, and `operations` the system calls on paths. The order of all modules is in `tests/fs_layers.rs`.
//!
//! The guest is hostile. Paths are walked one component at a time, symbolic links are followed by
//! us and in the guest's name space only, `..` goes back along the way that was walked, and the
//! kernel confines each host look-up to one component beneath a directory that is held open.
//!
//! Everything is single-threaded and reproducible: listings are sorted, inode and device numbers
//! are given out in order, time stamps and random bytes come from the [`Platform`]. No operation
//! waits for another process of the guest: it returns `EAGAIN`, and the caller parks the thread.

pub mod abi;
mod caller;
mod channel;
mod config;
mod events;
#[cfg(test)]
mod fixed_platform;
mod host;
mod inode;
mod kinds;
mod locks;
mod mount;
mod object;
mod open_file;
mod operations;
mod path;
mod platform;
mod shared_state;
mod stat;
#[cfg(test)]
mod tests;
mod unix;
mod vfs;
mod virtual_access;
mod virtual_texts;
mod virtual_trees;
mod watch;

pub use crate::base::random::Xoshiro256;
pub use caller::{Caller, Processes};
pub use config::VfsConfig;
pub use events::Events;
#[cfg(test)]
pub use fixed_platform::FixedPlatform;
pub use inode::{InodeRef, MappedPages};
pub use kinds::anon_inode::epoll::Epoll;
pub use kinds::anon_inode::inotify::Inotify;
pub use kinds::anon_inode::signalfd::SignalFd;
pub use kinds::anon_inode::timerfd::{TimerFd, TimerSetting};
pub use locks::record_lock::LockOwner;
pub use object::{
    Directory, FileObject, HostStream, IoctlArg, Mappable, Pipe, Pollable, Positioned, Recorded,
    Socket,
};
pub use open_file::fcntl_lock::{FLOCK_SIZE, LockWait, Locked, Locker, fcntl_lock};
pub use open_file::fd_table::FdTable;
pub use open_file::{FileRef, OpenFile, copy};
pub use operations::attributes::TimeArg;
pub use path::located::{Dir, Place};
pub use platform::Platform;
pub use shared_state::{KERNEL, StoredByte};
pub use stat::{Stat, StatFs, Timespec, makedev, split_dev};
pub use unix::{Kind as SocketKind, Peer, Received, UnixSocket};
pub use vfs::Vfs;
pub use virtual_texts::queries::{
    InetTable, Mapping, MemoryUse, ProcInfo, ProcSource, SingleProcess, SocketCounts, SystemInfo,
    SysvKind,
};
