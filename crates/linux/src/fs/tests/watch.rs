//! Watches. The events themselves are tested by a guest program (`cli/tests/guest/watch.c`), which passes on Linux, too.

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
    let n = w.fds.borrow().get(fd).expect("it is open").read(&mut buf);
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
fn what_is_kept_counts_and_is_given_back() {
    let w = World::new();
    w.create("/tmp/file", b"text").unwrap();
    // The records of the inodes stay.
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
    assert!(w.platform.used() >= opened + 200 * 160, "events that wait");
    drop(file);
    assert!(!read(&w, fd).is_empty());
    drop(w.fds.borrow_mut().close(fd).unwrap());
    assert_eq!(w.platform.used(), before);
    w.create("/tmp/file", b"nobody is told").unwrap();
    assert_eq!(w.platform.used(), before);
}

#[test]
fn there_is_an_end_to_descriptors() {
    let w = World::new();
    let all: Vec<i32> = (0..128).map(|_| inotify(&w)).collect();
    assert_eq!(err(w.vfs.inotify(0)), Errno::EMFILE);
    drop(w.fds.borrow_mut().close(all[0]).unwrap());
    inotify(&w);
}

/// Where a file was opened is remembered only while it is.
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
