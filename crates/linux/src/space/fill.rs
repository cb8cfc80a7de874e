//! Filling guest memory from files.

use super::Space;
use crate::base::errno::{Errno, Result};
use capvec_sim::mem::{PAGE, Perm};
use std::os::fd::OwnedFd;
use std::rc::Rc;

/// Bytes read from the file at a time.
const CHUNK: usize = 1 << 20;

/// A file whose contents can be copied to guest memory.
pub trait FileBytes {
    /// The file's size in bytes.
    fn size(&self) -> u64;
    /// Reads at `offset`; a read at the end of the file is short.
    fn read_at(&self, offset: u64, to: &mut [u8]) -> Result<usize>;
    /// The file as the host has it open, if its contents cannot change.
    fn image(&self) -> Option<Rc<OwnedFd>> {
        None
    }
}

/// Parts of files shorter than this are copied at once: a mapping of their own would cost the host more.
const MIN_IMAGE: u64 = 16 * PAGE;

/// Fills `len` bytes of mapped private memory from the file; bytes beyond its end stay zero. Whole pages of a file whose
/// contents cannot change are mapped, and read when they are touched.
pub fn fill(space: &Space, file: &dyn FileBytes, at: u64, offset: u64, len: u64) -> Result<()> {
    let within = len.min(file.size().saturating_sub(offset)) & !(PAGE - 1);
    let image = file.image().filter(|_| within >= MIN_IMAGE);
    let mapped = image.is_some_and(|image| space.mem.map_image(at, within, &image, offset).is_ok());
    let done = if mapped { within } else { 0 };
    copy_in(space, file, at + done, offset + done, len - done)
}

/// Copies `len` bytes of the file to guest memory, whatever the guest's permissions; bytes beyond
/// the end of the file stay zero.
fn copy_in(space: &Space, file: &dyn FileBytes, at: u64, offset: u64, len: u64) -> Result<()> {
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
