//! Virtual objects: the trees of `/dev`, `/proc` and `/sys`.

use super::abi::s;
use super::caller::Caller;
use super::dev::{self, Device};
use super::file::FileRef;
use super::place::Dir;
use super::proc::{self, PidEntry, PidKind};
use super::procfmt;
use super::procsource::ProcSource;
use super::vfs::Vfs;
use crate::errno::{Errno, Result};

/// An entry of a virtual tree that does not depend on processes.
pub(crate) enum Entry {
    /// A directory.
    Tree(&'static [(&'static str, Entry)]),
    /// A read-only file, made when it is opened.
    File(fn(&Vfs, &Caller<'_>) -> Vec<u8>),
    /// A symbolic link.
    Link(&'static str),
    /// A character device.
    Device(Device),
}

/// One virtual object.
#[derive(Clone, Copy)]
pub(crate) enum VirtNode {
    /// An entry of a fixed tree.
    Fixed(&'static Entry),
    /// `/proc`.
    ProcRoot,
    /// `/proc/PID`, or `/proc/PID/task/TID` with `thread`.
    Pid { pid: i32, tid: i32, thread: bool },
    /// An entry of a `Pid` directory.
    PidEntry { pid: i32, tid: i32, entry: &'static PidEntry },
    /// `/proc/PID/fd/N`.
    FdLink { pid: i32, fd: i32 },
    /// `/proc/self` and `/proc/thread-self`.
    SelfLink { thread: bool },
}

/// Where a virtual symbolic link leads.
pub(crate) enum Target {
    /// To a path of the guest.
    Path(Vec<u8>),
    /// To a directory as such, whatever its path.
    Place(Dir),
    /// To an open file.
    File(FileRef),
}

impl VirtNode {
    /// The root of `/dev`.
    pub const DEV_ROOT: VirtNode = VirtNode::Fixed(&dev::ROOT);
    /// The root of `/sys`.
    pub const SYS_ROOT: VirtNode = VirtNode::Fixed(&proc::SYS_ROOT);

    /// Type and permission bits.
    pub fn mode(self) -> u32 {
        match self {
            VirtNode::Fixed(Entry::Tree(_)) | VirtNode::ProcRoot | VirtNode::Pid { .. } => {
                s::IFDIR | 0o555
            }
            VirtNode::Fixed(Entry::File(_)) => s::IFREG | 0o444,
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

    /// The device, if it is one.
    pub fn device(self) -> Option<Device> {
        match self {
            VirtNode::Fixed(Entry::Device(device)) => Some(*device),
            _ => None,
        }
    }

    /// The entry `name` of a virtual directory.
    pub fn lookup(self, c: &Caller<'_>, name: &[u8]) -> Option<VirtNode> {
        match self {
            VirtNode::Fixed(Entry::Tree(entries)) => find(entries, name),
            VirtNode::ProcRoot => {
                let number = || number(name).filter(|&pid| !c.procs.tids(pid).is_empty());
                proc::self_link(name)
                    .or_else(|| find(proc::TOP, name))
                    .or_else(|| number().map(|pid| VirtNode::Pid { pid, tid: pid, thread: false }))
            }
            VirtNode::Pid { pid, tid, thread } => {
                let entries = proc::entries(thread);
                let entry = entries.iter().find(|entry| entry.name.as_bytes() == name)?;
                Some(VirtNode::PidEntry { pid, tid, entry })
            }
            VirtNode::PidEntry { pid, entry, .. } => match entry.kind {
                PidKind::Fds => {
                    let fd = number(name)?;
                    c.file_of(pid, fd).map(|_| VirtNode::FdLink { pid, fd })
                }
                PidKind::Tasks => {
                    let tid = number(name).filter(|tid| c.procs.tids(pid).contains(tid))?;
                    Some(VirtNode::Pid { pid, tid, thread: true })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The names and objects in a virtual directory, in no particular order.
    pub fn list(self, c: &Caller<'_>) -> Vec<(Vec<u8>, VirtNode)> {
        let fixed = |entries: &'static [(&'static str, Entry)]| -> Vec<(Vec<u8>, VirtNode)> {
            entries
                .iter()
                .map(|(name, entry)| (name.as_bytes().to_vec(), VirtNode::Fixed(entry)))
                .collect()
        };
        let numbered = |numbers: Vec<i32>, node: &dyn Fn(i32) -> VirtNode| {
            numbers.into_iter().map(|n| (n.to_string().into_bytes(), node(n))).collect()
        };
        match self {
            VirtNode::Fixed(Entry::Tree(entries)) => fixed(entries),
            VirtNode::ProcRoot => {
                let mut all: Vec<_> =
                    numbered(c.procs.pids(), &|pid| VirtNode::Pid { pid, tid: pid, thread: false });
                all.extend(fixed(proc::TOP));
                all.push((b"self".to_vec(), VirtNode::SelfLink { thread: false }));
                all.push((b"thread-self".to_vec(), VirtNode::SelfLink { thread: true }));
                all
            }
            VirtNode::Pid { pid, tid, thread } => proc::entries(thread)
                .iter()
                .map(|entry| (entry.name.into(), VirtNode::PidEntry { pid, tid, entry }))
                .collect(),
            VirtNode::PidEntry { pid, entry, .. } => match entry.kind {
                PidKind::Fds => numbered(c.fds_of(pid), &|fd| VirtNode::FdLink { pid, fd }),
                PidKind::Tasks => {
                    let node = |tid| VirtNode::Pid { pid, tid, thread: true };
                    numbered(c.procs.tids(pid), &node)
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The contents of a virtual file.
    ///
    /// # Errors
    /// `ESRCH` when the process is gone; `EINVAL` when it is no file; `ENOMEM`.
    pub fn content(self, vfs: &Vfs, c: &Caller<'_>) -> Result<Vec<u8>> {
        match self {
            VirtNode::Fixed(Entry::File(make)) => Ok(make(vfs, c)),
            VirtNode::PidEntry { pid, tid, entry } => match entry.kind {
                PidKind::Maps => {
                    procfmt::maps(|each| c.procs.maps(pid, each), |len| vfs.shared.charge(len))
                }
                PidKind::Mounts => Ok(procfmt::mounts(vfs.mounts.iter())),
                PidKind::MountInfo => Ok(procfmt::mountinfo(vfs.mounts.iter())),
                PidKind::File(make) => make(c.procs, pid, tid).ok_or(Errno::ESRCH),
                _ => Err(Errno::EINVAL),
            },
            _ => Err(Errno::EINVAL),
        }
    }

    /// The text of a symbolic link (`readlink`).
    ///
    /// # Errors
    /// `ENOENT` when the process is gone; `EINVAL` when it is no link.
    pub fn link_text(self, c: &Caller<'_>) -> Result<Vec<u8>> {
        match self.target(c)? {
            Target::Path(path) => Ok(path),
            Target::Place(dir) => Ok(dir.path().to_vec()),
            Target::File(file) => Ok(file.label()),
        }
    }

    /// Where a symbolic link leads.
    ///
    /// # Errors
    /// `ENOENT` when the process or descriptor is gone; `EINVAL` when it is no link.
    pub fn target(self, c: &Caller<'_>) -> Result<Target> {
        match self {
            VirtNode::Fixed(Entry::Link(text)) => Ok(Target::Path(text.as_bytes().to_vec())),
            VirtNode::SelfLink { thread: false } => Ok(Target::Path(c.pid.to_string().into())),
            VirtNode::SelfLink { thread: true } => {
                Ok(Target::Path(format!("{}/task/{}", c.pid, c.tid).into()))
            }
            VirtNode::FdLink { pid, fd } => {
                c.file_of(pid, fd).map(Target::File).ok_or(Errno::ENOENT)
            }
            VirtNode::PidEntry { pid, entry, .. } => match entry.kind {
                PidKind::Exe => c.procs.exe(pid).map(Target::Path).ok_or(Errno::ENOENT),
                PidKind::Cwd => c.cwd_of(pid).map(Target::Place).ok_or(Errno::ENOENT),
                PidKind::Root => Ok(Target::Path(b"/".to_vec())),
                _ => Err(Errno::EINVAL),
            },
            _ => Err(Errno::EINVAL),
        }
    }
}

/// The maker of a per-process file's contents.
pub(crate) type PidContent = fn(&dyn ProcSource, i32, i32) -> Option<Vec<u8>>;

fn find(entries: &'static [(&'static str, Entry)], name: &[u8]) -> Option<VirtNode> {
    let entry = entries.iter().find(|(n, _)| n.as_bytes() == name);
    entry.map(|(_, entry)| VirtNode::Fixed(entry))
}

/// A decimal number as the kernel writes it: no sign, no leading zero.
fn number(name: &[u8]) -> Option<i32> {
    let text = std::str::from_utf8(name).ok()?;
    let value: i32 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}
