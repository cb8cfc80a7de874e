//! System V semaphores (semget(2), semop(2), semctl(2)).

use super::{self as sysv, Lookup};
use crate::base::errno::{Errno, Result};
use crate::kernel::sys::Args;
use crate::kernel::{Kernel, Sys};
use crate::process::thread::{Restart, Wait, Wake};
use crate::sysv_ipc::{Blocked, Info, SEM, SemOp, Set, cmd, flag};
use std::rc::Rc;

/// Bytes charged for a set in addition to its semaphores, and for a semaphore.
const SET: u64 = 512;
const SEMAPHORE: u64 = 16;

pub fn semget(k: &mut Kernel, a: &Args) -> Sys {
    let (key, count, flags) = (a.int(0), a.int(1), a.word(2));
    if !(0..=SEM.per_set).contains(&count) {
        return Err(Errno::EINVAL.into());
    }
    let (user, now, account) =
        (k.tasks.ipc_user(), k.devices.clock.seconds(), k.memory.account.clone());
    let all: u64 = k.ipc.sets.iter().map(|e| e.object.all.len() as u64).sum();
    let fits = |set: &Set| match set.all.len() < count as usize {
        true => Err(Errno::EINVAL),
        false => Ok(()),
    };
    let make = || {
        if count == 0 {
            return Err(Errno::EINVAL);
        }
        if all + count as u64 > SEM.all {
            return Err(Errno::ENOSPC);
        }
        let charge = account.take(SET + SEMAPHORE * count as u64)?;
        Ok((Set::new(count as usize, now), charge))
    };
    Ok(k.ipc.sets.get(&user, key, flags, fits, make)? as u64)
}

/// Reads an array of `struct sembuf`.
fn operations(k: &Kernel, at: u64, count: u64) -> Result<Vec<SemOp>> {
    if count < 1 {
        return Err(Errno::EINVAL);
    }
    if count > SEM.ops {
        return Err(Errno::E2BIG);
    }
    let mut bytes = vec![0; count as usize * 6];
    k.guest().read(at, &mut bytes)?;
    let half = |op: &[u8], i: usize| u16::from_le_bytes([op[i], op[i + 1]]);
    let op =
        |op: &[u8]| SemOp { number: half(op, 0), change: half(op, 2) as i16, flags: half(op, 4) };
    Ok(bytes.chunks_exact(6).map(op).collect())
}

fn operate(k: &mut Kernel, a: &Args, timeout: Option<u64>) -> Sys {
    let id = a.int(0);
    let ops = operations(k, a.raw(1), a.raw(2))?;
    let (user, now) = (k.tasks.ipc_user(), k.devices.clock.seconds());
    let list = match ops.iter().any(|op| op.undoes()) {
        true => {
            let list = Rc::clone(&k.process().undo);
            k.ipc.undo_number(&list)
        }
        false => 0,
    };
    let wake = k.wake();
    let entry = k.ipc.sets.find(id).map_err(|e| sysv::removed_error(wake == Wake::First, e))?;
    if ops.iter().any(|op| usize::from(op.number) >= entry.object.all.len()) {
        return Err(Errno::EFBIG.into());
    }
    let alters = ops.iter().any(|op| op.change != 0);
    entry.perm.allows(&user, if alters { flag::WRITE } else { flag::READ })?;
    if list != 0 {
        entry.object.ensure_undo(list, &entry.charge)?;
    }
    match entry.object.operate(&ops, list, user.pid, now)? {
        None => {
            if alters {
                wake_set(k, id);
            }
            Ok(0)
        }
        Some(_) if wake == Wake::Timeout => Err(Errno::EAGAIN.into()),
        Some(blocked) => {
            if let Some(ns) = timeout {
                k.set_timeout(ns);
            }
            k.wait(Wait::Semaphore(id, blocked), Restart::Never)
        }
    }
}

pub fn semop(k: &mut Kernel, a: &Args) -> Sys {
    operate(k, a, None)
}

pub fn semtimedop(k: &mut Kernel, a: &Args) -> Sys {
    let timeout = match a.raw(3) {
        0 => None,
        at => Some(k.guest().get_timespec(at)?),
    };
    operate(k, a, timeout)
}

