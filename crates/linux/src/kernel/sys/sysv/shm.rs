//! System V shared memory (shmget(2), shmop(2), shmctl(2)).

use super::{self as sysv, Lookup};
use crate::base::cred::cap;
use crate::base::errno::{Errno, Result};
use crate::fs::makedev;
use crate::kernel::sys::Args;
use crate::kernel::{Kernel, Sys};
use crate::space::{Backing, FileId, MMAP_MIN, SharedObject, Space, Vma, page_up};
use crate::sysv_ipc::{Info, SHM, Segment, cmd, flag, segment_of};
use capvec_sim::mem::{PAGE, Perm, SPACE};
use std::rc::Rc;

/// Bytes charged for a segment in addition to its memory: itself, and the host's descriptor.
const SEGMENT: u64 = 1024;

pub fn shmget(k: &mut Kernel, a: &Args) -> Sys {
    let (key, size, flags) = (a.int(0), a.raw(1), a.word(2));
    let (user, now, account) =
        (k.tasks.ipc_user(), k.devices.clock.seconds(), k.memory.account.clone());
    let fits = |s: &Segment| if s.size < size { Err(Errno::EINVAL) } else { Ok(()) };
    let make = || {
        if size == 0 || size > SHM.size {
            return Err(Errno::EINVAL);
        }
        if flags & flag::SHM_HUGETLB != 0 {
            // There are no huge pages.
            return Err(Errno::ENOMEM);
        }
        let charge = account.take(SEGMENT)?;
        let memory = SharedObject::anonymous(&account).map_err(host_limit)?;
        memory.populate(0, page_up(size).ok_or(Errno::ENOMEM)?)?;
        Ok((Segment::new(memory, size, user.pid, now), charge))
    };
    k.ipc.sweep();
    Ok(k.ipc.segments.get(&user, key, flags, fits, make)? as u64)
}

/// A segment needs a descriptor of the host; when the host has none left, the guest sees `ENFILE`.
fn host_limit(e: Errno) -> Errno {
    if e == Errno::EMFILE { Errno::ENFILE } else { e }
}

/// Chooses the address of a segment of `len` bytes.
fn place(space: &Space, asked: u64, len: u64, flags: u32) -> Result<u64> {
    let remap = flags & flag::SHM_REMAP != 0;
    if asked == 0 {
        if remap {
            return Err(Errno::EINVAL);
        }
        return space.find_gap(len).ok_or(Errno::ENOMEM);
    }
    // SHMLBA is a page on RISC-V.
    let at = if flags & flag::SHM_RND != 0 { asked & !(PAGE - 1) } else { asked };
    let end = at.checked_add(len).ok_or(Errno::EINVAL)?;
    if at % PAGE != 0 || (at == 0 && remap) {
        return Err(Errno::EINVAL);
    }
    if at < MMAP_MIN {
        return Err(Errno::EPERM);
    }
    if end > SPACE {
        return Err(Errno::ENOMEM);
    }
    if !remap && !space.is_free(at, len) {
        return Err(Errno::EINVAL);
    }
    Ok(at)
}

