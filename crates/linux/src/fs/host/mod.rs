//! Host file-system calls, confined so that no path of the guest leads out of a mount.
//!
//! Every call names a host object in one of two ways only. A single component is looked up beneath
//! an `O_PATH` directory with `openat2` and `RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
//! RESOLVE_NO_MAGICLINKS`, so that neither `..` nor a symbolic link that appears meanwhile is
//! followed. An object that is already held by an `O_PATH` descriptor is reached by its entry in
//! the host's `/proc/self/fd`, which leads to that very object.

pub(super) mod scratch_dir;

use std::ffi::CString;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::fs::{self, AtFlags, CWD, Mode, OFlags, ResolveFlags};

use crate::base::errno::{Errno, Result};
use crate::fs::abi::{limit, o};
use crate::fs::stat::Timespec;

const CONFINED: ResolveFlags =
    ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS).union(ResolveFlags::NO_MAGICLINKS);

/// Checks that `name` is a single component, and converts it to a C string for the host.
pub(crate) fn component(name: &[u8]) -> Result<CString> {
    if name.len() > limit::NAME_MAX {
        return Err(Errno::ENAMETOOLONG);
    }
    if name.is_empty() || name == b"." || name == b".." || name.contains(&b'/') {
        return Err(Errno::EINVAL);
    }
    CString::new(name).map_err(|_| Errno::EINVAL)
}

/// Locates a component beneath `dir` without opening it: the descriptor is `O_PATH`, of the
/// symbolic link itself if it is one.
pub(crate) fn locate(dir: BorrowedFd<'_>, name: &[u8]) -> Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(fs::openat2(dir, component(name)?, flags, Mode::empty(), CONFINED)?)
}

/// Magic numbers of file systems that are interfaces of the host's kernel (`include/uapi/linux/magic.h`;
/// configfs, mqueue, rpc_pipefs and fusectl have theirs in their own sources).
const KERNEL_INTERFACES: [u32; 21] = [
    0x9fa0,      // proc
    0x6265_6572, // sysfs
    0x6462_6720, // debugfs
    0x7472_6163, // tracefs
    0x7363_6673, // securityfs
    0xf97c_ff8c, // selinuxfs
    0x4341_5d53, // smackfs
    0x5a3c_69f0, // AppArmor
    0x27_e0eb,   // cgroup
    0x6367_7270, // cgroup2
    0xcafe_4a11, // bpf
    0x6165_676c, // pstore
    0xde5e_81e4, // efivarfs
    0x1cd1,      // devpts
    0x1980_0202, // mqueue
    0x6e73_6673, // nsfs
    0x765_5821,  // resctrl
    0x6265_6570, // configfs
    0x4249_4e4d, // binfmt_misc
    0x6759_6969, // rpc_pipefs
    0x6573_5543, // fusectl
];

/// Whether a located object belongs to such a file system.
pub(crate) fn is_kernel_interface(located: impl AsFd) -> Result<bool> {
    Ok(KERNEL_INTERFACES.contains(&(fs::fstatfs(located)?.f_type as u32)))
}

/// Creates and opens a regular file that must not exist yet.
pub(crate) fn create(dir: BorrowedFd<'_>, name: &[u8], flags: u32, mode: u32) -> Result<OwnedFd> {
    let flags = host_flags(flags) | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
    Ok(fs::openat2(dir, component(name)?, flags, Mode::from(mode), CONFINED)?)
}

/// Makes an unnamed file in `dir` (`O_TMPFILE`).
pub(crate) fn create_unnamed(dir: BorrowedFd<'_>, flags: u32, mode: u32) -> Result<OwnedFd> {
    let flags = host_flags(flags) | OFlags::TMPFILE;
    Ok(fs::openat2(dir, c".", flags, Mode::from(mode), CONFINED)?)
}

