//! Sockets over the host's loopback interface.

use super::address::loopback;
use super::connection::WAITING;
use super::*;
use crate::fs::Epoll;
use crate::fs::abi::poll;
use crate::fs::{FixedPlatform, Timespec, Vfs, VfsConfig};
use crate::fs::{InetTable, Socket, SocketCounts};

const OWNER: Owner = Owner { ino: 4711, uid: 1000 };

#[test]
fn only_the_loopback_interface_is_reached() {
    let at = |text: &str| loopback(text.parse().expect("an address")).map(|a| a.to_string());
    assert_eq!(at("127.9.9.9:5").as_deref(), Ok("127.9.9.9:5"));
    assert_eq!(at("0.0.0.0:5").as_deref(), Ok("127.0.0.1:5"));
    assert_eq!(at("[::]:5").as_deref(), Ok("[::1]:5"));
    for outside in
        ["8.8.8.8:53", "10.0.0.1:1", "[2001:db8::1]:1", "[::ffff:8.8.8.8]:53", "255.255.255.255:1"]
    {
        assert_eq!(at(outside), Err(Errno::ENETUNREACH), "{outside}");
    }
    let account = Rc::new(Account::new(1 << 30));
    let udp = InetSocket::open(&account, INET, false, 0, OWNER).expect("a socket");
    let udp = udp.kind::<InetSocket>().expect("a socket");
    assert_eq!(udp.send(b"x", Some(([8, 8, 8, 8], 53).into())), Err(Errno::ENETUNREACH));
    assert_eq!(udp.bind(([192, 168, 0, 1], 0).into()), Err(Errno::EADDRNOTAVAIL));
    // An automatic bind never covers all interfaces.
    let _ = udp.send(b"x", Some(([127, 0, 0, 1], 9).into()));
    let bound = net::getsockname(&udp.fd).map(SocketAddr::try_from);
    assert!(bound.expect("bound").expect("an address").ip().is_loopback());
    // The address that the guest sees.
    assert!(udp.address(false).expect("bound").ip().is_unspecified());
}

#[test]
fn data_that_the_host_buffers_is_charged() {
    let account = Rc::new(Account::new(3 * SOCKET + 2 * WAITING));
    let open = || InetSocket::open(&account, INET, true, 0, OWNER);
    let (server, client) = (open().expect("memory"), open().expect("memory"));
    let [listener, socket] = [&server, &client].map(|f| f.kind::<InetSocket>().expect("a socket"));
    listener.listen(1).expect("the loopback interface");
    let connected = socket.connect(local(listener));
    assert!(matches!(connected, Ok(()) | Err(Errno::EINPROGRESS)), "{connected:?}");
    let (taken, _) = listener.accept(0, OWNER).expect("a connection");
    let ends = [taken.kind::<InetSocket>().expect("a socket"), socket];
    // Data in transit, in both directions, is less than the two ends are charged.
    let chunk = [0; 65536];
    for end in ends {
        let sent: usize = std::iter::from_fn(|| end.send(&chunk, None).ok()).sum();
        assert!((1..=SOCKET as usize).contains(&sent), "{sent}");
    }
    assert_eq!(open().err(), Some(Errno::ENOMEM));
    drop((taken, server, client));
    assert_eq!(account.used(), 0);
}

/// Data on connections that are closed at once: the host keeps it until the connections are accepted.
#[test]
fn connections_that_wait_to_be_accepted_are_charged() {
    let account = Rc::new(Account::new(1 << 30));
    let open = || InetSocket::open(&account, INET, true, 0, OWNER).expect("memory");
    let server = open();
    let listener = server.kind::<InetSocket>().expect("a socket");
    listener.listen(4096).expect("the loopback interface");
    let address = local(listener);
    let chunk = [0; 65536];
    let kept = |_| -> usize {
        let client = open();
        let socket = client.kind::<InetSocket>().expect("a socket");
        let connected = socket.connect(address);
        assert!(matches!(connected, Ok(()) | Err(Errno::EINPROGRESS)), "{connected:?}");
        std::iter::from_fn(|| socket.send(&chunk, None).ok()).sum()
    };
    let kept: usize = (0..100).map(kept).sum();
    assert!(kept > 0 && kept as u64 <= account.used(), "{kept} of {}", account.used());
}

