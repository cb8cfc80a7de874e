//! Memory: `mmap` and its relatives.

use super::Args;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::s;
use crate::fs::{FileRef, MappedPages};
use crate::kernel::{Kernel, Sys};
use crate::space::{Backing, FileId, MMAP_MIN, Placement, SharedObject, Space, Vma, fill, page_up};
use capvec_sim::calls::Received;
use capvec_sim::mem::{PAGE, Perm, SPACE};
use std::rc::Rc;

/// `include/uapi/linux/mman.h`, `asm-generic/mman-common.h`.
mod map {
    pub const TYPE: u32 = 0xf;
    pub const SHARED: u32 = 1;
    pub const PRIVATE: u32 = 2;
    pub const SHARED_VALIDATE: u32 = 3;
    pub const FIXED: u32 = 0x10;
    pub const ANONYMOUS: u32 = 0x20;
    pub const FIXED_NOREPLACE: u32 = 0x10_0000;
}

fn perm_of(prot: u32) -> Result<Perm> {
    const GROWSDOWN_UP_SEM: u32 = 0x0300_0008;
    if prot & !(7 | GROWSDOWN_UP_SEM) != 0 {
        return Err(Errno::EINVAL);
    }
    // PROT_READ, PROT_WRITE, PROT_EXEC have the values of Perm's bits; what can be written can be read on
    // RISC-V (the encoding of pages without R is reserved).
    let bits = prot as u8 & 7;
    Ok(Perm(if bits & 2 != 0 { bits | 1 } else { bits }))
}

/// The range of pages from `addr` on.
fn pages(addr: u64, len: u64) -> Result<(u64, u64)> {
    let len = page_up(len).ok_or(Errno::ENOMEM)?;
    if !addr.is_multiple_of(PAGE) {
        return Err(Errno::EINVAL);
    }
    addr.checked_add(len).filter(|e| *e <= SPACE).ok_or(Errno::ENOMEM)?;
    Ok((addr, len))
}

pub fn brk(k: &mut Kernel, a: &Args) -> Sys {
    let end = k.space().set_brk(a.raw(0));
    k.tasks.note_mapped();
    Ok(end)
}

/// Chooses the address of a new mapping.
fn place(space: &Space, hint: u64, len: u64, flags: u32) -> Result<u64> {
    if flags & (map::FIXED | map::FIXED_NOREPLACE) != 0 {
        let (at, len) = pages(hint, len)?;
        if at < MMAP_MIN {
            return Err(Errno::EPERM);
        }
        if flags & map::FIXED_NOREPLACE != 0 && !space.is_free(at, len) {
            return Err(Errno::EEXIST);
        }
        return Ok(at);
    }
    let hint = hint & !(PAGE - 1);
    if hint >= MMAP_MIN && space.is_free(hint, len) {
        return Ok(hint);
    }
    space.find_gap(len).ok_or(Errno::ENOMEM)
}

/// The file of a mapping, if its access mode allows the mapping.
fn mappable(k: &Kernel, fd: i32, perm: Perm, shared: bool) -> Result<FileRef> {
    let file = k.file(fd)?;
    if !file.readable() || (shared && perm.allows(Perm::W) && !file.writable()) {
        return Err(Errno::EACCES);
    }
    match file.stat()?.file_type() {
        s::IFREG => Ok(file),
        s::IFDIR | s::IFCHR | s::IFBLK => Err(Errno::ENODEV),
        _ => Err(Errno::EACCES),
    }
}

pub fn mmap(k: &mut Kernel, a: &Args) -> Sys {
    let (perm, flags, offset) = (perm_of(a.word(2))?, a.word(3), a.raw(5));
    let len = page_up(a.raw(1)).ok_or(Errno::ENOMEM)?;
    if len == 0 || offset % PAGE != 0 {
        return Err(Errno::EINVAL.into());
    }
    let shared = match flags & map::TYPE {
        map::SHARED | map::SHARED_VALIDATE => true,
        map::PRIVATE => false,
        _ => return Err(Errno::EINVAL.into()),
    };
    let file = match flags & map::ANONYMOUS {
        0 => Some(mappable(k, a.int(4), perm, shared)?),
        _ => None,
    };
    if file.is_some() && offset.checked_add(len).is_none_or(|e| e > i64::MAX as u64) {
        return Err(Errno::EOVERFLOW.into());
    }
    let at = place(&k.space(), a.raw(0), len, flags)?;
    let mut vma = Vma::anon(at + len, perm);
    if let Some(file) = &file {
        let stat = file.stat()?;
        let path = file.label();
        let _charge = Some(k.memory.account.take(path.len() as u64)?);
        vma.id = Some(Rc::new(FileId { path, dev: stat.dev, ino: stat.ino, _charge }));
        vma.offset = offset;
    }
    match (&file, shared) {
        (None, false) => k.space().map(at, vma)?,
        (Some(file), false) => {
            (vma.backing, vma.charged) = (Backing::File(Rc::downgrade(file)), true);
            let mut space = k.space();
            space.map(at, vma)?;
            k.files.vfs.take_transfers();
            fill(&space, &**file, at, offset, len)?;
            let id = space.mem.id();
            drop(space);
            k.profiler.mapped(file, &k.files.vfs, id, (at, offset), len);
        }
        (None, true) => {
            let object = SharedObject::anonymous(&k.memory.account)?;
            k.profiler.shares(&object, None, &k.files.vfs);
            (vma.backing, vma.charged) = (Backing::Shared(object), false);
            k.space().map(at, vma)?;
        }
        (Some(file), true) => {
            let object = k.files.mapped.get(file, &k.memory.account)?;
            vma.read_only = !file.writable();
            k.profiler.shares(&object, Some(file), &k.files.vfs);
            (vma.backing, vma.charged) = (Backing::Shared(object), false);
            k.space().map(at, vma)?;
            k.profiler.received(Received::File(&file.label()), k.hart.mem.id(), at, len);
        }
    }
    k.tasks.note_mapped();
    Ok(at)
}

