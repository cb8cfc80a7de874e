//! Contents, attributes and listings of host files.

use super::*;
use crate::fs::abi::{access, fcntl, ioctl, s, seek};

/// The guest memory that an `ioctl` argument points to.
struct Memory(Vec<u8>);

impl IoctlArg for Memory {
    fn read(&self, buf: &mut [u8]) -> Result<()> {
        buf.copy_from_slice(self.0.get(..buf.len()).ok_or(Errno::EFAULT)?);
        Ok(())
    }

    fn write(&mut self, data: &[u8]) -> Result<()> {
        self.0.get_mut(..data.len()).ok_or(Errno::EFAULT)?.copy_from_slice(data);
        Ok(())
    }
}

#[test]
fn reading_writing_and_positions() {
    let w = World::new();
    let f = w.open("/tmp/f", o::CREAT | o::RDWR).unwrap();
    assert_eq!(f.write(b"hello world").unwrap(), 11);
    assert_eq!(f.lseek(0, seek::CUR).unwrap(), 11);
    assert_eq!(f.pwrite(b"J", 0).unwrap(), 1);
    let mut a = [0; 8];
    assert_eq!(f.pread(&mut a, 0).unwrap(), 8);
    assert_eq!(&a, b"Jello wo");
    assert_eq!(f.write(b"12345").unwrap(), 5);
    assert_eq!(f.lseek(-5, seek::END).unwrap(), 11);
    assert_eq!(read_all(&f).unwrap(), b"12345");
    assert_eq!(err(f.lseek(-1, seek::SET)), Errno::EINVAL);
    assert_eq!(err(f.lseek(0, 9)), Errno::EINVAL);
    assert_eq!(f.lseek(3, seek::DATA).unwrap(), 3);
    assert_eq!(f.lseek(3, seek::HOLE).unwrap(), 16);
    assert_eq!(err(f.lseek(16, seek::DATA)), Errno::ENXIO);
    assert_eq!(err(f.pread(&mut [0], -1)), Errno::EINVAL);
    f.truncate(4).unwrap();
    assert_eq!(f.stat().unwrap().size, 4);
    f.fallocate(0, 2, 8).unwrap();
    assert_eq!(f.stat().unwrap().size, 10);
    assert_eq!(err(f.fallocate(1, 0, 8)), Errno::EOPNOTSUPP);
    f.sync().unwrap();
    f.lseek(2, seek::SET).unwrap();
    let mut left = Memory(vec![0; 4]);
    assert_eq!(f.ioctl(ioctl::FIONREAD, &mut left).unwrap(), 0);
    assert_eq!(left.0, 8_i32.to_le_bytes());
    assert_eq!(err(f.ioctl(ioctl::TCGETS, &mut Memory(vec![0; 60]))), Errno::ENOTTY);
    assert_eq!(f.poll_ready(), Events::ALWAYS);
}

#[test]
fn access_modes_and_append() {
    let w = World::new();
    w.create("/tmp/f", b"12").unwrap();
    let r = w.open("/tmp/f", o::RDONLY).unwrap();
    assert_eq!(err(r.write(b"x")), Errno::EBADF);
    assert_eq!(err(r.truncate(0)), Errno::EINVAL);
    let a = w.open("/tmp/f", o::WRONLY | o::APPEND).unwrap();
    assert_eq!(err(a.read(&mut [0])), Errno::EBADF);
    a.lseek(0, seek::SET).unwrap();
    a.write(b"34").unwrap();
    assert_eq!(w.read("/tmp/f").unwrap(), b"1234");
    assert_eq!(a.flags(), o::WRONLY | o::APPEND | o::LARGEFILE);
    a.set_flags(o::NONBLOCK).unwrap();
    assert_eq!(a.flags(), o::WRONLY | o::NONBLOCK | o::LARGEFILE);
    a.lseek(0, seek::SET).unwrap();
    a.write(b"0").unwrap();
    assert_eq!(w.read("/tmp/f").unwrap(), b"0234");
    let p = w.open("/tmp/f", o::PATH).unwrap();
    assert_eq!(err(p.read(&mut [0])), Errno::EBADF);
    assert_eq!(err(p.lseek(0, seek::CUR)), Errno::EBADF);
    assert_eq!(err(w.vfs.fchmod(&w.c(), &p, 0o600)), Errno::EBADF);
    assert_eq!(p.flags(), o::PATH);
    assert_eq!(p.stat().unwrap().size, 4);
    let mut flock = [0; FLOCK_SIZE];
    let locker = Locker { table: 1, pid: 1 };
    assert_eq!(err(fcntl_lock(&a, fcntl::SETLK, &mut flock, locker)), Errno::EBADF);
    assert_eq!(err(fcntl_lock(&p, fcntl::GETLK, &mut flock, locker)), Errno::EBADF);
}