/// The loopback address of a socket that is bound to all IPv4 addresses.
fn local(socket: &InetSocket) -> SocketAddr {
    let port = socket.address(false).expect("bound").port();
    SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port)
}

fn open(family: u16, stream: bool) -> FileRef {
    let account = Rc::new(Account::new(1 << 30));
    InetSocket::open(&account, family, stream, 0, OWNER).expect("a socket")
}

fn at(text: &str, port: u16) -> SocketAddr {
    SocketAddr::new(text.parse().expect("an address"), port)
}

/// Connects and accepts the connection; returns the server's address as the server and the client see it.
fn connect(listener: &InetSocket, family: u16, to: SocketAddr) -> Result<(String, String)> {
    let client = open(family, true);
    let socket = client.kind::<InetSocket>().expect("a socket");
    match socket.connect(to) {
        Ok(()) | Err(Errno::EINPROGRESS) => {}
        Err(e) => return Err(e),
    }
    while client.poll_ready().wanted(poll::OUT) == 0 {
        std::thread::yield_now();
    }
    socket.take_error()?;
    let (taken, peer) = loop {
        match listener.accept(0, OWNER) {
            Err(Errno::EAGAIN) => std::thread::yield_now(),
            taken => break taken?,
        }
    };
    assert_eq!(peer, Some(taken.kind::<InetSocket>().expect("a socket").address(true)?));
    let ips = |a: SocketAddr| a.ip().to_string();
    let here = taken.kind::<InetSocket>().expect("a socket").address(false)?;
    Ok((ips(here), ips(socket.address(true)?)))
}

#[test]
fn a_socket_on_all_addresses_accepts_both_families() {
    let server = open(INET6, true);
    let listener = server.kind::<InetSocket>().expect("a socket");
    listener.bind(at("::", 0)).expect("free ports");
    listener.listen(4).expect("bound");
    let bound = listener.address(false).expect("bound");
    assert!(bound.ip().is_unspecified() && bound.port() != 0);
    let port = bound.port();
    let both = |here: &str, there: &str| Ok((here.to_string(), there.to_string()));
    let mapped = "::ffff:127.0.0.1";
    assert_eq!(connect(listener, INET, at("127.0.0.1", port)), both(mapped, "127.0.0.1"));
    assert_eq!(connect(listener, INET6, at(mapped, port)), both(mapped, mapped));
    if listener.second.get().is_some() {
        assert_eq!(connect(listener, INET6, at("::1", port)), both("::1", "::1"));
        assert_eq!(connect(listener, INET6, at("::", port)), both("::1", "::1"));
    }
    // The port is in use in both families.
    let busy =
        |family, ip| open(family, true).kind::<InetSocket>().expect("a socket").bind(at(ip, port));
    assert_eq!(busy(INET, "0.0.0.0"), Err(Errno::EADDRINUSE));
    assert_eq!(busy(INET, "127.0.0.1"), Err(Errno::EADDRINUSE));
    assert_eq!(busy(INET6, "::"), Err(Errno::EADDRINUSE));
    assert_eq!(listener.bind(at("::", 0)), Err(Errno::EINVAL));
}

