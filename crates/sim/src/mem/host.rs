//! What depends on the host's system.

use rustix::io;
use std::ffi::c_void;
use std::os::fd::OwnedFd;

/// Zeroes private pages that can be written to, and returns their memory to the host.
///
/// # Safety
/// The pages are within a region, nobody holds a reference to them, and their contents may be lost.
pub(super) unsafe fn zero(at: *mut c_void, len: usize) -> io::Result<()> {
    // SAFETY: as above.
    #[cfg(target_os = "linux")]
    return unsafe { rustix::mm::madvise(at, len, rustix::mm::Advice::LinuxDontNeed) };
    // Elsewhere, that call need not zero them: new pages take their place.
    #[cfg(not(target_os = "linux"))]
    {
        use rustix::mm::{MapFlags, ProtFlags};
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: as above.
        unsafe { rustix::mm::mmap_anonymous(at, len, prot, flags) }.map(|_| ())
    }
}

/// A new file in memory, for pages that several mappings show.
///
/// # Errors
/// The host has no memory for it, or no such files.
pub fn memory_file(name: &str) -> io::Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    return rustix::fs::memfd_create(name, rustix::fs::MemfdFlags::CLOEXEC);
    // Only guests of Linux share memory, and these run on Linux.
    #[cfg(not(target_os = "linux"))]
    {
        let _ = name;
        Err(io::Errno::NOSYS)
    }
}
