//! Descriptor tables, pipes, sockets, event and timer descriptors, epoll, standard streams.

use super::*;
use crate::fs::abi::{poll, s};

/// The order must not depend on addresses in the host's memory.
#[test]
fn ready_files_of_one_descriptor_come_in_the_order_of_opening() {
    let w = World::new();
    let list = w.vfs.epoll(0).unwrap();
    let epoll = list.kind::<Epoll>().unwrap();
    let eventfd = || w.vfs.eventfd(1, 0).unwrap();
    // The allocator does not reuse addresses in the order in which they were freed.
    let mut files: Vec<_> = (0..40).map(|_| eventfd()).collect();
    for k in [31, 7, 22, 3, 14] {
        drop(files.remove(k));
    }
    files.extend((0..5).map(|_| eventfd()));
    for (data, file) in (0..).zip(&files) {
        epoll.control(1, 100, file, poll::IN, data).unwrap();
    }
    let ready: Vec<u64> = epoll.take_ready(100).into_iter().map(|(_, data)| data).collect();
    assert_eq!(ready, (0..40).collect::<Vec<_>>());
}

#[test]
fn descriptor_numbers() {
    let w = World::new();
    let file = || w.open("/etc/passwd", o::RDONLY).unwrap();
    let mut t = FdTable::new();
    assert_eq!((0..4).map(|_| t.insert(file(), 0).unwrap()).collect::<Vec<_>>(), [0, 1, 2, 3]);
    t.close(1).unwrap();
    assert_eq!(err(t.close(1)), Errno::EBADF);
    assert_eq!(t.dup(3, 0, false).unwrap(), 1);
    assert_eq!(t.dup(3, 10, true).unwrap(), 10);
    assert!(t.cloexec(10).unwrap() && !t.cloexec(1).unwrap());
    assert!(t.dup3(3, 20, o::CLOEXEC).unwrap().is_none());
    assert!(t.dup3(3, 0, 0).unwrap().is_some());
    assert_eq!(err(t.dup3(3, 3, 0)), Errno::EINVAL);
    assert_eq!(err(t.dup3(99, 3, 0)), Errno::EBADF);
    assert_eq!(err(t.dup3(3, -1, 0)), Errno::EBADF);
    assert_eq!(err(t.dup(3, 5000, false)), Errno::EINVAL);
    assert_eq!(err(t.get(-1)), Errno::EBADF);
    let copy = t.copy().unwrap();
    t.close_on_exec();
    assert_eq!(t.numbers().collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(copy.numbers().collect::<Vec<_>>(), [0, 1, 2, 3, 10, 20]);
    assert!(Rc::ptr_eq(&t.get(0).unwrap(), &copy.get(20).unwrap()));
    t.close_range(1, 2, false);
    t.close_range(3, u32::MAX, true);
    assert_eq!(t.numbers().collect::<Vec<_>>(), [0, 3]);
    assert!(t.cloexec(3).unwrap());
    t.set_limit(3, w.platform.clone()).unwrap();
    assert_eq!((t.insert(file(), 0).unwrap(), t.insert(file(), 0).unwrap()), (1, 2));
    assert_eq!(err(t.insert(file(), 0)), Errno::EMFILE);
    t.close(2).unwrap();
    assert_eq!(err(t.insert_pair((file(), file()), 0)), Errno::EMFILE);
    assert_eq!(t.numbers().collect::<Vec<_>>(), [0, 1, 3]);
}

/// `FDSize`: a table doubles from 64 and never shrinks, but a copy is as large as it needs.
#[test]
fn the_size_of_a_table() {
    let w = World::new();
    let mut t = FdTable::new();
    let fd = t.insert(w.open("/etc/passwd", o::RDONLY).unwrap(), 0).unwrap();
    for (min, size) in [(63, 64), (64, 128), (128, 256), (255, 256), (256, 512)] {
        let other = t.dup(fd, min, false).unwrap();
        assert_eq!((other, t.size()), (min, size));
        t.close(other).unwrap();
        assert_eq!((t.size(), t.copy().unwrap().size()), (size, 64));
    }
}

/// The charge begins when the limit is raised, and ends when no table can hold such descriptors any more.
#[test]
fn descriptors_above_the_usual_limit_are_charged() {
    let w = World::new();
    let before = w.platform.used();
    let used = || w.platform.used() - before;
    let mut t = FdTable::new();
    t.set_limit(FdTable::HARD_LIMIT, w.platform.clone()).unwrap();
    assert_eq!(used(), 0);
    t.set_limit(10_000, w.platform.clone()).unwrap();
    let raised = used();
    assert!(raised >= (10_000 - FdTable::HARD_LIMIT as u64) * 16);
    t.set_limit(3, w.platform.clone()).unwrap();
    assert_eq!(used(), raised, "more may be open");
    let copy = t.copy().unwrap();
    assert_eq!(used(), 2 * raised);
    drop(t);
    assert_eq!(used(), raised);
    drop(copy);
    assert_eq!(used(), 0);
}

#[test]
fn pipes() {
    let w = World::new();
    let (r, p) = w.vfs.pipe(o::NONBLOCK).unwrap();
    assert!(r.nonblocking() && p.nonblocking());
    assert_eq!(err(r.read(&mut [0; 4])), Errno::EAGAIN);
    assert_eq!((r.poll_ready(), p.poll_ready()), (Events::default(), Events::OUT));
    let before = w.vfs.activity();
    assert_eq!(p.write(b"abcdef").unwrap(), 6);
    assert_ne!(w.vfs.activity(), before);
    assert_eq!(r.poll_ready(), Events::IN);
    let mut buf = [0; 4];
    assert_eq!(r.read(&mut buf).unwrap(), 4);
    assert_eq!(&buf, b"abcd");
    assert_eq!((err(r.write(b"x")), err(p.read(&mut buf))), (Errno::EBADF, Errno::EBADF));
    assert_eq!(err(p.lseek(0, 0)), Errno::ESPIPE);
    assert_eq!(err(p.pwrite(b"x", 0)), Errno::ESPIPE);
    // A write of up to PIPE_BUF bytes succeeds completely or not at all; a longer one may be partial.
    assert_eq!(p.write(&[7; 70_000]).unwrap(), 65_534);
    assert_eq!(err(p.write(b"x")), Errno::EAGAIN);
    assert_eq!(p.poll_ready(), Events::default());
    assert_eq!(r.read(&mut [0; 100]).unwrap(), 100);
    assert_eq!(err(p.write(&[0; 101])), Errno::EAGAIN);
    assert_eq!(p.write(&[0; 100]).unwrap(), 100);
    assert_eq!(p.object().pipe().pipe_size(Some(70_000)).unwrap(), 131_072);
    assert_eq!(err(p.object().pipe().pipe_size(Some(4096))), Errno::EBUSY);
    assert_eq!(p.stat().unwrap().file_type(), s::IFIFO);
    // An end is open as long as a description is, however many descriptors refer to it.
    let again = Rc::clone(&p);
    drop(p);
    assert_eq!(r.poll_ready(), Events::IN);
    drop(again);
    assert_eq!(r.poll_ready(), Events::IN.with(poll::HUP));
    assert_eq!(read_all(&r).unwrap().len(), 65_536);
    assert_eq!(r.poll_ready(), Events(poll::HUP));
    let (r, p) = w.vfs.pipe(0).unwrap();
    drop(r);
    assert_eq!(err(p.write(b"x")), Errno::EPIPE);
    assert_eq!(p.poll_ready(), Events::OUT.with(poll::ERR));
}

#[test]
fn pipes_reopen_by_name() {
    let w = World::new();
    let (r, p) = w.vfs.pipe(0).unwrap();
    let fd = w.fds.borrow_mut().insert(Rc::clone(&r), 0).unwrap();
    let name = format!("/proc/self/fd/{fd}");
    let label = w.readlink(&name).unwrap();
    assert_eq!(label, format!("pipe:[{}]", r.stat().unwrap().ino));
    assert_eq!(w.stat(&name).unwrap().ino, r.stat().unwrap().ino);
    let other = w.open(&name, o::WRONLY).unwrap();
    other.write(b"x").unwrap();
    drop((p, other));
    assert_eq!(w.read(&name).unwrap(), b"x");
    assert_eq!(err(w.open(&label, o::RDONLY)), Errno::ENOENT);
    assert_eq!(err(w.stat(&format!("{name}/x"))), Errno::ENOTDIR);
}

#[test]
fn socket_pairs() {
    let w = World::new();
    let (a, b) = w.vfs.socketpair(crate::fs::SocketKind::Stream, Peer::default(), 0).unwrap();
    a.write(b"ping").unwrap();
    b.write(b"pong!").unwrap();
    let mut buf = [0; 9];
    assert_eq!(b.read(&mut buf).unwrap(), 4);
    assert_eq!(a.read(&mut buf).unwrap(), 5);
    assert_eq!(err(a.read(&mut buf)), Errno::EAGAIN);
    b.object().socket().shutdown(1).unwrap();
    assert_eq!(a.read(&mut buf).unwrap(), 0);
    assert_eq!(err(b.write(b"x")), Errno::EPIPE);
    assert_eq!(a.poll_ready(), Events::ALWAYS.with(poll::RDHUP));
    a.write(b"on").unwrap();
    assert_eq!(b.read(&mut buf).unwrap(), 2);
    drop(b);
    assert_eq!(err(a.write(b"x")), Errno::EPIPE);
    assert_eq!(a.poll_ready(), Events::ALWAYS.with(poll::RDHUP | poll::HUP));
    assert_eq!(err(a.object().socket().shutdown(3)), Errno::EINVAL);
    assert_eq!(
        err(w.open("/etc", o::RDONLY).unwrap().object().socket().shutdown(1)),
        Errno::ENOTSOCK
    );
}

#[test]
fn event_counters() {
    let w = World::new();
    let e = w.vfs.eventfd(3, 0).unwrap();
    let mut buf = [0; 8];
    assert_eq!(e.poll_ready(), Events::ALWAYS);
    assert_eq!(e.read(&mut buf).unwrap(), 8);
    assert_eq!(u64::from_le_bytes(buf), 3);
    assert_eq!(err(e.read(&mut buf)), Errno::EAGAIN);
    e.write(&(u64::MAX - 1).to_le_bytes()).unwrap();
    assert_eq!(e.poll_ready(), Events::IN);
    assert_eq!(err(e.write(&1_u64.to_le_bytes())), Errno::EAGAIN);
    assert_eq!(err(e.write(&u64::MAX.to_le_bytes())), Errno::EINVAL);
    assert_eq!(err(e.read(&mut buf[..7])), Errno::EINVAL);
    let e = w.vfs.eventfd(2, 1).unwrap();
    for _ in 0..2 {
        e.read(&mut buf).unwrap();
        assert_eq!(u64::from_le_bytes(buf), 1);
    }
    assert_eq!(err(e.read(&mut buf)), Errno::EAGAIN);
    assert_eq!(err(w.vfs.eventfd(0, 2)), Errno::EINVAL);
}

#[test]
fn timers_follow_the_guests_clock() {
    let w = World::new();
    let t = w.vfs.timerfd(false, 0).unwrap();
    let timer = t.kind::<TimerFd>().unwrap();
    let mut buf = [0; 8];
    assert_eq!(err(t.read(&mut buf)), Errno::EAGAIN);
    timer.set(TimerSetting { value: 100, interval: 10 }, false);
    assert_eq!(t.object().pollable().deadline(), Some(100));
    w.platform.advance(99);
    assert_eq!(t.poll_ready(), Events::default());
    assert_eq!(timer.get(), TimerSetting { value: 1, interval: 10 });
    w.platform.advance(26);
    assert_eq!(t.poll_ready(), Events::IN);
    t.read(&mut buf).unwrap();
    assert_eq!(u64::from_le_bytes(buf), 3);
    assert_eq!(timer.get(), TimerSetting { value: 5, interval: 10 });
    let old = timer.set(TimerSetting { value: 0, interval: 0 }, false);
    assert_eq!(old, TimerSetting { value: 5, interval: 10 });
    assert_eq!(t.object().pollable().deadline(), None);
    timer.set(TimerSetting { value: u64::MAX, interval: u64::MAX }, false);
    let wall = w.vfs.timerfd(true, 0).unwrap();
    let at = (EPOCH.sec as u64 + 2) * 1_000_000_000;
    wall.kind::<TimerFd>().unwrap().set(TimerSetting { value: at, interval: 0 }, true);
    assert_eq!(wall.object().pollable().deadline(), Some(2_000_000_000));
}

#[test]
fn interest_lists() {
    const ADD: u32 = 1;
    const DEL: u32 = 2;
    const MOD: u32 = 3;
    let w = World::new();
    let list = w.vfs.epoll(0).unwrap();
    let epoll = list.kind::<Epoll>().unwrap();
    let (r, p) = w.vfs.pipe(0).unwrap();
    epoll.control(ADD, 3, &r, poll::IN, 33).unwrap();
    assert_eq!(err(epoll.control(ADD, 3, &r, poll::IN, 33)), Errno::EEXIST);
    assert_eq!(err(epoll.control(MOD, 4, &p, poll::OUT, 44)), Errno::ENOENT);
    epoll.control(ADD, 4, &p, poll::OUT | poll::EPOLL_ONESHOT, 44).unwrap();
    assert_eq!(epoll.take_ready(8), [(poll::OUT, 44)]);
    assert_eq!((epoll.take_ready(8), list.poll_ready()), (vec![], Events::default()));
    p.write(b"x").unwrap();
    assert_eq!(list.poll_ready(), Events::IN);
    assert_eq!(epoll.take_ready(8), [(poll::IN, 33)]);
    assert_eq!(epoll.take_ready(8), [(poll::IN, 33)]);
    epoll.control(MOD, 3, &r, poll::IN | poll::EPOLL_ET, 33).unwrap();
    assert_eq!(epoll.take_ready(8), [(poll::IN, 33)]);
    assert_eq!(epoll.take_ready(8), []);
    p.write(b"y").unwrap();
    assert_eq!(epoll.take_ready(8), [(poll::IN, 33)]);
    epoll.control(MOD, 4, &p, poll::OUT, 45).unwrap();
    assert_eq!(epoll.take_ready(8), [(poll::OUT, 45)]);
    epoll.control(DEL, 4, &p, 0, 0).unwrap();
    drop(p);
    assert_eq!(epoll.take_ready(8), [(poll::IN | poll::HUP, 33)]);
    drop(r);
    assert_eq!(epoll.take_ready(8), []);
    let file = w.open("/etc/passwd", o::RDONLY).unwrap();
    assert_eq!(err(epoll.control(ADD, 5, &file, poll::IN, 0)), Errno::EPERM);
    assert_eq!(err(epoll.control(ADD, 6, &list, poll::IN, 0)), Errno::EINVAL);
    // A list may contain another, but neither a cycle nor a deep chain.
    let outer = w.vfs.epoll(0).unwrap();
    let outer_epoll = outer.kind::<Epoll>().unwrap();
    outer_epoll.control(ADD, 7, &list, poll::IN, 70).unwrap();
    assert_eq!(err(epoll.control(ADD, 8, &outer, poll::IN, 0)), Errno::ELOOP);
    let top = w.vfs.epoll(0).unwrap();
    let tower = top.kind::<Epoll>().unwrap().control(ADD, 8, &outer, poll::IN, 0);
    assert_eq!(err(tower), Errno::ELOOP);
    let event = w.vfs.eventfd(1, 0).unwrap();
    epoll.control(ADD, 9, &event, poll::IN, 90).unwrap();
    assert_eq!(outer_epoll.take_ready(1), [(poll::IN, 70)]);
}

#[test]
fn standard_streams() {
    let w = World::new();
    let (host_read, host_write) = rustix::pipe::pipe().unwrap();
    let out = w.vfs.stdio(host_write).unwrap();
    let input = w.vfs.stdio(host_read).unwrap();
    assert!(out.writable() && !out.readable() && input.readable() && !input.writable());
    assert_eq!(input.poll_ready(), Events::default());
    assert_eq!(out.poll_ready(), Events::OUT);
    out.write(b"through the host").unwrap();
    assert_eq!(input.poll_ready(), Events::IN);
    let fd = w.fds.borrow_mut().insert(Rc::clone(&input), 0).unwrap();
    assert_eq!(fd, 0);
    let again = w.open("/dev/stdin", o::RDONLY).unwrap();
    assert_eq!(again.read(&mut [0; 8]).unwrap(), 8);
    assert_eq!(input.read(&mut [0; 80]).unwrap(), 8);
    assert_eq!(err(w.open("/dev/stdin", o::WRONLY)), Errno::EACCES);
    assert_eq!(input.stat().unwrap().file_type(), s::IFIFO);
    drop(out);
    assert_eq!(input.poll_ready(), Events(poll::HUP));
    // A regular file shares the host's position.
    let path = w.host_path("in");
    std::fs::write(&path, b"0123456789").unwrap();
    let file = w.vfs.stdio(std::fs::File::open(path).unwrap().into()).unwrap();
    assert_eq!(file.lseek(4, 0).unwrap(), 4);
    assert_eq!(read_all(&file).unwrap(), b"456789");
    assert_eq!(file.label(), b"(unreachable)/stdio");
    let null = w.vfs.stdio(std::fs::File::open("/dev/null").unwrap().into()).unwrap();
    assert_eq!(null.label(), b"/dev/null");
    assert_eq!(null.stat().unwrap(), w.stat("/dev/null").unwrap());
}

#[test]
fn opening_a_named_pipe_waits_for_its_other_end() {
    let w = World::new();
    // In a bind, the host has the name, too.
    for path in ["/tmp/pipe", "/rw/pipe"] {
        a_named_pipe(&w, path);
    }
    let stat = rustix::fs::stat(w.host_path("rw/pipe")).unwrap();
    assert_eq!(stat.st_mode & 0o170_777, s::IFIFO | 0o644);
    w.rename("/rw/pipe", "/rw/sub/pipe").unwrap();
    assert!(w.open("/rw/sub/pipe", o::RDWR).is_ok());
    w.unlink("/rw/sub/pipe").unwrap();
    assert!(!w.host_path("rw/sub/pipe").exists());
}

fn a_named_pipe(w: &World, path: &str) {
    w.vfs.mknodat(&w.c(), at::FDCWD, path.as_bytes(), s::IFIFO | 0o666).unwrap();
    let stat = w.stat(path).unwrap();
    assert_eq!((stat.file_type(), stat.mode & 0o777), (s::IFIFO, 0o644));
    assert_eq!(err(w.vfs.mknodat(&w.c(), at::FDCWD, path.as_bytes(), s::IFIFO)), Errno::EEXIST);
    assert_eq!(err(w.open(path, o::WRONLY | o::NONBLOCK)), Errno::ENXIO);
    let reader = w.open(path, o::RDONLY).unwrap();
    assert!(reader.object().pipe().is_opening());
    assert_eq!(reader.stat().unwrap().ino, stat.ino);
    let before = w.vfs.activity();
    let writer = w.open(path, o::WRONLY).unwrap();
    assert!(!writer.object().pipe().is_opening() && !reader.object().pipe().is_opening());
    assert!(w.vfs.activity() > before, "waiting calls must check again");
    let mut buf = [0; 8];
    assert_eq!(err(reader.read(&mut buf)), Errno::EAGAIN);
    assert_eq!(writer.write(b"abc").unwrap(), 3);
    drop(writer);
    assert_eq!((reader.read(&mut buf).unwrap(), &buf[..3]), (3, &b"abc"[..]));
    assert_eq!(reader.read(&mut buf).unwrap(), 0);
    // A writer that has already closed its end completes an opening as well.
    let second = w.open(path, o::RDONLY).unwrap();
    assert!(second.object().pipe().is_opening());
    drop(w.open(path, o::WRONLY | o::NONBLOCK).unwrap());
    assert!(!second.object().pipe().is_opening());
    assert!(!w.open(path, o::RDONLY | o::NONBLOCK).unwrap().object().pipe().is_opening());
}

/// A call may name a list of lists a thousand times, each with thousands of entries: once the run must stop, none is
/// queried.
#[test]
fn lists_of_lists_are_not_queried_when_the_run_is_over() {
    const ADD: u32 = 1;
    let w = World::new();
    let (_r, p) = w.vfs.pipe(0).unwrap();
    let (inner, outer) = (w.vfs.epoll(0).unwrap(), w.vfs.epoll(0).unwrap());
    let timer = w.vfs.timerfd(false, 0).unwrap();
    timer.kind::<TimerFd>().unwrap().set(TimerSetting { value: 5, interval: 0 }, false);
    let list = inner.kind::<Epoll>().unwrap();
    list.control(ADD, 3, &p, poll::OUT, 0).unwrap();
    list.control(ADD, 4, &timer, poll::IN, 0).unwrap();
    outer.kind::<Epoll>().unwrap().control(ADD, 5, &inner, poll::IN, 0).unwrap();
    assert_eq!((outer.poll_ready(), outer.object().pollable().deadline()), (Events::IN, Some(5)));
    w.platform.end_run();
    assert_eq!(
        (outer.poll_ready(), outer.object().pollable().deadline()),
        (Events::default(), None)
    );
}
