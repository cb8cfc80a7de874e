//! Files without a name in any file system, which share one anonymous inode (`fs/anon_inodes.c` of Linux).

pub(super) mod epoll;
pub(super) mod eventfd;
pub(super) mod signalfd;
pub(super) mod signals;
pub(super) mod timerfd;

use super::stat::Stat;

/// Attributes of the anonymous inode. It has no type, as on Linux.
pub(super) fn anonymous_stat() -> Stat {
    const INO: u64 = 1;
    Stat { ino: INO, mode: 0o600, nlink: 1, ..Stat::default() }
}
