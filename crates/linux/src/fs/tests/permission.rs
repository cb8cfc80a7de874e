//! Owners, modes, and what users other than root may do.

use super::super::abi::{access, s};
use super::*;
use crate::base::cred::{Groups, Ids, cap};

const USER: u32 = 1000;
const OTHER: u32 = 1001;
const GROUP: u32 = 50;

fn all(id: u32) -> Ids {
    Ids { real: id, effective: id, saved: id, fs: id }
}

fn user(id: u32) -> Cred {
    Cred { gid: all(id), groups: Rc::default(), ..Cred::root().with_users(all(id)) }
}

impl World {
    /// Calls `f` as another user.
    fn as_user<T>(&mut self, cred: Cred, f: impl FnOnce(&World) -> T) -> T {
        let before = std::mem::replace(&mut self.cred, cred);
        let result = f(self);
        self.cred = before;
        result
    }

    fn chmod(&self, path: &str, mode: u32) -> Result<()> {
        self.vfs.fchmodat(&self.c(), at::FDCWD, path.as_bytes(), mode, 0)
    }

    fn chown(&self, path: &str, to: (u32, u32)) -> Result<()> {
        self.vfs.fchownat(&self.c(), at::FDCWD, path.as_bytes(), to, at::SYMLINK_NOFOLLOW)
    }

    fn owner(&self, path: &str) -> (u32, u32, u32) {
        let stat = self.lstat(path).expect(path);
        (stat.uid, stat.gid, stat.mode & !s::IFMT)
    }
}

#[test]
fn a_file_belongs_to_the_user_that_creates_it() {
    let mut w = World::new();
    w.as_user(user(USER), |w| {
        w.create("/tmp/f", b"").unwrap();
        w.mkdir("/tmp/d").unwrap();
        w.symlink("f", "/tmp/l").unwrap();
        w.vfs.mknodat(&w.c(), at::FDCWD, b"/tmp/p", s::IFIFO | 0o666).unwrap();
        let flags = o::TMPFILE | o::RDWR;
        let unnamed = w.vfs.openat(&w.c(), at::FDCWD, b"/tmp", flags, 0o600).unwrap();
        assert_eq!(unnamed.stat().unwrap().uid, USER);
    });
    assert_eq!(w.owner("/tmp/f"), (USER, USER, 0o644));
    assert_eq!(w.owner("/tmp/d"), (USER, USER, 0o755));
    assert_eq!(w.owner("/tmp/l"), (USER, USER, 0o777));
    assert_eq!(w.owner("/tmp/p"), (USER, USER, 0o644));
    assert_eq!(w.owner("/tmp"), (0, 0, 0o1777));
    // The owner in struct stat and struct statx.
    let stat = w.stat("/tmp/f").unwrap();
    assert_eq!(stat.encode_stat()[24..32], [USER.to_le_bytes(), USER.to_le_bytes()].concat());
    assert_eq!(stat.encode_statx()[20..28], [USER.to_le_bytes(), USER.to_le_bytes()].concat());
    // Files in a bind belong to root, whoever creates them.
    w.as_user(user(USER), |w| w.create("/rw/new", b"").unwrap());
    assert_eq!(w.owner("/rw/new"), (0, 0, 0o644));
}

