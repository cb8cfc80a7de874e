//! The ends of a connection.

use std::rc::Rc;

use super::queue::{Queue, Queues};
use crate::base::errno::Result;

/// The type of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bytes (`SOCK_STREAM`).
    Stream,
    /// Messages without connection (`SOCK_DGRAM`).
    Datagram,
    /// Messages over a connection (`SOCK_SEQPACKET`).
    Packets,
}

impl Kind {
    pub(super) fn messages(self) -> bool {
        self != Kind::Stream
    }
}

/// A process as the other side of a socket sees it (`struct ucred`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Peer {
    /// Its number; 0 if there is none.
    pub pid: i32,
    /// Its effective user.
    pub uid: u32,
    /// Its effective group.
    pub gid: u32,
}

/// One end of a connection. For datagrams, the receive queue and the default destination.
pub(super) struct Endpoint {
    pub input: Rc<Queue>,
    pub output: Option<Rc<Queue>>,
    /// The other side's address and process.
    pub peer: Option<Vec<u8>>,
    pub peer_process: Peer,
    /// Datagrams: all senders share the queue, so none of them ends it.
    pub shared_output: bool,
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.input.reader.set(false);
        self.input.changed();
        if let Some(output) = self.output.as_ref().filter(|_| !self.shared_output) {
            output.writer.set(false);
            output.changed();
        }
    }
}

/// The two ends of a connection, given the address and process of each side.
pub(super) fn connection(
    queues: &Rc<Queues>,
    kind: Kind,
    near: (Option<Vec<u8>>, Peer),
    far: (Option<Vec<u8>>, Peer),
) -> Result<(Endpoint, Endpoint)> {
    let (a, b) = (Queue::new(queues)?, Queue::new(queues)?);
    let end = |input: &Rc<Queue>, output: &Rc<Queue>, peer: (Option<Vec<u8>>, Peer)| Endpoint {
        input: Rc::clone(input),
        output: Some(Rc::clone(output)),
        peer: peer.0,
        peer_process: peer.1,
        shared_output: kind == Kind::Datagram,
    };
    Ok((end(&a, &b, far), end(&b, &a, near)))
}
