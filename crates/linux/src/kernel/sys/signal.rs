//! Signal calls.

use super::Args;
use crate::base::errno::{Errno, Result};
use crate::interface::Fault;
use crate::kernel::{Abort, Kernel, Sys, signal_delivery};
use crate::process::Process;
use crate::process::thread::{Restart, Wait, Wake};
use crate::signal::{Action, AltStack, Detail, RAW, RAW_AT, SigInfo, SigSet, code, sig};

/// Bytes of the kernel's `sigset_t`.
const SET_SIZE: u64 = 8;

/// Reads a signal set.
///
/// # Errors
/// `EINVAL` for another size; `EFAULT`.
pub fn get_set(k: &Kernel, addr: u64, size: u64) -> Result<SigSet> {
    if size != SET_SIZE {
        return Err(Errno::EINVAL);
    }
    k.guest().get(addr).map(SigSet)
}

/// Sets the mask for the duration of a call; `Kernel::complete` or the return from the handler restores it.
pub fn set_temporary_mask(k: &mut Kernel, addr: u64, size: u64) -> Result<()> {
    if addr == 0 || k.wake() != Wake::First {
        return Ok(());
    }
    let mask = get_set(k, addr, size)?.minus(SigSet::UNBLOCKABLE);
    let t = k.thread_mut();
    t.saved_mask = Some(std::mem::replace(&mut t.mask, mask));
    Ok(())
}

fn valid(signal: i32) -> Result<i32> {
    if (1..=sig::MAX).contains(&signal) { Ok(signal) } else { Err(Errno::EINVAL) }
}

/// `struct sigaction` of the kernel: handler, flags, mask.
pub fn rt_sigaction(k: &mut Kernel, a: &Args) -> Sys {
    let signal = valid(a.int(0))?;
    if a.raw(3) != SET_SIZE {
        return Err(Errno::EINVAL.into());
    }
    let old = k.process().actions.borrow().get(signal);
    if a.raw(1) != 0 {
        if SigSet::UNBLOCKABLE.has(signal) {
            return Err(Errno::EINVAL.into());
        }
        let [handler, flags, mask] = k.guest().get_words(a.raw(1))?;
        let mask = SigSet(mask).minus(SigSet::UNBLOCKABLE);
        k.process().actions.borrow_mut().set(signal, Action { handler, flags, mask });
        if k.process().actions.borrow().ignores(signal) {
            k.tasks.discard_pending(SigSet::one(signal));
        }
    }
    if a.raw(2) != 0 {
        k.guest().put_words(a.raw(2), &[old.handler, old.flags, old.mask.0])?;
    }
    Ok(0)
}

pub fn rt_sigprocmask(k: &mut Kernel, a: &Args) -> Sys {
    const BLOCK: u32 = 0;
    const UNBLOCK: u32 = 1;
    const SETMASK: u32 = 2;
    let old = k.thread().mask;
    if a.raw(3) != SET_SIZE {
        return Err(Errno::EINVAL.into());
    }
    if a.raw(1) != 0 {
        let set = get_set(k, a.raw(1), a.raw(3))?;
        let new = match a.word(0) {
            BLOCK => old.union(set),
            UNBLOCK => old.minus(set),
            SETMASK => set,
            _ => return Err(Errno::EINVAL.into()),
        };
        k.thread_mut().mask = new.minus(SigSet::UNBLOCKABLE);
    }
    if a.raw(2) != 0 {
        k.guest().put(a.raw(2), old.0)?;
    }
    Ok(0)
}

pub fn rt_sigpending(k: &mut Kernel, a: &Args) -> Sys {
    if a.raw(1) > SET_SIZE {
        return Err(Errno::EINVAL.into());
    }
    let set = k.tasks.pending_signals().0 & k.thread().mask.0;
    k.guest().write(a.raw(0), &set.to_le_bytes()[..a.raw(1) as usize])?;
    Ok(0)
}

pub fn rt_sigsuspend(k: &mut Kernel, a: &Args) -> Sys {
    if a.raw(0) == 0 {
        return Err(Errno::EFAULT.into());
    }
    set_temporary_mask(k, a.raw(0), a.raw(1))?;
    k.wait(Wait::Signal, Restart::Never)
}

pub fn rt_sigtimedwait(k: &mut Kernel, a: &Args) -> Sys {
    let set = get_set(k, a.raw(0), a.raw(3))?.minus(SigSet::UNBLOCKABLE);
    if let Some(info) = k.tasks.take_pending(set) {
        k.thread_mut().sigwait = SigSet::EMPTY;
        if a.raw(1) != 0 {
            k.guest().write(a.raw(1), &info.encode())?;
            k.give_value(&info, a.raw(1));
        }
        return Ok(info.signal as u64);
    }
    if a.raw(2) != 0 {
        let ns = k.guest().get_timespec(a.raw(2))?;
        if ns == 0 || k.wake() == Wake::Timeout {
            k.thread_mut().sigwait = SigSet::EMPTY;
            return Err(Errno::EAGAIN.into());
        }
        k.set_timeout(ns);
    }
    k.thread_mut().sigwait = set;
    k.wait(Wait::Signal, Restart::Never)
}

