//! File attributes and their encodings for a riscv64 guest.

use crate::fs::abi::s;

/// A point in time or a duration: seconds and nanoseconds (below 10⁹).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timespec {
    /// Seconds (since the Unix epoch for a point in time).
    pub sec: i64,
    /// Nanoseconds within the second.
    pub nsec: u32,
}

/// Attributes of a file as the guest sees them. Files of the host belong to root (0:0): host users are
/// not the guest's business.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// Device number of the mount, deterministic.
    pub dev: u64,
    /// Inode number, deterministic: assigned in the order of first sight.
    pub ino: u64,
    /// Type and permission bits.
    pub mode: u32,
    /// User.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Number of hard links; 1 for every directory ("unknown", as btrfs does).
    pub nlink: u32,
    /// Device number of a device node.
    pub rdev: u64,
    /// Size in bytes.
    pub size: u64,
    /// Last access.
    pub atime: Timespec,
    /// Last modification.
    pub mtime: Timespec,
    /// Last status change.
    pub ctime: Timespec,
    /// Mount number, for `statx`.
    pub mnt_id: u64,
}

/// Preferred size of transfers reported to the guest, in bytes.
const BLKSIZE: u32 = 4096;

/// Number of a device, in the kernel's encoding for user space (`new_encode_dev`).
#[must_use]
pub const fn makedev(major: u32, minor: u32) -> u64 {
    ((minor & 0xff) | (major << 8) | ((minor & !0xff) << 12)) as u64
}

/// Inverse of [`makedev`]: (major, minor).
#[must_use]
pub const fn split_dev(dev: u64) -> (u32, u32) {
    let dev = dev as u32;
    ((dev & 0xfff00) >> 8, (dev & 0xff) | ((dev >> 12) & 0xfff00))
}

impl Stat {
    /// The number of the root mount; files on no mount have 0.
    pub(crate) const ROOT_MOUNT: u64 = 1;

    /// The type bits of `mode`.
    #[must_use]
    pub fn file_type(&self) -> u32 {
        self.mode & s::IFMT
    }

    /// 512-byte blocks for the size rounded up to 4096 bytes, whatever the host has allocated.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        match self.file_type() {
            s::IFREG | s::IFDIR => {
                self.size.div_ceil(u64::from(BLKSIZE)) * u64::from(BLKSIZE / 512)
            }
            _ => 0,
        }
    }

    /// `struct stat` of riscv64 (`include/uapi/asm-generic/stat.h`), 128 bytes.
    #[must_use]
    pub fn encode_stat(&self) -> [u8; 128] {
        let mut e = Encoder::<128>::new();
        e.u64(0, self.dev);
        e.u64(8, self.ino);
        e.u32(16, self.mode);
        e.u32(20, self.nlink);
        e.u32(24, self.uid);
        e.u32(28, self.gid);
        e.u64(32, self.rdev);
        e.u64(48, self.size);
        e.u32(56, BLKSIZE);
        e.u64(64, self.blocks());
        for (at, t) in [(72, self.atime), (88, self.mtime), (104, self.ctime)] {
            e.u64(at, t.sec as u64);
            e.u64(at + 8, u64::from(t.nsec));
        }
        e.bytes
    }

    /// `struct statx` (`include/uapi/linux/stat.h`), 256 bytes, with `STATX_BASIC_STATS` and
    /// `STATX_MNT_ID`; the time of creation is not recorded, so not reported.
    #[must_use]
    pub fn encode_statx(&self) -> [u8; 256] {
        const BASIC_STATS: u32 = 0x7ff;
        const MNT_ID: u32 = 0x1000;
        let mut e = Encoder::<256>::new();
        e.u32(0, BASIC_STATS | MNT_ID);
        e.u32(4, BLKSIZE);
        e.u32(16, self.nlink);
        e.u32(20, self.uid);
        e.u32(24, self.gid);
        e.put(28, &(self.mode as u16).to_le_bytes());
        e.u64(32, self.ino);
        e.u64(40, self.size);
        e.u64(48, self.blocks());
        for (at, t) in [(64, self.atime), (96, self.ctime), (112, self.mtime)] {
            e.u64(at, t.sec as u64);
            e.u32(at + 8, t.nsec);
        }
        let (rmajor, rminor) = split_dev(self.rdev);
        let (major, minor) = split_dev(self.dev);
        for (at, v) in [(128, rmajor), (132, rminor), (136, major), (140, minor)] {
            e.u32(at, v);
        }
        e.u64(144, self.mnt_id);
        e.bytes
    }
}

/// Attributes of a file system. Fixed figures: the host's free space would make runs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatFs {
    /// Magic number of the file system's kind.
    pub magic: u64,
    /// Low word of `f_fsid`.
    pub fsid: u32,
    /// Whether it is mounted read-only.
    pub read_only: bool,
}

impl StatFs {
    /// The numbers of all blocks and of free blocks that are reported (4096 bytes each): 64 GiB and 32 GiB.
    const BLOCKS: u64 = 1 << 24;
    const FREE: u64 = 1 << 23;

    /// `struct statfs` of riscv64 (`include/uapi/asm-generic/statfs.h`), 120 bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; 120] {
        const ST_RDONLY: u64 = 1;
        const ST_VALID: u64 = 0x20;
        let free = if self.read_only { 0 } else { Self::FREE };
        let mut e = Encoder::<120>::new();
        e.u64(0, self.magic);
        e.u64(8, u64::from(BLKSIZE));
        e.u64(16, Self::BLOCKS);
        e.u64(24, free);
        e.u64(32, free);
        e.u64(40, Self::BLOCKS);
        e.u64(48, free);
        e.u32(56, self.fsid);
        e.u64(64, crate::fs::abi::limit::NAME_MAX as u64);
        e.u64(72, u64::from(BLKSIZE));
        e.u64(80, ST_VALID | if self.read_only { ST_RDONLY } else { 0 });
        e.bytes
    }
}

/// A little-endian structure being filled at fixed offsets.
struct Encoder<const N: usize> {
    bytes: [u8; N],
}

impl<const N: usize> Encoder<N> {
    fn new() -> Self {
        Encoder { bytes: [0; N] }
    }

    fn put(&mut self, at: usize, value: &[u8]) {
        self.bytes[at..at + value.len()].copy_from_slice(value);
    }

    fn u32(&mut self, at: usize, value: u32) {
        self.put(at, &value.to_le_bytes());
    }

    fn u64(&mut self, at: usize, value: u64) {
        self.put(at, &value.to_le_bytes());
    }
}
