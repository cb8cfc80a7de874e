//! How the host protects pages.

use crate::mem::{Memory, Object, PAGE, Perm};

const AT: u64 = 1 << 30;

/// What the host allows for the pages from `AT` on, as proc_pid_maps(5) writes it.
fn on_host(mem: &Memory, pages: u64) -> Vec<String> {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("a list of mappings");
    let of = |at: u64| {
        let holds = |line: &&str| {
            let (range, _) = line.split_once(' ').expect("a range");
            let (start, end) = range.split_once('-').expect("its ends");
            let number = |s| u64::from_str_radix(s, 16).expect("an address");
            (number(start)..number(end)).contains(&at)
        };
        let line = maps.lines().find(holds).expect("a mapping");
        line.split(' ').nth(1).expect("permissions")[..2].to_owned()
    };
    (0..pages).map(|n| of(mem.host_base() as u64 + AT + n * PAGE)).collect()
}

fn mapped(perms: &[u8]) -> Memory {
    let mem = Memory::new().expect("an address space");
    for (n, perm) in perms.iter().enumerate() {
        mem.map(AT + n as u64 * PAGE, PAGE, Perm(*perm)).expect("a page");
    }
    mem
}

#[test]
fn pages_are_protected_as_the_guest_asks() {
    let mem = mapped(&[0, 1, 2, 3, 4, 5, 6, 7]);
    let (none, read, both) = ("--", "r-", "rw");
    let expected = [none, read, none, both, none, read, none, both];
    assert_eq!(on_host(&mem, 8), expected);
    assert!(mem.protect(AT + PAGE, 5 * PAGE, Perm::R));
    assert_eq!(on_host(&mem, 8), [none, read, read, read, read, read, none, both]);
    assert!(mem.protect(AT, 8 * PAGE, Perm::RW));
    assert_eq!(on_host(&mem, 8), [both; 8]);
    mem.unmap(AT + PAGE, PAGE).expect("a page");
    assert!(!mem.protect(AT, 2 * PAGE, Perm::R), "the second is not mapped");
    assert_eq!(on_host(&mem, 3), [both, none, both]);
}

/// The host refuses after some pages have changed: they are as before, and so is the table.
#[test]
fn a_refused_change_leaves_everything_as_it_was() {
    use crate::mem::host_maps::tests::LEFT;
    for granted in 0..3 {
        let mem = mapped(&[7, 7, 7, 7, 7, 7]);
        [0, 2, 4].iter().for_each(|n| mem.watch_code(AT + n * PAGE));
        let before = on_host(&mem, 6);
        LEFT.set(Some(granted));
        assert!(!mem.protect(AT, 6 * PAGE, Perm::R), "{granted}");
        LEFT.set(None);
        for n in 0..6 {
            mem.store(AT + n * PAGE, 1u8).expect("still writable");
        }
        assert_eq!(before.iter().filter(|page| *page == "r-").count(), 3);
        assert_eq!(on_host(&mem, 6), ["rw"; 6]);
    }
}

/// Our own accesses work where no mappings are left for guests.
#[test]
fn own_accesses_need_no_mappings_of_guests() {
    use crate::mem::host_maps::tests::LEFT;
    let mem = mapped(&[3, 0, 3]);
    LEFT.set(Some(0));
    mem.write_as(AT + PAGE, &[5], Perm::NONE).expect("a mapped page");
    LEFT.set(None);
    assert_eq!(on_host(&mem, 3), ["rw", "--", "rw"]);
}

/// Whatever the permissions, our own accesses work, and leave the page as it was.
#[test]
fn closed_pages_are_opened_for_our_own_accesses() {
    let perms = [0, 1, 2, 3, 4, 5, 6, 7];
    let (mem, child) = (mapped(&perms), mapped(&perms));
    let before = on_host(&mem, 8);
    for (n, perm) in perms.into_iter().enumerate() {
        let at = AT + n as u64 * PAGE;
        let last = at + PAGE - 2;
        mem.write_as(last, &[n as u8, 0x12], Perm::NONE).expect("a mapped page");
        let mut bytes = [0; 2];
        mem.read_as(last, &mut bytes, Perm::NONE).expect("a mapped page");
        assert_eq!(bytes, [n as u8, 0x12]);
        let value = 0x1200 + n as u16;
        assert_eq!(mem.load(last), (perm & 1 != 0).then_some(value), "{perm}");
        assert_eq!(mem.fetch(last), (perm & 4 != 0).then_some(value), "{perm}");
        assert_eq!(mem.store(at, 7u8), (perm & 2 != 0).then_some(()), "{perm}");
    }
    mem.write_as(AT + PAGE - 8, &[9; 3 * PAGE as usize], Perm::NONE).expect("mapped pages");
    mem.copy_pages_to(&child, AT, 8 * PAGE, || true).expect("a copy");
    let mut bytes = ([0; 8 * PAGE as usize], [1; 8 * PAGE as usize]);
    mem.read_as(AT, &mut bytes.0, Perm::NONE).expect("mapped pages");
    child.read_as(AT, &mut bytes.1, Perm::NONE).expect("mapped pages");
    assert!(bytes.0 == bytes.1);
    assert_eq!((on_host(&mem, 8), on_host(&child, 8)), (before.clone(), before));
}

#[test]
fn pages_of_files_are_protected_too() {
    let file = rustix::fs::memfd_create("file", rustix::fs::MemfdFlags::CLOEXEC);
    let file = std::rc::Rc::new(file.expect("memory"));
    rustix::fs::ftruncate(&*file, 8 * PAGE).expect("it grows");
    let mem = mapped(&[1, 0, 3, 5]);
    mem.map_image(AT, 4 * PAGE, &file, 0).expect("a mapping");
    assert_eq!(on_host(&mem, 4), ["r-", "--", "rw", "r-"]);
    let object = Object::new(file.try_clone().expect("a descriptor"));
    mem.map_shared(AT + PAGE, PAGE, Perm::R, &object, 0).expect("a mapping");
    mem.map_shared(AT + 2 * PAGE, PAGE, Perm::NONE, &object, 0).expect("a mapping");
    assert_eq!(on_host(&mem, 4), ["r-", "r-", "--", "r-"]);
}

/// Code that has been decoded cannot be written unnoticed; hidden pages are closed.
#[test]
fn pages_follow_what_is_watched_or_hidden() {
    let mem = mapped(&[7, 7, 5]);
    (0..3).for_each(|n| mem.watch_code(AT + n * PAGE));
    assert_eq!(on_host(&mem, 3), ["r-"; 3]);
    mem.store(AT + PAGE, 1u8).expect("a writable page");
    mem.write_as(AT + 2 * PAGE, &[1], Perm::NONE).expect("a mapped page");
    assert_eq!(on_host(&mem, 3), ["r-", "rw", "r-"]);
    let hidden = [AT, AT + PAGE].map(|at| mem.hide(at).expect("an accessible page"));
    assert_eq!(on_host(&mem, 3), ["--", "--", "r-"]);
    hidden.into_iter().for_each(|page| mem.show(page));
    assert_eq!(on_host(&mem, 3), ["r-", "rw", "r-"]);
}
