//! Requests as programs send them, and hostile ones.

use super::*;
use crate::fs::{FixedPlatform, Timespec, VfsConfig, Xoshiro256};

struct World {
    _root: tempfile::TempDir,
    vfs: Vfs,
    ports: Ports,
}

impl World {
    fn new() -> World {
        let root = tempfile::tempdir().expect("a directory");
        let platform = Rc::new(FixedPlatform::new(Timespec { sec: 0, nsec: 0 }, 0));
        let vfs = Vfs::new(&VfsConfig::new(root.path()), platform).expect("a file system");
        World { _root: root, vfs, ports: Ports::default() }
    }

    fn open(&self, protocol: Protocol) -> FileRef {
        NetlinkSocket::open(&self.vfs, &self.ports, protocol, 3, 0).expect("memory")
    }
}

fn socket(file: &FileRef) -> &NetlinkSocket {
    file.kind::<NetlinkSocket>().expect("a netlink socket")
}

fn request(kind: u16, flags: u16, payload: &[u8]) -> Vec<u8> {
    let mut out = (16 + payload.len() as u32).to_le_bytes().to_vec();
    out.extend(kind.to_le_bytes());
    out.extend(flags.to_le_bytes());
    out.extend(77u32.to_le_bytes());
    out.extend([0; 4]);
    out.extend(payload);
    out
}

fn received(s: &NetlinkSocket) -> Result<Vec<u8>> {
    let mut buf = vec![0; 8192];
    let got = s.receive(&mut buf, false)?;
    assert_eq!(got.len, got.whole);
    buf.truncate(got.len);
    Ok(buf)
}

/// Type, flags and payload of each message, which all answer the request.
fn messages(bytes: &[u8]) -> Vec<(u16, u16, Vec<u8>)> {
    let (mut rest, mut all) = (bytes, Vec::new());
    while let Some((m, after)) = message::split(rest) {
        assert_eq!(m.seq, 77);
        all.push((m.kind, m.flags, m.payload.to_vec()));
        rest = after;
    }
    assert!(rest.is_empty());
    all
}

fn dump(s: &NetlinkSocket, kind: u16, family: u8) -> Vec<Vec<u8>> {
    let payload = [&[family][..], &[0; 15]].concat();
    s.send(&request(kind, flag::REQUEST | flag::DUMP, &payload)).expect("the queue has room");
    let mut all = Vec::new();
    loop {
        for (kind_of, flags, payload) in messages(&received(s).expect("an answer")) {
            assert_eq!(flags, flag::MULTI);
            match kind_of {
                3 => return all,
                new => assert_eq!(new, kind - 2),
            }
            all.push(payload);
        }
    }
}

/// The error of an answer (0 in an acknowledgement) and the number of bytes of the request that it quotes.
fn status(bytes: &[u8]) -> (i32, usize) {
    let (kind, _, payload) = messages(bytes).remove(0);
    assert_eq!(kind, message::ERROR);
    let code = i32::from_le_bytes(std::array::from_fn(|i| payload[i]));
    (code, payload.len() - 4)
}

/// Programs that list sockets ask this first; when it fails in this way, they read `/proc/net`.
#[test]
fn requests_for_sockets_are_refused() {
    let w = World::new();
    let file = w.open(Protocol::Sockets);
    // SOCK_DIAG_BY_FAMILY: TCP over IPv4.
    socket(&file).send(&request(20, flag::REQUEST | flag::DUMP, &[2, 6, 0, 0])).expect("room");
    assert_eq!(status(&received(socket(&file)).expect("an answer")).0, -Errno::ENOENT.0);
}

