//! Timers: `setitimer`, `timer_create`, `timerfd`.

use super::Args;
use super::time::{ABSTIME, id, is_realtime};
use crate::base::errno::{Errno, Result};
use crate::base::time::SECOND;
use crate::fs::{TimerFd, TimerSetting};
use crate::kernel::{Kernel, Sys};
use crate::process::timer_queue::Event;
use crate::process::timers::{Interval, PosixTimer, Target};
use crate::signal::sig;

const ITIMER_REAL: u32 = 0;
/// `ITIMER_VIRTUAL` and `ITIMER_PROF` follow it.
const ITIMER_LAST: u32 = 2;
/// Maximum number of POSIX timers of a process.
const MAX_TIMERS: usize = 1024;

/// An interval timer (period and next expiry), and the current time of its clock.
fn itimer(k: &Kernel, which: u32) -> Result<(Interval, u64)> {
    let p = k.process();
    match which {
        ITIMER_REAL => Ok((p.timers.real, k.now())),
        1..=ITIMER_LAST => Ok((p.timers.cpu[which as usize - 1], k.cpu_time().process_ns(p.pid))),
        _ => Err(Errno::EINVAL),
    }
}

fn put_itimer(k: &Kernel, addr: u64, timer: Interval, now: u64) -> Result<()> {
    let value = timer.at.map_or(0, |at| at.saturating_sub(now).max(1000)) / 1000;
    let period = timer.period / 1000;
    const MICRO: u64 = 1_000_000;
    k.guest().put_words(addr, &[period / MICRO, period % MICRO, value / MICRO, value % MICRO])
}

pub fn getitimer(k: &mut Kernel, a: &Args) -> Sys {
    let (timer, now) = itimer(k, a.word(0))?;
    put_itimer(k, a.raw(1), timer, now)?;
    Ok(0)
}

pub fn setitimer(k: &mut Kernel, a: &Args) -> Sys {
    let which = a.word(0);
    let (old, now) = itimer(k, which)?;
    let (period, value) = match a.raw(1) {
        0 => (0, 0),
        p => (k.guest().get_timeval(p)?, k.guest().get_timeval(p.wrapping_add(16))?),
    };
    if a.raw(2) != 0 {
        put_itimer(k, a.raw(2), old, now)?;
    }
    let at = (value != 0).then(|| now.saturating_add(value));
    let timer = Interval { at, period };
    let pid = k.thread().pid;
    if which == ITIMER_REAL {
        if let Some(key) = k.process_mut().timers.real_key.take() {
            k.sched.timers.cancel(key);
        }
        let key = at.map(|at| k.sched.timers.add(at, Event::Alarm(pid)));
        let timers = &mut k.process_mut().timers;
        (timers.real, timers.real_key) = (timer, key);
    } else {
        k.process_mut().timers.cpu[which as usize - 1] = timer;
    }
    Ok(0)
}

/// Reads `struct sigevent`: value, signal, notify, thread.
fn target(k: &Kernel, addr: u64, timer: i32) -> Result<Target> {
    const SIGNAL: i32 = 0;
    const NONE: i32 = 1;
    const THREAD_ID: i32 = 4;
    if addr == 0 {
        return Ok(Target::Process(sig::ALRM, timer as u64));
    }
    let mut value = [0; 8];
    // Passed on to the handler.
    k.guest().copy(addr, &mut value)?;
    let value = u64::from_le_bytes(value);
    let (signal, notify): (i32, i32) =
        (k.guest().get(addr.wrapping_add(8))?, k.guest().get(addr.wrapping_add(12))?);
    let valid = (1..=sig::MAX).contains(&signal);
    match notify {
        NONE => Ok(Target::None),
        SIGNAL if valid => Ok(Target::Process(signal, value)),
        f if f == SIGNAL | THREAD_ID && valid => {
            let tid = k.guest().get(addr.wrapping_add(16))?;
            let mine = k.tasks.threads.get(&tid).is_some_and(|t| t.pid == k.thread().pid);
            if mine { Ok(Target::Thread(tid, signal, value)) } else { Err(Errno::EINVAL) }
        }
        _ => Err(Errno::EINVAL),
    }
}

