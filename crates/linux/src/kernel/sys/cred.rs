//! Users, groups and capabilities of the calling thread. (The C library keeps those of a process's threads equal.)

use super::Args;
use crate::base::cred::{ALL, Caps, Cred, Groups, Ids, cap, secure};
use crate::base::errno::{Errno, Result};
use crate::kernel::{Kernel, Sys, Tasks};
use std::rc::Rc;

/// Maximum number of supplementary groups (`NGROUPS_MAX`).
const MAX_GROUPS: i32 = 65536;

/// Checks and sets the users of the current thread.
fn set_users(tasks: &mut Tasks, change: impl FnOnce(Ids, bool) -> Result<Ids>) -> Sys {
    let cred = tasks.cred();
    let new = cred.with_users(change(cred.uid, cred.has(cap::SETUID))?);
    tasks.set_cred(new);
    Ok(0)
}

/// Checks and sets the groups of the current thread, other than the supplementary ones.
fn set_group_ids(tasks: &mut Tasks, change: impl FnOnce(Ids, bool) -> Result<Ids>) -> Sys {
    let cred = tasks.cred();
    let gid = change(cred.gid, cred.has(cap::SETGID))?;
    let new = Cred { gid, ..Cred::clone(cred) };
    tasks.set_cred(new);
    Ok(0)
}

fn put_ids(k: &Kernel, a: &Args, ids: Ids) -> Sys {
    for (i, id) in [ids.real, ids.effective, ids.saved].into_iter().enumerate() {
        k.guest().put(a.raw(i), id)?;
    }
    Ok(0)
}

pub fn getuid(k: &mut Kernel, _: &Args) -> Sys {
    Ok(k.cred().uid.real.into())
}

pub fn geteuid(k: &mut Kernel, _: &Args) -> Sys {
    Ok(k.cred().uid.effective.into())
}

pub fn getgid(k: &mut Kernel, _: &Args) -> Sys {
    Ok(k.cred().gid.real.into())
}

pub fn getegid(k: &mut Kernel, _: &Args) -> Sys {
    Ok(k.cred().gid.effective.into())
}

pub fn getresuid(k: &mut Kernel, a: &Args) -> Sys {
    put_ids(k, a, k.cred().uid)
}

pub fn getresgid(k: &mut Kernel, a: &Args) -> Sys {
    put_ids(k, a, k.cred().gid)
}

pub fn setuid(k: &mut Kernel, a: &Args) -> Sys {
    set_users(&mut k.tasks, |ids, may| ids.set(a.word(0), may))
}

pub fn setgid(k: &mut Kernel, a: &Args) -> Sys {
    set_group_ids(&mut k.tasks, |ids, may| ids.set(a.word(0), may))
}

pub fn setreuid(k: &mut Kernel, a: &Args) -> Sys {
    set_users(&mut k.tasks, |ids, may| ids.set_two([a.word(0), a.word(1)], may))
}

pub fn setregid(k: &mut Kernel, a: &Args) -> Sys {
    set_group_ids(&mut k.tasks, |ids, may| ids.set_two([a.word(0), a.word(1)], may))
}

pub fn setresuid(k: &mut Kernel, a: &Args) -> Sys {
    set_users(&mut k.tasks, |ids, may| ids.set_three([a.word(0), a.word(1), a.word(2)], may))
}

pub fn setresgid(k: &mut Kernel, a: &Args) -> Sys {
    set_group_ids(&mut k.tasks, |ids, may| ids.set_three([a.word(0), a.word(1), a.word(2)], may))
}

/// Returns the former user, whether it changed or not.
pub fn setfsuid(k: &mut Kernel, a: &Args) -> Sys {
    let cred = k.cred();
    let old = cred.uid.fs;
    let new = cred.with_fs_user(cred.uid.set_fs(a.word(0), cred.has(cap::SETUID)));
    k.tasks.set_cred(new);
    Ok(old.into())
}

