//! Charges to the guest's memory, and limits that do not depend on the host.

use super::*;
use crate::fs::abi::{poll, seek};

/// Objects that the guest can keep are charged to its memory, and the charge is returned when they are gone.
#[test]
fn names_listings_and_contents_are_charged() {
    let w = World::new();
    let start = w.platform.used();
    // An unnamed file that gets a name stays, and so does its charge.
    let flags = o::TMPFILE | o::RDWR;
    let fd = w.fd("/tmp", flags);
    let file = w.fds.borrow().get(fd).expect("an open descriptor");
    file.write(&[7; 100_000]).expect("memory for the contents");
    let own = format!("/proc/self/fd/{fd}");
    let link = |old: &str, new: &str| {
        let (old, new) = ((at::FDCWD, old.as_bytes()), (at::FDCWD, new.as_bytes()));
        w.vfs.linkat(&w.c(), old, new, at::SYMLINK_FOLLOW)
    };
    link(&own, "/tmp/first").expect("a name");
    drop((file, w.fds.borrow_mut().close(fd)));
    let one = w.platform.used() - start;
    assert!(one >= 100_000, "{one}");
    // More hard links.
    (0..9).for_each(|i| link("/tmp/first", &format!("/tmp/{i}")).expect("a name"));
    let ten = w.platform.used() - start;
    assert!(ten >= one + 9 * 256, "{ten}");
    assert_eq!(link("/tmp/first", "/tmp/1"), Err(Errno::EEXIST));
    assert_eq!(w.platform.used() - start, ten);
    // A listing is charged as long as the directory is open.
    let mut buf = vec![0; 4096];
    for path in ["/tmp", "/proc/self", "/proc/self/maps", "/proc/meminfo"] {
        let open = w.open(path, o::RDONLY).expect(path);
        let listed = open.object().directory().getdents64(&mut buf).is_ok_and(|n| n > 0);
        let minimum = if listed { 10 * 32 } else { u64::from(path != "/proc/self/maps") };
        assert!(w.platform.used() - start >= ten + minimum, "{path}");
        drop(open);
        assert_eq!(w.platform.used() - start, ten, "{path}");
    }
    // Open files are charged, and so are the parts of the path that a descriptor keeps.
    let path = format!("/tmp/{}", "d".repeat(200));
    w.mkdir(&path).expect("a directory");
    let file = format!("{path}/file");
    w.create(&file, b"x").expect("a file");
    let with_file = w.platform.used();
    for (flags, minimum) in [(o::RDONLY, 200), (o::PATH, 3 * 200)] {
        let open: Vec<_> = (0..5).map(|_| w.open(&file, flags).expect("the path exists")).collect();
        assert!(w.platform.used() - with_file >= 5 * minimum, "{flags:#o}");
        drop(open);
        assert_eq!(w.platform.used(), with_file, "{flags:#o}");
    }
    w.unlink(&file).expect("the path exists");
    w.rmdir(&path).expect("the path exists");
    (0..9).for_each(|i| w.unlink(&format!("/tmp/{i}")).expect("the path exists"));
    assert_eq!(w.platform.used() - start, one);
    w.unlink("/tmp/first").expect("the path exists");
    assert_eq!(w.platform.used(), start);
}

