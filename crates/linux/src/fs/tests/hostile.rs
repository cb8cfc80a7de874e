//! Attempts to get out, to hang the host or to confuse it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::fs::abi::s;

#[test]
fn dot_dot_stays_inside() {
    let w = World::new();
    let root = w.stat("/").unwrap();
    for path in ["/..", "/../../..", "/etc/../../..", "/rw/../..", "/rw/sub/../../..", "/tmp/../.."]
    {
        assert_eq!(w.stat(path).unwrap(), root, "{path}");
    }
    assert_eq!(err(w.read("/rw/../secret")), Errno::ENOENT);
    assert_eq!(err(w.read("/../secret")), Errno::ENOENT);
    let fd = w.fd("/rw", o::PATH);
    assert_eq!(err(w.vfs.openat(&w.c(), fd, b"../secret", o::RDONLY, 0)), Errno::ENOENT);
    assert_eq!(w.vfs.stat_at(&w.c(), fd, b"..", 0).unwrap(), root);
}

#[test]
fn links_lead_to_the_guests_files() {
    let w = World::new();
    let secret = w.host_path("secret");
    for (name, target) in [
        ("abs", secret.to_str().unwrap()),
        ("rel", "../secret"),
        ("far", "../../../../../../../../etc/passwd"),
        ("passwd", "/etc/passwd"),
        ("dir", ".."),
        ("magic", "/proc/1/root"),
    ] {
        symlink(target, w.host_path("rw").join(name)).unwrap();
        w.symlink(target, &format!("/tmp/{name}")).unwrap();
    }
    let guest_passwd = w.read("/etc/passwd").unwrap();
    for base in ["/rw", "/tmp"] {
        assert_eq!(err(w.read(&format!("{base}/abs"))), Errno::ENOENT);
        assert_eq!(err(w.read(&format!("{base}/rel"))), Errno::ENOENT);
        assert_eq!(w.read(&format!("{base}/far")).unwrap(), guest_passwd);
        assert_eq!(w.read(&format!("{base}/passwd")).unwrap(), guest_passwd);
        assert_eq!(err(w.read(&format!("{base}/dir/secret"))), Errno::ENOENT);
        assert_eq!(w.read(&format!("{base}/magic/etc/passwd")).unwrap(), guest_passwd);
    }
    // Creating a file through a dangling link makes it inside the guest's tree, or fails.
    w.symlink("/tmp/made", "/rw/maker").unwrap();
    w.create("/rw/maker", b"made").unwrap();
    assert_eq!(w.read("/tmp/made").unwrap(), b"made");
    assert_eq!(err(w.open("/rw/maker", o::CREAT | o::EXCL | o::WRONLY)), Errno::EEXIST);
    w.symlink("/etc/new", "/rw/outward").unwrap();
    assert_eq!(err(w.create("/rw/outward", b"")), Errno::EROFS);
    w.symlink("nowhere", "/rw/dangling").unwrap();
    let exclusive = o::CREAT | o::EXCL | o::WRONLY;
    assert_eq!(err(w.open("/rw/dangling", exclusive)), Errno::EEXIST);
    assert!(!w.host_path("rw/nowhere").exists());
}

