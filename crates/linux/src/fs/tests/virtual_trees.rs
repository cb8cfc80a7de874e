//! `/dev`, `/proc` and `/sys`.

use super::*;
use crate::fs::abi::s;

#[test]
fn devices() {
    let w = World::new();
    let mut buf = [1; 16];
    let null = w.open("/dev/null", o::RDWR | o::CREAT | o::TRUNC).unwrap();
    assert_eq!((null.read(&mut buf).unwrap(), null.write(&buf).unwrap()), (0, 16));
    assert_eq!(w.stat("/dev/null").unwrap().rdev, rustix::fs::makedev(1, 3));
    assert_eq!(null.stat().unwrap(), w.stat("/dev/null").unwrap());
    let zero = w.open("/dev/zero", o::RDWR).unwrap();
    assert_eq!((zero.read(&mut buf).unwrap(), buf), (16, [0; 16]));
    let full = w.open("/dev/full", o::RDWR).unwrap();
    assert_eq!(err(full.write(b"x")), Errno::ENOSPC);
    let random = || {
        let w = World::new();
        let mut buf = [0; 16];
        w.open("/dev/urandom", o::RDONLY).unwrap().read(&mut buf).unwrap();
        buf
    };
    assert_ne!(random(), [0; 16]);
    assert_eq!(random(), random());
    let names =
        ["fd", "full", "mqueue", "null", "random", "shm", "stderr", "stdin", "stdout", "tty"];
    let listed = w.list("/dev").unwrap();
    assert_eq!(listed[2..12], names.map(String::from));
    w.create("/dev/shm/segment", b"x").unwrap();
    assert_eq!(err(w.create("/dev/new", b"")), Errno::EPERM);
    assert_eq!(err(w.unlink("/dev/null")), Errno::EPERM);
    assert_eq!(w.stat("/dev/null").unwrap().mode, s::IFCHR | 0o666);
}

#[test]
fn process_files() {
    let w = World::new();
    let text = |path: &str| String::from_utf8(w.read(path).expect(path)).unwrap();
    assert_eq!(text("/proc/self/comm"), "prog\n");
    assert_eq!(text("/proc/1/cmdline"), "/usr/bin/prog\0");
    let stat = text("/proc/self/stat");
    assert!(stat.starts_with("1 (prog) R 0 "), "{stat}");
    // proc(5) numbers the fields to 52.
    assert_eq!(stat.split_whitespace().count(), 52);
    assert_eq!(text("/proc/self/task/1/comm"), "prog\n");
    assert_eq!(text("/proc/thread-self/comm"), "prog\n");
    assert_eq!(w.readlink("/proc/thread-self").unwrap(), "1/task/1");
    assert_eq!(w.readlink("/proc/self").unwrap(), "1");
    assert_eq!(w.list("/proc/self/task").unwrap(), [".", "..", "1"]);
    assert_eq!(w.readlink("/proc/self/cwd").unwrap(), "/");
    assert_eq!(w.list("/proc/self/cwd/").unwrap(), w.list("/").unwrap());
    let fd = w.fd("/tmp", o::RDONLY);
    assert_eq!(w.list("/proc/self/fd").unwrap(), [".", "..", &fd.to_string()]);
    w.create("/tmp/x", b"by descriptor").unwrap();
    assert_eq!(w.read(&format!("/dev/fd/{fd}/x")).unwrap(), b"by descriptor");
    assert_eq!(err(w.open("/proc/self/stat", o::WRONLY)), Errno::EACCES);
    assert_eq!(w.stat("/proc/self/stat").unwrap().size, 0);
}

/// The names of the lines of `/proc/PID/status` of Linux 6.12 on RISC-V, from proc_pid_status(5) and fs/proc/array.c.
const STATUS: &str = "Name Umask State Tgid Ngid Pid PPid TracerPid Uid Gid FDSize Groups NStgid NSpid NSpgid NSsid \
    Kthread VmPeak VmSize VmLck VmPin VmHWM VmRSS RssAnon RssFile RssShmem VmData VmStk VmExe VmLib VmPTE VmSwap \
    HugetlbPages CoreDumping THP_enabled untag_mask Threads SigQ SigPnd ShdPnd SigBlk SigIgn SigCgt CapInh CapPrm \
    CapEff CapBnd CapAmb NoNewPrivs Seccomp Seccomp_filters Speculation_Store_Bypass SpeculationIndirectBranch \
    Cpus_allowed Cpus_allowed_list Mems_allowed Mems_allowed_list voluntary_ctxt_switches \
    nonvoluntary_ctxt_switches";

