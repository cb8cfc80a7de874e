//! The common parts of the three kinds of objects (`ipc/util.c` of Linux): keys, identifiers, owners, permissions.

use crate::base::charge::Charge;
use crate::base::cred::{Cred, cap};
use crate::base::errno::{Errno, Result};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::abi::flag;

/// The low bits of an identifier are the index; the others are a sequence number.
const INDEX_BITS: u32 = 15;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;
/// Sequence numbers wrap around here.
const MAX_SEQUENCE: u32 = (i32::MAX >> INDEX_BITS) as u32;
/// Indices grow at least to this number before low ones are reused (`ipc_min_cycle`).
const MIN_CYCLE: u32 = 64;
/// Permission bits.
const MODE: u32 = 0o777;

/// The process that makes a call.
#[derive(Clone)]
pub struct User {
    /// Process.
    pub pid: i32,
    /// Credentials.
    pub cred: Rc<Cred>,
}

/// Identity, owner and permissions of an object (`struct ipc64_perm`).
#[derive(Clone, Debug)]
pub struct Perm {
    /// Identifier.
    pub id: i32,
    /// Key; 0 (`IPC_PRIVATE`) for none.
    pub key: i32,
    /// Owner.
    pub uid: u32,
    /// Its group.
    pub gid: u32,
    /// The creator.
    pub cuid: u32,
    /// The creator's group.
    pub cgid: u32,
    /// Permission bits, and the status bits of segments.
    pub mode: u32,
}

impl Perm {
    /// The sequence number in its identifier.
    pub fn sequence(&self) -> u32 {
        self.id as u32 >> INDEX_BITS
    }

    /// As `struct ipc64_perm`, 48 bytes.
    pub fn encode(&self) -> Vec<u8> {
        let (key, sequence) = (self.key as u32, self.sequence() & 0xffff);
        let words = [key, self.uid, self.gid, self.cuid, self.cgid, self.mode, sequence];
        let mut bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        bytes.resize(48, 0);
        bytes
    }

    /// Checks that `user` has the permissions that `mode` names, in whichever of its three triples of bits.
    ///
    /// # Errors
    /// `EACCES`.
    pub fn allows(&self, user: &User, mode: u32) -> Result<()> {
        let asked = (mode >> 6 | mode >> 3 | mode) & 7;
        let granted = if self.is_owner(user) {
            self.mode >> 6
        } else if user.cred.in_group(self.gid) || user.cred.in_group(self.cgid) {
            self.mode >> 3
        } else {
            self.mode
        };
        let may = asked & !granted == 0 || user.cred.has(cap::IPC_OWNER);
        if may { Ok(()) } else { Err(Errno::EACCES) }
    }

    fn is_owner(&self, user: &User) -> bool {
        let uid = user.cred.uid.effective;
        uid == self.uid || uid == self.cuid
    }

    /// Checks that `user` owns or has created the object, or has the capability `or`.
    ///
    /// # Errors
    /// `EPERM`.
    pub fn check_owner(&self, user: &User, or: u32) -> Result<()> {
        if self.is_owner(user) || user.cred.has(or) { Ok(()) } else { Err(Errno::EPERM) }
    }

    /// Changes owner and permissions (`IPC_SET`).
    ///
    /// # Errors
    /// `EPERM`; `EINVAL` for an invalid user or group.
    pub fn set(&mut self, user: &User, uid: u32, gid: u32, mode: u32) -> Result<()> {
        self.check_owner(user, cap::SYS_ADMIN)?;
        if uid == u32::MAX || gid == u32::MAX {
            return Err(Errno::EINVAL);
        }
        (self.uid, self.gid) = (uid, gid);
        self.mode = self.mode & !MODE | mode & MODE;
        Ok(())
    }
}

/// An object of System V IPC.
pub trait Object {
    /// What `IPC_STAT` returns: `struct msqid64_ds`, `semid64_ds` or `shmid64_ds`.
    fn stat(&self, perm: &Perm) -> Vec<u8>;

    /// Records when it was changed last, in seconds.
    fn set_changed(&mut self, now: i64);
}

/// An object and who may use it.
pub struct Entry<T> {
    /// Identity, owner and permissions.
    pub perm: Perm,
    /// The object.
    pub object: T,
    /// Memory charged for the object.
    pub charge: Charge,
}

/// The objects of one kind.
pub struct Table<T> {
    by_index: BTreeMap<u32, Entry<T>>,
    /// Indices of objects with a key.
    keys: BTreeMap<i32, u32>,
    /// Maximum number of objects.
    most: usize,
    /// Where the search for a free index starts.
    next: u32,
    /// The index that was assigned last.
    last: Option<u32>,
    sequence: u32,
}

impl<T> Table<T> {
    /// An empty table for at most `most` objects.
    pub fn new(most: usize) -> Table<T> {
        let (by_index, keys) = (BTreeMap::new(), BTreeMap::new());
        Table { by_index, keys, most, next: 0, last: None, sequence: 0 }
    }