#[test]
fn a_socket_of_ipv6_only_leaves_ipv4_to_others() {
    let server = open(INET6, true);
    let listener = server.kind::<InetSocket>().expect("a socket");
    listener.set_v6_only(true).expect("not bound");
    assert_eq!(listener.bind(at("::ffff:127.0.0.1", 0)), Err(Errno::EINVAL));
    if listener.bind(at("::", 0)) == Err(Errno::EADDRNOTAVAIL) {
        capvec_util::testing::skipped("ipv6", "this machine has no ::1");
        return;
    }
    assert_eq!(listener.set_v6_only(false), Err(Errno::EINVAL));
    listener.listen(4).expect("bound");
    let port = listener.address(false).expect("bound").port();
    let other = open(INET, true);
    other.kind::<InetSocket>().expect("a socket").bind(at("0.0.0.0", port)).expect("free");
    let refused = connect(listener, INET, at("127.0.0.1", port));
    assert_eq!(refused, Err(Errno::ECONNREFUSED));
    let client = open(INET6, true);
    let client = client.kind::<InetSocket>().expect("a socket");
    client.set_v6_only(true).expect("not bound");
    assert_eq!(client.connect(at("::ffff:127.0.0.1", port)), Err(Errno::ENETUNREACH));
    let v4 = open(INET, true);
    assert_eq!(
        v4.kind::<InetSocket>().expect("a socket").set_v6_only(true),
        Err(Errno::ENOPROTOOPT)
    );
}

/// A conflict in one family leaves nothing bound in the other.
#[test]
fn a_conflict_in_one_family_binds_neither() {
    let first = open(INET, true);
    let first = first.kind::<InetSocket>().expect("a socket");
    first.bind(at("127.0.0.1", 0)).expect("a free port");
    let port = first.address(false).expect("bound").port();
    let second = open(INET6, true);
    let second = second.kind::<InetSocket>().expect("a socket");
    assert_eq!(second.bind(at("::", port)), Err(Errno::EADDRINUSE));
    assert_eq!(second.bind(at("127.0.0.1", port)), Err(Errno::EAFNOSUPPORT));
    assert_eq!(second.bind(at("::", 0)), Ok(()));
}

#[test]
fn datagrams_of_both_families() {
    let server = open(INET6, false);
    let here = server.kind::<InetSocket>().expect("a socket");
    here.bind(at("::", 0)).expect("free ports");
    let port = here.address(false).expect("bound").port();
    let mut buf = [0; 8];
    for (family, to, from) in [
        (INET, "127.0.0.1", "::ffff:127.0.0.1"),
        (INET6, "::1", "::1"),
        (INET6, "127.0.0.1", "::ffff:127.0.0.1"),
    ] {
        if to == "::1" && here.second.get().is_none() {
            continue;
        }
        let client = open(family, false);
        let there = client.kind::<InetSocket>().expect("a socket");
        assert_eq!(there.send(b"ping", Some(at(to, port))), Ok(4));
        let (n, sender) = loop {
            match here.receive(&mut buf, false) {
                Err(Errno::EAGAIN) => std::thread::yield_now(),
                got => break got.expect("a datagram"),
            }
        };
        let sender = sender.expect("an address");
        assert_eq!((&buf[..n], sender.ip().to_string()), (&b"ping"[..], from.to_string()));
        assert_eq!(here.send(b"pong!", Some(sender)), Ok(5));
        while there.receive(&mut buf, true) == Err(Errno::EAGAIN) {
            std::thread::yield_now();
        }
        assert_eq!(there.receive(&mut buf, false).expect("an answer").0, 5);
    }
}

