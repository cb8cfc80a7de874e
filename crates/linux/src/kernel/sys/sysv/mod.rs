//! System V IPC (sysvipc(7)), and what its three kinds of objects have in common.

pub mod msg;
pub mod sem;
pub mod shm;

use crate::base::errno::{Errno, Result};
use crate::kernel::{Kernel, Sys};
use crate::sysv_ipc::{Ipc, Object, Table, flag};

/// The error for an unknown identifier: after a wait, `EIDRM`, since the object has been removed meanwhile.
pub fn removed_error(first: bool, e: Errno) -> Errno {
    if first { e } else { Errno::EIDRM }
}

/// The fields of `struct ipc64_perm` that `IPC_SET` uses.
pub struct Owner {
    pub uid: u32,
    pub gid: u32,
    pub mode: u32,
}

impl Owner {
    /// Reads it from the guest.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn read(k: &Kernel, at: u64) -> Result<Owner> {
        let word = |offset: u64| k.guest().get::<u32>(at.wrapping_add(offset));
        Ok(Owner { uid: word(4)?, gid: word(8)?, mode: word(20)? })
    }
}

/// How a command finds the object that it reports.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// By its identifier (`IPC_STAT`).
    Id,
    /// By its index (`MSG_STAT`, `SEM_STAT`, `SHM_STAT`).
    Index,
    /// By its index, without read permission (`MSG_STAT_ANY` and its like).
    AnyIndex,
}

/// Writes an object's structure to `at`. An object that is found by its index is reported with its identifier.
///
/// # Errors
/// `EINVAL` when there is none; `EACCES`; `EFAULT`.
pub fn stat<T: Object>(
    k: &mut Kernel,
    table: fn(&mut Ipc) -> &mut Table<T>,
    lookup: Lookup,
    number: i32,
    at: u64,
) -> Sys {
    let user = k.tasks.ipc_user();
    let table = table(&mut k.ipc);
    let entry =
        if lookup == Lookup::Id { table.find(number)? } else { table.find_by_index(number)? };
    if lookup != Lookup::AnyIndex {
        entry.perm.allows(&user, flag::READ)?;
    }
    let (bytes, id) = (entry.object.stat(&entry.perm), entry.perm.id);
    k.guest().write(at, &bytes)?;
    Ok(if lookup == Lookup::Id { 0 } else { id as u64 })
}

/// `IPC_SET` of owner and permissions, from the structure at `at`.
///
/// # Errors
/// `EINVAL` when there is no such object, user or group; `EPERM`; `EFAULT`.
pub fn set_owner<T: Object>(
    k: &mut Kernel,
    table: fn(&mut Ipc) -> &mut Table<T>,
    id: i32,
    at: u64,
) -> Sys {
    let (user, now) = (k.tasks.ipc_user(), k.devices.clock.seconds());
    let owner = Owner::read(k, at)?;
    let entry = table(&mut k.ipc).find(id)?;
    entry.perm.set(&user, owner.uid, owner.gid, owner.mode)?;
    entry.object.set_changed(now);
    Ok(0)
}
