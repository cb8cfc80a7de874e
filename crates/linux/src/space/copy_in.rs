//! Copying a file to guest memory.

use super::Space;
use crate::base::errno::{Errno, Result};
use capvec_sim::mem::Perm;

/// Bytes read from the file at a time.
const CHUNK: usize = 1 << 20;

/// What is copied to memory: a file's contents.
pub trait FileBytes {
    /// Bytes of the file.
    fn size(&self) -> u64;
    /// Reads at `offset`; short at the end.
    fn read_at(&self, offset: u64, to: &mut [u8]) -> Result<usize>;
}

/// Copies `len` bytes of the file to guest memory, whatever the guest's permissions; what lies beyond
/// the end of the file stays zero.
pub fn copy_in(space: &Space, file: &dyn FileBytes, at: u64, offset: u64, len: u64) -> Result<()> {
    let mut buf = vec![0; CHUNK.min(len as usize)];
    let mut done = 0;
    while done < len {
        space.go_on()?;
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
