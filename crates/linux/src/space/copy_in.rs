//! Copying a file to guest memory.

use super::Space;
use crate::base::errno::{Errno, Result};
use capvec_sim::mem::Perm;

/// Bytes read from the file at a time.
const CHUNK: usize = 1 << 20;

/// A file whose contents can be copied to guest memory.
pub trait FileBytes {
    /// The file's size in bytes.
    fn size(&self) -> u64;
    /// Reads at `offset`; a read at the end of the file is short.
    fn read_at(&self, offset: u64, to: &mut [u8]) -> Result<usize>;
}

/// Copies `len` bytes of the file to guest memory, whatever the guest's permissions; bytes beyond
/// the end of the file stay zero.
pub fn copy_in(space: &Space, file: &dyn FileBytes, at: u64, offset: u64, len: u64) -> Result<()> {
    let mut buf = vec![0; CHUNK.min(len as usize)];
    let mut done = 0;
    while done < len {
        space.ensure_running()?;
        let want = (len - done).min(CHUNK as u64) as usize;
        let n = file.read_at(offset + done, &mut buf[..want])?;
        if n == 0 {
            break;
        }
        space.mem.write_as(at + done, &buf[..n], Perm::NONE).map_err(|_| Errno::EFAULT)?;
        done += n as u64;
    }
    Ok(())
}