#[test]
fn the_loopback_interface() {
    let w = World::new();
    let file = w.open(Protocol::Route);
    let s = socket(&file);
    let [link] = &dump(s, 18, 0)[..] else { panic!("one link") };
    // struct ifinfomsg: loopback, number 1, up.
    assert_eq!(link[..16], [0, 0, 4, 3, 1, 0, 0, 0, 0x49, 0, 1, 0, 0, 0, 0, 0]);
    // The first attribute: IFLA_IFNAME.
    assert_eq!(link[16..24], [7, 0, 3, 0, b'l', b'o', 0, 0]);
    let addresses = dump(s, 22, 0);
    assert_eq!(addresses.len(), 2);
    // struct ifaddrmsg, IFA_ADDRESS.
    assert_eq!(addresses[0][..16], [2, 8, 0x80, 254, 1, 0, 0, 0, 8, 0, 1, 0, 127, 0, 0, 1]);
    assert_eq!(addresses[1][..12], [10, 128, 0x80, 254, 1, 0, 0, 0, 20, 0, 1, 0]);
    assert_eq!((dump(s, 22, 2).len(), dump(s, 22, 10).len(), dump(s, 22, 7).len()), (1, 1, 0));
    assert_eq!((dump(s, 26, 2).len(), dump(s, 26, 10).len()), (3, 2));
    assert_eq!((dump(s, 30, 0).len(), dump(s, 34, 2).len(), dump(s, 38, 0).len()), (0, 3, 1));
}

#[test]
fn one_link_by_number_or_name() {
    let w = World::new();
    let file = w.open(Protocol::Route);
    let s = socket(&file);
    let ask = |index: u8, name: &[u8]| {
        let mut payload = vec![0; 16];
        payload[4] = index;
        if !name.is_empty() {
            payload.extend([4 + name.len() as u8, 0, 3, 0]);
            payload.extend(name);
        }
        s.send(&request(18, flag::REQUEST, &payload)).expect("the queue has room");
        received(s).expect("an answer")
    };
    for answer in [ask(1, b""), ask(0, b"lo\0"), ask(0, b"lo")] {
        let all = messages(&answer);
        assert_eq!((all.len(), all[0].0, all[0].1), (1, 16, 0));
    }
    assert_eq!(status(&ask(2, b"")).0, -Errno::ENODEV.0);
    assert_eq!(status(&ask(0, b"eth0\0")).0, -Errno::ENODEV.0);
    assert_eq!(status(&ask(0, b"")).0, -Errno::EINVAL.0);
}

#[test]
fn requests_that_would_change_something_are_refused() {
    let w = World::new();
    let file = w.open(Protocol::Route);
    let s = socket(&file);
    for kind in [16, 17, 19, 20, 21, 24, 25, 28, 29, 32] {
        s.send(&request(kind, flag::REQUEST | flag::ACK, &[0; 16])).expect("the queue has room");
        assert_eq!(status(&received(s).expect("an answer")), (-Errno::EPERM.0, 32), "{kind}");
    }
    s.send(&request(94, flag::REQUEST, &[0; 12])).expect("the queue has room");
    assert_eq!(status(&received(s).expect("an answer")).0, -Errno::EOPNOTSUPP.0);
    s.capped.set(true);
    s.send(&request(16, flag::REQUEST, &[0; 16])).expect("the queue has room");
    assert_eq!(status(&received(s).expect("an answer")), (-Errno::EPERM.0, 16));
    // A message without the REQUEST flag is not answered.
    s.send(&request(18, flag::DUMP, &[0; 16])).expect("the queue has room");
    assert_eq!(received(s), Err(Errno::EAGAIN));
    s.send(&request(1, flag::REQUEST | flag::ACK, &[])).expect("the queue has room");
    assert_eq!(status(&received(s).expect("an answer")), (0, 16));
}

