//! `/proc/net/unix` (`unix_seq_show` of net/unix/af_unix.c of Linux 6.12). Pointers are zero, as unprivileged users see them.

use super::endpoint::{Endpoint, Kind};
use super::socket::{Sockets, State, UnixSocket};

const HEAD: &[u8] = b"Num       RefCount Protocol Flags    Type St Inode Path\n";
/// `__SO_ACCEPTCON` (include/linux/net.h).
const LISTENS: u32 = 1 << 16;
/// `enum socket_state` (include/uapi/linux/net.h).
const UNCONNECTED: u8 = 1;
const CONNECTED: u8 = 3;

impl UnixSocket {
    fn line(&self) -> Vec<u8> {
        let (flags, state) = match &*self.state.borrow() {
            State::Listening { .. } => (LISTENS, UNCONNECTED),
            State::Connected(Endpoint { output: Some(_), .. }) => (0, CONNECTED),
            State::Connected(_) | State::Idle => (0, UNCONNECTED),
        };
        let kind = match self.kind {
            Kind::Stream => 1,
            Kind::Datagram => 2,
            Kind::Packets => 5,
        };
        let head = format!(
            "{:016}: 00000002 00000000 {flags:08X} {kind:04X} {state:02X} {:5}",
            0, self.ino
        );
        let mut line = head.into_bytes();
        if let Some(address) = &*self.address.borrow() {
            line.push(b' ');
            // An abstract name begins with NUL.
            line.extend(address.iter().map(|&b| if b == 0 { b'@' } else { b }));
        }
        line.push(b'\n');
        line
    }
}

impl Sockets {
    /// `/proc/net/unix`.
    pub fn table(&self) -> Vec<u8> {
        let lines = self.all().into_iter().map(|socket| socket.line());
        [HEAD.to_vec()].into_iter().chain(lines).flatten().collect()
    }
}
