//! Credentials of a thread: users, groups and capabilities (credentials(7), capabilities(7)). They bound what
//! the guest may do to itself; nothing of the host depends on them.

mod abi;
mod ids;

use crate::base::charge::Charge;
pub use abi::{cap, secure};
pub use ids::Ids;
use std::rc::Rc;

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
    /// `PR_SET_NO_NEW_PRIVS`. It has no effect except that it is reported: no program here grants privileges.
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

    /// These credentials after `execve` of a program that grants no privileges.
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
        // Of a file's access, the effective ones count (ptrace(2), "Ptrace access mode checking").
        let has_more = of.caps.permitted & !self.caps.effective != 0;
        self.has(cap::SYS_PTRACE) || (same && !has_more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: u32 = 65534;

    #[test]
    fn capabilities_follow_users() {
        let root = Cred::root();
        let dropped = root.with_users(Ids::all(NOBODY));
        assert_eq!((dropped.caps.permitted, dropped.caps.effective), (0, 0));
        let for_now = root.with_users(Ids { effective: 5, fs: 5, ..Ids::all(0) });
        assert_eq!((for_now.caps.permitted, for_now.caps.effective), (ALL, 0));
        assert_eq!(for_now.with_users(Ids::all(0)).caps.effective, ALL);
        let keeps = Cred { securebits: secure::KEEP_CAPS, ..Cred::root() };
        let kept = keeps.with_users(Ids::all(NOBODY));
        assert_eq!((kept.caps.permitted, kept.caps.effective), (ALL, 0));
        // execve drops them.
        let caps = kept.after_exec().caps;
        assert_eq!((caps.permitted, caps.effective), (0, 0));
        let files = root.with_fs_user(Ids { fs: 5, ..Ids::all(0) });
        assert!(!files.has(cap::DAC_OVERRIDE) && files.has(cap::KILL));
        assert!(files.with_fs_user(Ids::all(0)).has(cap::DAC_OVERRIDE));
    }

    #[test]
    fn ambient_capabilities_outlive_exec() {
        let bind = 1 << cap::NET_BIND_SERVICE;
        let mut cred = Cred::root().with_users(Ids::all(NOBODY));
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
        let (root, user) = (Cred::root(), Cred::root().with_users(Ids::all(5)));
        assert!(root.may_signal(&user) && !user.may_signal(&root) && user.may_signal(&user));
        assert!(root.may_inspect(&user) && !user.may_inspect(&root) && user.may_inspect(&user));
    }
}