#[test]
fn routes_to_addresses() {
    let w = World::new();
    let file = w.open(Protocol::Route);
    let s = socket(&file);
    let ask = |family: u8, to: &[u8]| {
        let mut payload = vec![family];
        payload.resize(12, 0);
        payload.extend([4 + to.len() as u8, 0, 1, 0]);
        payload.extend(to);
        s.send(&request(26, flag::REQUEST, &payload)).expect("the queue has room");
        received(s).expect("an answer")
    };
    assert_eq!(messages(&ask(2, &[127, 0, 0, 1]))[0].0, 24);
    let mut there = [0; 16];
    assert_eq!(status(&ask(10, &there)).0, -Errno::ENETUNREACH.0);
    there[15] = 1;
    assert_eq!(messages(&ask(10, &there))[0].0, 24);
    assert_eq!(status(&ask(2, &[8, 8, 8, 8])).0, -Errno::ENETUNREACH.0);
    assert_eq!(status(&ask(2, &there)).0, -Errno::EINVAL.0);
}

#[test]
fn generic_families() {
    let w = World::new();
    let file = w.open(Protocol::Generic);
    let s = socket(&file);
    let ask = |kind: u16, name: &[u8]| {
        let payload = [&[3, 1, 0, 0, 4 + name.len() as u8, 0, 2, 0], name].concat();
        s.send(&request(kind, flag::REQUEST, &payload)).expect("the queue has room");
        received(s).expect("an answer")
    };
    assert_eq!(messages(&ask(16, b"nlctrl\0"))[0].2[..4], [1, 2, 0, 0]);
    assert_eq!(status(&ask(16, b"wireguard\0")).0, -Errno::ENOENT.0);
    assert_eq!(status(&ask(21, b"nlctrl\0")).0, -Errno::ENOENT.0);
}

#[test]
fn ports() {
    let w = World::new();
    let (first, second) = (w.open(Protocol::Route), w.open(Protocol::Route));
    socket(&first).bind(0, 0, 100).expect("free");
    socket(&second).bind(0, 1, 100).expect("free");
    assert_eq!(socket(&first).address(), (100, 0));
    assert_eq!(socket(&second).address(), (-4097i32 as u32, 1));
    assert_eq!(socket(&first).bind(5, 0, 100), Err(Errno::EINVAL));
    assert_eq!(socket(&w.open(Protocol::Route)).bind(100, 0, 9), Err(Errno::EADDRINUSE));
    assert_eq!(socket(&w.open(Protocol::Generic)).bind(100, 0, 9), Ok(()));
    drop(first);
    assert_eq!(socket(&w.open(Protocol::Route)).bind(100, 0, 9), Ok(()));
}

#[test]
fn answers_beyond_the_queue_are_dropped() {
    let w = World::new();
    let file = w.open(Protocol::Route);
    let s = socket(&file);
    for _ in 0..10_000 {
        s.send(&request(18, flag::REQUEST | flag::DUMP, &[0; 16])).expect("it is sent");
    }
    assert!(s.used.get() <= CAPACITY);
    assert_eq!(received(s), Err(Errno::ENOBUFS));
    while received(s).is_ok() {}
    assert_eq!((s.used.get(), received(s)), (0, Err(Errno::EAGAIN)));
}

#[test]
fn random_requests() {
    const SEED: u64 = 0x6e65_746c;
    let w = World::new();
    let mut random = Xoshiro256::from_seed(SEED);
    for round in 0..20_000 {
        let protocols = [Protocol::Route, Protocol::Generic, Protocol::Events];
        let file = w.open(protocols[round % 3]);
        let s = socket(&file);
        let mut data = vec![0; (random.next_u64() % 100) as usize];
        for byte in &mut data {
            *byte = random.next_u64() as u8;
        }
        // Mostly with a valid length and type.
        if data.len() >= 16 && round % 8 != 0 {
            let len = 16 + random.next_u64() % (data.len() as u64 - 15);
            data[..4].copy_from_slice(&(len as u32).to_le_bytes());
            data[4..6].copy_from_slice(&(16 + (random.next_u64() % 90) as u16).to_le_bytes());
            data[6] |= 1;
        }
        assert_eq!(s.send(&data), Ok(data.len()), "seed {SEED:#x}, round {round}");
        while let Ok(answer) = received(s) {
            assert!(message::split(&answer).is_some(), "seed {SEED:#x}, round {round}");
        }
    }
}
