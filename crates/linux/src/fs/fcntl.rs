//! The part of `fcntl` that concerns the description, not the descriptor table.

use super::abi::fcntl as cmd;
use super::file::OpenFile;
use crate::errno::{Errno, Result};

/// Size of `struct flock` on riscv64.
pub const FLOCK_SIZE: usize = 32;

/// Record locks: granted always, as one kernel thread runs all processes and none holds one. For
/// the `GETLK` commands `flock` is changed to say that nobody holds the lock.
///
/// # Errors
/// `EINVAL` for a lock type or origin that does not exist or an unknown command; `EBADF` when the
/// file is not open in the needed way.
pub fn fcntl_lock(file: &OpenFile, command: u32, flock: &mut [u8; FLOCK_SIZE]) -> Result<()> {
    const RDLCK: u16 = 0;
    const WRLCK: u16 = 1;
    const UNLCK: u16 = 2;
    let kind = u16::from_le_bytes([flock[0], flock[1]]);
    let whence = u16::from_le_bytes([flock[2], flock[3]]);
    if kind > UNLCK || whence > 2 {
        return Err(Errno::EINVAL);
    }
    match command {
        cmd::GETLK | cmd::OFD_GETLK => flock[..2].copy_from_slice(&UNLCK.to_le_bytes()),
        cmd::SETLK | cmd::SETLKW | cmd::OFD_SETLK | cmd::OFD_SETLKW => {
            let allowed = match kind {
                RDLCK => file.readable(),
                WRLCK => file.writable(),
                _ => !file.is_path(),
            };
            if !allowed {
                return Err(Errno::EBADF);
            }
        }
        _ => return Err(Errno::EINVAL),
    }
    Ok(())
}
