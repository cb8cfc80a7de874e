//! Files without a name in any file system, which share one anonymous inode (`fs/anon_inodes.c` of Linux).

pub(in crate::fs) mod epoll;
mod eventfd;
pub(in crate::fs) mod inotify;
pub(in crate::fs) mod signalfd;
pub(in crate::fs) mod timerfd;

use crate::fs::stat::Stat;

/// Attributes of the anonymous inode. It has no type, as on Linux.
fn anonymous_stat() -> Stat {
    const INO: u64 = 1;
    Stat { ino: INO, mode: 0o600, nlink: 1, ..Stat::default() }
}
