//! Virtual objects: the nodes of `/dev`, `/proc` and `/sys`.

use super::entry::{Device, Entry};
use crate::fs::abi::s;
use crate::fs::virtual_texts::queries::ProcSource;

/// Generates the contents of a per-process file.
pub(crate) type PidContent = fn(&dyn ProcSource, i32, i32) -> Option<Vec<u8>>;

/// An entry of `/proc/PID` or `/proc/PID/task/TID`.
pub(crate) struct PidEntry {
    pub name: &'static str,
    /// Permission bits.
    pub mode: u32,
    pub kind: PidKind,
}

/// What an entry of `/proc/PID` is.
pub(crate) enum PidKind {
    /// A file.
    File(PidContent),
    /// The memory map.
    Maps,
    /// The list of mounts.
    Mounts,
    /// The list of mounts with more columns.
    MountInfo,
    /// The link to the program.
    Exe,
    /// The link to the working directory.
    Cwd,
    /// The link to the root directory: the guest's, which all processes share.
    Root,
    /// The directory of descriptors.
    Fds,
    /// The directory of threads.
    Tasks,
}

/// A process, or a thread of it, and the user and group that its files belong to.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub pid: i32,
    pub tid: i32,
    pub owner: (u32, u32),
}

/// One virtual object.
#[derive(Clone, Copy)]
pub(crate) enum VirtNode {
    /// An entry of a fixed tree.
    Fixed(&'static Entry),
    /// `/proc`.
    ProcRoot,
    /// `/proc/PID`, or `/proc/PID/task/TID` with `thread`.
    Pid { task: Task, thread: bool },
    /// An entry of a `Pid` directory.
    PidEntry { task: Task, entry: &'static PidEntry },
    /// `/proc/PID/fd/N`.
    FdLink { task: Task, fd: i32 },
    /// `/proc/self` and `/proc/thread-self`.
    SelfLink { thread: bool },
}

impl VirtNode {
    /// Type and permission bits.
    pub fn mode(self) -> u32 {
        match self {
            VirtNode::Fixed(Entry::Tree(_)) | VirtNode::ProcRoot | VirtNode::Pid { .. } => {
                s::IFDIR | 0o555
            }
            VirtNode::Fixed(Entry::File(_) | Entry::FromState(_)) => s::IFREG | 0o444,
            VirtNode::Fixed(Entry::Device(_)) => s::IFCHR | 0o666,
            VirtNode::Fixed(Entry::Link(_)) | VirtNode::SelfLink { .. } => s::IFLNK | 0o777,
            VirtNode::FdLink { .. } => s::IFLNK | 0o700,
            VirtNode::PidEntry { entry, .. } => match entry.kind {
                PidKind::File(_) | PidKind::Maps | PidKind::Mounts | PidKind::MountInfo => {
                    s::IFREG | entry.mode
                }
                PidKind::Exe | PidKind::Cwd | PidKind::Root => s::IFLNK | entry.mode,
                PidKind::Fds | PidKind::Tasks => s::IFDIR | entry.mode,
            },
        }
    }

    /// The user and group that it belongs to.
    pub fn owner(self) -> (u32, u32) {
        match self {
            VirtNode::Pid { task, .. }
            | VirtNode::PidEntry { task, .. }
            | VirtNode::FdLink { task, .. } => task.owner,
            VirtNode::Fixed(_) | VirtNode::ProcRoot | VirtNode::SelfLink { .. } => (0, 0),
        }
    }

    /// The device, if it is one.
    pub fn device(self) -> Option<Device> {
        match self {
            VirtNode::Fixed(Entry::Device(device)) => Some(*device),
            _ => None,
        }
    }
}
