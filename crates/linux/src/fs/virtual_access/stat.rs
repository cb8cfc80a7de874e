//! Attributes of virtual objects.

use crate::fs::path::located::Place;
use crate::fs::shared_state::Shared;
use crate::fs::stat::Stat;
use crate::fs::virtual_trees::node::VirtNode;

/// Attributes of a virtual object at `place`. The size of a file in `/proc` is 0, as on Linux.
pub(crate) fn stat(node: VirtNode, place: &Place, shared: &Shared) -> Stat {
    let (uid, gid) = node.owner();
    let rdev = node.device().map_or(0, |d| d.rdev());
    Stat { uid, gid, ..base_stat(node.mode(), rdev, place, shared) }
}

/// The inode number of an object without a host inode: a hash of its path.
pub(crate) fn number(place: &Place) -> u64 {
    // FNV-1a, kept apart from the numbers of host inodes by bit 31.
    let hash = place
        .path()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    (hash & 0x7fff_ffff) | 0x8000_0000
}

/// Attributes of an object without a host inode.
pub(crate) fn base_stat(mode: u32, rdev: u64, place: &Place, shared: &Shared) -> Stat {
    let now = shared.platform().now();
    Stat {
        dev: place.mount.dev(),
        ino: number(place),
        mode,
        uid: 0,
        gid: 0,
        nlink: 1,
        rdev,
        size: 0,
        atime: now,
        mtime: now,
        ctime: now,
        mnt_id: place.mount.id,
    }
}