pub fn rt_sigreturn(k: &mut Kernel, _: &Args) -> Sys {
    if signal_delivery::pop(&mut k.hart, &mut k.tasks).is_err() {
        let text = format!("bad signal frame at {:#x}", k.hart.x(2));
        k.thread_mut().fault = Some(Fault { signal: sig::SEGV, pc: None, text });
        k.tasks.force_signal(SigInfo::kernel(sig::SEGV));
    }
    Err(Abort::NoReturn)
}

pub fn sigaltstack(k: &mut Kernel, a: &Args) -> Sys {
    let (sp, old) = (k.hart.x(2), k.thread().altstack);
    if a.raw(0) != 0 {
        let at = a.raw(0);
        let (base, flags): (u64, u32) = (k.guest().get(at)?, k.guest().get(at.wrapping_add(8))?);
        let new = AltStack { sp: base, flags, size: k.guest().get(at.wrapping_add(16))? };
        let min_size = signal_delivery::frame_size(&k.hart.config);
        k.thread_mut().set_altstack(new, sp, min_size)?;
    }
    if a.raw(1) != 0 {
        k.guest().put_words(a.raw(1), &[old.sp, old.flags_at(sp).into(), old.size])?;
    }
    Ok(0)
}

fn from_me(k: &Kernel, signal: i32, code: i32) -> SigInfo {
    SigInfo { signal, code, detail: Detail::Sender(k.thread().pid, k.cred().uid.real) }
}

pub fn kill(k: &mut Kernel, a: &Args) -> Sys {
    let (pid, signal) = (a.int(0), a.int(1));
    if !(0..=sig::MAX).contains(&signal) {
        return Err(Errno::EINVAL.into());
    }
    let me = k.thread().pid;
    let group = match pid {
        0 => Some(k.process().pgid),
        i32::MIN => return Err(Errno::ESRCH.into()),
        -1 => None,
        g @ ..0 => Some(-g),
        _ => None,
    };
    let is_target = |p: &&Process| match (pid, group) {
        (1.., _) => p.pid == pid,
        (_, Some(group)) => p.pgid == group,
        _ => p.pid != me,
    };
    let mut targets = k.tasks.processes.values().filter(is_target).peekable();
    if targets.peek().is_none() {
        return Err(Errno::ESRCH.into());
    }
    let targets: Vec<i32> =
        targets.filter(|p| k.tasks.may_signal(p, signal)).map(|p| p.pid).collect();
    if targets.is_empty() {
        return Err(Errno::EPERM.into());
    }
    if signal != 0 {
        let info = from_me(k, signal, code::USER);
        for target in targets {
            k.send_to_process(target, info)?;
        }
    }
    Ok(0)
}

fn to_thread(k: &mut Kernel, pid: Option<i32>, tid: i32, info: SigInfo) -> Sys {
    if tid <= 0 || !(0..=sig::MAX).contains(&info.signal) {
        return Err(Errno::EINVAL.into());
    }
    let t = k.tasks.threads.get(&tid).ok_or(Errno::ESRCH)?;
    if pid.is_some_and(|p| p != t.pid) {
        return Err(Errno::ESRCH.into());
    }
    if k.tasks.processes.get(&t.pid).is_some_and(|p| !k.tasks.may_signal(p, info.signal)) {
        return Err(Errno::EPERM.into());
    }
    if info.signal != 0 {
        k.send_to_thread(tid, info)?;
    }
    Ok(0)
}

pub fn tkill(k: &mut Kernel, a: &Args) -> Sys {
    let info = from_me(k, a.int(1), code::TKILL);
    to_thread(k, None, a.int(0), info)
}

pub fn tgkill(k: &mut Kernel, a: &Args) -> Sys {
    if a.int(0) <= 0 {
        return Err(Errno::EINVAL.into());
    }
    let info = from_me(k, a.int(2), code::TKILL);
    to_thread(k, Some(a.int(0)), a.int(1), info)
}

/// Reads a `siginfo_t` that the guest has made.
fn read_siginfo(k: &Kernel, signal: i32, addr: u64) -> Result<SigInfo> {
    let code = k.guest().get(addr.wrapping_add(8))?;
    let mut rest = [0; RAW as usize];
    let at = addr.wrapping_add(RAW_AT);
    k.guest().copy(at, &mut rest)?;
    let kept = k.profiler.kept(&k.files.vfs, k.hart.mem.id(), at, RAW);
    Ok(SigInfo { signal, code, detail: Detail::Raw(rest, kept) })
}

pub fn rt_sigqueueinfo(k: &mut Kernel, a: &Args) -> Sys {
    let (pid, signal) = (a.int(0), a.int(1));
    if !(0..=sig::MAX).contains(&signal) {
        return Err(Errno::EINVAL.into());
    }
    let info = read_siginfo(k, signal, a.raw(2))?;
    let target = k.tasks.processes.get(&pid).ok_or(Errno::ESRCH)?;
    // Only the kernel and kill() use codes from 0 up.
    if !k.tasks.may_signal(target, signal) || (info.code >= 0 && pid != k.thread().pid) {
        return Err(Errno::EPERM.into());
    }
    if signal != 0 {
        k.send_to_process(pid, info)?;
    }
    Ok(0)
}

pub fn rt_tgsigqueueinfo(k: &mut Kernel, a: &Args) -> Sys {
    let info = read_siginfo(k, a.int(2), a.raw(3))?;
    if info.code >= 0 && a.int(0) != k.thread().pid {
        return Err(Errno::EPERM.into());
    }
    to_thread(k, Some(a.int(0)), a.int(1), info)
}
