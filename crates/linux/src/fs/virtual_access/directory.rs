//! What virtual directories contain.

use crate::fs::caller::Caller;
use crate::fs::virtual_trees::entry::Entry;
use crate::fs::virtual_trees::node::{PidKind, Task, VirtNode};
use crate::fs::virtual_trees::proc as tree;

impl Task {
    fn new(c: &Caller<'_>, pid: i32, tid: i32) -> Task {
        let cred = c.procs.cred(pid, tid);
        let owner = cred.map_or((0, 0), |cred| (cred.uid.effective, cred.gid.effective));
        Task { pid, tid, owner }
    }
}

impl VirtNode {
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
}

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