/// The host, whose kernel may be older or newer, has the same lines in the same order and, where they are sizes, as wide.
#[test]
fn the_lines_of_status_are_those_of_linux() {
    let w = World::new();
    let own = String::from_utf8(w.read("/proc/self/status").unwrap()).unwrap();
    let host = std::fs::read_to_string("/proc/self/status").unwrap();
    let lines = |text: &str| -> Vec<(String, Option<usize>)> {
        let split = |line: &str| line.split_once(':').map(|(name, rest)| (name.into(), rest.len()));
        let lines = text.lines().map(|line| (split(line).expect("a colon"), line.ends_with(" kB")));
        lines.map(|((name, width), size)| (name, size.then_some(width))).collect()
    };
    let (own, host) = (lines(&own), lines(&host));
    let names: Vec<&str> = own.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(names, STATUS.split_whitespace().collect::<Vec<_>>());
    let common = |of: &[(String, Option<usize>)], other: &[(String, Option<usize>)]| {
        let known = |name: &str| other.iter().any(|(other, _)| other == name);
        of.iter().filter(|(name, _)| known(name)).cloned().collect::<Vec<_>>()
    };
    assert_eq!(common(&own, &host), common(&host, &own));
}

/// The host's lines differ in the values only.
#[test]
fn the_lines_of_limits_are_those_of_linux() {
    let w = World::new();
    let own = String::from_utf8(w.read("/proc/self/limits").unwrap()).unwrap();
    let host = std::fs::read_to_string("/proc/self/limits").unwrap();
    // Values are in the two columns of 21 characters after the name.
    let without_values = |text: &str| -> Vec<(String, String)> {
        text.lines().map(|line| (line[..26].into(), line[26 + 2 * 21..].into())).collect()
    };
    assert_eq!(own.lines().count(), 17);
    assert_eq!(without_values(&own), without_values(&host));
}

/// Linux 6.18 says so to root. In `/proc` an unknown name is not found; in `/sys` it is free, but nothing can be created.
#[test]
fn entries_of_virtual_trees_are_neither_created_nor_removed() {
    let w = World::new();
    w.create("/tmp/f", b"").unwrap();
    let fifo = |path: &str| w.vfs.mknodat(&w.c(), at::FDCWD, path.as_bytes(), s::IFIFO | 0o600);
    let trees = [
        (["/proc/x", "/proc/1/x", "/proc/self/fd/x", "/proc/sys/x"], Errno::ENOENT, Errno::ENOENT),
        (
            ["/sys/x", "/sys/devices/x", "/sys/class/x", "/sys/class/net/x"],
            Errno::EPERM,
            Errno::EACCES,
        ),
    ];
    for (paths, other, file) in trees {
        for path in paths {
            let made = [err(w.mkdir(path)), err(w.symlink("a", path)), err(fifo(path))];
            assert_eq!((made, err(w.create(path, b""))), ([other; 3], file), "{path}");
            let found = [err(w.unlink(path)), err(w.rmdir(path)), err(w.rename("/tmp/f", path))];
            assert_eq!(found, [Errno::ENOENT, Errno::ENOENT, Errno::EXDEV], "{path}");
        }
    }
    assert_eq!(err(w.link("/tmp/f", "/proc/x")), Errno::ENOENT);
    assert_eq!(err(w.link("/tmp/f", "/sys/x")), Errno::EXDEV);
    for path in ["/proc/version", "/proc/self/status", "/sys/class/net/lo/mtu"] {
        assert_eq!(err(w.unlink(path)), Errno::EPERM, "{path}");
    }
    for path in ["/proc/sys", "/proc/self/fd", "/proc/1", "/sys/devices"] {
        assert_eq!(err(w.rmdir(path)), Errno::EPERM, "{path}");
        assert_eq!(err(w.open(path, o::TMPFILE | o::RDWR)), Errno::EOPNOTSUPP, "{path}");
    }
    for (from, to, expected) in [
        ("/proc/version", "/proc/y", Errno::ENOENT),
        ("/proc/x", "/proc/version", Errno::ENOENT),
        ("/proc/version", "/proc/uptime", Errno::EPERM),
        ("/sys/x", "/sys/devices", Errno::ENOENT),
        ("/sys/class/net/lo/mtu", "/sys/class/net/lo/y", Errno::EPERM),
    ] {
        assert_eq!(err(w.rename(from, to)), expected, "{from} {to}");
    }
}

