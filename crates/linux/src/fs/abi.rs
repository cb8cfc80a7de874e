//! Constants of the guest's kernel interface that concern files.
//!
//! Values: riscv64, i.e. `include/uapi/asm-generic/fcntl.h`, `linux/fcntl.h`, `linux/stat.h`,
//! `linux/limits.h`, `linux/eventpoll.h`, `asm-generic/poll.h`, `asm-generic/ioctls.h` of Linux 6.12; `MAXSYMLINKS` is in its
//! `include/linux/namei.h`.

#![allow(missing_docs, reason = "each constant has the name that it has in the headers above")]

/// Flags of `open`.
pub mod o {
    pub const RDONLY: u32 = 0;
    pub const WRONLY: u32 = 1;
    pub const RDWR: u32 = 2;
    pub const ACCMODE: u32 = 3;
    pub const CREAT: u32 = 0o100;
    pub const EXCL: u32 = 0o200;
    pub const NOCTTY: u32 = 0o400;
    pub const TRUNC: u32 = 0o1000;
    pub const APPEND: u32 = 0o2000;
    pub const NONBLOCK: u32 = 0o4000;
    pub const ASYNC: u32 = 0o20000;
    pub const DIRECT: u32 = 0o40000;
    pub const LARGEFILE: u32 = 0o100_000;
    pub const DIRECTORY: u32 = 0o200_000;
    pub const NOFOLLOW: u32 = 0o400_000;
    pub const NOATIME: u32 = 0o1_000_000;
    pub const CLOEXEC: u32 = 0o2_000_000;
    pub const PATH: u32 = 0o10_000_000;
    /// The bit proper to `O_TMPFILE`; the flag as programs pass it is `TMPFILE_BIT | DIRECTORY`.
    pub const TMPFILE_BIT: u32 = 0o20_000_000;
    pub const TMPFILE: u32 = TMPFILE_BIT | DIRECTORY;
}

/// Flags of the `*at` calls, and `AT_FDCWD`.
pub mod at {
    pub const FDCWD: i32 = -100;
    pub const SYMLINK_NOFOLLOW: u32 = 0x100;
    /// `unlinkat`; the same bit is `AT_EACCESS` for `faccessat2`.
    pub const REMOVEDIR: u32 = 0x200;
    pub const EACCESS: u32 = 0x200;
    pub const SYMLINK_FOLLOW: u32 = 0x400;
    pub const NO_AUTOMOUNT: u32 = 0x800;
    pub const EMPTY_PATH: u32 = 0x1000;
    /// `statx` synchronisation hints, without effect here.
    pub const STATX_SYNC_TYPE: u32 = 0x6000;
}

/// File types and mode bits.
pub mod s {
    pub const IFMT: u32 = 0o170_000;
    pub const IFSOCK: u32 = 0o140_000;
    pub const IFLNK: u32 = 0o120_000;
    pub const IFREG: u32 = 0o100_000;
    pub const IFBLK: u32 = 0o060_000;
    pub const IFDIR: u32 = 0o040_000;
    pub const IFCHR: u32 = 0o020_000;
    pub const IFIFO: u32 = 0o010_000;
}

/// `whence` of `lseek`.
pub mod seek {
    pub const SET: u32 = 0;
    pub const CUR: u32 = 1;
    pub const END: u32 = 2;
    pub const DATA: u32 = 3;
    pub const HOLE: u32 = 4;
}

/// Flags of `renameat2`.
pub mod rename {
    pub const NOREPLACE: u32 = 1;
    pub const EXCHANGE: u32 = 2;
}

/// Mode bits of `faccessat`.
pub mod access {
    pub const X_OK: u32 = 1;
    pub const W_OK: u32 = 2;
    pub const R_OK: u32 = 4;
}

/// Special nanosecond values of `utimensat`.
pub mod utime {
    pub const NOW: u64 = 0x3fff_ffff;
    pub const OMIT: u64 = 0x3fff_fffe;
}