#[test]
fn modes_bind_all_but_root() {
    let mut w = World::new();
    w.create("/tmp/f", b"root's").unwrap();
    w.chmod("/tmp/f", 0o640).unwrap();
    let opened = |w: &World, flags| w.open("/tmp/f", flags).map(drop);
    w.as_user(user(USER), |w| {
        assert_eq!(opened(w, o::RDONLY), Err(Errno::EACCES));
        assert_eq!(opened(w, o::WRONLY), Err(Errno::EACCES));
        let truncated = w.vfs.truncate(&w.c(), b"/tmp/f", 0);
        assert_eq!(truncated, Err(Errno::EACCES));
        assert_eq!(w.chmod("/tmp/f", 0o666), Err(Errno::EPERM));
        assert_eq!(w.chown("/tmp/f", (USER, USER)), Err(Errno::EPERM));
    });
    w.chown("/tmp/f", (u32::MAX, GROUP)).unwrap();
    assert_eq!(w.owner("/tmp/f"), (0, GROUP, 0o640));
    let charge = w.vfs.shared.charge(4).unwrap();
    let member = Cred { groups: Rc::new(Groups::new(vec![GROUP], charge)), ..user(USER) };
    w.as_user(member.clone(), |w| {
        assert_eq!(opened(w, o::RDONLY), Ok(()));
        assert_eq!(opened(w, o::RDONLY | o::TRUNC), Err(Errno::EACCES));
        // A user may give its files to its own groups.
        w.create("/tmp/mine", b"").unwrap();
        assert_eq!(w.chown("/tmp/mine", (USER, GROUP)), Ok(()));
        assert_eq!(w.chown("/tmp/mine", (USER, 0)), Err(Errno::EPERM));
        assert_eq!(w.chown("/tmp/mine", (OTHER, GROUP)), Err(Errno::EPERM));
    });
    // The owner's bits apply to the owner, even where the bits for others allow more.
    w.chown("/tmp/f", (USER, GROUP)).unwrap();
    w.chmod("/tmp/f", 0o077).unwrap();
    w.as_user(member, |w| assert_eq!(opened(w, o::RDONLY), Err(Errno::EACCES)));
    w.as_user(user(OTHER), |w| assert_eq!(opened(w, o::RDWR), Ok(())));
    assert_eq!(opened(&w, o::RDWR), Ok(()));
    // A mode that denies access to the host's user, too.
    w.chmod("/tmp/f", 0).unwrap();
    assert_eq!(opened(&w, o::RDWR), Ok(()));
}

#[test]
fn directories_bind_all_but_root() {
    let mut w = World::new();
    w.mkdir("/tmp/d").unwrap();
    w.create("/tmp/d/f", b"").unwrap();
    w.as_user(user(USER), |w| {
        assert_eq!(w.create("/tmp/d/g", b""), Err(Errno::EACCES));
        assert_eq!(w.mkdir("/tmp/d/g"), Err(Errno::EACCES));
        assert_eq!(w.symlink("f", "/tmp/d/g"), Err(Errno::EACCES));
        assert_eq!(w.unlink("/tmp/d/f"), Err(Errno::EACCES));
        assert_eq!(w.rename("/tmp/d/f", "/tmp/f"), Err(Errno::EACCES));
        assert_eq!(w.link("/tmp/d/f", "/tmp/d/g"), Err(Errno::EACCES));
        assert!(w.list("/tmp/d").is_ok() && w.stat("/tmp/d/f").is_ok());
        assert_eq!(err(w.stat("/root/.")), Errno::EACCES);
        assert_eq!(err(w.vfs.chdir(&w.c(), b"/root")), Errno::EACCES);
    });
    w.chmod("/tmp/d", 0o644).unwrap();
    w.as_user(user(USER), |w| {
        assert!(w.list("/tmp/d").is_ok());
        assert_eq!(err(w.stat("/tmp/d/f")), Errno::EACCES);
    });
    w.chmod("/tmp/d", 0o711).unwrap();
    w.as_user(user(USER), |w| {
        assert_eq!(err(w.open("/tmp/d", o::RDONLY)), Errno::EACCES);
        assert!(w.stat("/tmp/d/f").is_ok());
    });
}

#[test]
fn the_sticky_bit() {
    let mut w = World::new();
    w.as_user(user(USER), |w| w.create("/tmp/f", b"").unwrap());
    w.as_user(user(OTHER), |w| {
        w.create("/tmp/g", b"").unwrap();
        assert_eq!(w.unlink("/tmp/f"), Err(Errno::EPERM));
        assert_eq!(w.rename("/tmp/f", "/tmp/h"), Err(Errno::EPERM));
        assert_eq!(w.rename("/tmp/g", "/tmp/f"), Err(Errno::EPERM));
        assert_eq!(w.rename("/tmp/g", "/tmp/h"), Ok(()));
    });
    w.as_user(user(USER), |w| assert_eq!(w.unlink("/tmp/f"), Ok(())));
    assert_eq!(w.unlink("/tmp/h"), Ok(()));
}

