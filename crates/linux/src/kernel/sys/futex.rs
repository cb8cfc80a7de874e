//! Futexes (futex(2)).

use super::Args;
use crate::base::errno::{Errno, Result};
use crate::kernel::{Kernel, Sys};
use crate::process::futex_queue::Key;
use crate::process::thread::{Restart, Wait, Wake};

/// Operations (`include/uapi/linux/futex.h`).
mod op {
    pub const WAIT: u32 = 0;
    pub const WAKE: u32 = 1;
    pub const REQUEUE: u32 = 3;
    pub const CMP_REQUEUE: u32 = 4;
    pub const WAKE_OP: u32 = 5;
    pub const WAIT_BITSET: u32 = 9;
    pub const WAKE_BITSET: u32 = 10;
    /// Flags of the operation: private, and the clock.
    pub const PRIVATE: u32 = 128;
    pub const REALTIME: u32 = 256;
}

const ANY: u32 = u32::MAX;

fn wait(k: &mut Kernel, a: &Args, bits: u32) -> Sys {
    match k.wake() {
        Wake::Event => return Ok(0),
        Wake::Timeout => return Err(Errno::ETIMEDOUT.into()),
        _ => {}
    }
    if bits == 0 {
        return Err(Errno::EINVAL.into());
    }
    let key = Key::at(&k.space(), a.raw(0))?;
    if k.guest().get::<u32>(a.raw(0))? != a.word(2) {
        return Err(Errno::EAGAIN.into());
    }
    let timeout = a.raw(3);
    if timeout != 0 {
        let ns = k.guest().get_timespec(timeout)?;
        if a.word(1) & !(op::PRIVATE | op::REALTIME) == op::WAIT {
            k.set_timeout(ns);
        } else {
            // Absolute for FUTEX_WAIT_BITSET.
            let at = k.devices.clock.to_monotonic(ns, a.word(1) & op::REALTIME != 0);
            k.set_deadline(at);
        }
    }
    let restart = if timeout == 0 { Restart::Restartable } else { Restart::Never };
    k.wait(Wait::Futex(key, bits), restart)
}

/// The operation and comparison of FUTEX_WAKE_OP; returns the result of the comparison with the old value.
fn modify(k: &Kernel, addr: u64, code: u32) -> Result<bool> {
    let sign = |v: u32| (v << 20) as i32 >> 20;
    let (mut operand, comparand) = (sign(code >> 12), sign(code));
    if code >> 31 != 0 {
        operand = 1i32.wrapping_shl(operand as u32);
    }
    let old: i32 = k.guest().get(addr)?;
    let new = match code >> 28 & 7 {
        0 => operand,
        1 => old.wrapping_add(operand),
        2 => old | operand,
        3 => old & !operand,
        4 => old ^ operand,
        _ => return Err(Errno::ENOSYS),
    };
    k.guest().put(addr, new)?;
    Ok(match code >> 24 & 15 {
        0 => old == comparand,
        1 => old != comparand,
        2 => old < comparand,
        3 => old <= comparand,
        4 => old > comparand,
        5 => old >= comparand,
        _ => return Err(Errno::ENOSYS),
    })
}

pub fn futex(k: &mut Kernel, a: &Args) -> Sys {
    let count = |i| usize::try_from(a.int(i)).map_err(|_| Errno::EINVAL);
    let operation = a.word(1) & !(op::PRIVATE | op::REALTIME);
    match operation {
        op::WAIT => return wait(k, a, ANY),
        op::WAIT_BITSET => return wait(k, a, a.word(5)),
        _ => {}
    }
    let first = Key::at(&k.space(), a.raw(0))?;
    match operation {
        op::WAKE => Ok(k.sched.wake_futex(&mut k.tasks, first, a.int(2).max(1) as usize, ANY)),
        op::WAKE_BITSET if a.word(5) == 0 => Err(Errno::EINVAL.into()),
        op::WAKE_BITSET => {
            Ok(k.sched.wake_futex(&mut k.tasks, first, a.int(2).max(1) as usize, a.word(5)))
        }
        op::REQUEUE | op::CMP_REQUEUE => {
            let second = Key::at(&k.space(), a.raw(4))?;
            let compares = operation == op::CMP_REQUEUE;
            if compares && k.guest().get::<u32>(a.raw(0))? != a.word(5) {
                return Err(Errno::EAGAIN.into());
            }
            let woken = k.sched.wake_futex(&mut k.tasks, first, count(2)?, ANY);
            let moved = k.sched.requeue(&mut k.tasks, first, second, count(3)?);
            Ok(if compares { woken + moved } else { woken })
        }
        op::WAKE_OP => {
            let second = Key::at(&k.space(), a.raw(4))?;
            let also = modify(k, a.raw(4), a.word(5))?;
            let mut woken = k.sched.wake_futex(&mut k.tasks, first, count(2)?, ANY);
            if also {
                woken += k.sched.wake_futex(&mut k.tasks, second, count(3)?, ANY);
            }
            Ok(woken)
        }
        _ => Err(Errno::ENOSYS.into()),
    }
}

pub fn set_robust_list(k: &mut Kernel, a: &Args) -> Sys {
    /// `sizeof(struct robust_list_head)`.
    const HEAD: u64 = 24;
    if a.raw(1) != HEAD {
        return Err(Errno::EINVAL.into());
    }
    k.thread_mut().robust_list = a.raw(0);
    Ok(0)
}

pub fn get_robust_list(k: &mut Kernel, a: &Args) -> Sys {
    let tid = if a.int(0) == 0 { k.tasks.current } else { a.int(0) };
    let head = k.tasks.threads.get(&tid).ok_or(Errno::ESRCH)?.robust_list;
    k.guest().put(a.raw(1), head)?;
    k.guest().put(a.raw(2), 24u64)?;
    Ok(0)
}
