//! Identifiers, permissions, queues and sets, and the memory charged for them.

use super::*;
use crate::base::cred::{Cred, Ids};
use crate::base::errno::{Errno, Result};
use crate::fs::SysvKind;
use crate::space::Account;
use std::rc::Rc;

fn account() -> Rc<Account> {
    Rc::new(Account::new(1 << 30))
}

fn user(uid: u32, gid: u32) -> User {
    let ids = |id| Ids { real: id, effective: id, saved: id, fs: id };
    let mut cred = Cred::root().with_users(ids(uid));
    (cred.gid, cred.groups) = (ids(gid), Rc::default());
    User { pid: 7, cred: Rc::new(cred) }
}

fn make(table: &mut Table<u32>, who: &User, key: i32, flags: u32) -> Result<i32> {
    let charge = account().take(0)?;
    table.get(who, key, flags, |_| Ok(()), || Ok((0, charge)))
}

#[test]
fn identifiers_are_not_reused_soon() {
    let (root, mut table) = (user(0, 0), Table::new(100));
    let mut seen = std::collections::BTreeSet::new();
    for n in 0..1000 {
        let id = make(&mut table, &root, flag::PRIVATE, 0o600).expect("an identifier");
        assert!(seen.insert(id), "{id} was used before");
        // The low bits are the index, used in turn up to 63; the high bits are the sequence number.
        assert_eq!(id, (n / 64) << 15 | n % 64);
        table.remove(&root, id).expect("the object exists");
        assert!(matches!(table.find(id), Err(Errno::EINVAL)));
    }
    for _ in 0..100 {
        make(&mut table, &root, flag::PRIVATE, 0o600).expect("an identifier");
    }
    assert_eq!(make(&mut table, &root, flag::PRIVATE, 0o600), Err(Errno::ENOSPC));
}

#[test]
fn owners_and_permissions_decide() {
    let mut table = Table::new(100);
    let (owner, group, other) = (user(1000, 100), user(1001, 100), user(1002, 200));
    let id = make(&mut table, &owner, 5, flag::CREAT | 0o640).expect("an identifier");
    let perm = &table.find(id).expect("the object exists").perm;
    let may = |who, mode| perm.allows(who, mode).is_ok();
    assert_eq!([may(&owner, flag::READ), may(&owner, flag::WRITE)], [true, true]);
    assert_eq!([may(&group, flag::READ), may(&group, flag::WRITE)], [true, false]);
    assert_eq!([may(&other, flag::READ), may(&other, flag::WRITE)], [false, false]);
    assert!(may(&user(0, 0), flag::READ | flag::WRITE));
    // A lookup by key requests the access that the flags' bits name.
    assert_eq!(make(&mut table, &group, 5, 0o060), Err(Errno::EACCES));
    assert_eq!(make(&mut table, &group, 5, 0o040), Ok(id));
    assert_eq!(table.remove(&group, id).map(|_| ()), Err(Errno::EPERM));
    let entry = table.find(id).expect("the object exists");
    assert_eq!(entry.perm.set(&group, 1001, 100, 0o600), Err(Errno::EPERM));
    entry.perm.set(&owner, 1001, 100, 0o7600).expect("the owner may set it");
    assert_eq!(entry.perm.mode, 0o600, "permission bits only");
    // The creator still has the owner's rights.
    assert!(entry.perm.allows(&owner, flag::WRITE).is_ok());
    assert!(table.remove(&group, id).is_ok());
}

#[test]
fn messages_are_chosen_by_type() {
    let account = account();
    let mut queue = Queue::new(0);
    for (kind, text) in [(3, "a"), (1, "bb"), (2, "ccc"), (1, "dddd")] {
        let (text, _charge) = (text.into(), account.take(1).expect("memory"));
        queue.send(Message { kind, text, number: 0, _charge }, 1, 5);
    }
    let place = |kind, flags| queue.position(Select::new(kind, flags).expect("flags"));
    assert_eq!(place(0, 0), Some(0));
    assert_eq!([place(1, 0), place(2, 0), place(4, 0)], [Some(1), Some(2), None]);
    assert_eq!([place(-2, 0), place(-3, 0), place(i64::MIN, 0)], [Some(1); 3]);
    assert_eq!(place(3, flag::MSG_EXCEPT), Some(1));
    let copy = flag::MSG_COPY | flag::NOWAIT;
    assert_eq!([place(3, copy), place(4, copy), place(-1, copy)], [Some(3), None, None]);
    assert_eq!(Select::new(0, flag::MSG_COPY), Err(Errno::EINVAL));
    assert_eq!(queue.bytes, 10);
    assert!(queue.take(1, 2, 6).is_some_and(|m| m.text == b"bb"));
    assert_eq!((queue.bytes, queue.len(), account.used()), (8, 3, 3));
    queue.limit = 10;
    assert_eq!([queue.has_room(2), queue.has_room(3)], [true, false]);
    queue.limit = 3;
    assert!(!queue.has_room(0), "the number of messages is limited, too");
}

