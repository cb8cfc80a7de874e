//! Virtual objects: the trees of `/dev`, `/proc` and `/sys`.

pub(super) mod file;

use crate::base::errno::{Errno, Result};
use crate::fs::abi::s;
use crate::fs::caller::Caller;
use crate::fs::dev::{self, Device};
use crate::fs::open_file::FileRef;
use crate::fs::path::located::Dir;
use crate::fs::proc::format;
use crate::fs::proc::queries::ProcSource;
use crate::fs::proc::tree::{self, PidEntry, PidKind};
use crate::fs::sysfs;
use crate::fs::vfs::Vfs;

/// An entry of a virtual tree that does not depend on processes.
pub(crate) enum Entry {
    /// A directory.
    Tree(&'static [(&'static str, Entry)]),
    /// A read-only file, generated when it is opened.
    File(fn(&Vfs, &Caller<'_>) -> Vec<u8>),
    /// A symbolic link.
    Link(&'static str),
    /// A character device.
    Device(Device),
}

/// A process, or a thread of it, and the user and group that its files belong to.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pid: i32,
    tid: i32,
    owner: (u32, u32),
}

impl Task {
    fn new(c: &Caller<'_>, pid: i32, tid: i32) -> Task {
        let cred = c.procs.cred(pid, tid);
        let owner = cred.map_or((0, 0), |cred| (cred.uid.effective, cred.gid.effective));
        Task { pid, tid, owner }
    }

    /// Checks that the caller may inspect the process.
    fn inspect(&self, c: &Caller<'_>) -> Result<()> {
        match c.procs.cred(self.pid, self.tid) {
            Some(cred) if self.pid != c.pid && !c.cred.may_inspect(&cred) => Err(Errno::EACCES),
            _ => Ok(()),
        }
    }
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

/// Where a virtual symbolic link leads.
pub(crate) enum Target {
    /// To a path of the guest.
    Path(Vec<u8>),
    /// To a directory itself, whatever its path.
    Place(Dir),
    /// To an open file.
    File(FileRef),
}

impl VirtNode {
    /// The root of `/dev`.
    pub const DEV_ROOT: VirtNode = VirtNode::Fixed(&dev::ROOT);
    /// The root of `/sys`.
    pub const SYS_ROOT: VirtNode = VirtNode::Fixed(&sysfs::ROOT);

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

    /// The entry `name` of a virtual directory.
    pub fn lookup(self, c: &Caller<'_>, name: &[u8]) -> Option<VirtNode> {
        match self {
            VirtNode::Fixed(Entry::Tree(entries)) => find(entries, name),
            VirtNode::ProcRoot => {
                let number = || number(name).filter(|&pid| !c.procs.tids(pid).is_empty());
                tree::self_link(name)
                    .or_else(|| find(tree::TOP, name))
                    .or_else(|| number().map(|pid| Self::process(c, pid)))
            }
            VirtNode::Pid { task, thread } => {
                let entries = tree::entries(thread);
                let entry = entries.iter().find(|entry| entry.name.as_bytes() == name)?;
                Some(VirtNode::PidEntry { task, entry })
            }
            VirtNode::PidEntry { task, entry } => match entry.kind {
                PidKind::Fds => {
                    let fd = number(name)?;
                    c.file_of(task.pid, fd).map(|_| VirtNode::FdLink { task, fd })
                }
                PidKind::Tasks => {
                    let pid = task.pid;
                    let tid = number(name).filter(|tid| c.procs.tids(pid).contains(tid))?;
                    Some(VirtNode::Pid { task: Task::new(c, pid, tid), thread: true })
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn process(c: &Caller<'_>, pid: i32) -> VirtNode {
        VirtNode::Pid { task: Task::new(c, pid, pid), thread: false }
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
                let mut all: Vec<_> = numbered(c.procs.pids(), &|pid| Self::process(c, pid));
                all.extend(fixed(tree::TOP));
                all.push((b"self".to_vec(), VirtNode::SelfLink { thread: false }));
                all.push((b"thread-self".to_vec(), VirtNode::SelfLink { thread: true }));
                all
            }
            VirtNode::Pid { task, thread } => tree::entries(thread)
                .iter()
                .map(|entry| (entry.name.into(), VirtNode::PidEntry { task, entry }))
                .collect(),
            VirtNode::PidEntry { task, entry } => match entry.kind {
                PidKind::Fds => numbered(c.fds_of(task.pid), &|fd| VirtNode::FdLink { task, fd }),
                PidKind::Tasks => {
                    let pid = task.pid;
                    let node = |tid| VirtNode::Pid { task: Task::new(c, pid, tid), thread: true };
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
            VirtNode::PidEntry { task: task @ Task { pid, tid, .. }, entry } => match entry.kind {
                PidKind::Maps => {
                    task.inspect(c)?;
                    format::maps(|each| c.procs.maps(pid, each), |len| vfs.shared.charge(len))
                }
                PidKind::Mounts => Ok(format::mounts(vfs.mounts.iter())),
                PidKind::MountInfo => Ok(format::mountinfo(vfs.mounts.iter())),
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
            VirtNode::FdLink { task, fd } => {
                task.inspect(c)?;
                c.file_of(task.pid, fd).map(Target::File).ok_or(Errno::ENOENT)
            }
            VirtNode::PidEntry { task: task @ Task { pid, .. }, entry } => {
                if matches!(entry.kind, PidKind::Exe | PidKind::Cwd | PidKind::Root) {
                    task.inspect(c)?;
                }
                match entry.kind {
                    PidKind::Exe => c.procs.exe(pid).map(Target::Path).ok_or(Errno::ENOENT),
                    PidKind::Cwd => c.cwd_of(pid).map(Target::Place).ok_or(Errno::ENOENT),
                    PidKind::Root => Ok(Target::Path(b"/".to_vec())),
                    _ => Err(Errno::EINVAL),
                }
            }
            _ => Err(Errno::EINVAL),
        }
    }
}

/// Generates the contents of a per-process file.
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
