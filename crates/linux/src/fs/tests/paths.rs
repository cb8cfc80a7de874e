//! Path resolution, mounts, errors of path calls.

use super::*;
use crate::fs::abi::{access, s};
use crate::interface::Bind;

#[test]
fn sysroot_links_and_mounts() {
    let w = World::new();
    assert_eq!(w.read("/etc/passwd").unwrap(), b"root:x:0:0::/root:/bin/sh\n");
    assert_eq!(w.read("/bin/prog").unwrap(), b"#!/bin/sh\n");
    assert_eq!(w.readlink("/bin").unwrap(), "/usr/bin");
    assert_eq!(w.read("/ro/file").unwrap(), b"read-only");
    assert_eq!(w.stat("/lib").unwrap().file_type(), s::IFDIR);
    assert_eq!(w.lstat("/lib").unwrap().file_type(), s::IFLNK);
    assert_eq!(w.lstat("/lib/").unwrap().file_type(), s::IFDIR);
    assert_eq!(w.lstat("/lib").unwrap().size, 7);
    let root = ["..", ".", "bin", "dev", "etc", "lib", "proc", "ro", "root", "run", "rw", "sys"];
    let mut want: Vec<&str> = root.iter().copied().chain(["tmp", "usr", "var"]).collect();
    want.swap(0, 1);
    assert_eq!(w.list("/").unwrap(), want);
    assert_eq!(w.list("/var").unwrap(), [".", "..", "tmp"]);
    assert_eq!(w.list("/tmp").unwrap(), [".", ".."]);
    assert_eq!(w.stat("/tmp").unwrap().mode, s::IFDIR | 0o1777);
}

#[test]
fn errors_as_linux_gives_them() {
    let w = World::new();
    w.create("/tmp/f", b"x").unwrap();
    w.symlink("missing", "/tmp/dangling").unwrap();
    w.symlink("loop2", "/tmp/loop1").unwrap();
    w.symlink("loop1", "/tmp/loop2").unwrap();
    let long = format!("/tmp/{}", "n".repeat(256));
    let longer = "/tmp/".repeat(820);
    for (path, want) in [
        ("", Errno::ENOENT),
        ("/missing", Errno::ENOENT),
        ("/missing/x", Errno::ENOENT),
        ("/tmp/f/", Errno::ENOTDIR),
        ("/tmp/f/x", Errno::ENOTDIR),
        ("/tmp/f/..", Errno::ENOTDIR),
        ("/tmp/f/.", Errno::ENOTDIR),
        ("/tmp/dangling", Errno::ENOENT),
        ("/tmp/loop1", Errno::ELOOP),
        ("/tmp/loop1/x", Errno::ELOOP),
        (&long, Errno::ENAMETOOLONG),
        (&longer, Errno::ENAMETOOLONG),
        ("/tmp/a\0b", Errno::EINVAL),
    ] {
        assert_eq!(err(w.stat(path)), want, "{path:?}");
    }
    let name = format!("/tmp/{}", "n".repeat(255));
    w.create(&name, b"").unwrap();
    assert!(w.stat(&name).is_ok());
    assert_eq!(err(w.open("/tmp", o::WRONLY)), Errno::EISDIR);
    assert_eq!(err(w.open("/tmp/f", o::RDONLY | o::DIRECTORY)), Errno::ENOTDIR);
    assert_eq!(err(w.open("/tmp/dangling", o::RDONLY | o::NOFOLLOW)), Errno::ELOOP);
    assert_eq!(err(w.open("/tmp/new/", o::CREAT | o::WRONLY)), Errno::EISDIR);
    assert_eq!(err(w.rmdir("/tmp")), Errno::EBUSY);
    assert_eq!(err(w.rmdir("/var")), Errno::EBUSY);
    assert_eq!(err(w.rmdir("/")), Errno::EBUSY);
    assert_eq!(err(w.rmdir("/tmp/.")), Errno::EINVAL);
    assert_eq!(err(w.rename("/tmp/f", "/rw/f")), Errno::EXDEV);
    assert_eq!(err(w.link("/tmp/f", "/rw/f")), Errno::EXDEV);
    assert_eq!(err(w.link("/tmp", "/tmp/d")), Errno::EPERM);
    assert_eq!(err(w.stat("/proc/self/nothing")), Errno::ENOENT);
}

#[test]
fn forty_links_and_no_more() {
    let w = World::new();
    w.create("/tmp/l0", b"end").unwrap();
    for i in 1..=41 {
        w.symlink(&format!("l{}", i - 1), &format!("/tmp/l{i}")).unwrap();
    }
    assert_eq!(w.read("/tmp/l40").unwrap(), b"end");
    assert_eq!(err(w.read("/tmp/l41")), Errno::ELOOP);
}