/// As `setfsuid`.
pub fn setfsgid(k: &mut Kernel, a: &Args) -> Sys {
    let old = k.cred().gid.fs;
    set_group_ids(&mut k.tasks, |ids, may| Ok(ids.set_fs(a.word(0), may)))?;
    Ok(old.into())
}

pub fn getgroups(k: &mut Kernel, a: &Args) -> Sys {
    let groups = Rc::clone(&k.cred().groups);
    let count = groups.list.len();
    match usize::try_from(a.int(0)) {
        Ok(0) => {}
        Ok(room) if room >= count => {
            let bytes: Vec<u8> = groups.list.iter().flat_map(|g| g.to_le_bytes()).collect();
            k.guest().write(a.raw(1), &bytes)?;
        }
        _ => return Err(Errno::EINVAL.into()),
    }
    Ok(count as u64)
}

pub fn setgroups(k: &mut Kernel, a: &Args) -> Sys {
    k.need(cap::SETGID)?;
    if !(0..=MAX_GROUPS).contains(&a.int(0)) {
        return Err(Errno::EINVAL.into());
    }
    let mut bytes = vec![0; 4 * a.int(0) as usize];
    let charge = k.memory.account.take(bytes.len() as u64)?;
    k.guest().read(a.raw(1), &mut bytes)?;
    let words = bytes.chunks_exact(4);
    let list: Vec<u32> = words.map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    if list.contains(&u32::MAX) {
        return Err(Errno::EINVAL.into());
    }
    let new = Cred { groups: Rc::new(Groups::new(list, charge)), ..Cred::clone(k.cred()) };
    k.tasks.set_cred(new);
    Ok(0)
}

/// `_LINUX_CAPABILITY_VERSION_3`: two triples of words.
const VERSION_3: u32 = 0x2008_0522;

/// Checks the version of a header at `addr`; if it is unknown, writes the supported version there.
fn check_version(k: &Kernel, addr: u64) -> Result<()> {
    let version: u32 = k.guest().get(addr)?;
    if version == VERSION_3 {
        return Ok(());
    }
    k.guest().put(addr, VERSION_3)?;
    Err(Errno::EINVAL)
}

/// `capget`: header of version and process, then effective, permitted and inheritable words, twice.
pub fn capget(k: &mut Kernel, a: &Args) -> Sys {
    match check_version(k, a.raw(0)) {
        // A query for the version has no data.
        Err(Errno::EINVAL) if a.raw(1) == 0 => return Ok(0),
        other => other?,
    }
    let pid: i32 = k.guest().get(a.raw(0).wrapping_add(4))?;
    let cred = match pid {
        ..0 => return Err(Errno::EINVAL.into()),
        0 => k.cred(),
        _ => &k.tasks.threads.get(&pid).ok_or(Errno::ESRCH)?.cred,
    };
    let caps = cred.caps;
    if a.raw(1) != 0 {
        let sets = [caps.effective, caps.permitted, caps.inheritable];
        let words = sets.iter().map(|s| *s as u32).chain(sets.iter().map(|s| (s >> 32) as u32));
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        k.guest().write(a.raw(1), &bytes)?;
    }
    Ok(0)
}

/// `capset`, for the calling thread only.
pub fn capset(k: &mut Kernel, a: &Args) -> Sys {
    check_version(k, a.raw(0))?;
    let pid: i32 = k.guest().get(a.raw(0).wrapping_add(4))?;
    if pid != 0 && pid != k.tasks.current {
        return Err(Errno::EPERM.into());
    }
    let mut bytes = [0; 24];
    k.guest().read(a.raw(1), &mut bytes)?;
    let word = |i: usize| u64::from(u32::from_le_bytes(std::array::from_fn(|b| bytes[4 * i + b])));
    let [effective, permitted, inheritable] =
        std::array::from_fn(|i| (word(i) | word(i + 3) << 32) & ALL);
    let cred = k.cred();
    let old = cred.caps;
    let within = |set: u64, bound: u64| set & !bound == 0;
    let fine = within(permitted, old.permitted)
        && within(effective, permitted)
        && within(inheritable, old.inheritable | old.bounding)
        && (cred.has(cap::SETPCAP) || within(inheritable, old.inheritable | old.permitted));
    if !fine {
        return Err(Errno::EPERM.into());
    }
    let ambient = old.ambient & permitted & inheritable;
    let caps = Caps { permitted, effective, inheritable, ambient, ..old };
    let new = Cred { caps, ..Cred::clone(cred) };
    k.tasks.set_cred(new);
    Ok(0)
}