/// Unnamed pipes, devices and files of /proc can have locks on byte ranges and on the whole file, as on Linux.
#[test]
fn files_without_a_host_inode_can_be_locked() {
    use crate::fs::open_file::fcntl_lock::Locked;
    const WRLCK: u8 = 1;
    const UNLCK: u8 = 2;
    let w = World::new();
    let (_reader, pipe) = w.vfs.pipe(0).unwrap();
    let null = || w.open("/dev/null", o::RDWR).unwrap();
    let lock = |file: &FileRef, kind: u8, table| {
        let mut flock = [0; FLOCK_SIZE];
        flock[0] = kind;
        let locker = Locker { table, pid: table as i32 };
        matches!(fcntl_lock(file, fcntl::SETLK, &mut flock, locker), Ok(Locked::Done))
    };
    // Another description of the same file for devices; the same one, as after a fork, for pipes.
    for (a, b) in [(null(), null()), (Rc::clone(&pipe), pipe)] {
        assert!(lock(&a, WRLCK, 1) && !lock(&b, WRLCK, 2));
        let mut flock = [0; FLOCK_SIZE];
        flock[0] = WRLCK;
        let asked = fcntl_lock(&b, fcntl::GETLK, &mut flock, Locker { table: 2, pid: 2 });
        assert!(asked.is_ok() && flock[0] == WRLCK && flock[24] == 1, "{flock:?}");
        let before = w.vfs.shared.activity();
        assert!(lock(&a, UNLCK, 1) && w.vfs.shared.activity() > before, "waiters retry");
        assert!(lock(&b, WRLCK, 2));
        b.release_record_locks(LockOwner::Table(2));
        assert!(lock(&a, WRLCK, 1));
    }
    let open = |path: &str| w.open(path, o::RDONLY).unwrap();
    let (one, two) = (open("/proc/version"), open("/proc/version"));
    one.lock(Some(true)).unwrap();
    assert_eq!(err(two.lock(Some(false))), Errno::EAGAIN);
    open("/proc/uptime").lock(Some(true)).unwrap();
    drop(one);
    two.lock(Some(true)).unwrap();
}

/// An `O_PATH` descriptor stands for the file, not for the description through which it was opened.
#[test]
fn an_o_path_descriptor_keeps_no_lock() {
    let w = World::new();
    w.create("/tmp/f", b"").unwrap();
    let fd = w.fd("/tmp/f", o::RDWR);
    w.c().file(fd).unwrap().lock(Some(true)).unwrap();
    let path = w.open(&format!("/proc/self/fd/{fd}"), o::PATH).unwrap();
    let other = w.open("/tmp/f", o::RDWR).unwrap();
    assert_eq!(err(other.lock(Some(true))), Errno::EAGAIN);
    drop(w.fds.borrow_mut().close(fd).unwrap());
    other.lock(Some(true)).unwrap();
    assert_eq!(path.stat().unwrap().ino, other.stat().unwrap().ino);
}