#[test]
fn read_only_mounts_refuse_every_change() {
    let w = World::new();
    for base in ["/etc", "/ro"] {
        let file = if base == "/etc" { "/etc/passwd" } else { "/ro/file" };
        let new = format!("{base}/new");
        assert_eq!(err(w.open(file, o::WRONLY)), Errno::EROFS);
        assert_eq!(err(w.open(file, o::RDWR | o::TRUNC)), Errno::EROFS);
        assert_eq!(err(w.open(file, o::RDONLY | o::TRUNC)), Errno::EROFS);
        assert_eq!(err(w.open(&new, o::CREAT | o::WRONLY)), Errno::EROFS);
        assert_eq!(err(w.open(base, o::TMPFILE | o::RDWR)), Errno::EROFS);
        assert_eq!(err(w.mkdir(&new)), Errno::EROFS);
        assert_eq!(err(w.symlink("x", &new)), Errno::EROFS);
        assert_eq!(err(w.link(file, &new)), Errno::EROFS);
        assert_eq!(err(w.unlink(file)), Errno::EROFS);
        assert_eq!(err(w.rename(file, &new)), Errno::EROFS);
        let (c, path) = (w.c(), file.as_bytes());
        assert_eq!(err(w.vfs.fchmodat(&c, at::FDCWD, path, 0o777, 0)), Errno::EROFS);
        assert_eq!(err(w.vfs.fchownat(&c, at::FDCWD, path, (0, 0), 0)), Errno::EROFS);
        assert_eq!(err(w.vfs.truncate(&c, path, 0)), Errno::EROFS);
        assert_eq!(err(w.vfs.faccessat(&c, at::FDCWD, path, access::W_OK, 0)), Errno::EROFS);
        let now = [TimeArg::Now; 2];
        assert_eq!(err(w.vfs.utimensat(&c, at::FDCWD, Some(path), now, 0)), Errno::EROFS);
        let fd = w.fd(file, o::RDONLY);
        assert_eq!(err(w.open(&format!("/proc/self/fd/{fd}"), o::RDWR)), Errno::EROFS);
        assert_eq!(err(w.vfs.fchmod(&w.c(), &w.c().file(fd).unwrap(), 0o777)), Errno::EROFS);
        assert_eq!(err(w.c().file(fd).unwrap().truncate(0)), Errno::EINVAL);
    }
    assert_eq!(std::fs::read(w.host_path("ro/file")).unwrap(), b"read-only");
}

#[test]
fn working_directory_and_descriptors_as_base() {
    let mut w = World::new();
    w.mkdir("/tmp/d").unwrap();
    w.create("/tmp/d/f", b"in d").unwrap();
    let fd = w.fd("/tmp/d", o::RDONLY | o::DIRECTORY);
    let path_fd = w.fd("/tmp/d", o::PATH);
    for base in [fd, path_fd] {
        let file = w.vfs.openat(&w.c(), base, b"f", o::RDONLY, 0).unwrap();
        assert_eq!(read_all(&file).unwrap(), b"in d");
        let up = w.vfs.stat_at(&w.c(), base, b"..", 0).unwrap();
        assert_eq!(up.ino, w.stat("/tmp").unwrap().ino);
    }
    let f = w.fd("/tmp/d/f", o::RDONLY);
    assert_eq!(err(w.vfs.openat(&w.c(), f, b"x", o::RDONLY, 0)), Errno::ENOTDIR);
    assert_eq!(err(w.vfs.openat(&w.c(), 99, b"x", o::RDONLY, 0)), Errno::EBADF);
    assert_eq!(w.vfs.stat_at(&w.c(), f, b"", at::EMPTY_PATH).unwrap().size, 4);
    assert_eq!(err(w.vfs.stat_at(&w.c(), f, b"", 0)), Errno::ENOENT);
    w.cwd = w.vfs.chdir(&w.c(), b"/tmp/d/../d").unwrap();
    assert_eq!(w.vfs.getcwd(&w.cwd).unwrap(), b"/tmp/d");
    assert_eq!(w.read("f").unwrap(), b"in d");
    assert_eq!(w.read("../d/./f").unwrap(), b"in d");
    // Paths relative to a renamed directory still work; relative to a removed one they fail.
    w.rename("/tmp/d", "/tmp/e").unwrap();
    assert_eq!(w.read("f").unwrap(), b"in d");
    w.unlink("f").unwrap();
    w.rmdir("/tmp/e").unwrap();
    assert_eq!(err(w.create("g", b"")), Errno::ENOENT);
    assert_eq!(err(w.mkdir("g")), Errno::ENOENT);
    assert_eq!(err(w.vfs.getcwd(&w.cwd)), Errno::ENOENT);
    let dir = w.c().file(fd).unwrap();
    assert_eq!(err(dir.getdents64(&mut [0; 512])), Errno::ENOENT);
    assert!(dir.stat().is_ok());
    assert_eq!(w.stat("..").unwrap().ino, w.stat("/tmp").unwrap().ino);
}