fn op(number: u16, change: i16, flags: u32) -> SemOp {
    SemOp { number, change, flags: flags as u16 }
}

#[test]
fn adjustments_are_applied_once_and_stay_in_range() {
    let charge = account().take(0).expect("memory");
    let mut set = Set::new(2, 0);
    set.ensure_undo(9, &charge).expect("memory");
    let both = [op(0, 5, flag::SEM_UNDO), op(1, 3, 0)];
    assert_eq!(set.operate(&both, 9, 1, 1), Ok(None));
    assert_eq!(set.operate(&[op(0, -2, 0)], 0, 2, 2), Ok(None));
    // An operation that fails changes nothing.
    let stuck = [op(0, 1, flag::SEM_UNDO), op(1, -4, 0)];
    assert_eq!(set.operate(&stuck, 9, 1, 3), Ok(Some(Blocked { number: 1, zero: false })));
    assert_eq!(set.operate(&[op(1, 0, 0)], 9, 1, 3), Ok(Some(Blocked { number: 1, zero: true })));
    assert_eq!(set.operate(&[op(1, 32767, 0)], 9, 1, 3), Err(Errno::ERANGE));
    assert_eq!((set.all[0].value, set.all[1].value, set.used), (3, 3, 2));
    // 3 − 5 would be below zero.
    assert!(set.apply_undo(9, 4, 5) && !set.apply_undo(9, 4, 6));
    assert_eq!((set.all[0].value, set.all[0].pid, set.all[1].pid, set.used), (0, 4, 1, 5));
    // A value that was set is not adjusted.
    set.ensure_undo(9, &charge).expect("memory");
    assert_eq!(set.operate(&[op(1, -3, flag::SEM_UNDO)], 9, 1, 7), Ok(None));
    set.set(1, &[8], 1, 8).expect("in range");
    set.apply_undo(9, 1, 9);
    assert_eq!(set.all[1].value, 8);
}

/// The lines are from Linux 6.18, except for keys, numbers and times.
#[test]
fn the_lists_look_as_linux_prints_them() {
    let (mut ipc, root, account) = (Ipc::default(), user(0, 0), account());
    let take = || account.take(0).expect("memory");
    let now = 1_795_364_088;
    let flags = flag::CREAT | 0o640;
    let made = || Ok((Queue::new(now), take()));
    ipc.queues.get(&root, -1_176_386_975, flags, |_| Ok(()), made).expect("room");
    let made = || Ok((Set::new(3, now), take()));
    ipc.sets.get(&root, 1_653_196_160, flags, |_| Ok(()), made).expect("room");
    let memory = crate::space::SharedObject::anonymous(&account).expect("memory");
    let made = || Ok((Segment::new(memory, 5000, 21362, now), take()));
    ipc.segments.get(&root, -1_710_640_082, flags, |_| Ok(()), made).expect("room");
    let second = |kind| {
        let text = String::from_utf8(ipc.show(kind)).expect("ASCII");
        text.lines().nth(1).expect("a line").to_owned()
    };
    assert_eq!(
        second(SysvKind::Messages),
        "-1176386975          0   640           0          0     0     0     0     0     0     0          0          0 1795364088"
    );
    assert_eq!(
        second(SysvKind::Semaphores),
        "1653196160          0   640          3     0     0     0     0          0 1795364088"
    );
    assert_eq!(
        second(SysvKind::Segments),
        "-1710640082          0   640                  5000 21362     0      0     0     0     0     0          0          0 1795364088                  8192                     0"
    );
}