#[test]
fn machine_files() {
    let w = World::new();
    let text = |path: &str| String::from_utf8(w.read(path).expect(path)).unwrap();
    assert_eq!(text("/proc/sys/kernel/osrelease"), "6.12.0\n");
    assert_eq!(text("/sys/devices/system/cpu/online"), "0\n");
    assert_eq!(text("/sys/devices/system/cpu/offline"), "\n");
    assert_eq!(text("/sys/devices/system/cpu/cpu0/topology/core_cpus_list"), "0\n");
    assert_eq!(text("/sys/class/net/lo/mtu"), "65536\n");
    let route = text("/proc/net/route");
    assert_eq!((route.len(), route.lines().count()), (128, 1));
    let columns = ["Iface", "Destination", "Gateway", "Flags", "RefCnt", "Use", "Metric", "Mask"];
    let columns = columns.iter().chain(&["MTU", "Window", "IRTT"]);
    assert!(route.split_whitespace().eq(columns.copied()), "{route}");
    assert!(text("/proc/net/arp").starts_with("IP address       HW type "));
    assert!(text("/proc/net/if_inet6").ends_with(" 01 80 10 80       lo\n"));
    assert!(text("/proc/meminfo").starts_with("MemTotal:        1048576 kB\n"));
    let mounts = text("/proc/mounts");
    assert!(mounts.starts_with("/dev/root / ext4 ro"), "{mounts}");
    assert!(mounts.contains(" /rw ext4 rw") && mounts.contains(" /tmp tmpfs rw"), "{mounts}");
    assert!(!mounts.contains(w.host.path().to_str().unwrap()), "{mounts}");
    let (one, two) = (text("/proc/sys/kernel/random/uuid"), text("/proc/sys/kernel/random/uuid"));
    assert_ne!(one, two);
    assert_eq!((one.len(), &one[14..15]), (37, "4"));
    assert_eq!(text("/proc/sys/kernel/random/boot_id").len(), 37);
    // Every file in the trees can be read, and every link and type agrees with its listing.
    let mut pending = vec!["/proc".to_string(), "/sys".to_string()];
    let mut files = 0;
    while let Some(dir) = pending.pop() {
        let open = w.open(&dir, o::RDONLY | o::DIRECTORY).unwrap();
        for entry in entries(&open).unwrap().into_iter().skip(2) {
            let path = format!("{dir}/{}", entry.name);
            let stat = w.lstat(&path).expect(&path);
            assert_eq!((stat.ino, (stat.mode >> 12) as u8), (entry.ino, entry.kind), "{path}");
            match stat.file_type() {
                s::IFDIR => pending.push(path),
                s::IFLNK => drop(w.readlink(&path).expect(&path)),
                _ => {
                    w.read(&path).expect(&path);
                    files += 1;
                }
            }
        }
    }
    assert!(files > 50, "{files}");
}

#[test]
fn sockets_inside_the_guest_are_listed() {
    use crate::fs::{Peer, SocketKind};
    let w = World::new();
    let lines = || -> Vec<String> {
        let text = String::from_utf8(w.read("/proc/net/unix").unwrap()).unwrap();
        text.lines().map(String::from).collect()
    };
    // As on Linux 6.12; pointers and reference counts are always the same here.
    let head = "Num       RefCount Protocol Flags    Type St Inode Path";
    assert_eq!(lines(), [head]);
    let server = w.vfs.unix_socket(SocketKind::Stream, Peer::default(), 0).unwrap();
    let socket = UnixSocket::of(&server).unwrap();
    let line = |rest: String| format!("0000000000000000: 00000002 00000000 {rest}");
    let ino = server.stat().unwrap().ino;
    assert_eq!(lines(), [head.into(), line(format!("00000000 0001 01 {ino:5}"))]);
    w.vfs.bind_unix(&w.c(), socket, b"\0a\0b").unwrap();
    socket.listen(1).unwrap();
    let (near, far) = w.vfs.socketpair(SocketKind::Packets, Peer::default(), 0).unwrap();
    let [one, two] =
        [&near, &far].map(|end| line(format!("00000000 0005 03 {:5}", end.stat().unwrap().ino)));
    let listening = line(format!("00010000 0001 01 {ino:5} @a@b"));
    assert_eq!(lines(), [head.into(), listening, one, two.clone()]);
    drop((server, near));
    assert_eq!(lines(), [head.into(), two]);
}