/// The bit of the capability with this number.
fn bit(number: u64) -> Result<u64> {
    if number <= cap::LAST.into() { Ok(1 << number) } else { Err(Errno::EINVAL) }
}

/// `PR_CAPBSET_READ`.
pub fn bounding_has(k: &Kernel, number: u64) -> Sys {
    Ok((k.cred().caps.bounding & bit(number)? != 0).into())
}

/// `PR_CAPBSET_DROP`.
pub fn bounding_drop(k: &mut Kernel, number: u64) -> Sys {
    k.need(cap::SETPCAP)?;
    let mut new = Cred::clone(k.cred());
    new.caps.bounding &= !bit(number)?;
    k.tasks.set_cred(new);
    Ok(0)
}

/// `PR_CAP_AMBIENT`.
pub fn ambient(k: &mut Kernel, a: &Args) -> Sys {
    const IS_SET: u64 = 1;
    const RAISE: u64 = 2;
    const LOWER: u64 = 3;
    const CLEAR_ALL: u64 = 4;
    let mut new = Cred::clone(k.cred());
    let caps = &mut new.caps;
    match a.raw(1) {
        IS_SET => return Ok((caps.ambient & bit(a.raw(2))? != 0).into()),
        RAISE => {
            let bit = bit(a.raw(2))?;
            let may = caps.permitted & caps.inheritable & bit != 0;
            if !may || new.securebits & secure::NO_AMBIENT_RAISE != 0 {
                return Err(Errno::EPERM.into());
            }
            caps.ambient |= bit;
        }
        LOWER => caps.ambient &= !bit(a.raw(2))?,
        CLEAR_ALL => caps.ambient = 0,
        _ => return Err(Errno::EINVAL.into()),
    }
    k.tasks.set_cred(new);
    Ok(0)
}

/// `PR_SET_SECUREBITS`: locked bits cannot change.
pub fn set_securebits(k: &mut Kernel, bits: u64) -> Sys {
    k.need(cap::SETPCAP)?;
    let old = k.cred().securebits;
    let bits = u32::try_from(bits).ok().filter(|b| b & !secure::ALL == 0).ok_or(Errno::EPERM)?;
    let locked = (old & secure::LOCKS) | (old & secure::LOCKS) >> 1;
    if (bits ^ old) & locked != 0 {
        return Err(Errno::EPERM.into());
    }
    let new = Cred { securebits: bits, ..Cred::clone(k.cred()) };
    k.tasks.set_cred(new);
    Ok(0)
}

/// `PR_SET_KEEPCAPS`.
pub fn set_keep_caps(k: &mut Kernel, on: u64) -> Sys {
    if on > 1 {
        return Err(Errno::EINVAL.into());
    }
    let mut new = Cred::clone(k.cred());
    if new.securebits & secure::KEEP_CAPS << 1 != 0 {
        return Err(Errno::EPERM.into());
    }
    new.securebits &= !secure::KEEP_CAPS;
    new.securebits |= on as u32 * secure::KEEP_CAPS;
    k.tasks.set_cred(new);
    Ok(0)
}

/// `PR_SET_NO_NEW_PRIVS`.
pub fn set_no_new_privs(k: &mut Kernel) -> Sys {
    let new = Cred { no_new_privs: true, ..Cred::clone(k.cred()) };
    k.tasks.set_cred(new);
    Ok(0)
}
