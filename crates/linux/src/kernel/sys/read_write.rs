//! Reading and writing files.

use super::Args;
use super::signalfd::read_signals;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{poll, s};
use crate::fs::{self, FileRef, SignalFd};
use crate::kernel::{Kernel, Sys};
use crate::process::thread::{Restart, Wait};
use crate::signal::{SigInfo, SigSet, sig};
use crate::space::{CHUNK, MAX_COUNT, Range};

/// The event to wait for when a file is not ready.
pub fn wait_for(file: &FileRef) -> Wait {
    if file.object().pollable().depends_on_host() { Wait::Host } else { Wait::Files }
}

fn is_regular(file: &FileRef) -> bool {
    file.stat().is_ok_and(|st| st.file_type() == s::IFREG)
}

/// Waits for a file, or returns `EAGAIN` if it is non-blocking.
pub fn wait_file(k: &mut Kernel, file: &FileRef) -> Sys {
    if file.nonblocking() {
        return Err(Errno::EAGAIN.into());
    }
    // The call is made again when a timer expires.
    k.call_mut().until = file.object().pollable().deadline();
    k.wait(wait_for(file), Restart::Restartable)
}

/// Reads into the ranges, at `offset` or the file's position.
fn read_into(k: &mut Kernel, fd: i32, ranges: &[Range], offset: Option<i64>) -> Sys {
    let file = k.file(fd)?;
    if !file.readable() {
        return Err(Errno::EBADF.into());
    }
    let host = file.object().pollable().host_wait().is_some();
    if host && ranges.iter().all(|r| r.1 == 0) {
        return Ok(0);
    }
    if file.object().host_stream().may_block()
        && file.poll_ready().wanted(poll::IN) == 0
        && !k.hold_for_input(&file)
    {
        return wait_file(k, &file);
    }
    let ranges = k.guest().usable(ranges)?;
    let result = if let Ok(signals) = SignalFd::of(&file) {
        read_signals(k, SigSet(signals.mask()), &ranges)
    } else if is_regular(&file) {
        read_all(k, &file, &ranges, offset)
    } else {
        read_once(k, &file, &ranges, offset)
    };
    match result {
        Ok(n) => Ok(n),
        Err(Errno::EAGAIN) => wait_file(k, &file),
        Err(e) => Err(e.into()),
    }
}

/// A single read, which may be short: on a pipe or device a second one might block, and the rest of a message is
/// discarded.
fn read_once(k: &Kernel, file: &FileRef, ranges: &[Range], offset: Option<i64>) -> Result<u64> {
    let total: u64 = ranges.iter().map(|r| r.1).sum();
    let mut buf = vec![0; total.min(CHUNK) as usize];
    k.files.vfs.take_transfers();
    let n = match offset {
        None => file.read(&mut buf)?,
        Some(at) => file.pread(&mut buf, at)?,
    };
    k.guest().scatter(ranges, 0, &buf[..n])?;
    k.profiler.read(file, &k.files.vfs, k.hart.mem.id(), (ranges, 0), n as u64);
    Ok(n as u64)
}

/// Reads a file until the ranges are full or the file ends.
fn read_all(k: &Kernel, file: &FileRef, ranges: &[Range], offset: Option<i64>) -> Result<u64> {
    let parts = ranges.iter().flat_map(|&(addr, len)| {
        let chunks = (0..len).step_by(CHUNK as usize);
        chunks.map(move |at| (addr + at, (len - at).min(CHUNK)))
    });
    let mut done = 0;
    for part in parts {
        k.memory.account.ensure_running()?;
        let from = offset.map(|o| o.saturating_add(done as i64));
        match read_once(k, file, &[part], from) {
            Ok(n) if n < part.1 => return Ok(done + n),
            Ok(n) => done += n,
            Err(_) if done > 0 => break,
            Err(e) => return Err(e),
        }
    }
    Ok(done)
}

/// Notes that the system acts on what is written to a file of its own, such as the counter of an `eventfd`.
fn note_control(k: &Kernel, file: &FileRef, ranges: &[Range]) {
    const OWN: [&[u8]; 2] = [b"anon_inode:", b"/proc/"];
    if k.tasks.reads.are_noted() && OWN.iter().any(|own| file.label().starts_with(own)) {
        ranges.iter().for_each(|(addr, len)| k.tasks.reads.note(*addr, *len));
    }
}

/// Writes the ranges, at `offset` or the file's position. A blocking write to a pipe continues until
/// all data is written.
fn write_from(k: &mut Kernel, fd: i32, ranges: &[Range], offset: Option<i64>) -> Sys {
    let file = k.file(fd)?;
    if !file.writable() {
        return Err(Errno::EBADF.into());
    }
    note_control(k, &file, ranges);
    let total: u64 = ranges.iter().map(|r| r.1).sum();
    let mut done = k.call_mut().done;
    if total == 0 {
        return Ok(file.write(&[])? as u64);
    }
    while done < total {
        k.memory.account.ensure_running()?;
        let data = match k.guest().gather(ranges, done) {
            Ok(data) => data,
            Err(_) if done > 0 => break,
            Err(e) => return Err(e.into()),
        };
        k.files.vfs.take_transfers();
        let put = match offset {
            None => file.write(&data),
            Some(at) => file.pwrite(&data, at.saturating_add(done as i64)),
        };
        match put {
            Ok(n) => {
                k.profiler.wrote(&k.files.vfs, k.hart.mem.id(), (ranges, done), n as u64);
                done += n as u64;
                if n == 0 {
                    break;
                }
            }
            Err(Errno::EAGAIN) if file.nonblocking() && done > 0 => break,
            Err(Errno::EAGAIN) => {
                k.call_mut().done = done;
                return wait_file(k, &file);
            }
            Err(_) if done > 0 => break,
            Err(e) => return Err(write_failed(k, e).into()),
        }
    }
    Ok(done)
}