#[test]
fn attributes_do_not_depend_on_the_host() {
    let w = World::new();
    let made = || {
        let w = World::new();
        w.mkdir("/tmp/d").unwrap();
        w.create("/tmp/d/f", &[7; 5000]).unwrap();
        w.symlink("f", "/tmp/d/l").unwrap();
        w.platform.advance(1_500_000_000);
        w.link("/tmp/d/f", "/tmp/d/g").unwrap();
        w.unlink("/tmp/d/l").unwrap();
        w.create("/tmp/d/h", b"").unwrap();
        ["/tmp", "/tmp/d", "/tmp/d/f", "/tmp/d/g", "/tmp/d/h", "/dev/null", "/proc/self/stat"]
            .map(|path| w.stat(path).unwrap())
    };
    let (one, two) = (made(), made());
    assert_eq!(one, two);
    let [tmp, d, f, g, ..] = one;
    assert_eq!(f.ino, g.ino);
    assert_eq!((f.nlink, f.size, f.blocks(), f.mode), (2, 5000, 16, s::IFREG | 0o644));
    let later = Timespec { sec: EPOCH.sec + 1, nsec: 500_000_000 };
    assert_eq!((f.mtime, f.ctime), (EPOCH, later));
    assert_eq!((d.mtime, tmp.mtime), (later, EPOCH));
    assert_eq!((d.size, d.nlink, d.mode), (4096, 1, s::IFDIR | 0o755));
    assert_ne!(tmp.dev, w.stat("/").unwrap().dev);
    // The guest sees hard links that the host makes to a bind's file, but not those to a file of the sysroot.
    for (path, links) in [("/etc/passwd", 1), ("/rw/file", 2)] {
        let host = w.host_path(if links == 1 { "sysroot/etc/passwd" } else { "rw/file" });
        std::fs::hard_link(host, w.host_path(&format!("link{links}"))).unwrap();
        assert_eq!(w.stat(path).unwrap().nlink, links);
    }
}

#[test]
fn inode_numbers_outlive_names_but_are_not_reused() {
    let w = World::new();
    let first = w.open("/tmp/f", o::CREAT | o::RDWR).unwrap();
    let ino = first.stat().unwrap().ino;
    w.unlink("/tmp/f").unwrap();
    first.write(b"still here").unwrap();
    assert_eq!((first.stat().unwrap().ino, first.stat().unwrap().nlink), (ino, 0));
    assert_eq!(first.label(), b"/tmp/f (deleted)");
    w.create("/tmp/f", b"").unwrap();
    assert_ne!(w.stat("/tmp/f").unwrap().ino, ino);
    drop(first);
    // Whatever number the host reuses, the guest sees a fresh one.
    let mut seen = vec![ino];
    for _ in 0..20 {
        w.create("/tmp/g", b"").unwrap();
        let ino = w.stat("/tmp/g").unwrap().ino;
        assert!(!seen.contains(&ino));
        seen.push(ino);
        w.unlink("/tmp/g").unwrap();
    }
}

#[test]
fn encodings_have_the_guest_layout() {
    // Offsets from offsetof() under riscv64-linux-gnu-gcc 12 with glibc 2.36 headers.
    let stat = Stat {
        dev: makedev(0x123, 0x45678),
        ino: 0x1111_2222_3333_4444,
        mode: s::IFREG | 0o640,
        uid: 1000,
        gid: 1001,
        nlink: 3,
        rdev: makedev(5, 1),
        size: 0x1_0000_0001,
        atime: Timespec { sec: 1, nsec: 2 },
        mtime: Timespec { sec: -3, nsec: 4 },
        ctime: Timespec { sec: 5, nsec: 6 },
        mnt_id: 9,
    };
    assert_eq!(split_dev(stat.dev), (0x123, 0x45678));
    let e = stat.encode_stat();
    let u32_at = |e: &[u8], at: usize| u32::from_le_bytes(e[at..at + 4].try_into().unwrap());
    let u64_at = |e: &[u8], at: usize| u64::from_le_bytes(e[at..at + 8].try_into().unwrap());
    assert_eq!(u64_at(&e, 0), rustix::fs::makedev(0x123, 0x45678));
    assert_eq!(u64_at(&e, 8), stat.ino);
    assert_eq!([16, 20, 24, 28].map(|at| u32_at(&e, at)), [0o100_640, 3, 1000, 1001]);
    assert_eq!(u64_at(&e, 48), stat.size);
    assert_eq!((u32_at(&e, 56), u64_at(&e, 64)), (4096, (1 << 23) + 8));
    assert_eq!([72, 80, 88, 96, 104, 112].map(|at| u64_at(&e, at) as i64), [1, 2, -3, 4, 5, 6]);
    let x = stat.encode_statx();
    assert_eq!([0, 16, 20, 24].map(|at| u32_at(&x, at)), [0x17ff, 3, 1000, 1001]);
    assert_eq!(u16::from_le_bytes([x[28], x[29]]), 0o100_640);
    assert_eq!((u64_at(&x, 32), u64_at(&x, 40)), (stat.ino, stat.size));
    assert_eq!([64, 96, 112].map(|at| u64_at(&x, at) as i64), [1, 5, -3]);
    assert_eq!([128, 132, 136, 140].map(|at| u32_at(&x, at)), [5, 1, 0x123, 0x45678]);
    assert_eq!(u64_at(&x, 144), 9);
    let f = StatFs { magic: 0xef53, fsid: 7, read_only: true }.encode();
    assert_eq!((u64_at(&f, 0), u64_at(&f, 8), u32_at(&f, 56)), (0xef53, 4096, 7));
    assert_eq!((u64_at(&f, 64), u64_at(&f, 72), u64_at(&f, 80)), (255, 4096, 0x21));
}