/// Commands of `fcntl`.
pub mod fcntl {
    pub const DUPFD: u32 = 0;
    pub const GETFD: u32 = 1;
    pub const SETFD: u32 = 2;
    pub const GETFL: u32 = 3;
    pub const SETFL: u32 = 4;
    pub const GETLK: u32 = 5;
    pub const SETLK: u32 = 6;
    pub const SETLKW: u32 = 7;
    pub const SETOWN: u32 = 8;
    pub const GETOWN: u32 = 9;
    pub const SETOWN_EX: u32 = 15;
    pub const GETOWN_EX: u32 = 16;
    pub const OFD_GETLK: u32 = 36;
    pub const OFD_SETLK: u32 = 37;
    pub const OFD_SETLKW: u32 = 38;
    pub const DUPFD_CLOEXEC: u32 = 1030;
    pub const SETPIPE_SZ: u32 = 1031;
    pub const GETPIPE_SZ: u32 = 1032;
}

/// Commands of `ioctl`.
pub mod ioctl {
    pub const TCGETS: u32 = 0x5401;
    pub const TCSETS: u32 = 0x5402;
    pub const TCSETSW: u32 = 0x5403;
    pub const TCSETSF: u32 = 0x5404;
    pub const TIOCGWINSZ: u32 = 0x5413;
    pub const FIONREAD: u32 = 0x541b;
    pub const FIONBIO: u32 = 0x5421;
    pub const FIONCLEX: u32 = 0x5450;
    pub const FIOASYNC: u32 = 0x5452;
    pub const FIOCLEX: u32 = 0x5451;
}

/// Events and flags of `inotify` (`include/uapi/linux/inotify.h`).
pub mod inotify {
    pub const ACCESS: u32 = 0x1;
    pub const MODIFY: u32 = 0x2;
    pub const ATTRIB: u32 = 0x4;
    pub const CLOSE_WRITE: u32 = 0x8;
    pub const CLOSE_NOWRITE: u32 = 0x10;
    pub const OPEN: u32 = 0x20;
    pub const MOVED_FROM: u32 = 0x40;
    pub const MOVED_TO: u32 = 0x80;
    pub const CREATE: u32 = 0x100;
    pub const DELETE: u32 = 0x200;
    pub const DELETE_SELF: u32 = 0x400;
    pub const MOVE_SELF: u32 = 0x800;
    /// What can be watched for (`IN_ALL_EVENTS`).
    pub const ALL: u32 = 0xfff;
    pub const Q_OVERFLOW: u32 = 0x4000;
    pub const IGNORED: u32 = 0x8000;
    pub const ONLYDIR: u32 = 1 << 24;
    pub const DONT_FOLLOW: u32 = 1 << 25;
    pub const EXCL_UNLINK: u32 = 1 << 26;
    pub const MASK_CREATE: u32 = 1 << 28;
    pub const MASK_ADD: u32 = 1 << 29;
    pub const ISDIR: u32 = 1 << 30;
    pub const ONESHOT: u32 = 1 << 31;
    /// A mask must have at least one of these bits (`ALL_INOTIFY_BITS`).
    pub const VALID: u32 = 0xf700_efff;
}

/// Limits of names, paths and descriptors; sizes are in bytes (`include/uapi/linux/limits.h`).
pub mod limit {
    /// Longest name of one component.
    pub const NAME_MAX: usize = 255;
    /// Longest path with its terminating NUL.
    pub const PATH_MAX: usize = 4096;
    /// Symbolic links followed in one resolution before `ELOOP` (`MAXSYMLINKS`).
    pub const MAX_SYMLINKS: u32 = 40;
    /// Maximum of the limit on the descriptors of a process (`fs.nr_open`). Lower than Linux's default of 1048576: a free
    /// number is found by a linear search.
    pub const NR_OPEN: usize = 65536;
    /// Largest pipe write that is atomic.
    pub const PIPE_BUF: usize = 4096;
}

/// Events of `poll`, shared by `epoll` for the common bits.
pub mod poll {
    pub const IN: u32 = 0x1;
    pub const PRI: u32 = 0x2;
    pub const OUT: u32 = 0x4;
    pub const ERR: u32 = 0x8;
    pub const HUP: u32 = 0x10;
    pub const NVAL: u32 = 0x20;
    pub const RDNORM: u32 = 0x40;
    pub const WRNORM: u32 = 0x100;
    pub const RDHUP: u32 = 0x2000;
    pub const EPOLL_EXCLUSIVE: u32 = 1 << 28;
    pub const EPOLL_WAKEUP: u32 = 1 << 29;
    pub const EPOLL_ONESHOT: u32 = 1 << 30;
    pub const EPOLL_ET: u32 = 1 << 31;
}
