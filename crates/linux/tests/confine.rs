//! What a confined thread can still do on the host, and what it cannot. Each test confines a thread of its own.

use capvec_linux::{Net, confine};
use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;

/// Runs `f` on a confined thread.
fn confined<T: Send>(net: Net, f: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let run = || {
            confine(net).expect("the host has seccomp");
            f()
        };
        scope.spawn(run).join().expect("no panic")
    })
}

#[test]
fn files_and_memory_work() {
    let dir = tempfile::tempdir().expect("a directory");
    let text = confined(Net::None, || {
        let path = dir.path().join("file");
        std::fs::File::create(&path).expect("a file").write_all(b"text").expect("room");
        std::fs::rename(&path, dir.path().join("other")).expect("a name");
        let mut text = String::new();
        let mut file = std::fs::File::open(dir.path().join("other")).expect("the renamed file");
        file.read_to_string(&mut text).expect("UTF-8");
        std::fs::remove_file(dir.path().join("other")).expect("the file can be removed");
        // Larger than anything that the allocator caches.
        let large = vec![1_u8; 64 << 20];
        std::thread::sleep(std::time::Duration::from_millis(1));
        format!("{text}{}", large[large.len() - 1])
    });
    assert_eq!(text, "text1");
}

#[test]
fn nothing_outside_can_be_started_reached_or_changed() {
    let dir = tempfile::tempdir().expect("a directory");
    let parent = std::os::unix::process::parent_id();
    let got = confined(Net::None, || {
        // SAFETY: signal 0 does nothing, and no pointer is passed.
        let signal = unsafe { libc::kill(parent as i32, 0) };
        // SAFETY: as before; a new mapping at an address of the kernel's choice, which is not used.
        let code = unsafe {
            let prot = libc::PROT_READ | libc::PROT_EXEC;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            libc::mmap(std::ptr::null_mut(), 4096, prot, flags, -1, 0)
        };
        // SAFETY: the byte lives long enough. If the filter lets the call pass, it types at most this one letter.
        let typed = unsafe { libc::ioctl(0, libc::TIOCSTI, c"x".as_ptr()) };
        let typed = (typed, std::io::Error::last_os_error().raw_os_error());
        // SAFETY: the arguments are numbers and pointers to strings that live long enough.
        let (owner, signal_of, asynchronous, device) = unsafe {
            let fd = libc::memfd_create(c"x".as_ptr(), 0);
            let device = dir.path().join("null").into_os_string().into_encoded_bytes();
            let device = std::ffi::CString::new(device).expect("no NUL");
            (
                libc::fcntl(fd, libc::F_SETOWN, parent as i32),
                libc::fcntl(fd, 10, libc::SIGKILL),
                libc::fcntl(fd, libc::F_SETFL, libc::O_ASYNC),
                libc::mknod(device.as_ptr(), libc::S_IFCHR | 0o600, libc::makedev(1, 3)),
            )
        };
        [
            ("a file's signals sent to another process", owner == 0),
            ("a choice of the signal that a file sends", signal_of == 0),
            ("signals from files at all", asynchronous == 0),
            ("a device", device == 0),
            ("a program", std::process::Command::new("/bin/true").spawn().is_ok()),
            ("a thread", std::thread::Builder::new().spawn(|| ()).is_ok()),
            ("a port", TcpListener::bind("127.0.0.1:0").is_ok()),
            ("a datagram", UdpSocket::bind("127.0.0.1:0").is_ok()),
            ("a socket", UnixListener::bind(dir.path().join("socket")).is_ok()),
            ("a signal", signal == 0),
            ("code", code != libc::MAP_FAILED),
            ("input typed into the terminal", typed != (-1, Some(libc::ENOSYS))),
            ("a directory of its own", std::env::set_current_dir("/").is_ok()),
            ("another root", std::os::unix::fs::chroot("/").is_ok()),
        ]
    });
    for (what, has) in got {
        assert!(!has, "{what}");
    }
    // Threads that are not confined are not affected.
    assert!(TcpListener::bind("127.0.0.1:0").is_ok());
}

#[test]
fn loopback_permits_internet_sockets_and_no_others() {
    let dir = tempfile::tempdir().expect("a directory");
    let (tcp, unix) = confined(Net::Loopback, || {
        let tcp = TcpListener::bind("127.0.0.1:0").is_ok();
        (tcp, UnixListener::bind(dir.path().join("socket")).is_ok())
    });
    assert!(tcp && !unix);
}
