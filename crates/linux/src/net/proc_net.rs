//! `/proc/net/{tcp,tcp6,udp,udp6}` of Linux 6.12: `get_tcp4_sock` and `get_timewait4_sock` of net/ipv4/tcp_ipv4.c,
//! `udp4_format_sock` of net/ipv4/udp.c, and what corresponds to them in net/ipv6.
//!
//! Pointers are zero, as unprivileged users see them. The host's sockets do not reveal bytes that are sent but not acknowledged, so
//! tx_queue is 0; the number of waiting connections, so rx_queue of a listening socket is 1 if there is one, else 0; and the state of
//! congestion control, so the last five figures of a line of TCP are those of a new
//! connection over the loopback interface.

use super::address::{INET, INET6};
use super::{Ends, InetSocket};
use crate::fs::abi::poll;
use crate::fs::{Events, InetTable, Pollable, SocketCounts};
use std::net::{IpAddr, SocketAddr};

/// States (include/net/tcp_states.h), which UDP uses too.
mod state {
    pub const ESTABLISHED: u8 = 1;
    pub const SYN_SENT: u8 = 2;
    pub const FIN_WAIT2: u8 = 5;
    pub const CLOSE: u8 = 7;
    pub const CLOSE_WAIT: u8 = 8;
    pub const LAST_ACK: u8 = 9;
    pub const LISTEN: u8 = 10;
}

/// A socket in a table.
struct Row {
    local: SocketAddr,
    remote: Option<SocketAddr>,
    state: u8,
    /// Bytes that wait to be read; of a listening socket, 1 if connections wait.
    waiting: u64,
    uid: u32,
    ino: u64,
}

/// Words of the address as the little-endian hart prints them, and the port.
fn address(addr: SocketAddr) -> String {
    let word = |b: &[u8]| format!("{:08X}", u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let words: String = match addr.ip() {
        IpAddr::V4(ip) => word(&ip.octets()),
        IpAddr::V6(ip) => ip.octets().chunks(4).map(word).collect(),
    };
    format!("{words}:{:04X}", addr.port())
}

impl InetTable {
    fn is_tcp(self) -> bool {
        matches!(self, InetTable::Tcp | InetTable::Tcp6)
    }

    fn family(self) -> u16 {
        if matches!(self, InetTable::Tcp | InetTable::Udp) { INET } else { INET6 }
    }

    /// Columns to which lines are padded; lines of IPv6 are not padded.
    fn width(self) -> usize {
        match self {
            InetTable::Tcp => 149,
            InetTable::Udp => 127,
            InetTable::Tcp6 | InetTable::Udp6 => 0,
        }
    }

    fn head(self) -> String {
        let addresses = match self.family() {
            INET => "local_address rem_address   ".into(),
            _ => format!("{:<38}{:<38}", "local_address", "remote_address"),
        };
        let rest = if self.is_tcp() { "" } else { " ref pointer drops" };
        let columns = "st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
        let sl = if self == InetTable::Udp { "   sl" } else { "  sl" };
        format!("{sl}  {addresses}{columns}{rest}")
    }

    fn line(self, i: usize, row: &Row) -> String {
        let none = if self.family() == INET { IpAddr::from([0; 4]) } else { IpAddr::from([0; 16]) };
        let remote = row.remote.unwrap_or(SocketAddr::new(none, 0));
        // Of TCP: the retransmission timeout in clock ticks (TCP_TIMEOUT_INIT, once connected TCP_RTO_MIN), two figures about
        // delayed acknowledgements, the congestion window (TCP_INIT_CWND), and the slow-start threshold, -1 as long as there
        // is none; in the last place, a listening socket has the length of its queue of fast opens.
        let (sl, end) = match (self.is_tcp(), row.state) {
            (false, _) => (5, " 0"),
            (true, state::LISTEN) => (4, " 100 0 0 10 0"),
            (true, state::SYN_SENT) => (4, " 100 0 0 10 -1"),
            (true, _) => (4, " 20 0 0 10 -1"),
        };
        format!(
            "{i:sl$}: {} {} {:02X} 00000000:{:08X} 00:00000000 00000000 {:5} {:8} {} 1 {:016}{end}",
            address(row.local),
            address(remote),
            row.state,
            row.waiting,
            row.uid,
            0,
            row.ino,
            0,
        )
    }

    fn text(self, rows: impl Iterator<Item = Row>) -> Vec<u8> {
        let lines = rows.enumerate().map(|(i, row)| self.line(i, &row));
        let width = self.width();
        let lines = std::iter::once(self.head()).chain(lines);
        lines.map(|line| format!("{line:<width$}\n")).collect::<String>().into_bytes()
    }

    /// The table of those sockets that belong in it.
    pub fn of<'a>(self, sockets: impl Iterator<Item = &'a InetSocket>) -> Vec<u8> {
        let own = |s: &&InetSocket| (s.family, s.stream) == (self.family(), self.is_tcp());
        self.text(sockets.filter(own).filter_map(InetSocket::row))
    }
}