#[test]
fn capabilities_stand_in_for_root() {
    let mut w = World::new();
    w.create("/tmp/f", b"").unwrap();
    w.chmod("/tmp/f", 0o600).unwrap();
    let with = |number: u32| {
        let mut cred = user(USER);
        cred.caps.effective = 1 << number;
        cred
    };
    w.as_user(with(cap::DAC_READ_SEARCH), |w| {
        assert!(w.open("/tmp/f", o::RDONLY).is_ok() && w.stat("/root/.").is_ok());
        assert_eq!(err(w.open("/tmp/f", o::WRONLY)), Errno::EACCES);
    });
    w.as_user(with(cap::DAC_OVERRIDE), |w| assert!(w.open("/tmp/f", o::RDWR).is_ok()));
    w.as_user(with(cap::FOWNER), |w| {
        assert_eq!(w.chmod("/tmp/f", 0o666), Ok(()));
        assert_eq!(w.chown("/tmp/f", (USER, USER)), Err(Errno::EPERM));
    });
    w.as_user(with(cap::CHOWN), |w| assert_eq!(w.chown("/tmp/f", (USER, USER)), Ok(())));
}

#[test]
fn access_checks_the_real_user() {
    let mut w = World::new();
    w.create("/tmp/f", b"").unwrap();
    w.chmod("/tmp/f", 0o600).unwrap();
    let ask = |w: &World, flags| w.vfs.faccessat(&w.c(), at::FDCWD, b"/tmp/f", access::R_OK, flags);
    let borrowed = Cred::root().with_users(Ids { effective: USER, fs: USER, ..all(0) });
    w.as_user(borrowed, |w| {
        assert_eq!(ask(w, 0), Ok(()));
        assert_eq!(ask(w, at::EACCESS), Err(Errno::EACCES));
    });
}

#[test]
fn only_the_owner_may_set_dates() {
    let mut w = World::new();
    w.create("/tmp/f", b"").unwrap();
    let date = |w: &World, times| w.vfs.utimensat(&w.c(), at::FDCWD, Some(b"/tmp/f"), times, 0);
    let then = [TimeArg::At(EPOCH), TimeArg::Omit];
    w.as_user(user(USER), |w| {
        assert_eq!(date(w, then), Err(Errno::EPERM));
        assert_eq!(date(w, [TimeArg::Now; 2]), Err(Errno::EACCES));
    });
    w.chmod("/tmp/f", 0o666).unwrap();
    w.as_user(user(USER), |w| {
        assert_eq!(date(w, then), Err(Errno::EPERM));
        assert_eq!(date(w, [TimeArg::Now; 2]), Ok(()));
    });
}

/// A bind gives a user of the guest the same access as the guest's root.
#[test]
fn modes_do_not_apply_in_a_bind() {
    let mut w = World::new();
    w.as_user(user(USER), |w| {
        assert_eq!(w.read("/rw/file").unwrap(), b"writable");
        assert_eq!(w.read("/ro/file").unwrap(), b"read-only");
        w.create("/rw/sub/new", b"text").unwrap();
        w.chmod("/rw/sub/new", 0o600).unwrap();
        w.chown("/rw/sub/new", (USER, USER)).unwrap();
        assert_eq!(w.owner("/rw/sub/new"), (0, 0, 0o600));
        w.unlink("/rw/sub/new").unwrap();
        assert_eq!(w.create("/ro/new", b""), Err(Errno::EROFS));
    });
}

#[test]
fn proc_hides_the_processes_of_other_users() {
    let mut w = World::new();
    w.as_user(user(USER), |w| {
        // The only process is the caller, but its files in /proc belong to root here.
        assert_eq!(err(w.open("/proc/1/environ", o::RDONLY)), Errno::EACCES);
        assert!(w.open("/proc/1/status", o::RDONLY).is_ok());
        assert_eq!(err(w.list("/proc/1/fd")), Errno::EACCES);
    });
    let status = w.read("/proc/1/status").unwrap();
    let status = String::from_utf8(status).unwrap();
    for line in ["Uid:\t0\t0\t0\t0\n", "CapEff:\t000001ffffffffff\n", "Groups:\t0 \n"] {
        assert!(status.contains(line), "{status}");
    }
}