/// Lets threads that wait for semaphores of a set check again.
fn wake_set(k: &mut Kernel, id: i32) {
    k.sched.wake_where(
        &mut k.tasks,
        Wake::Event,
        |_, on| matches!(on, Wait::Semaphore(set, _) if set == id),
    );
}

/// `semctl` of one semaphore.
fn semctl_one(k: &mut Kernel, a: &Args) -> Sys {
    let (id, command) = (a.int(0), a.word(2));
    let (user, now) = (k.tasks.ipc_user(), k.devices.clock.seconds());
    let entry = k.ipc.sets.find(id)?;
    let number = usize::try_from(a.int(1)).map_err(|_| Errno::EINVAL)?;
    let semaphore = *entry.object.all.get(number).ok_or(Errno::EINVAL)?;
    let setting = command == cmd::SETVAL;
    entry.perm.allows(&user, if setting { flag::WRITE } else { flag::READ })?;
    let waiting = |zero| Blocked { number: number as u16, zero };
    Ok(match command {
        cmd::GETVAL => semaphore.value as u64,
        cmd::GETPID => semaphore.pid as u64,
        cmd::GETNCNT => k.tasks.waiting(Wait::Semaphore(id, waiting(false))) as u64,
        cmd::GETZCNT => k.tasks.waiting(Wait::Semaphore(id, waiting(true))) as u64,
        _ => {
            entry.object.set(number, &[a.int(3)], user.pid, now)?;
            wake_set(k, id);
            0
        }
    })
}

/// `semctl` of all values of a set.
fn semctl_all(k: &mut Kernel, a: &Args) -> Sys {
    let (id, at) = (a.int(0), a.raw(3));
    let (user, now) = (k.tasks.ipc_user(), k.devices.clock.seconds());
    let entry = k.ipc.sets.find(id)?;
    if a.word(2) == cmd::GETALL {
        entry.perm.allows(&user, flag::READ)?;
        let all = entry.object.all.iter();
        let bytes: Vec<u8> = all.flat_map(|s| (s.value as u16).to_le_bytes()).collect();
        k.guest().write(at, &bytes)?;
        return Ok(0);
    }
    entry.perm.allows(&user, flag::WRITE)?;
    let mut bytes = vec![0; entry.object.all.len() * 2];
    k.guest().read(at, &mut bytes)?;
    let values: Vec<i32> =
        bytes.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]]).into()).collect();
    k.ipc.sets.find(id)?.object.set(0, &values, user.pid, now)?;
    wake_set(k, id);
    Ok(0)
}

pub fn semctl(k: &mut Kernel, a: &Args) -> Sys {
    let (id, command, at) = (a.int(0), a.word(2), a.raw(3));
    let user = k.tasks.ipc_user();
    let sets = &mut k.ipc.sets;
    match command {
        cmd::GETVAL | cmd::GETPID | cmd::GETNCNT | cmd::GETZCNT | cmd::SETVAL => semctl_one(k, a),
        cmd::GETALL | cmd::SETALL => semctl_all(k, a),
        cmd::INFO | cmd::SEM_INFO => {
            let count: usize = sets.iter().map(|e| e.object.all.len()).sum();
            let used = [sets.len() as u32, count as u32];
            let info = Info::semaphores((command == cmd::SEM_INFO).then_some(used));
            let top = sets.top();
            k.guest().write(at, &info)?;
            Ok(top)
        }
        cmd::STAT => sysv::stat(k, |ipc| &mut ipc.sets, Lookup::Id, id, at),
        cmd::SEM_STAT => sysv::stat(k, |ipc| &mut ipc.sets, Lookup::Index, id, at),
        cmd::SEM_STAT_ANY => sysv::stat(k, |ipc| &mut ipc.sets, Lookup::AnyIndex, id, at),
        cmd::SET => sysv::set_owner(k, |ipc| &mut ipc.sets, id, at),
        cmd::RMID => {
            sets.remove(&user, id)?;
            wake_set(k, id);
            Ok(0)
        }
        _ => Err(Errno::EINVAL.into()),
    }
}
