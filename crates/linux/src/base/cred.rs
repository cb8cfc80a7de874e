//! Credentials of a thread: users, groups and capabilities (credentials(7), capabilities(7)). They bound what
//! the guest may do to itself; nothing of the host depends on them.

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use std::rc::Rc;

/// Numbers of capabilities (`include/uapi/linux/capability.h`).
#[allow(missing_docs)]
pub mod cap {
    pub const CHOWN: u32 = 0;
    pub const DAC_OVERRIDE: u32 = 1;
    pub const DAC_READ_SEARCH: u32 = 2;
    pub const FOWNER: u32 = 3;
    pub const FSETID: u32 = 4;
    pub const KILL: u32 = 5;
    pub const SETGID: u32 = 6;
    pub const SETUID: u32 = 7;
    pub const SETPCAP: u32 = 8;
    pub const LINUX_IMMUTABLE: u32 = 9;
    pub const NET_BIND_SERVICE: u32 = 10;
    pub const IPC_LOCK: u32 = 14;
    pub const IPC_OWNER: u32 = 15;
    pub const SYS_PTRACE: u32 = 19;
    pub const SYS_ADMIN: u32 = 21;
    pub const SYS_RESOURCE: u32 = 24;
    pub const MKNOD: u32 = 27;
    pub const MAC_OVERRIDE: u32 = 32;
    /// `CAP_LAST_CAP`.
    pub const LAST: u32 = 40;
}

/// Every capability.
pub const ALL: u64 = (1 << (cap::LAST + 1)) - 1;
/// The capabilities that `setfsuid` affects (`CAP_FS_MASK`).
const FS: u64 = 1 << cap::CHOWN
    | 1 << cap::MKNOD
    | 1 << cap::DAC_OVERRIDE
    | 1 << cap::DAC_READ_SEARCH
    | 1 << cap::FOWNER
    | 1 << cap::FSETID
    | 1 << cap::LINUX_IMMUTABLE
    | 1 << cap::MAC_OVERRIDE;

/// Flags of `PR_SET_SECUREBITS` (`include/uapi/linux/securebits.h`).
pub mod secure {
    /// User 0 gains no capabilities by `execve`.
    pub const NOROOT: u32 = 1;
    /// Changes of user IDs leave capabilities alone.
    pub const NO_SETUID_FIXUP: u32 = 1 << 2;
    /// A process that gives up user 0 keeps its permitted capabilities.
    pub const KEEP_CAPS: u32 = 1 << 4;
    /// No further capability can become ambient.
    pub const NO_AMBIENT_RAISE: u32 = 1 << 6;
    /// All flags; each is followed by its lock.
    pub const ALL: u32 = 0xff;
    /// The locks.
    pub const LOCKS: u32 = 0xaa;
}

/// The four user IDs, or the four group IDs, of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ids {
    /// The user who started the process.
    pub real: u32,
    /// The user whose rights it has.
    pub effective: u32,
    /// A user whose rights it may assume again.
    pub saved: u32,
    /// The user whose rights to files it has.
    pub fs: u32,
}

/// "Leave this ID unchanged", in calls that set several.
const KEEP: u32 = u32::MAX;

impl Ids {
    fn holds(self, id: u32) -> bool {
        [self.real, self.effective, self.saved].contains(&id)
    }

    /// `setuid`, `setgid`.
    ///
    /// # Errors
    /// `EINVAL`, `EPERM`.
    pub fn set(self, id: u32, privileged: bool) -> Result<Ids> {
        if id == KEEP {
            return Err(Errno::EINVAL);
        }
        if privileged {
            return Ok(Ids { real: id, effective: id, saved: id, fs: id });
        }
        if id != self.real && id != self.saved {
            return Err(Errno::EPERM);
        }
        Ok(Ids { effective: id, fs: id, ..self })
    }

    /// `setreuid`, `setregid`.
    ///
    /// # Errors
    /// `EPERM`.
    pub fn set_two(self, [real, effective]: [u32; 2], privileged: bool) -> Result<Ids> {
        let mut new = self;
        if real != KEEP {
            if !privileged && real != self.real && real != self.effective {
                return Err(Errno::EPERM);
            }
            new.real = real;
        }
        if effective != KEEP {
            if !privileged && !self.holds(effective) {
                return Err(Errno::EPERM);
            }
            new.effective = effective;
        }
        if real != KEEP || (effective != KEEP && effective != self.real) {
            new.saved = new.effective;
        }
        new.fs = new.effective;
        Ok(new)
    }