pub fn timer_create(k: &mut Kernel, a: &Args) -> Sys {
    let realtime = match a.int(0) {
        // Not supported: the queue of timers has no CPU time.
        id::PROCESS_CPU | id::THREAD_CPU => return Err(Errno::EOPNOTSUPP.into()),
        clock => is_realtime(clock)?,
    };
    if k.process().timers.posix.len() >= MAX_TIMERS {
        return Err(Errno::EAGAIN.into());
    }
    let id = k.process().timers.next_id;
    let target = target(k, a.raw(1), id)?;
    k.guest().put(a.raw(2), id)?;
    let timer =
        PosixTimer { realtime, target, interval: Interval::default(), key: None, overrun: 0 };
    let timers = &mut k.process_mut().timers;
    timers.posix.insert(id, timer);
    timers.next_id = id.wrapping_add(1) & i32::MAX;
    Ok(0)
}

fn posix(k: &Kernel, id: i32) -> Result<PosixTimer> {
    k.process().timers.posix.get(&id).copied().ok_or(Errno::EINVAL)
}

fn put_setting(k: &Kernel, addr: u64, s: TimerSetting) -> Result<()> {
    let words = [s.interval / SECOND, s.interval % SECOND, s.value / SECOND, s.value % SECOND];
    k.guest().put_words(addr, &words)
}

fn setting(timer: &PosixTimer, now: u64) -> TimerSetting {
    let value = timer.interval.at.map_or(0, |at| at.saturating_sub(now).max(1));
    TimerSetting { value, interval: timer.interval.period }
}

fn get_setting(k: &Kernel, addr: u64) -> Result<TimerSetting> {
    let interval = k.guest().get_timespec(addr)?;
    let value = k.guest().get_timespec(addr.wrapping_add(16))?;
    Ok(TimerSetting { value, interval })
}

pub fn timer_settime(k: &mut Kernel, a: &Args) -> Sys {
    let (id, now) = (a.int(0), k.now());
    let mut timer = posix(k, id)?;
    let new = get_setting(k, a.raw(2))?;
    if a.raw(3) != 0 {
        put_setting(k, a.raw(3), setting(&timer, now))?;
    }
    if let Some(key) = timer.key.take() {
        k.sched.timers.cancel(key);
    }
    let at = if a.word(1) & ABSTIME != 0 {
        k.devices.clock.to_monotonic(new.value, timer.realtime)
    } else {
        now.saturating_add(new.value)
    };
    timer.interval = Interval { at: (new.value != 0).then_some(at), period: new.interval };
    timer.overrun = 0;
    let pid = k.thread().pid;
    timer.key = timer.interval.at.map(|at| k.sched.timers.add(at, Event::Posix(pid, id)));
    k.process_mut().timers.posix.insert(id, timer);
    Ok(0)
}

pub fn timer_gettime(k: &mut Kernel, a: &Args) -> Sys {
    let timer = posix(k, a.int(0))?;
    put_setting(k, a.raw(1), setting(&timer, k.now()))?;
    Ok(0)
}

pub fn timer_getoverrun(k: &mut Kernel, a: &Args) -> Sys {
    Ok(posix(k, a.int(0))?.overrun as u64)
}

pub fn timer_delete(k: &mut Kernel, a: &Args) -> Sys {
    let timer = posix(k, a.int(0))?;
    if let Some(key) = timer.key {
        k.sched.timers.cancel(key);
    }
    k.process_mut().timers.posix.remove(&a.int(0));
    Ok(0)
}

pub fn timerfd_create(k: &mut Kernel, a: &Args) -> Sys {
    let realtime = is_realtime(a.int(0))?;
    let file = k.files.vfs.timerfd(realtime, a.word(1))?;
    k.install(file, a.word(1))
}

pub fn timerfd_settime(k: &mut Kernel, a: &Args) -> Sys {
    const CANCEL_ON_SET: u32 = 2;
    if a.word(1) & !(ABSTIME | CANCEL_ON_SET) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let file = k.file(a.int(0))?;
    let timer = TimerFd::of(&file)?;
    let new = get_setting(k, a.raw(2))?;
    let old = timer.set(new, a.word(1) & ABSTIME != 0);
    if a.raw(3) != 0 {
        put_setting(k, a.raw(3), old)?;
    }
    Ok(0)
}

pub fn timerfd_gettime(k: &mut Kernel, a: &Args) -> Sys {
    let file = k.file(a.int(0))?;
    let timer = TimerFd::of(&file)?;
    put_setting(k, a.raw(1), timer.get())?;
    Ok(0)
}