#[test]
fn listings_are_sorted_and_survive_removal() {
    let w = World::new();
    w.mkdir("/tmp/d").unwrap();
    let mut pick = rng(7);
    for _ in 0..300 {
        w.create(&format!("/tmp/d/{:x}", pick(100_000)), b"").unwrap();
    }
    let dir = w.open("/tmp/d", o::RDONLY | o::DIRECTORY).unwrap();
    let all = entries(&dir).unwrap();
    assert!(all.windows(2).all(|pair| pair[0].name < pair[1].name));
    assert_eq!(all[0].ino, w.stat("/tmp/d").unwrap().ino);
    assert_eq!(all[1].ino, w.stat("/tmp").unwrap().ino);
    assert!(all[2..].iter().all(|e| e.kind == 8));
    for e in &all[2..] {
        assert_eq!(e.ino, w.stat(&format!("/tmp/d/{}", e.name)).unwrap().ino);
    }
    // telldir, seekdir.
    dir.lseek(all[9].cookie, seek::SET).unwrap();
    assert_eq!(entries(&dir).unwrap()[0].name, all[10].name);
    // Removing each entry after reading it, as rm -r does, misses none.
    dir.lseek(0, seek::SET).unwrap();
    let mut buf = [0; 200];
    while dir.getdents64(&mut buf).unwrap() > 0 {
        let names = w.list("/tmp/d").unwrap();
        w.unlink(&format!("/tmp/d/{}", names[2])).unwrap();
        if names.len() == 3 {
            break;
        }
    }
    dir.lseek(0, seek::SET).unwrap();
    assert_eq!(err(dir.getdents64(&mut [0; 20])), Errno::EINVAL);
    assert_eq!(err(dir.read(&mut buf)), Errno::EISDIR);
    let file = w.open("/etc/passwd", o::RDONLY).unwrap();
    assert_eq!(err(file.getdents64(&mut buf)), Errno::ENOTDIR);
}

#[test]
fn unnamed_files_and_memory_files() {
    let w = World::new();
    let f = w.open("/tmp", o::TMPFILE | o::RDWR).unwrap();
    f.write(b"unnamed").unwrap();
    assert_eq!(w.list("/tmp").unwrap(), [".", ".."]);
    let fd = w.fds.borrow_mut().insert(Rc::clone(&f), 0).unwrap();
    let old = format!("/proc/self/fd/{fd}");
    let (from, to) = ((at::FDCWD, old.as_bytes()), (at::FDCWD, &b"/tmp/named"[..]));
    w.vfs.linkat(&w.c(), from, to, at::SYMLINK_FOLLOW).unwrap();
    assert_eq!(w.read("/tmp/named").unwrap(), b"unnamed");
    assert_eq!(err(w.open("/tmp", o::TMPFILE)), Errno::EINVAL);
    assert_eq!(err(w.open("/tmp/named", o::TMPFILE | o::RDWR)), Errno::ENOTDIR);
    let m = w.vfs.memfd(b"name", 1).unwrap();
    m.write(b"memory").unwrap();
    assert_eq!(m.label(), b"/memfd:name (deleted)");
    let fd = w.fds.borrow_mut().insert(Rc::clone(&m), 0).unwrap();
    assert_eq!(w.read(&format!("/dev/fd/{fd}")).unwrap(), b"memory");
    assert!(m.object().mappable().host_fd().is_some());
    assert!(m.object().mappable().image().is_none(), "the guest can change it");
    let (exec, path) = w.vfs.open_exec(&w.c(), fd, b"", at::EMPTY_PATH).unwrap();
    assert_eq!(read_all(&exec).unwrap(), b"memory");
    assert_eq!(path, b"/memfd:name (deleted)");
}