pub fn shmat(k: &mut Kernel, a: &Args) -> Sys {
    let (id, flags) = (a.int(0), a.word(2));
    let read_only = flags & flag::SHM_RDONLY != 0;
    let (user, now, account) =
        (k.tasks.ipc_user(), k.devices.clock.seconds(), k.memory.account.clone());
    k.ipc.sweep();
    let entry = k.ipc.segments.find(id)?;
    let asked = if read_only { flag::READ } else { flag::READ | flag::WRITE };
    let executes = flags & flag::SHM_EXEC != 0;
    entry.perm.allows(&user, if executes { asked | 0o111 } else { asked })?;
    let memory = entry.object.memory().ok_or(Errno::EIDRM)?;
    let (size, key) = (entry.object.size, entry.perm.key);
    let len = page_up(size).ok_or(Errno::ENOMEM)?;
    k.profiler.shares(&memory, None, &k.files.vfs);
    let mut perm = if read_only { Perm::R } else { Perm::RW };
    if executes {
        perm = perm.union(Perm::X);
    }
    let path = format!("/SYSV{key:08x} (deleted)").into_bytes();
    let _charge = Some(account.take(path.len() as u64)?);
    let name = FileId { path, dev: makedev(0, 1), ino: id as u64, _charge };
    let at = place(&k.space(), a.raw(1), len, flags)?;
    let mut vma = Vma::anon(at + len, perm);
    (vma.backing, vma.charged) = (Backing::Shared(memory), false);
    vma.id = Some(Rc::new(name));
    k.space().map(at, vma)?;
    k.tasks.note_mapped();
    let segment = &mut k.ipc.segments.find(id)?.object;
    (segment.pids[1], segment.times[0]) = (user.pid, now);
    Ok(at)
}

pub fn shmdt(k: &mut Kernel, a: &Args) -> Sys {
    let at = a.raw(0);
    if !at.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL.into());
    }
    // The remains of the attachment: areas of one segment, each at its original distance from `at`.
    let segments = k.ipc.segment_ids();
    let mut found = None;
    let mut parts = Vec::new();
    for (start, vma) in k.space().areas().filter(|(start, _)| *start >= at) {
        if vma.offset != start - at {
            continue;
        }
        let Some(id) = segment_of(&segments, vma) else { continue };
        if *found.get_or_insert(id) == id {
            parts.push((start, vma.end - start));
        }
    }
    let id = found.ok_or(Errno::EINVAL)?;
    for (start, len) in parts {
        k.space().unmap(start, len)?;
    }
    let (pid, now) = (k.process().pid, k.devices.clock.seconds());
    k.ipc.note_detached([id].into(), pid, now);
    Ok(0)
}

pub fn shmctl(k: &mut Kernel, a: &Args) -> Sys {
    let (id, command, at) = (a.int(0), a.word(1), a.raw(2));
    let user = k.tasks.ipc_user();
    k.ipc.sweep();
    let segments = &mut k.ipc.segments;
    match command {
        cmd::INFO => {
            let top = segments.top();
            k.guest().write(at, &Info::segments())?;
            Ok(top)
        }
        cmd::SHM_INFO => {
            let pages: u64 = segments.iter().map(|e| e.object.size.div_ceil(PAGE)).sum();
            let words = [segments.len() as u64, pages, pages, 0, 0, 0];
            let top = segments.top();
            k.guest().put_words(at, &words)?;
            Ok(top)
        }
        cmd::STAT => sysv::stat(k, |ipc| &mut ipc.segments, Lookup::Id, id, at),
        cmd::SHM_STAT => sysv::stat(k, |ipc| &mut ipc.segments, Lookup::Index, id, at),
        cmd::SHM_STAT_ANY => sysv::stat(k, |ipc| &mut ipc.segments, Lookup::AnyIndex, id, at),
        cmd::SET => sysv::set_owner(k, |ipc| &mut ipc.segments, id, at),
        cmd::RMID => {
            let entry = segments.find(id)?;
            entry.perm.check_owner(&user, cap::SYS_ADMIN)?;
            entry.object.mark();
            entry.perm.mode |= flag::SHM_DEST;
            entry.perm.key = flag::PRIVATE;
            segments.remove_key(id);
            k.ipc.sweep();
            Ok(0)
        }
        cmd::SHM_LOCK | cmd::SHM_UNLOCK => {
            let perm = &mut segments.find(id)?.perm;
            perm.check_owner(&user, cap::IPC_LOCK)?;
            // Guest memory is never swapped; the mode shows it.
            match command {
                cmd::SHM_LOCK => perm.mode |= flag::SHM_LOCKED,
                _ => perm.mode &= !flag::SHM_LOCKED,
            }
            Ok(0)
        }
        _ => Err(Errno::EINVAL.into()),
    }
}