#[test]
fn links_that_change_during_resolution_do_not_lead_out() {
    let w = World::new();
    // Another host process swaps a directory and a link to the outside, over and over.
    let outside = w.host_path("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("f"), b"outside").unwrap();
    let inside = w.host_path("rw/d");
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(inside.join("f"), b"inside").unwrap();
    let link = w.host_path("rw/link");
    symlink(&outside, &link).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let swapper = std::thread::spawn({
        let stop = Arc::clone(&stop);
        move || {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            while !stop.load(Ordering::Relaxed) {
                renameat_with(CWD, &inside, CWD, &link, RenameFlags::EXCHANGE).unwrap();
                // With few processors, each thread could otherwise see the other in one state only.
                std::thread::yield_now();
            }
        }
    });
    let mut seen = [0; 2];
    // Loops until each state has been seen 500 times. The bound stops a machine on which that never happens.
    for i in 0..100_000 {
        if seen.iter().all(|&n| n >= 500) {
            break;
        }
        match w.read("/rw/d/f") {
            Ok(content) => {
                assert_eq!(content, b"inside");
                seen[0] += 1;
            }
            Err(e) => {
                assert_eq!(e, Errno::ENOENT);
                seen[1] += 1;
            }
        }
        std::thread::yield_now();
        // Writes must not get out either.
        let _ = w.create(&format!("/rw/d/w{}", i % 7), b"x");
    }
    stop.store(true, Ordering::Relaxed);
    swapper.join().unwrap();
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn special_files_of_the_host_are_refused_without_waiting() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let w = World::new();
    let rw = w.host_path("rw");
    mknodat(CWD, rw.join("fifo"), FileType::Fifo, Mode::from(0o666), 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(rw.join("socket")).unwrap();
    for flags in [o::RDONLY, o::WRONLY, o::RDWR, o::RDONLY | o::NONBLOCK] {
        assert_eq!(err(w.open("/rw/fifo", flags)), Errno::EACCES);
        assert_eq!(err(w.open("/rw/socket", flags)), Errno::ENXIO);
    }
    assert_eq!(w.stat("/rw/fifo").unwrap().file_type(), s::IFIFO);
    // Making device nodes needs privileges that the test may not have.
    let null = rustix::fs::makedev(1, 3);
    if mknodat(CWD, rw.join("dev"), FileType::CharacterDevice, Mode::from(0o666), null).is_ok() {
        assert_eq!(err(w.open("/rw/dev", o::RDWR)), Errno::EACCES);
    }
    assert_eq!(err(w.vfs.mknodat(&w.c(), at::FDCWD, b"/ro/node", s::IFIFO | 0o666)), Errno::EROFS);
    for kind in [s::IFCHR, s::IFBLK, s::IFSOCK] {
        let result = w.vfs.mknodat(&w.c(), at::FDCWD, b"/tmp/node", kind | 0o666);
        assert_eq!(err(result), Errno::EPERM);
    }
    w.unlink("/rw/fifo").unwrap();
}

#[test]
fn proc_links_stay_in_the_guest() {
    let w = World::new();
    assert_eq!(w.readlink("/proc/self/root").unwrap(), "/");
    assert_eq!(w.stat("/proc/self/root/").unwrap(), w.stat("/").unwrap());
    assert_eq!(err(w.read("/proc/self/root/../../secret")), Errno::ENOENT);
    assert_eq!(w.readlink("/proc/self/exe").unwrap(), "/usr/bin/prog");
    assert_eq!(w.read("/proc/self/exe").unwrap(), b"#!/bin/sh\n");
    let fd = w.fd("/rw/file", o::RDONLY);
    let link = format!("/proc/self/fd/{fd}");
    assert_eq!(w.readlink(&link).unwrap(), "/rw/file");
    // No process of the host is visible.
    assert_eq!(err(w.stat(&format!("/proc/{}", std::process::id()))), Errno::ENOENT);
    assert_eq!(err(w.stat("/proc/2/root")), Errno::ENOENT);
    assert_eq!(err(w.stat("/proc/self/fd/999")), Errno::ENOENT);
    assert_eq!(err(w.stat("/proc/self/fd/00")), Errno::ENOENT);
    assert_eq!(err(w.stat("/proc/self/fd/-1")), Errno::ENOENT);
}

#[test]
fn no_set_user_id_files_on_the_host() {
    use std::os::unix::fs::PermissionsExt;
    let w = World::new();
    let mode = 0o6777;
    w.vfs.openat(&w.c(), at::FDCWD, b"/rw/new", o::CREAT | o::WRONLY, mode).unwrap();
    w.vfs.mkdirat(&w.c(), at::FDCWD, b"/rw/dir", mode).unwrap();
    w.vfs.fchmodat(&w.c(), at::FDCWD, b"/rw/file", mode, 0).unwrap();
    let file = w.open("/rw/sub", o::RDONLY).unwrap();
    w.vfs.fchmod(&w.c(), &file, mode).unwrap();
    for name in ["rw/new", "rw/dir", "rw/file", "rw/sub"] {
        let got = std::fs::metadata(w.host_path(name)).unwrap().permissions().mode();
        assert_eq!(got & 0o6000, 0, "{name}");
    }
}

#[test]
fn names_are_bytes() {
    let w = World::new();
    let path = b"/tmp/\xff\xfe caf\xe9\n";
    let c = w.c();
    w.vfs.openat(&c, at::FDCWD, path, o::CREAT | o::WRONLY, 0o644).unwrap();
    assert!(w.vfs.stat_at(&c, at::FDCWD, path, 0).is_ok());
    w.vfs.symlinkat(&c, path, at::FDCWD, b"/tmp/link").unwrap();
    assert_eq!(w.vfs.readlinkat(&c, at::FDCWD, b"/tmp/link").unwrap(), path);
    w.vfs.unlinkat(&c, at::FDCWD, path, 0).unwrap();
    assert_eq!(w.list("/tmp").unwrap(), [".", "..", "link"]);
}

#[test]
fn directories_nest_no_deeper_than_a_path() {
    let mut w = World::new();
    w.cwd = w.vfs.chdir(&w.c(), b"/tmp").unwrap();
    let name = "d".repeat(200);
    let mut depth = 0;
    let end = loop {
        match w.mkdir(&name).and_then(|()| w.vfs.chdir(&w.c(), name.as_bytes())) {
            Ok(dir) => w.cwd = dir,
            Err(e) => break e,
        }
        depth += 1;
        assert!(depth < 100);
    };
    assert_eq!((end, depth), (Errno::ENAMETOOLONG, 20));
}