/// The charge of an interest list is that of its entries: a refused entry costs nothing.
#[test]
fn refused_and_removed_entries_of_an_interest_list_are_not_charged() {
    const ADD: u32 = 1;
    const DEL: u32 = 2;
    let w = World::new();
    let file = w.open("/etc/passwd", o::RDONLY).expect("it exists");
    let (one, two) = (w.vfs.eventfd(1, 0).expect("memory"), w.vfs.eventfd(1, 0).expect("memory"));
    let list = w.vfs.epoll(0).expect("memory");
    let epoll = list.kind::<Epoll>().expect("an interest list");
    let start = w.platform.used();
    assert_eq!(epoll.control(ADD, 3, &file, poll::IN, 0), Err(Errno::EPERM));
    assert_eq!(w.platform.used(), start);
    epoll.control(ADD, 4, &one, poll::IN, 0).expect("memory");
    let with_one = w.platform.used();
    assert!(with_one > start);
    assert_eq!(epoll.control(ADD, 4, &one, poll::IN, 0), Err(Errno::EEXIST));
    assert_eq!(epoll.control(DEL, 5, &one, poll::IN, 0), Err(Errno::ENOENT));
    assert_eq!(epoll.control(9, 4, &one, poll::IN, 0), Err(Errno::EINVAL));
    assert_eq!(w.platform.used(), with_one);
    epoll.control(ADD, 5, &two, poll::IN, 0).expect("memory");
    epoll.control(DEL, 5, &two, poll::IN, 0).expect("it is there");
    assert_eq!(w.platform.used(), with_one);
    // Closing the last descriptor ends the entry, which the next look at the list notices.
    let before = w.platform.used();
    drop(one);
    assert_eq!(epoll.take_ready(1), []);
    assert!(w.platform.used() <= before - (with_one - start));
    // A list that refuses to become an entry is not marked as one.
    let outer = w.vfs.epoll(0).expect("memory");
    let (used, outer_epoll) = (w.platform.used(), outer.kind::<Epoll>().expect("a list"));
    let top = w.vfs.epoll(0).expect("memory");
    outer_epoll.control(ADD, 6, &list, poll::IN, 0).expect("one level");
    assert_eq!(
        top.kind::<Epoll>().map(|top| top.control(ADD, 7, &outer, poll::IN, 0)),
        Some(Err(Errno::ELOOP))
    );
    outer_epoll.control(DEL, 6, &list, poll::IN, 0).expect("it is there");
    drop(top);
    assert_eq!(w.platform.used(), used);
}

#[test]
fn each_file_that_the_guest_has_seen_is_charged() {
    let w = World::new();
    (0..20).for_each(|i| std::fs::write(w.host_path(&format!("ro/{i}")), "x").expect("a file"));
    let start = w.platform.used();
    let dir = w.open("/ro", o::RDONLY).expect("the path exists");
    assert!(dir.object().directory().getdents64(&mut [0; 4096]).expect("a listing") > 0);
    drop(dir);
    assert!(w.platform.used() - start >= 20 * 100, "{}", w.platform.used() - start);
}

/// The limits of the host's file system do not show.
#[test]
fn the_maximum_position_is_the_same_on_every_host() {
    let w = World::new();
    w.create("/tmp/file", b"x").expect("a file");
    let file = w.open("/tmp/file", o::RDWR).expect("the path exists");
    let max = (1 << 44) - 4096;
    assert_eq!(file.object().positioned().seek(max, seek::SET), Ok(max as u64));
    assert_eq!(file.object().positioned().seek(1, seek::CUR), Err(Errno::EINVAL));
    for (offset, whence) in [(max + 1, seek::SET), (i64::MAX, seek::END), (-2, seek::END)] {
        assert_eq!(file.object().positioned().seek(offset, whence), Err(Errno::EINVAL), "{offset}");
    }
    assert_eq!(file.object().positioned().seek(-1, seek::END), Ok(0));
}

/// The maximum number of hard links is that of ext4.
#[test]
fn the_maximum_number_of_links_is_the_same_on_every_host() {
    let w = World::new();
    w.create("/rw/file", b"x").expect("a file");
    let dir = w.host_path("rw");
    // The host's own limit may be lower.
    for i in 1..65_000 {
        if std::fs::hard_link(dir.join("file"), dir.join(i.to_string())).is_err() {
            assert_eq!(w.link("/rw/file", "/rw/more"), Err(Errno::EMLINK));
            return;
        }
    }
    assert_eq!(w.link("/rw/file", "/rw/more"), Err(Errno::EMLINK));
    w.unlink("/rw/1").expect("the path exists");
    assert_eq!(w.link("/rw/file", "/rw/more"), Ok(()));
}