/// The `open` flags of the guest that matter to the host's descriptor, in the host's encoding. `O_DIRECT` is left
/// out, since the guest's buffers may not meet the host's alignment; synchronous writing and `O_NOATIME` have no
/// effect that the guest could see.
fn host_flags(flags: u32) -> OFlags {
    let mut host = match flags & o::ACCMODE {
        o::WRONLY => OFlags::WRONLY,
        o::RDWR => OFlags::RDWR,
        _ => OFlags::RDONLY,
    };
    host |= OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    for (guest, flag) in
        [(o::APPEND, OFlags::APPEND), (o::TRUNC, OFlags::TRUNC), (o::DIRECTORY, OFlags::DIRECTORY)]
    {
        if flags & guest != 0 {
            host |= flag;
        }
    }
    host
}

/// The host's `/proc/self/fd`, through which located objects are opened and changed.
pub(crate) struct FdDir(OwnedFd);

impl FdDir {
    /// Opens the host's `/proc/self/fd`.
    pub fn open() -> rustix::io::Result<FdDir> {
        /// `PROC_SUPER_MAGIC` of `include/uapi/linux/magic.h`.
        const PROC_SUPER_MAGIC: u64 = 0x9fa0;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let dir = fs::openat(CWD, c"/proc/self/fd", flags, Mode::empty())?;
        if fs::fstatfs(&dir)?.f_type as u64 != PROC_SUPER_MAGIC {
            return Err(rustix::io::Errno::NOSYS);
        }
        Ok(FdDir(dir))
    }

    fn name(fd: BorrowedFd<'_>) -> String {
        fd.as_raw_fd().to_string()
    }

    /// Opens the object that `located` refers to.
    pub fn reopen(&self, located: BorrowedFd<'_>, flags: u32) -> Result<OwnedFd> {
        Ok(fs::openat(&self.0, Self::name(located), host_flags(flags), Mode::empty())?)
    }

    /// Sets the permission bits of a located object, except set-user-ID and set-group-ID: a guest
    /// must not make files with the rights of the host's user.
    pub fn chmod(&self, located: BorrowedFd<'_>, mode: u32) -> Result<()> {
        let mode = Mode::from(mode & SAFE_MODE);
        Ok(fs::chmodat(&self.0, Self::name(located), mode, AtFlags::empty())?)
    }

    /// Whether the host's user has `access` to a located object.
    pub fn access(&self, located: BorrowedFd<'_>, access: fs::Access) -> Result<()> {
        Ok(fs::accessat(&self.0, Self::name(located), access, AtFlags::empty())?)
    }

    /// Sets the modification time of a located object.
    pub fn set_mtime(&self, located: BorrowedFd<'_>, mtime: Timespec) -> Result<()> {
        let omit = fs::Timespec { tv_sec: 0, tv_nsec: fs::UTIME_OMIT };
        let mtime = fs::Timespec { tv_sec: mtime.sec, tv_nsec: mtime.nsec.into() };
        let times = fs::Timestamps { last_access: omit, last_modification: mtime };
        Ok(fs::utimensat(&self.0, Self::name(located), &times, AtFlags::empty())?)
    }

    /// Makes another hard link to a located object.
    pub fn link(&self, located: BorrowedFd<'_>, dir: BorrowedFd<'_>, name: &[u8]) -> Result<()> {
        let follow = AtFlags::SYMLINK_FOLLOW;
        Ok(fs::linkat(&self.0, Self::name(located), dir, component(name)?, follow)?)
    }
}

/// Permission bits that the guest may set on host files.
pub(crate) const SAFE_MODE: u32 = 0o1777;

/// The target of a located symbolic link.
pub(crate) fn read_link(located: BorrowedFd<'_>) -> Result<Vec<u8>> {
    Ok(fs::readlinkat(located, c"", Vec::new())?.into_bytes())
}

/// Attributes of a located object.
pub(crate) fn stat(located: impl AsFd) -> Result<fs::Stat> {
    Ok(fs::fstat(located)?)
}
