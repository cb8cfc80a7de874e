//! Watches. A guest program tests the events themselves (`cli/tests/guest/watch.c`); it also passes on Linux.

use super::super::abi::inotify as ev;
use super::*;

fn watch(w: &World, fd: i32, path: &str, mask: u32) -> Result<i32> {
    w.vfs.watch(&w.c(), fd, path.as_bytes(), mask)
}

fn inotify(w: &World) -> i32 {
    let file = w.vfs.inotify(o::NONBLOCK).expect("a descriptor");
    w.fds.borrow_mut().insert(file, 0).expect("a free descriptor")
}

fn read(w: &World, fd: i32) -> Vec<u8> {
    let mut buf = vec![0; 4096];
    let n = w.fds.borrow().get(fd).expect("an open descriptor").read(&mut buf);
    buf.truncate(n.unwrap_or(0));
    buf
}

#[test]
fn events_are_encoded_as_the_manual_says() {
    let w = World::new();
    let fd = inotify(&w);
    assert_eq!(watch(&w, fd, "/rw", ev::CREATE), Ok(1));
    w.create("/rw/sixteen.letters!", b"").unwrap();
    w.mkdir("/rw/d").unwrap();
    let words = |words: [u32; 4]| words.map(u32::to_le_bytes).concat();
    let mut expected = words([1, ev::CREATE, 0, 32]);
    expected.extend(b"sixteen.letters!");
    expected.resize(48, 0);
    expected.extend(words([1, ev::CREATE | ev::ISDIR, 0, 16]));
    expected.extend(b"d");
    expected.resize(80, 0);
    assert_eq!(read(&w, fd), expected);
}

#[test]
fn watches_and_events_are_charged_and_the_charge_is_returned() {
    let w = World::new();
    w.create("/tmp/file", b"text").unwrap();
    // The records of inodes stay.
    for path in ["/tmp", "/tmp/file", "/proc/self/maps"] {
        w.stat(path).unwrap();
    }
    let before = w.platform.used();
    let fd = inotify(&w);
    for path in ["/tmp", "/tmp/file", "/proc/self/maps"] {
        watch(&w, fd, path, ev::ALL).unwrap();
    }
    let watching = w.platform.used();
    assert!(watching >= before + 3 * 512);
    let file = w.open("/tmp/file", o::RDWR).unwrap();
    let opened = w.platform.used();
    for _ in 0..100 {
        file.write(b"x").unwrap();
        file.pread(&mut [0], 0).unwrap();
    }
    assert!(w.platform.used() >= opened + 200 * 160, "queued events are charged");
    drop(file);
    assert!(!read(&w, fd).is_empty());
    drop(w.fds.borrow_mut().close(fd).unwrap());
    assert_eq!(w.platform.used(), before);
    w.create("/tmp/file", b"no watch is left").unwrap();
    assert_eq!(w.platform.used(), before);
}

#[test]
fn watch_descriptors_are_limited() {
    let w = World::new();
    let all: Vec<i32> = (0..128).map(|_| inotify(&w)).collect();
    assert_eq!(err(w.vfs.inotify(0)), Errno::EMFILE);
    drop(w.fds.borrow_mut().close(all[0]).unwrap());
    inotify(&w);
}

/// The path by which a file was opened is kept only while the file is open.
#[test]
fn names_of_closed_files_are_forgotten() {
    let w = World::new();
    w.create("/tmp/file", b"").unwrap();
    let inode = |file: &FileRef| Rc::clone(&file.object().recorded().inode().unwrap().0);
    let all: Vec<FileRef> = (0..1000).map(|_| w.open("/tmp/file", o::RDONLY).unwrap()).collect();
    let inode = inode(&all[0]);
    assert!(inode.watched.name_capacity() >= 1000);
    drop(all);
    assert_eq!(inode.watched.name_capacity(), 0);
}
