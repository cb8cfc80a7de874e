//! Scheduling parameters: one hart, `SCHED_OTHER`, nice 0.

use super::Args;
use super::no_effect::Check;
use crate::base::errno::{Errno, Result};
use crate::kernel::{Kernel, Sys};

fn check_thread(k: &Kernel, tid: i32) -> Result<()> {
    if tid < 0 {
        return Err(Errno::EINVAL);
    }
    if tid == 0 || k.tasks.threads.contains_key(&tid) { Ok(()) } else { Err(Errno::ESRCH) }
}

/// Gives up the rest of the quantum.
pub fn sched_yield(k: &mut Kernel, _: &Args) -> Sys {
    k.sched.yielded = true;
    Ok(0)
}

pub fn sched_getaffinity(k: &mut Kernel, a: &Args) -> Sys {
    check_thread(k, a.int(0))?;
    if a.raw(1) < 8 || !a.raw(1).is_multiple_of(8) {
        return Err(Errno::EINVAL.into());
    }
    k.guest().put(a.raw(2), 1u64)?;
    Ok(8)
}

pub fn sched_setaffinity(k: &mut Kernel, a: &Args) -> Sys {
    check_thread(k, a.int(0))?;
    if a.raw(1) == 0 {
        return Err(Errno::EINVAL.into());
    }
    let mask: u8 = k.guest().get(a.raw(2))?;
    if mask & 1 != 0 { Ok(0) } else { Err(Errno::EINVAL.into()) }
}

/// `SCHED_OTHER`, which is 0.
pub fn sched_getscheduler(k: &mut Kernel, a: &Args) -> Sys {
    check_thread(k, a.int(0))?;
    Ok(0)
}

pub fn sched_getparam(k: &mut Kernel, a: &Args) -> Sys {
    check_thread(k, a.int(0))?;
    k.guest().put(a.raw(1), 0i32)?;
    Ok(0)
}

/// `sched_setscheduler(thread, policy, parameter)`: time-sharing policies are accepted and equivalent.
pub const SCHEDULER: Check = Check(3, |k, a| {
    const BATCH: i32 = 3;
    const IDLE: i32 = 5;
    check_thread(k, a.int(0))?;
    let priority: i32 = k.guest().get(a.raw(2))?;
    match (a.int(1), priority) {
        (0 | BATCH | IDLE, 0) => Ok(()),
        (1 | 2, 1..=99) => Err(Errno::EPERM),
        _ => Err(Errno::EINVAL),
    }
});

/// `sched_setparam(thread, parameter)`.
pub const PARAMETER: Check = Check(2, |k, a| {
    check_thread(k, a.int(0))?;
    let priority: i32 = k.guest().get(a.raw(1))?;
    if priority == 0 { Ok(()) } else { Err(Errno::EINVAL) }
});

/// The maximum priority of a policy: 99 for the real-time policies, otherwise 0.
pub fn priority_max(_: &mut Kernel, a: &Args) -> Sys {
    match a.int(0) {
        1 | 2 => Ok(99),
        0 | 3 | 5 | 6 => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}

pub fn priority_min(_: &mut Kernel, a: &Args) -> Sys {
    match a.int(0) {
        1 | 2 => Ok(1),
        0 | 3 | 5 | 6 => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}

/// The scheduler's quantum, which is in instructions, as the time that it takes at the pace of the last run of the engine.
pub fn rr_interval(k: &mut Kernel, a: &Args) -> Sys {
    check_thread(k, a.int(0))?;
    let ns = k.devices.clock.ns_of(k.sched.quantum.saturating_mul(k.sched.pace));
    k.guest()
        .put_words(a.raw(1), &[ns / crate::base::time::SECOND, ns % crate::base::time::SECOND])?;
    Ok(0)
}

/// `getpriority` returns 20 − nice.
pub fn getpriority(_: &mut Kernel, a: &Args) -> Sys {
    // `PRIO_PROCESS`, `PRIO_PGRP`, `PRIO_USER`: all have the same priority.
    match a.int(0) {
        0..=2 => Ok(20),
        _ => Err(Errno::EINVAL.into()),
    }
}