pub fn munmap(k: &mut Kernel, a: &Args) -> Sys {
    let (at, len) = pages(a.raw(0), a.raw(1)).map_err(|_| Errno::EINVAL)?;
    if len == 0 {
        return Err(Errno::EINVAL.into());
    }
    k.space().unmap(at, len)?;
    Ok(0)
}

pub fn mprotect(k: &mut Kernel, a: &Args) -> Sys {
    let perm = perm_of(a.word(2))?;
    let (at, len) = pages(a.raw(0), a.raw(1))?;
    if len != 0 {
        k.space().protect(at, len, perm)?;
    }
    Ok(0)
}

pub fn mremap(k: &mut Kernel, a: &Args) -> Sys {
    const MAYMOVE: u32 = 1;
    const FIXED: u32 = 2;
    let to = match a.word(3) {
        0 => Placement::Stay,
        MAYMOVE => Placement::MayMove,
        f if f == MAYMOVE | FIXED && a.raw(4) >= MMAP_MIN => Placement::Fixed(a.raw(4)),
        _ => return Err(Errno::EINVAL.into()),
    };
    let (from, len, space) = (a.raw(0), a.raw(1).min(a.raw(2)), k.hart.mem.id());
    // A follower of bytes sees them leave the old place and arrive at the new one.
    let kept = k.profiler.kept(&k.files.vfs, space, from, len);
    let at = k.space().remap(from, a.raw(1), a.raw(2), to)?;
    if at != from {
        k.profiler.returned(kept, space, at, len);
    }
    k.tasks.note_mapped();
    Ok(at)
}

pub fn madvise(k: &mut Kernel, a: &Args) -> Sys {
    const DONTNEED: u32 = 4;
    const REMOVE: u32 = 9;
    const DONTNEED_LOCKED: u32 = 24;
    const LAST: u32 = 25;
    let (at, len) = pages(a.raw(0), a.raw(1))?;
    match a.word(2) {
        _ if len == 0 => {}
        DONTNEED | DONTNEED_LOCKED => k.space().discard(at, len)?,
        // Advice that would change contents, or that does not exist.
        REMOVE | 26.. => return Err(Errno::EINVAL.into()),
        0..=LAST if k.space().is_mapped(at, len) => {}
        _ => return Err(Errno::ENOMEM.into()),
    }
    Ok(0)
}

pub fn msync(k: &mut Kernel, a: &Args) -> Sys {
    const ASYNC: u32 = 1;
    const SYNC: u32 = 4;
    let flags = a.word(2);
    if flags & !7 != 0 || flags & (ASYNC | SYNC) == ASYNC | SYNC {
        return Err(Errno::EINVAL.into());
    }
    let (at, len) = pages(a.raw(0), a.raw(1))?;
    let space = k.space();
    if !space.is_mapped(at, len) {
        return Err(Errno::ENOMEM.into());
    }
    for (start, vma) in space.areas().filter(|(start, vma)| *start < at + len && vma.end > at) {
        if let Backing::Shared(object) = &vma.backing {
            let (from, to) = (start.max(at), vma.end.min(at + len));
            object.write_back(vma.offset + (from - start), to - from)?;
        }
    }
    Ok(0)
}

/// `mincore`: every mapped page is resident.
pub fn mincore(k: &mut Kernel, a: &Args) -> Sys {
    let (at, len) = pages(a.raw(0), a.raw(1))?;
    if !k.space().is_mapped(at, len) {
        return Err(Errno::ENOMEM.into());
    }
    let mut left = len / PAGE;
    let mut to = a.raw(2);
    while left > 0 {
        k.memory.account.ensure_running()?;
        let n = left.min(PAGE);
        k.guest().write(to, &[1; PAGE as usize][..n as usize])?;
        (left, to) = (left - n, to.wrapping_add(n));
    }
    Ok(0)
}

/// Checks that the range of `mlock` and the like is mapped.
///
/// # Errors
/// `ENOMEM`.
pub fn check_mapped(k: &Kernel, a: &Args) -> Result<()> {
    let at = a.raw(0) & !(PAGE - 1);
    let (at, len) = pages(at, (a.raw(0) - at).saturating_add(a.raw(1)))?;
    if k.space().is_mapped(at, len) { Ok(()) } else { Err(Errno::ENOMEM) }
}

/// `membarrier`: threads of the guest never run at the same time. Where it serialises the core, it synchronises code, as Linux has it
/// from 6.10 on (Documentation/features/sched/membarrier-sync-core/arch-support.txt).
pub fn membarrier(k: &mut Kernel, a: &Args) -> Sys {
    const QUERY: u32 = 0;
    const PRIVATE_EXPEDITED_SYNC_CORE: u32 = 1 << 5;
    /// Global, global expedited, private expedited with their registrations, and sync-core.
    const COMMANDS: u32 = 0x7f;
    match a.word(0) {
        QUERY => Ok(COMMANDS.into()),
        PRIVATE_EXPEDITED_SYNC_CORE => {
            k.hart.mem.code_changed();
            Ok(0)
        }
        c if c.is_power_of_two() && c & COMMANDS != 0 => Ok(0),
        _ => Err(Errno::EINVAL.into()),
    }
}
