//! `/proc/net/unix` (`unix_seq_show` of net/unix/af_unix.c of Linux 6.12). Pointers are zero, as unprivileged users see them.

use super::{Endpoint, Kind, State, UnixSocket};
use crate::fs::vfs::Vfs;
use std::rc::{Rc, Weak};

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

impl Vfs {
    /// The number of local sockets.
    pub(crate) fn unix_sockets(&self) -> usize {
        self.shared.all_sockets().len()
    }

    /// `/proc/net/unix`.
    pub(crate) fn unix_table(&self) -> Vec<u8> {
        let sockets: Vec<Rc<UnixSocket>> =
            self.shared.all_sockets().values().filter_map(Weak::upgrade).collect();
        [HEAD.to_vec()].into_iter().chain(sockets.iter().map(|s| s.line())).flatten().collect()
    }
}
