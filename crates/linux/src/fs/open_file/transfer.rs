//! Moving bytes: reading, writing, positions and sizes.

use super::OpenFile;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{inotify as ev, seek};

/// Maximum number of bytes moved by one copy; of a longer one, only this many are moved.
const MAX_STAGED: usize = 4 << 20;

impl OpenFile {
    fn check(&self, allowed: bool) -> Result<()> {
        if allowed { Ok(()) } else { Err(Errno::EBADF) }
    }

    /// Notifies watchers of a transfer, if it has moved any bytes.
    fn notify_transfer(&self, bytes: Result<usize>, mask: u32) -> Result<usize> {
        if bytes.is_ok_and(|n| n > 0) {
            self.notify(mask);
        }
        bytes
    }

    /// Reads at the position.
    ///
    /// # Errors
    /// `EBADF` when not open for reading; `EAGAIN` when it would block; those of the kind.
    pub fn read(&self, buf: &mut [u8]) -> Result<usize> {
        self.check(self.readable())?;
        self.notify_transfer(self.object.read(buf), ev::ACCESS)
    }

    /// Writes at the position; may be short on pipes.
    ///
    /// # Errors
    /// `EBADF` when not open for writing; `EAGAIN` when it would block; `EPIPE`; those of the kind.
    pub fn write(&self, data: &[u8]) -> Result<usize> {
        self.check(self.writable())?;
        self.notify_transfer(self.object.write(data), ev::MODIFY)
    }

    /// Reads at `offset`.
    ///
    /// # Errors
    /// As [`OpenFile::read`]; `ESPIPE` without positions; `EINVAL` for a negative offset.
    pub fn pread(&self, buf: &mut [u8], offset: i64) -> Result<usize> {
        let offset = u64::try_from(offset).map_err(|_| Errno::EINVAL)?;
        self.check(self.readable())?;
        self.notify_transfer(self.object.positioned().pread(buf, offset), ev::ACCESS)
    }

    /// Writes at `offset`.
    ///
    /// # Errors
    /// As [`OpenFile::write`]; `ESPIPE` without positions; `EINVAL` for a negative offset.
    pub fn pwrite(&self, data: &[u8], offset: i64) -> Result<usize> {
        let offset = u64::try_from(offset).map_err(|_| Errno::EINVAL)?;
        self.check(self.writable())?;
        self.notify_transfer(self.object.positioned().pwrite(data, offset), ev::MODIFY)
    }

    /// `lseek`.
    ///
    /// # Errors
    /// `EBADF` on `O_PATH`; `EINVAL` for a bad `whence` or target; `ESPIPE`; `ENXIO`.
    pub fn lseek(&self, offset: i64, whence: u32) -> Result<u64> {
        self.check_not_path()?;
        if whence > seek::HOLE {
            return Err(Errno::EINVAL);
        }
        self.object.positioned().seek(offset, whence)
    }

    /// `ftruncate`.
    ///
    /// # Errors
    /// `EINVAL` when not open for writing or for a negative size; those of the kind.
    pub fn truncate(&self, size: i64) -> Result<()> {
        self.check_not_path()?;
        let size = u64::try_from(size).map_err(|_| Errno::EINVAL)?;
        if !self.writable() {
            return Err(Errno::EINVAL);
        }
        self.object.positioned().truncate(size)?;
        self.notify(ev::MODIFY);
        Ok(())
    }

    /// `fallocate` with mode 0; other modes are not supported.
    ///
    /// # Errors
    /// `EOPNOTSUPP` for a mode; `EINVAL` for a bad range; `EFBIG`; `EBADF` when not writable.
    pub fn fallocate(&self, mode: u32, offset: i64, len: i64) -> Result<()> {
        self.check(self.writable())?;
        if offset < 0 || len <= 0 {
            return Err(Errno::EINVAL);
        }
        let end = offset.checked_add(len).ok_or(Errno::EFBIG)?;
        if mode != 0 {
            return Err(Errno::EOPNOTSUPP);
        }
        self.object.positioned().allocate(end as u64)?;
        self.notify(ev::MODIFY);
        Ok(())
    }

    /// `fsync`, `fdatasync`.
    ///
    /// # Errors
    /// `EBADF` on `O_PATH`; `EINVAL` without a medium; those of the host.
    pub fn sync(&self) -> Result<()> {
        self.check_not_path()?;
        self.object.positioned().sync()
    }
}

/// Copies up to `len` bytes from `input` to `output` through a buffer (`sendfile`,
/// `copy_file_range`). An offset that is given is used and advanced instead of the file's
/// position. The result may be short.
///
/// # Errors
/// `EBADF` for a wrong access mode, `EINVAL` for an input without positions, and what the first transfer returns. Input
/// that a blocked output could not take is not consumed.
pub fn copy(
    input: &OpenFile,
    in_offset: Option<&mut u64>,
    output: &OpenFile,
    out_offset: Option<&mut u64>,
    len: usize,
) -> Result<usize> {
    let as_offset = |v: u64| i64::try_from(v).map_err(|_| Errno::EINVAL);
    let mut buf = vec![0; len.min(MAX_STAGED)];
    input.check(input.readable())?;
    output.check(output.writable())?;
    let start = match &in_offset {
        Some(at) => **at,
        None => input.lseek(0, seek::CUR).map_err(|_| Errno::EINVAL)?,
    };
    let got = input.pread(&mut buf, as_offset(start)?)?;
    let put = match &out_offset {
        Some(at) => output.pwrite(&buf[..got], as_offset(**at)?)?,
        None => output.write(&buf[..got])?,
    };
    match in_offset {
        Some(at) => *at += put as u64,
        None => drop(input.lseek(put as i64, seek::CUR)?),
    }
    if let Some(at) = out_offset {
        *at += put as u64;
    }
    Ok(put)
}
