//! Tests that need no gdb: addresses and waiting. `crates/cli/tests/gdb.rs` has sessions with gdb, and `crates/fuzz` hostile ones.

use capvec_gdb::{Address, ListenError, Listener};
use capvec_util::testing::skipped;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, TcpStream, UdpSocket};
use std::os::unix::net::UnixStream;

#[test]
fn addresses_are_ports_or_paths() {
    assert_eq!("1234".parse(), Ok(Address::Port(1234)));
    assert_eq!("./gdb.sock".parse(), Ok(Address::Socket("./gdb.sock".into())));
    for wrong in ["", "gdb.sock", "65536", "-1", ":1234", "0.0.0.0:1"] {
        assert!(wrong.parse::<Address>().is_err(), "{wrong}");
    }
}

/// The port of a listener, from what gdb's `target remote` takes.
fn port(listener: &Listener) -> u16 {
    listener.to_string().strip_prefix(':').expect("a port").parse().expect("a number")
}

/// An address of this machine other than the loopback interface's, if there is one. Nothing is sent.
fn outer() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    socket.local_addr().ok().map(|a| a.ip()).filter(|ip| !ip.is_loopback())
}

#[test]
fn a_port_is_open_on_the_loopback_interface_only() {
    let listener = Listener::bind(&Address::Port(0)).expect("a free port");
    let port = port(&listener);
    match outer() {
        Some(ip) => assert!(TcpStream::connect((ip, port)).is_err(), "{ip} is open"),
        None => skipped("second-interface", "only the loopback interface has an address"),
    }
    let mut gdb = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it listens");
    let mut connection = listener.accept(&|| false).expect("a connection");
    gdb.write_all(b"+").expect("it is open");
    assert!(connection.has_input(900));
    assert_eq!(connection.next_byte().expect("a byte"), Some(b'+'));
    // Nobody else can connect.
    assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err());
    drop(gdb);
    assert!(connection.interrupts() || connection.has_input(900) && connection.interrupts());
}

#[test]
fn a_socket_is_removed_and_one_that_was_left_is_replaced() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("gdb.sock");
    // What a killed run leaves.
    drop(std::os::unix::net::UnixListener::bind(&path).expect("a socket"));
    let address = Address::Socket(path.clone());
    let listener = Listener::bind(&address).expect("the old one is replaced");
    assert!(matches!(Listener::bind(&address), Err(ListenError::Bind(..))), "it is in use");
    let _gdb = UnixStream::connect(&path).expect("it listens");
    listener.accept(&|| false).expect("a connection");
    assert!(!path.exists());
    // A file is never removed.
    std::fs::write(&path, "mine").expect("a file");
    assert!(matches!(Listener::bind(&address), Err(ListenError::Bind(..))));
    assert_eq!(std::fs::read(&path).expect("it is still there"), b"mine");
}

#[test]
fn waiting_can_be_interrupted() {
    let listener = Listener::bind(&Address::Port(0)).expect("a free port");
    assert!(matches!(listener.accept(&|| true), Err(ListenError::Interrupted)));
}