#[test]
fn modes_times_and_access() {
    let w = World::new();
    w.create("/tmp/f", b"").unwrap();
    let c = w.c();
    let path = b"/tmp/f";
    let x_ok = || w.vfs.faccessat(&w.c(), at::FDCWD, path, access::X_OK, 0);
    assert_eq!(err(x_ok()), Errno::EACCES);
    assert_eq!(err(w.vfs.open_exec(&c, at::FDCWD, path, 0)), Errno::EACCES);
    w.vfs.fchmodat(&c, at::FDCWD, path, 0o755, 0).unwrap();
    x_ok().unwrap();
    assert_eq!(w.vfs.open_exec(&c, at::FDCWD, b"/tmp/../tmp//f", 0).unwrap().1, path);
    assert_eq!(err(w.vfs.open_exec(&c, at::FDCWD, b"/tmp", 0)), Errno::EACCES);
    w.vfs.faccessat(&c, at::FDCWD, path, access::R_OK | access::W_OK, 0).unwrap();
    assert_eq!(err(w.vfs.faccessat(&c, at::FDCWD, path, 8, 0)), Errno::EINVAL);
    let times = [TimeArg::from_guest(10, 20).unwrap(), TimeArg::Omit];
    w.vfs.utimensat(&c, at::FDCWD, Some(path), times, 0).unwrap();
    let stat = w.stat("/tmp/f").unwrap();
    assert_eq!((stat.atime, stat.mtime), (Timespec { sec: 10, nsec: 20 }, EPOCH));
    assert_eq!(err(TimeArg::from_guest(0, 1_000_000_000)), Errno::EINVAL);
    let times = [TimeArg::Omit, TimeArg::from_guest(77, 0).unwrap()];
    w.vfs.utimensat(&c, at::FDCWD, Some(b"/rw/file"), times, 0).unwrap();
    let host = std::fs::metadata(w.host_path("rw/file")).unwrap();
    assert_eq!(std::os::unix::fs::MetadataExt::mtime(&host), 77);
    w.symlink("f", "/tmp/l").unwrap();
    let nofollow = at::SYMLINK_NOFOLLOW;
    let chmod = w.vfs.fchmodat(&c, at::FDCWD, b"/tmp/l", 0o600, nofollow);
    assert_eq!(err(chmod), Errno::EOPNOTSUPP);
    w.vfs.fchownat(&c, at::FDCWD, path, (0, 0), 0).unwrap();
    w.vfs.truncate(&c, path, 9).unwrap();
    assert_eq!(w.stat("/tmp/f").unwrap().size, 9);
    assert_eq!(err(w.vfs.stat_at(&c, at::FDCWD, path, 1)), Errno::EINVAL);
    assert_eq!(w.vfs.statfs(&c, b"/tmp").unwrap().magic, 0x0102_1994);
    assert!(w.vfs.statfs(&c, b"/etc").unwrap().read_only);
}

#[test]
fn copies_through_a_buffer() {
    let w = World::new();
    w.create("/tmp/a", b"0123456789").unwrap();
    let a = w.open("/tmp/a", o::RDONLY).unwrap();
    let b = w.open("/tmp/b", o::CREAT | o::RDWR).unwrap();
    let mut at = 3;
    assert_eq!(copy(&a, Some(&mut at), &b, None, 4).unwrap(), 4);
    assert_eq!((at, a.lseek(0, seek::CUR).unwrap()), (7, 0));
    assert_eq!(copy(&a, None, &b, Some(&mut at), 100).unwrap(), 10);
    assert_eq!(at, 17);
    assert_eq!(a.lseek(0, seek::CUR).unwrap(), 10);
    assert_eq!(w.read("/tmp/b").unwrap(), b"3456\0\0\x000123456789");
    assert_eq!(copy(&a, None, &b, None, 5).unwrap(), 0);
    assert_eq!(err(copy(&b, None, &a, None, 5)), Errno::EBADF);
    // Data that a full pipe does not accept stays in the file.
    let (_r, p) = w.vfs.pipe(0).unwrap();
    p.write(&[0; 65000]).unwrap();
    w.create("/tmp/big", &[1; 10_000]).unwrap();
    let big = w.open("/tmp/big", o::RDONLY).unwrap();
    assert_eq!(copy(&big, None, &p, None, 10_000).unwrap(), 536);
    assert_eq!(big.lseek(0, seek::CUR).unwrap(), 536);
    assert_eq!(err(copy(&big, None, &p, None, 10_000)), Errno::EAGAIN);
}
