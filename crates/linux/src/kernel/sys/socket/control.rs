//! Control messages (cmsg(3)): open files that are sent over sockets of `AF_UNIX`.

use super::abi::{SOL_SOCKET, msg};
use crate::base::errno::{Errno, Result};
use crate::fs::FileRef;
use crate::kernel::Kernel;

/// Maximum number of open files in one message (`SCM_MAX_FD`).
const MAX_FILES: usize = 253;
const SCM_RIGHTS: i32 = 1;
const SCM_CREDENTIALS: i32 = 2;
/// Bytes of `struct cmsghdr`, which is followed by data and aligned to eight.
const CMSG: u64 = 16;
/// Maximum size of control messages: enough for `MAX_FILES` and credentials.
const MAX_CONTROL: u64 = 4096;

/// The open files in the control messages at `addr`.
pub fn files_of(k: &Kernel, addr: u64, len: u64) -> Result<Vec<FileRef>> {
    let mut bytes = vec![0; len.min(MAX_CONTROL) as usize];
    k.guest().copy(addr, &mut bytes)?;
    let mut files = Vec::new();
    let mut rest = &bytes[..];
    while let Some((head, _)) = rest.split_first_chunk::<{ CMSG as usize }>() {
        let word =
            |at: usize| i32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let size = u64::from_le_bytes(std::array::from_fn(|i| head[i]));
        if size < CMSG || size > rest.len() as u64 {
            return Err(Errno::EINVAL);
        }
        let data = &rest[CMSG as usize..size as usize];
        // Messages are aligned, and what lies between them has no meaning.
        k.tasks.reads.note(addr + (bytes.len() - rest.len()) as u64, size);
        match (word(8), word(12)) {
            (SOL_SOCKET, SCM_RIGHTS) => {
                for fd in data.chunks_exact(4) {
                    files.push(k.file(i32::from_le_bytes([fd[0], fd[1], fd[2], fd[3]]))?);
                }
            }
            // Not passed on: `SO_PASSCRED` has no effect.
            (SOL_SOCKET, SCM_CREDENTIALS) => {}
            _ => return Err(Errno::EINVAL),
        }
        rest = &rest[(size.next_multiple_of(8) as usize).min(rest.len())..];
    }
    if files.len() > MAX_FILES { Err(Errno::EINVAL) } else { Ok(files) }
}

/// Installs received files and writes a control message for them to `addr`; returns its size and the message flags.
pub fn put_files(
    k: &mut Kernel,
    files: Vec<FileRef>,
    (addr, room): (u64, u64),
    cloexec: u32,
) -> Result<(u64, u32)> {
    if files.is_empty() {
        return Ok((0, 0));
    }
    let fit = (room.saturating_sub(CMSG) / 4).min(files.len() as u64);
    let (count, mut taken) = (files.len() as u64, 0);
    for file in files.into_iter().take(fit as usize) {
        let Ok(fd) = k.process().fds.borrow_mut().insert(file, cloexec) else { break };
        k.guest().put(addr.wrapping_add(CMSG + 4 * taken), fd)?;
        taken += 1;
    }
    let flags = if taken < count { msg::CTRUNC } else { 0 };
    if taken == 0 {
        return Ok((0, flags));
    }
    k.guest().put(addr, CMSG + 4 * taken)?;
    k.guest().put(addr.wrapping_add(8), SOL_SOCKET)?;
    k.guest().put(addr.wrapping_add(12), SCM_RIGHTS)?;
    Ok(((CMSG + 4 * taken).next_multiple_of(8).min(room), flags))
}