#[test]
fn a_mount_hides_what_is_below_it_and_may_be_anywhere() {
    let host = tempfile::tempdir().unwrap();
    for dir in ["root/usr/lib", "a", "b"] {
        std::fs::create_dir_all(host.path().join(dir)).unwrap();
    }
    std::fs::write(host.path().join("a/name"), b"a").unwrap();
    std::fs::write(host.path().join("b/name"), b"b").unwrap();
    symlink("usr/lib", host.path().join("root/lib")).unwrap();
    let mut config = VfsConfig::new(host.path().join("root"));
    let bind = |from: &str, to: &str, writable| Bind {
        host: host.path().join(from),
        guest: to.as_bytes().to_vec(),
        writable,
    };
    config.binds = vec![
        bind("a", "/deep/down/here", false),
        bind("b", "/lib/plugins/", false),
        bind("a", "/tmp/x", false),
        bind("b", "/tmp/x", true),
        bind("a/name", "/etc/name", true),
    ];
    let w = World::with(host, &config);
    assert_eq!(w.read("/deep/down/here/name").unwrap(), b"a");
    assert_eq!(w.read("/usr/lib/plugins/name").unwrap(), b"b");
    assert_eq!(w.read("/tmp/x/name").unwrap(), b"b");
    assert_eq!(w.read("/etc/name").unwrap(), b"a");
    w.create("/etc/name", b"changed").unwrap();
    assert_eq!(std::fs::read(w.host_path("a/name")).unwrap(), b"changed");
    assert_eq!(err(w.unlink("/etc/name")), Errno::EBUSY);
    assert_eq!(err(w.rename("/tmp/x", "/tmp/y")), Errno::EBUSY);
    assert_eq!(err(w.mkdir("/deep/new")), Errno::EROFS);
    assert_eq!(w.list("/deep/down").unwrap(), [".", "..", "here"]);
    assert_eq!(w.list("/tmp").unwrap(), [".", "..", "x"]);
    assert_eq!(w.stat("/tmp/x/..").unwrap().ino, w.stat("/tmp").unwrap().ino);
}

#[test]
fn set_up_errors_name_the_cause() {
    let host = tempfile::tempdir().unwrap();
    let platform = || Rc::new(FixedPlatform::new(EPOCH, 0)) as Rc<dyn Platform>;
    let fails = |config: &VfsConfig| match Vfs::new(config, platform()) {
        Ok(_) => panic!("set up"),
        Err(e) => e.to_string(),
    };
    let missing = fails(&VfsConfig::new(host.path().join("nowhere")));
    assert!(missing.contains("sysroot") && missing.contains("nowhere"), "{missing}");
    let mut config = VfsConfig::new(host.path());
    for (guest, word) in [("rel", "relative"), ("/", "`/`"), ("/a/../b", "`..`")] {
        let guest = guest.as_bytes().to_vec();
        config.binds = vec![Bind { host: host.path().into(), guest, writable: false }];
        let text = fails(&config);
        assert!(text.contains(word), "{text}");
    }
    let guest = b"/x".to_vec();
    config.binds = vec![Bind { host: "/dev/null".into(), guest, writable: true }];
    assert!(fails(&config).contains("/dev/null"));
}

#[test]
fn the_private_directory_is_removed_whatever_it_contains() {
    let mut w = World::new();
    // Nested deeper than the longest path, and without permissions.
    let base = rustix::fs::readlinkat(rustix::fs::CWD, host_link(&w, "/tmp"), Vec::new()).unwrap();
    let private = PathBuf::from(base.to_str().unwrap()).parent().unwrap().to_path_buf();
    assert!(private.exists());
    for (top, bottom) in [("/tmp/a", "/tmp/b"), ("/tmp/b", "/tmp/c")] {
        for start in [top, bottom] {
            if w.stat(start).is_err() {
                build_chain(&mut w, start);
            }
        }
        w.cwd = deepest(&mut w, bottom);
        w.rename(top, "moved").unwrap();
    }
    w.cwd = w.vfs.root();
    w.mkdir("/tmp/locked").unwrap();
    w.create("/tmp/locked/f", b"").unwrap();
    w.vfs.fchmodat(&w.c(), at::FDCWD, b"/tmp/locked", 0, 0).unwrap();
    drop(w);
    assert!(!private.exists());
}

/// The host's link to the object that the guest finds at `path`.
fn host_link(w: &World, path: &str) -> String {
    use std::os::fd::AsRawFd;
    let place = w.vfs.locate(&w.c(), at::FDCWD, path.as_bytes(), 0).unwrap();
    format!("/proc/self/fd/{}", place.host_fd().unwrap().as_raw_fd())
}

const LEVELS: usize = 100;

fn build_chain(w: &mut World, start: &str) {
    w.cwd = w.vfs.root();
    w.mkdir(start).unwrap();
    w.cwd = w.vfs.chdir(&w.c(), start.as_bytes()).unwrap();
    for _ in 0..LEVELS {
        w.mkdir("directory-with-a-name").unwrap();
        w.cwd = w.vfs.chdir(&w.c(), b"directory-with-a-name").unwrap();
    }
}

fn deepest(w: &mut World, start: &str) -> Dir {
    w.cwd = w.vfs.chdir(&w.c(), start.as_bytes()).unwrap();
    while let Ok(next) = w.vfs.chdir(&w.c(), b"directory-with-a-name") {
        w.cwd = next;
    }
    Rc::clone(&w.cwd)
}