/// Raises SIGPIPE for a write to a pipe without a reader.
pub fn write_failed(k: &mut Kernel, e: Errno) -> Errno {
    if e == Errno::EPIPE {
        // A standard signal always fits the queue.
        let _ = k.send_to_thread(k.tasks.current, SigInfo::kernel(sig::PIPE));
    }
    e
}

fn one(a: &Args) -> [Range; 1] {
    [(a.raw(1), a.raw(2).min(MAX_COUNT))]
}

fn offset(a: &Args, i: usize) -> Result<Option<i64>> {
    let at = a.raw(i) as i64;
    if at < 0 { Err(Errno::EINVAL) } else { Ok(Some(at)) }
}

pub fn read(k: &mut Kernel, a: &Args) -> Sys {
    read_into(k, a.int(0), &one(a), None)
}

pub fn write(k: &mut Kernel, a: &Args) -> Sys {
    write_from(k, a.int(0), &one(a), None)
}

pub fn pread64(k: &mut Kernel, a: &Args) -> Sys {
    read_into(k, a.int(0), &one(a), offset(a, 3)?)
}

pub fn pwrite64(k: &mut Kernel, a: &Args) -> Sys {
    write_from(k, a.int(0), &one(a), offset(a, 3)?)
}

pub fn readv(k: &mut Kernel, a: &Args) -> Sys {
    let ranges = k.guest().iovec(a.raw(1), a.raw(2))?;
    read_into(k, a.int(0), &ranges, None)
}

pub fn writev(k: &mut Kernel, a: &Args) -> Sys {
    let ranges = k.guest().iovec(a.raw(1), a.raw(2))?;
    write_from(k, a.int(0), &ranges, None)
}

pub fn preadv(k: &mut Kernel, a: &Args) -> Sys {
    let ranges = k.guest().iovec(a.raw(1), a.raw(2))?;
    read_into(k, a.int(0), &ranges, offset(a, 3)?)
}

pub fn pwritev(k: &mut Kernel, a: &Args) -> Sys {
    let ranges = k.guest().iovec(a.raw(1), a.raw(2))?;
    write_from(k, a.int(0), &ranges, offset(a, 3)?)
}

/// `preadv2` and `pwritev2`: offset −1 means the file's position. Flags are ignored, except that
/// `pwritev2` refuses `RWF_APPEND`.
pub fn preadv2(k: &mut Kernel, a: &Args) -> Sys {
    if a.raw(3) == u64::MAX { readv(k, a) } else { preadv(k, a) }
}

pub fn pwritev2(k: &mut Kernel, a: &Args) -> Sys {
    const RWF_APPEND: u32 = 0x10;
    if a.word(5) & RWF_APPEND != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    if a.raw(3) == u64::MAX { writev(k, a) } else { pwritev(k, a) }
}

pub fn lseek(k: &mut Kernel, a: &Args) -> Sys {
    Ok(k.file(a.int(0))?.lseek(a.raw(1) as i64, a.word(2))?)
}

/// An offset argument in memory; a null pointer means the file's position.
fn get_offset(k: &Kernel, addr: u64) -> Result<Option<u64>> {
    if addr == 0 {
        return Ok(None);
    }
    let at: u64 = k.guest().get(addr)?;
    if at > i64::MAX as u64 { Err(Errno::EINVAL) } else { Ok(Some(at)) }
}

fn put_offset(k: &Kernel, addr: u64, at: Option<u64>) -> Result<()> {
    at.map_or(Ok(()), |at| k.guest().put(addr, at))
}

fn transfer(k: &mut Kernel, files: (i32, i32), at: (u64, u64), len: u64) -> Sys {
    let (input, output) = (k.file(files.0)?, k.file(files.1)?);
    let (mut from, mut to) = (get_offset(k, at.0)?, get_offset(k, at.1)?);
    let len = len.min(MAX_COUNT) as usize;
    k.files.vfs.take_transfers();
    match fs::copy(&input, from.as_mut(), &output, to.as_mut(), len) {
        Ok(n) => {
            k.profiler.copied(&input, &k.files.vfs, n as u64);
            put_offset(k, at.0, from)?;
            put_offset(k, at.1, to)?;
            Ok(n as u64)
        }
        Err(Errno::EAGAIN) => wait_file(k, &output),
        Err(e) => Err(write_failed(k, e).into()),
    }
}

pub fn sendfile(k: &mut Kernel, a: &Args) -> Sys {
    transfer(k, (a.int(1), a.int(0)), (a.raw(2), 0), a.raw(3))
}

pub fn copy_file_range(k: &mut Kernel, a: &Args) -> Sys {
    if a.word(5) != 0 {
        return Err(Errno::EINVAL.into());
    }
    if !is_regular(&k.file(a.int(0))?) || !is_regular(&k.file(a.int(2))?) {
        return Err(Errno::EINVAL.into());
    }
    transfer(k, (a.int(0), a.int(2)), (a.raw(1), a.raw(3)), a.raw(4))
}