/// The number of sockets, by kind.
pub fn counts<'a>(sockets: impl Iterator<Item = &'a InetSocket>) -> SocketCounts {
    let mut counts = SocketCounts::default();
    for socket in sockets {
        counts.open += 1;
        counts.tcp += usize::from(socket.stream);
        if let Some(row) = socket.row() {
            let udp = 2 * usize::from(!socket.stream);
            counts.listed[udp + usize::from(socket.family == INET6)] += 1;
            let open = [state::ESTABLISHED, state::CLOSE_WAIT].contains(&row.state);
            counts.established += usize::from(socket.stream && open);
        }
    }
    counts
}

impl InetSocket {
    /// Its row, if Linux lists it: a TCP socket that listens, connects or is connected; a UDP socket that has an address.
    fn row(&self) -> Option<Row> {
        let ready = self.poll_ready();
        let has = |event| ready.wanted(event) != 0;
        let connected = self.address(true).ok();
        let state = match (self.stream, connected) {
            (true, _) if self.listening.get() => state::LISTEN,
            (true, Some(_)) => self.ends.get().state(has(poll::RDHUP)),
            (true, None) if self.target.get().is_some() && ready == Events::default() => {
                state::SYN_SENT
            }
            (false, Some(_)) => state::ESTABLISHED,
            (false, None) if self.bound.get() => state::CLOSE,
            _ => return None,
        };
        let waiting = match state {
            state::LISTEN => u64::from(has(poll::IN)),
            state::SYN_SENT => 0,
            _ => self.available().unwrap_or(0),
        };
        let remote = if state == state::SYN_SENT { self.target.get() } else { connected };
        let local = self.address(false).ok()?;
        Some(Row { local, remote, state, waiting, uid: self.owner.uid, ino: self.owner.ino })
    }
}

impl Ends {
    /// The state of a connection; `hung_up` if the peer has closed. On the loopback interface nothing is on its way.
    fn state(self, hung_up: bool) -> u8 {
        // What the guest itself has ended says nothing about the other side.
        match (self.write, hung_up && !self.read) {
            (false, false) => state::ESTABLISHED,
            (true, false) => state::FIN_WAIT2,
            (false, true) => state::CLOSE_WAIT,
            (true, true) => state::LAST_ACK,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(local: &str, remote: Option<&str>, state: u8, waiting: u64) -> Row {
        let parse = |text: &str| text.parse().expect("an address");
        Row { local: parse(local), remote: remote.map(parse), state, waiting, uid: 1000, ino: 4711 }
    }

    fn text(table: InetTable, row: Row) -> Vec<String> {
        let text = String::from_utf8(table.text(std::iter::once(row))).expect("ASCII");
        assert!(text.ends_with('\n'));
        text.lines().map(String::from).collect()
    }

    /// Lines of Linux 6.12, with the pointer, inode number and user of `row`.
    #[test]
    fn lines_are_those_of_linux() {
        let tcp = text(InetTable::Tcp, row("127.0.0.1:631", None, state::LISTEN, 1));
        assert_eq!(
            [tcp[0].trim_end(), tcp[1].trim_end()],
            [
                "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
                "   0: 0100007F:0277 00000000:0000 0A 00000000:00000001 00:00000000 00000000  1000        0 4711 1 0000000000000000 100 0 0 10 0",
            ]
        );
        assert_eq!([tcp[0].len(), tcp[1].len()], [149; 2]);
        let tcp6 = row("[::1]:443", Some("[2001:db8::5]:51000"), state::ESTABLISHED, 0);
        assert_eq!(
            text(InetTable::Tcp6, tcp6),
            [
                "  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
                "   0: 00000000000000000000000001000000:01BB B80D0120000000000000000005000000:C738 01 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0000000000000000 20 0 0 10 -1",
            ]
        );
        let udp = text(InetTable::Udp, row("0.0.0.0:68", None, state::CLOSE, 0));
        assert_eq!(
            [udp[0].trim_end(), udp[1].trim_end()],
            [
                "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops",
                "    0: 00000000:0044 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0000000000000000 0",
            ]
        );
        assert_eq!([udp[0].len(), udp[1].len()], [127; 2]);
        let udp6 = text(InetTable::Udp6, row("[::]:5353", None, state::CLOSE, 20));
        assert_eq!(
            udp6[1],
            "    0: 00000000000000000000000000000000:14E9 00000000000000000000000000000000:0000 07 00000000:00000014 00:00000000 00000000  1000        0 4711 1 0000000000000000 0"
        );
    }
}
