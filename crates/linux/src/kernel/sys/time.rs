//! Clocks and sleeping.

use super::Args;
use crate::base::errno::{Errno, Result};
use crate::base::time::SECOND;
use crate::kernel::{Kernel, Sys};
use crate::process::thread::{Call, Restart, Wait, Wake};

/// Clock numbers (`include/uapi/linux/time.h`).
pub mod id {
    pub const REALTIME: i32 = 0;
    pub const MONOTONIC: i32 = 1;
    pub const PROCESS_CPU: i32 = 2;
    pub const THREAD_CPU: i32 = 3;
    pub const MONOTONIC_RAW: i32 = 4;
    pub const REALTIME_COARSE: i32 = 5;
    pub const MONOTONIC_COARSE: i32 = 6;
    pub const BOOTTIME: i32 = 7;
    pub const REALTIME_ALARM: i32 = 8;
    pub const BOOTTIME_ALARM: i32 = 9;
    pub const TAI: i32 = 11;
}

/// Flag of `clock_nanosleep` and of timers.
pub const ABSTIME: u32 = 1;
/// International atomic time minus UTC, in seconds, as on Linux until it is set.
const TAI_OFFSET: u64 = 0;

/// Whether absolute times of a clock count from 1970.
pub fn is_realtime(clock: i32) -> Result<bool> {
    match clock {
        id::REALTIME | id::REALTIME_COARSE | id::REALTIME_ALARM | id::TAI => Ok(true),
        id::MONOTONIC
        | id::MONOTONIC_RAW
        | id::MONOTONIC_COARSE
        | id::BOOTTIME
        | id::BOOTTIME_ALARM => Ok(false),
        _ => Err(Errno::EINVAL),
    }
}

/// Reads a clock, in nanoseconds.
fn clock(k: &Kernel, clock: i32) -> Result<u64> {
    let c = &k.devices.clock;
    match clock {
        id::PROCESS_CPU => Ok(k.cpu_time().process_ns(k.thread().pid)),
        id::THREAD_CPU => Ok(k.cpu_time().thread_ns(k.tasks.current)),
        id::TAI => Ok(c.realtime().saturating_add(TAI_OFFSET * SECOND)),
        ..0 => cpu_clock(k, clock),
        _ if is_realtime(clock)? => Ok(c.realtime()),
        _ => Ok(c.monotonic()),
    }
}

/// The CPU clock of a process or thread: its number complemented above three bits of kind
/// (`include/linux/posix-timers.h`).
fn cpu_clock(k: &Kernel, clock: i32) -> Result<u64> {
    const PER_THREAD: i32 = 4;
    const SCHED: i32 = 2;
    let (pid, kind) = (!(clock >> 3), clock & 3);
    if kind > SCHED {
        return Err(Errno::EINVAL);
    }
    if clock & PER_THREAD != 0 {
        let tid = if pid == 0 { k.tasks.current } else { pid };
        let known = k.tasks.threads.get(&tid).is_some_and(|t| t.pid == k.thread().pid);
        return if known { Ok(k.cpu_time().thread_ns(tid)) } else { Err(Errno::EINVAL) };
    }
    let pid = if pid == 0 { k.thread().pid } else { pid };
    match k.tasks.processes.get(&pid) {
        Some(_) => Ok(k.cpu_time().process_ns(pid)),
        None => Err(Errno::EINVAL),
    }
}

pub fn clock_gettime(k: &mut Kernel, a: &Args) -> Sys {
    let now = clock(k, a.int(0))?;
    k.guest().put_timespec(a.raw(1), now)?;
    Ok(0)
}

pub fn clock_getres(k: &mut Kernel, a: &Args) -> Sys {
    clock(k, a.int(0))?;
    if a.raw(1) != 0 {
        k.guest().put_timespec(a.raw(1), 1)?;
    }
    Ok(0)
}

pub fn gettimeofday(k: &mut Kernel, a: &Args) -> Sys {
    if a.raw(0) != 0 {
        let us = k.devices.clock.realtime() / 1000;
        k.guest().put_words(a.raw(0), &[us / 1_000_000, us % 1_000_000])?;
    }
    if a.raw(1) != 0 {
        k.guest().put(a.raw(1), 0u64)?;
    }
    Ok(0)
}

/// Sleeps until the deadline that the first invocation has set.
fn sleep(k: &mut Kernel) -> Sys {
    match k.wake() {
        Wake::Timeout => Ok(0),
        _ => k.wait(Wait::Time, Restart::Never),
    }
}

pub fn nanosleep(k: &mut Kernel, a: &Args) -> Sys {
    let ns = k.guest().get_timespec(a.raw(0))?;
    k.set_timeout(ns);
    sleep(k)
}

pub fn clock_nanosleep(k: &mut Kernel, a: &Args) -> Sys {
    let clock = a.int(0);
    if clock == id::PROCESS_CPU {
        // While this thread sleeps, only the CPU time of other threads could pass.
        return Err(Errno::EOPNOTSUPP.into());
    }
    let realtime = is_realtime(clock)?;
    let ns = k.guest().get_timespec(a.raw(2))?;
    if a.word(1) & ABSTIME != 0 {
        let at = k.devices.clock.to_monotonic(ns, realtime);
        if at <= k.now() {
            return Ok(0);
        }
        k.set_deadline(at);
    } else {
        k.set_timeout(ns);
    }
    sleep(k)
}

/// Writes to the address `to` what remains of a sleep that a signal has ended, unless the address is zero.
pub fn store_remaining(k: &Kernel, call: &Call, to: u64) {
    if let Some(until) = call.until.filter(|_| to != 0) {
        // The call has failed already, so a bad pointer is ignored.
        let _ = k.guest().put_timespec(to, until.saturating_sub(k.now()));
    }
}