    /// `setresuid`, `setresgid`.
    ///
    /// # Errors
    /// `EPERM`.
    pub fn set_three(self, ids: [u32; 3], privileged: bool) -> Result<Ids> {
        if !privileged && ids.iter().any(|id| *id != KEEP && !self.holds(*id)) {
            return Err(Errno::EPERM);
        }
        let [real, effective, saved] = ids;
        let pick = |new, old| if new == KEEP { old } else { new };
        let effective = pick(effective, self.effective);
        let (real, saved) = (pick(real, self.real), pick(saved, self.saved));
        Ok(Ids { real, effective, saved, fs: effective })
    }

    /// `setfsuid`, `setfsgid`: an ID that is not permitted changes nothing.
    pub fn set_fs(self, id: u32, privileged: bool) -> Ids {
        let may = id != KEEP && (privileged || self.holds(id) || self.fs == id);
        if may { Ids { fs: id, ..self } } else { self }
    }

    fn any_root(self) -> bool {
        self.holds(0)
    }
}

/// Supplementary groups.
#[derive(Default)]
pub struct Groups {
    /// In the order of the `setgroups` call.
    pub list: Vec<u32>,
    _charge: Option<Charge>,
}

impl Groups {
    /// A list of groups with the charge for its memory.
    pub fn new(list: Vec<u32>, charge: Charge) -> Groups {
        Groups { list, _charge: Some(charge) }
    }
}

/// The capability sets of a thread, one bit for each capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// What it may make effective.
    pub permitted: u64,
    /// What it has.
    pub effective: u64,
    /// What a program that asks for it keeps across `execve`.
    pub inheritable: u64,
    /// The upper bound of what `execve` can grant.
    pub bounding: u64,
    /// What a program without capabilities of its own keeps across `execve`.
    pub ambient: u64,
}

/// Credentials of a thread.
#[derive(Clone)]
pub struct Cred {
    /// Users.
    pub uid: Ids,
    /// Groups.
    pub gid: Ids,
    /// Supplementary groups.
    pub groups: Rc<Groups>,
    /// Capabilities.
    pub caps: Caps,
    /// `PR_SET_SECUREBITS`.
    pub securebits: u32,
    /// `PR_SET_NO_NEW_PRIVS`. It has no further effect: no program here grants privileges.
    pub no_new_privs: bool,
}

impl Cred {
    /// The credentials of the first process.
    pub fn root() -> Cred {
        let caps =
            Caps { permitted: ALL, effective: ALL, inheritable: 0, bounding: ALL, ambient: 0 };
        Cred {
            uid: Ids::default(),
            gid: Ids::default(),
            groups: Rc::new(Groups { list: vec![0], _charge: None }),
            caps,
            securebits: 0,
            no_new_privs: false,
        }
    }

    /// Whether it has a capability.
    pub fn has(&self, cap: u32) -> bool {
        self.caps.effective >> cap & 1 != 0
    }

    /// Whether a group's rights to files apply.
    pub fn in_group(&self, gid: u32) -> bool {
        self.gid.fs == gid || self.groups.list.contains(&gid)
    }

    /// These credentials with other user IDs, and the capabilities adjusted to them (`cap_emulate_setxuid`).
    pub fn with_users(&self, uid: Ids) -> Cred {
        let mut new = Cred { uid, ..self.clone() };
        if self.securebits & secure::NO_SETUID_FIXUP != 0 {
            return new;
        }
        let caps = &mut new.caps;
        if self.uid.any_root() && !uid.any_root() {
            if self.securebits & secure::KEEP_CAPS == 0 {
                (caps.permitted, caps.effective) = (0, 0);
            }
            caps.ambient = 0;
        }
        match (self.uid.effective, uid.effective) {
            (0, 1..) => caps.effective = 0,
            (1.., 0) => caps.effective = caps.permitted,
            _ => {}
        }
        new
    }

    /// These credentials with another user for files.
    pub fn with_fs_user(&self, uid: Ids) -> Cred {
        let mut new = Cred { uid, ..self.clone() };
        if self.securebits & secure::NO_SETUID_FIXUP == 0 {
            match (self.uid.fs, uid.fs) {
                (0, 1..) => new.caps.effective &= !FS,
                (1.., 0) => new.caps.effective |= new.caps.permitted & FS,
                _ => {}
            }
        }
        new
    }

    /// These credentials after `execve` of a program that grants none.
    pub fn after_exec(&self) -> Cred {
        let mut new = self.clone();
        for ids in [&mut new.uid, &mut new.gid] {
            (ids.saved, ids.fs) = (ids.effective, ids.effective);
        }
        new.securebits &= !secure::KEEP_CAPS;
        let root = self.securebits & secure::NOROOT == 0;
        let caps = &mut new.caps;
        let full = if root && (self.uid.effective == 0 || self.uid.real == 0) {
            caps.inheritable | caps.bounding
        } else {
            0
        };
        caps.permitted = full | caps.ambient;
        let whole = root && self.uid.effective == 0;
        caps.effective = if whole { caps.permitted } else { caps.ambient };
        new
    }

