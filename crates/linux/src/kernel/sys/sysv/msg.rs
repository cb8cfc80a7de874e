//! System V message queues (msgget(2), msgop(2), msgctl(2)).

use super::{self as sysv, Lookup, Owner};
use crate::base::cred::cap;
use crate::base::errno::Errno;
use crate::kernel::sys::Args;
use crate::kernel::{Kernel, Sys};
use crate::process::thread::{Restart, Wait, Wake};
use crate::sysv_ipc::{Info, MSG, Message, Queue, Select, cmd, flag};
use std::mem::size_of;

/// Bytes charged for a queue.
const QUEUE: u64 = 512;
/// Bytes charged for a message in addition to its text.
const MESSAGE: u64 = 192;
/// Bytes of a message's type, which precedes its text.
const KIND: u64 = size_of::<i64>() as u64;

pub fn msgget(k: &mut Kernel, a: &Args) -> Sys {
    let (user, now, account) =
        (k.tasks.ipc_user(), k.devices.clock.seconds(), k.memory.account.clone());
    let make = || Ok((Queue::new(now), account.take(QUEUE)?));
    Ok(k.ipc.queues.get(&user, a.int(0), a.word(1), |_| Ok(()), make)? as u64)
}

pub fn msgsnd(k: &mut Kernel, a: &Args) -> Sys {
    let (id, at, size) = (a.int(0), a.raw(1), a.raw(2));
    let kind: i64 = k.guest().get(at)?;
    if size > MSG.size || id < 0 || kind < 1 {
        return Err(Errno::EINVAL.into());
    }
    let mut text = vec![0; size as usize];
    k.guest().copy(at.wrapping_add(KIND), &mut text)?;
    let (user, now, first) =
        (k.tasks.ipc_user(), k.devices.clock.seconds(), k.wake() == Wake::First);
    let entry = k.ipc.queues.find(id).map_err(|e| sysv::removed_error(first, e))?;
    entry.perm.allows(&user, flag::WRITE)?;
    if !entry.object.has_room(size) {
        if a.word(3) & flag::NOWAIT != 0 {
            return Err(Errno::EAGAIN.into());
        }
        return k.wait(Wait::Queue(id), Restart::Never);
    }
    let _charge = entry.charge.another(MESSAGE + size)?;
    let number = k.profiler.kept(&k.files.vfs, k.hart.mem.id(), at.wrapping_add(KIND), size);
    entry.object.send(Message { kind, text, number, _charge }, user.pid, now);
    k.sched.wake_where(&mut k.tasks, Wake::Event, |_, on| on == Wait::Queue(id));
    Ok(0)
}

pub fn msgrcv(k: &mut Kernel, a: &Args) -> Sys {
    let (id, at, room, flags) = (a.int(0), a.raw(1), a.raw(2), a.word(4));
    if id < 0 || room > i64::MAX as u64 {
        return Err(Errno::EINVAL.into());
    }
    let select = Select::new(a.raw(3) as i64, flags)?;
    let (user, now, first) =
        (k.tasks.ipc_user(), k.devices.clock.seconds(), k.wake() == Wake::First);
    let entry = k.ipc.queues.find(id).map_err(|e| sysv::removed_error(first, e))?;
    entry.perm.allows(&user, flag::READ)?;
    let Some(position) = entry.object.position(select) else {
        if flags & flag::NOWAIT != 0 {
            return Err(Errno::ENOMSG.into());
        }
        return k.wait(Wait::Queue(id), Restart::Never);
    };
    let found = entry.object.at(position).ok_or(Errno::ENOMSG)?;
    if found.text.len() as u64 > room && flags & flag::MSG_NOERROR == 0 {
        return Err(Errno::E2BIG.into());
    }
    let (kind, mut text, number) = (found.kind, found.text.clone(), found.number);
    if flags & flag::MSG_COPY == 0 {
        // As on Linux, the message is removed even if the address is bad.
        entry.object.take(position, user.pid, now);
        k.sched.wake_where(&mut k.tasks, Wake::Event, |_, on| on == Wait::Queue(id));
    }
    text.truncate(room as usize);
    k.guest().put(at, kind)?;
    k.guest().write(at.wrapping_add(KIND), &text)?;
    let (space, bytes) = (k.hart.mem.id(), text.len() as u64);
    k.profiler.returned(number, space, at.wrapping_add(KIND), bytes);
    Ok(text.len() as u64)
}

pub fn msgctl(k: &mut Kernel, a: &Args) -> Sys {
    let (id, command, at) = (a.int(0), a.word(1), a.raw(2));
    let (user, now) = (k.tasks.ipc_user(), k.devices.clock.seconds());
    let queues = &mut k.ipc.queues;
    match command {
        cmd::INFO | cmd::MSG_INFO => {
            let messages: usize = queues.iter().map(|e| e.object.len()).sum();
            let bytes: u64 = queues.iter().map(|e| e.object.bytes).sum();
            let used = [queues.len() as u32, messages as u32, bytes as u32];
            let info = Info::messages((command == cmd::MSG_INFO).then_some(used));
            let top = queues.top();
            k.guest().write(at, &info)?;
            Ok(top)
        }
        cmd::STAT => sysv::stat(k, |ipc| &mut ipc.queues, Lookup::Id, id, at),
        cmd::MSG_STAT => sysv::stat(k, |ipc| &mut ipc.queues, Lookup::Index, id, at),
        cmd::MSG_STAT_ANY => sysv::stat(k, |ipc| &mut ipc.queues, Lookup::AnyIndex, id, at),
        cmd::SET => {
            /// Offset of `msg_qbytes` in `struct msqid64_ds`.
            const QBYTES: u64 = 88;
            let owner = Owner::read(k, at)?;
            let limit: u64 = k.guest().get(at.wrapping_add(QBYTES))?;
            let entry = k.ipc.queues.find(id)?;
            entry.perm.check_owner(&user, cap::SYS_ADMIN)?;
            if limit > MSG.bytes && !user.cred.has(cap::SYS_RESOURCE) {
                return Err(Errno::EPERM.into());
            }
            if limit == 0 {
                return Err(Errno::EINVAL.into());
            }
            entry.perm.set(&user, owner.uid, owner.gid, owner.mode)?;
            (entry.object.limit, entry.object.changed) = (limit, now);
            k.sched.wake_where(&mut k.tasks, Wake::Event, |_, on| on == Wait::Queue(id));
            Ok(0)
        }
        cmd::RMID => {
            queues.remove(&user, id)?;
            k.sched.wake_where(&mut k.tasks, Wake::Event, |_, on| on == Wait::Queue(id));
            Ok(0)
        }
        _ => Err(Errno::EINVAL.into()),
    }
}