    /// The identifier of the object with `key`, which is created if it does not exist and `flags` allow it (`msgget` and
    /// the like). `fits` checks an existing object, `make` creates one.
    ///
    /// # Errors
    /// `EEXIST`, `ENOENT`, `EACCES`, `ENOSPC`; those of `fits` and `make`.
    pub fn get(
        &mut self,
        user: &User,
        key: i32,
        flags: u32,
        fits: impl FnOnce(&T) -> Result<()>,
        make: impl FnOnce() -> Result<(T, Charge)>,
    ) -> Result<i32> {
        let known = self.keys.get(&key).and_then(|index| self.by_index.get(index));
        if let Some(entry) = known {
            if flags & (flag::CREAT | flag::EXCL) == flag::CREAT | flag::EXCL {
                return Err(Errno::EEXIST);
            }
            fits(&entry.object)?;
            entry.perm.allows(user, flags)?;
            return Ok(entry.perm.id);
        }
        if key != flag::PRIVATE && flags & flag::CREAT == 0 {
            return Err(Errno::ENOENT);
        }
        let (object, charge) = make()?;
        if self.by_index.len() >= self.most {
            return Err(Errno::ENOSPC);
        }
        let id = self.new_id();
        let (uid, gid) = (user.cred.uid.effective, user.cred.gid.effective);
        let mode = flags & MODE;
        let perm = Perm { id, key, uid, gid, cuid: uid, cgid: gid, mode };
        self.by_index.insert(index_of(id), Entry { perm, object, charge });
        if key != flag::PRIVATE {
            self.keys.insert(key, index_of(id));
        }
        Ok(id)
    }

    /// A fresh identifier. Indices are assigned in turn, so that an identifier is not reused soon.
    fn new_id(&mut self) -> i32 {
        let used = self.by_index.len() as u32;
        let end = (used * 3 / 2).clamp(MIN_CYCLE, INDEX_MASK + 1);
        let free = |index: &u32| !self.by_index.contains_key(index);
        // The second search succeeds: not all indices are in use.
        let index = (self.next..end).find(free).or_else(|| (0..end).find(free)).unwrap_or(0);
        if self.last.is_some_and(|last| index <= last) {
            self.sequence = if self.sequence == MAX_SEQUENCE - 1 { 0 } else { self.sequence + 1 };
        }
        (self.next, self.last) = (index + 1, Some(index));
        (self.sequence << INDEX_BITS | index) as i32
    }

    /// The object with an identifier.
    ///
    /// # Errors
    /// `EINVAL` when there is none.
    pub fn find(&mut self, id: i32) -> Result<&mut Entry<T>> {
        let index = u32::try_from(id).map_err(|_| Errno::EINVAL)? & INDEX_MASK;
        self.by_index.get_mut(&index).filter(|entry| entry.perm.id == id).ok_or(Errno::EINVAL)
    }

    /// The object with an index (`MSG_STAT` and the like).
    ///
    /// # Errors
    /// `EINVAL` when there is none.
    pub fn find_by_index(&mut self, index: i32) -> Result<&mut Entry<T>> {
        let index = u32::try_from(index).map_err(|_| Errno::EINVAL)? & INDEX_MASK;
        self.by_index.get_mut(&index).ok_or(Errno::EINVAL)
    }

    /// Removes an object.
    ///
    /// # Errors
    /// `EINVAL` when there is none; `EPERM` when it is not `user`'s.
    pub fn remove(&mut self, user: &User, id: i32) -> Result<Entry<T>> {
        self.find(id)?.perm.check_owner(user, cap::SYS_ADMIN)?;
        self.remove_key(id);
        self.by_index.remove(&index_of(id)).ok_or(Errno::EINVAL)
    }

    /// Removes an object's key: it can be found only by its identifier.
    pub fn remove_key(&mut self, id: i32) {
        let index = index_of(id);
        self.keys.retain(|_, at| *at != index);
    }

    /// Keeps the objects for which `keep` is true.
    pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        let gone: Vec<i32> =
            self.by_index.values().filter(|e| !keep(&e.object)).map(|e| e.perm.id).collect();
        for id in gone {
            self.remove_key(id);
            self.by_index.remove(&index_of(id));
        }
    }

    /// The objects in the order of their indices.
    pub fn iter(&self) -> impl Iterator<Item = &Entry<T>> {
        self.by_index.values()
    }

    /// The objects, mutably.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Entry<T>> {
        self.by_index.values_mut()
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.by_index.len()
    }

    /// The greatest index in use, or 0: what `IPC_INFO` returns.
    pub fn top(&self) -> u64 {
        self.by_index.keys().next_back().copied().unwrap_or(0).into()
    }
}

fn index_of(id: i32) -> u32 {
    id as u32 & INDEX_MASK
}