    /// The credentials that access(2) checks: those of the real user.
    pub fn as_real(&self) -> Cred {
        let mut new = self.clone();
        (new.uid.fs, new.gid.fs) = (self.uid.real, self.gid.real);
        if self.securebits & secure::NO_SETUID_FIXUP == 0 {
            new.caps.effective = if self.uid.real == 0 { self.caps.permitted } else { 0 };
        }
        new
    }

    /// Whether it may send signals to a process with credentials `to`.
    pub fn may_signal(&self, to: &Cred) -> bool {
        let mine = [self.uid.effective, self.uid.real];
        self.has(cap::KILL) || mine.iter().any(|id| [to.uid.saved, to.uid.real].contains(id))
    }

    /// Whether it may inspect a process with credentials `of` (`PTRACE_MODE_READ_FSCREDS`).
    pub fn may_inspect(&self, of: &Cred) -> bool {
        let all = |mine, ids: Ids| [ids.real, ids.effective, ids.saved].iter().all(|i| *i == mine);
        let same = all(self.uid.fs, of.uid) && all(self.gid.fs, of.gid);
        let has_more = of.caps.permitted & !self.caps.permitted != 0;
        self.has(cap::SYS_PTRACE) || (same && !has_more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: u32 = 65534;

    fn all(id: u32) -> Ids {
        Ids { real: id, effective: id, saved: id, fs: id }
    }

    #[test]
    fn dropped_ids_cannot_be_regained() {
        let ids = all(0).set(NOBODY, true).expect("root may set it");
        assert_eq!(ids, all(NOBODY));
        assert_eq!(ids.set(0, false), Err(Errno::EPERM));
        assert_eq!(ids.set_two([0, 0], false), Err(Errno::EPERM));
        assert_eq!(ids.set_three([KEEP, 0, KEEP], false), Err(Errno::EPERM));
        assert_eq!(ids.set_fs(0, false), ids);
        assert_eq!(all(0).set(KEEP, true), Err(Errno::EINVAL));
    }

    #[test]
    fn a_saved_id_can_be_regained() {
        let ids = all(0).set_three([KEEP, 5, KEEP], true).expect("root may set it");
        assert_eq!(ids, Ids { effective: 5, fs: 5, ..all(0) });
        assert_eq!(ids.set(0, false), Ok(all(0)));
        // setreuid exchanges real and effective, and saves the new effective one.
        let swapped = Ids { real: 1, effective: 2, saved: 1, fs: 2 }.set_two([2, 1], false);
        assert_eq!(swapped, Ok(Ids { real: 2, effective: 1, saved: 1, fs: 1 }));
    }

    #[test]
    fn capabilities_follow_users() {
        let root = Cred::root();
        let dropped = root.with_users(all(NOBODY));
        assert_eq!((dropped.caps.permitted, dropped.caps.effective), (0, 0));
        let for_now = root.with_users(Ids { effective: 5, fs: 5, ..all(0) });
        assert_eq!((for_now.caps.permitted, for_now.caps.effective), (ALL, 0));
        assert_eq!(for_now.with_users(all(0)).caps.effective, ALL);
        let keeps = Cred { securebits: secure::KEEP_CAPS, ..Cred::root() };
        let kept = keeps.with_users(all(NOBODY));
        assert_eq!((kept.caps.permitted, kept.caps.effective), (ALL, 0));
        // execve drops them.
        let caps = kept.after_exec().caps;
        assert_eq!((caps.permitted, caps.effective), (0, 0));
        let files = root.with_fs_user(Ids { fs: 5, ..all(0) });
        assert!(!files.has(cap::DAC_OVERRIDE) && files.has(cap::KILL));
        assert!(files.with_fs_user(all(0)).has(cap::DAC_OVERRIDE));
    }

    #[test]
    fn ambient_capabilities_outlive_exec() {
        let bind = 1 << cap::NET_BIND_SERVICE;
        let mut cred = Cred::root().with_users(all(NOBODY));
        cred.caps.ambient = bind;
        let caps = cred.after_exec().caps;
        assert_eq!((caps.permitted, caps.effective), (bind, bind));
        // Root does not get what the bounding set lacks.
        let mut cred = Cred::root();
        cred.caps.bounding = ALL & !bind;
        assert_eq!(cred.after_exec().caps.effective, ALL & !bind);
    }

    #[test]
    fn permission_to_signal_and_to_inspect() {
        let (root, user) = (Cred::root(), Cred::root().with_users(all(5)));
        assert!(root.may_signal(&user) && !user.may_signal(&root) && user.may_signal(&user));
        assert!(root.may_inspect(&user) && !user.may_inspect(&root) && user.may_inspect(&user));
    }
}
