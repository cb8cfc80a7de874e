//! Waiting for several files: `poll`, `select`, `epoll`.

use super::Args;
use super::read_write::wait_for;
use super::signal::set_temporary_mask;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{o, poll};
use crate::fs::{Epoll, FdTable, FileRef};
use crate::kernel::{Kernel, Sys};
use crate::process::thread::{Restart, Wait, Wake};

/// Bytes of `struct pollfd`: descriptor, events, returned events.
const POLLFD: u64 = 8;
/// Bytes of `struct epoll_event` on riscv64, where it is not packed.
const EPOLL_EVENT: u64 = 16;
/// Maximum number of descriptors of one call: no more can be open.
const MAX_FDS: u64 = FdTable::MAX_LIMIT as u64;

/// Waits for any of the files, or for the timeout; `Ok(0)` after the timeout.
fn wait_any(k: &mut Kernel, files: &[FileRef], timeout: Option<u64>) -> Sys {
    let now = k.now();
    let end = match timeout {
        None => None,
        Some(ns) => {
            let call = k.call_mut();
            if call.wake == Wake::First {
                call.end = now.saturating_add(ns);
            }
            Some(call.end)
        }
    };
    if end.is_some_and(|end| end <= now) {
        return Ok(0);
    }
    let events =
        files.iter().filter_map(|f| f.object().pollable().deadline()).filter(|at| *at > now);
    k.call_mut().until = events.chain(end).min();
    let host = files.iter().any(|f| wait_for(f) == Wait::Host);
    k.wait(if host { Wait::Host } else { Wait::Files }, Restart::Never)
}

fn optional_timespec(k: &Kernel, addr: u64) -> Result<Option<u64>> {
    if addr == 0 { Ok(None) } else { k.guest().get_timespec(addr).map(Some) }
}

/// `ppoll(fds, count, timeout, mask, size)`.
pub fn ppoll(k: &mut Kernel, a: &Args) -> Sys {
    let (addr, count) = (a.raw(0), a.raw(1));
    if count > MAX_FDS {
        return Err(Errno::EINVAL.into());
    }
    let timeout = optional_timespec(k, a.raw(2))?;
    set_temporary_mask(k, a.raw(3), a.raw(4))?;
    let (mut files, mut ready) = (Vec::new(), 0);
    for i in 0..count {
        let at = addr.wrapping_add(POLLFD * i);
        let (fd, wanted): (i32, u16) = (k.guest().get(at)?, k.guest().get(at.wrapping_add(4))?);
        let events = match k.file(fd) {
            _ if fd < 0 => 0,
            Ok(file) => {
                let events = file.poll_ready().wanted(wanted.into());
                files.push(file);
                events
            }
            Err(_) => poll::NVAL,
        };
        k.guest().put(at.wrapping_add(6), events as u16)?;
        ready += u64::from(events != 0);
    }
    if ready > 0 { Ok(ready) } else { wait_any(k, &files, timeout) }
}

/// The events of the three sets of `select`.
const SETS: [u32; 3] = [
    poll::IN | poll::RDNORM | poll::HUP | poll::ERR,
    poll::OUT | poll::WRNORM | poll::ERR,
    poll::PRI,
];

/// `pselect6(n, read, write, except, timeout, {mask, size})`.
pub fn pselect6(k: &mut Kernel, a: &Args) -> Sys {
    let n = u64::try_from(a.int(0)).map_err(|_| Errno::EINVAL)?.min(MAX_FDS);
    let timeout = optional_timespec(k, a.raw(4))?;
    if a.raw(5) != 0 {
        let [mask, size] = k.guest().get_words(a.raw(5))?;
        set_temporary_mask(k, mask, size)?;
    }
    let words = n.div_ceil(64) as usize;
    let (mut files, mut ready) = (Vec::new(), 0);
    let mut out = [vec![0u64; words], vec![0; words], vec![0; words]];
    for (set, (wanted, out)) in SETS.iter().zip(&mut out).enumerate() {
        let addr = a.raw(1 + set);
        for (i, out) in out.iter_mut().enumerate().filter(|_| addr != 0) {
            let mut bits: u64 = k.guest().get(addr.wrapping_add(8 * i as u64))?;
            if i as u64 == n / 64 {
                bits &= (1 << (n % 64)) - 1;
            }
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let file = k.file((i * 64) as i32 + bit as i32)?;
                if file.poll_ready().0 & wanted != 0 {
                    *out |= 1 << bit;
                    ready += 1;
                }
                files.push(file);
            }
        }
    }
    if ready == 0 {
        wait_any(k, &files, timeout)?;
    }
    for (set, out) in out.iter().enumerate() {
        if a.raw(1 + set) != 0 {
            k.guest().put_words(a.raw(1 + set), out)?;
        }
    }
    Ok(ready)
}

pub fn epoll_create1(k: &mut Kernel, a: &Args) -> Sys {
    let file = k.files.vfs.epoll(a.word(0))?;
    k.install(file, a.word(0) & o::CLOEXEC)
}

pub fn epoll_ctl(k: &mut Kernel, a: &Args) -> Sys {
    const DEL: u32 = 2;
    let (list, file) = (k.file(a.int(0))?, k.file(a.int(2))?);
    let (events, data) = match a.word(1) {
        DEL => (0, 0),
        _ => {
            let mut data = [0; 8];
            // Passed on: the caller's own value.
            k.guest().copy(a.raw(3).wrapping_add(8), &mut data)?;
            (k.guest().get(a.raw(3))?, u64::from_le_bytes(data))
        }
    };
    let epoll = Epoll::of(&list)?;
    epoll.control(a.word(1), a.int(2), &file, events, data)?;
    Ok(0)
}

fn epoll_wait(k: &mut Kernel, a: &Args, timeout: Option<u64>) -> Sys {
    let most = usize::try_from(a.int(2)).ok().filter(|n| *n > 0).ok_or(Errno::EINVAL)?;
    let list = k.file(a.int(0))?;
    let epoll = Epoll::of(&list)?;
    set_temporary_mask(k, a.raw(4), a.raw(5))?;
    let room = (most as u64).min(MAX_FDS);
    k.guest().accessible(a.raw(1), room * EPOLL_EVENT, capvec_sim::mem::Perm::W)?;
    let ready = epoll.take_ready(room as usize);
    if ready.is_empty() {
        return wait_any(k, std::slice::from_ref(&list), timeout);
    }
    for (i, (events, data)) in (0..).zip(&ready) {
        let at = a.raw(1).wrapping_add(EPOLL_EVENT * i);
        k.guest().put_words(at, &[u64::from(*events), *data])?;
    }
    Ok(ready.len() as u64)
}

pub fn epoll_pwait(k: &mut Kernel, a: &Args) -> Sys {
    let timeout = u64::try_from(a.int(3)).ok().map(|ms| ms * 1_000_000);
    epoll_wait(k, a, timeout)
}

pub fn epoll_pwait2(k: &mut Kernel, a: &Args) -> Sys {
    let timeout = optional_timespec(k, a.raw(3))?;
    epoll_wait(k, a, timeout)
}