/// An interest list waits for the host, and data that arrives after everything was read is an edge again.
#[test]
fn edges_of_an_interest_list() {
    let server = open(INET, false);
    let here = server.kind::<InetSocket>().expect("a socket");
    here.bind(at("127.0.0.1", 0)).expect("a free port");
    let to = here.address(false).expect("bound");
    let host = tempfile::tempdir().expect("a directory");
    let platform = Rc::new(FixedPlatform::new(Timespec { sec: 0, nsec: 0 }, 0));
    let vfs = Vfs::new(&VfsConfig::new(host.path()), platform).expect("a file system");
    let list = vfs.epoll(0).expect("a list");
    assert!(!list.object().pollable().depends_on_host());
    let epoll = list.kind::<Epoll>().expect("an interest list");
    let add = 1;
    epoll.control(add, 3, &server, poll::IN | poll::EPOLL_ET, 7).expect("it can be polled");
    assert!(list.object().pollable().depends_on_host());
    let client = open(INET, false);
    let there = client.kind::<InetSocket>().expect("a socket");
    let mut buf = [0; 8];
    for round in 0..3 {
        assert_eq!(there.send(b"ping", Some(to)), Ok(4), "{round}");
        while server.poll_ready().wanted(poll::IN) == 0 {
            std::thread::yield_now();
        }
        assert_eq!(epoll.take_ready(9), [(poll::IN, 7)], "{round}");
        assert_eq!(epoll.take_ready(9), [], "{round}");
        assert_eq!(here.receive(&mut buf, false).expect("a datagram").0, 4);
    }
}

/// The words of a `/proc/net` table from the addresses to the state, and those of user and inode number.
fn rows(table: InetTable, sockets: &[&InetSocket]) -> Vec<String> {
    let text = String::from_utf8(table.of(sockets.iter().copied())).expect("ASCII");
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        [&words[1..4], &words[7..8], &words[9..10]].concat().join(" ")
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn each_table_lists_the_sockets_of_its_family_and_protocol() {
    let (server, client, datagrams) = (open(INET6, true), open(INET, true), open(INET, false));
    let [listener, socket, udp] =
        [&server, &client, &datagrams].map(|f| f.kind::<InetSocket>().expect("a socket"));
    let all = [listener, socket, udp];
    let tables = [InetTable::Tcp, InetTable::Tcp6, InetTable::Udp, InetTable::Udp6];
    assert_eq!(tables.map(|t| rows(t, &all).len()), [0; 4]);
    udp.bind(at("0.0.0.0", 0)).expect("a free port");
    listener.bind(at("::", 0)).expect("free ports");
    assert_eq!(tables.map(|t| rows(t, &all).len()), [0, 0, 1, 0]);
    listener.listen(4).expect("bound");
    let port = listener.address(false).expect("bound").port();
    // One row, although the host has two sockets.
    let (none, end) = ("0".repeat(32), "1000 4711");
    assert_eq!(rows(InetTable::Tcp6, &all), [format!("{none}:{port:04X} {none}:0000 0A {end}")]);
    assert!(matches!(socket.connect(at("127.0.0.1", port)), Ok(()) | Err(Errno::EINPROGRESS)));
    while client.poll_ready().wanted(poll::OUT) == 0 {
        std::thread::yield_now();
    }
    let own = socket.address(false).expect("connected").port();
    assert_eq!(
        rows(InetTable::Tcp, &all),
        [format!("0100007F:{own:04X} 0100007F:{port:04X} 01 {end}")]
    );
    let (taken, _) = loop {
        match listener.accept(0, OWNER) {
            Err(Errno::EAGAIN) => std::thread::yield_now(),
            taken => break taken.expect("a connection"),
        }
    };
    let taken = taken.kind::<InetSocket>().expect("a socket");
    let mapped = "0000000000000000FFFF00000100007F";
    let row = |state| [format!("{mapped}:{port:04X} {mapped}:{own:04X} {state} {end}")];
    assert_eq!(rows(InetTable::Tcp6, &[taken]), row("01"));
    let unbound = open(INET, true);
    let every = [listener, socket, udp, taken, unbound.kind::<InetSocket>().expect("a socket")];
    let expected = SocketCounts { open: 5, tcp: 4, established: 2, listed: [1, 2, 1, 0] };
    assert_eq!(super::counts(every.into_iter()), expected);
    // One end has been shut down.
    taken.shutdown(1).expect("connected");
    assert_eq!(rows(InetTable::Tcp6, &[taken]), row("05"));
}
