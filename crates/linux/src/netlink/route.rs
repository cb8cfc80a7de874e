//! `NETLINK_ROUTE` for a machine whose only interface is the loopback one (rtnetlink(7)). Numbers:
//! `include/uapi/linux/rtnetlink.h`, `if_link.h`, `if_addr.h`, `fib_rules.h`, `pkt_sched.h`.
//! Traffic counters are omitted: traffic is not counted.

use super::message::{Message, Request, flag};
use crate::base::errno::{Errno, Result};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The interface's index, name, flags (`IFF_UP`, `IFF_LOOPBACK`, `IFF_RUNNING`, `IFF_LOWER_UP`) and MTU.
pub const INDEX: u32 = 1;
pub const NAME: &[u8] = b"lo";
pub const FLAGS: u32 = 0x1_0049;
pub const MTU: u32 = 65536;
/// `ARPHRD_LOOPBACK`.
pub const HARDWARE: u16 = 772;
/// Length of its transmit queue: the default.
pub const QUEUE: u32 = 1000;

/// Message types. Each object has four: new, delete, get and set.
const GETLINK: u16 = 18;
const GETADDR: u16 = 22;
const GETROUTE: u16 = 26;
const GETNEIGH: u16 = 30;
const GETRULE: u16 = 34;
const GETQDISC: u16 = 38;

const AF_UNSPEC: u8 = 0;
const AF_INET: u8 = 2;
const AF_INET6: u8 = 10;

/// The messages that answer a request; a dump has any number of them.
///
/// # Errors
/// `EPERM` for a change, `EOPNOTSUPP` for an object that does not exist here; `ENODEV`, `ENETUNREACH`.
pub fn answer(request: &Request<'_>, port: u32) -> Result<Vec<Vec<u8>>> {
    const GET: u16 = 2;
    if request.kind & 3 != GET {
        // The same answer as without CAP_NET_ADMIN: nothing can be changed.
        return Err(Errno::EPERM);
    }
    let reply = Reply { request, port };
    match (request.kind, request.is_dump()) {
        (GETLINK, dump) => reply.links(dump),
        (GETADDR, true) => Ok(reply.addresses()),
        (GETROUTE, true) => Ok(reply.routes()),
        (GETROUTE, false) => reply.route_to(),
        (GETNEIGH, true) => Ok(Vec::new()),
        (GETRULE, true) => Ok(reply.rules()),
        (GETQDISC, true) => Ok(vec![reply.queueing()]),
        _ => Err(Errno::EOPNOTSUPP),
    }
}

/// An answer under construction.
struct Reply<'a> {
    request: &'a Request<'a>,
    port: u32,
}

/// An address's bytes.
fn octets(ip: IpAddr) -> Vec<u8> {
    match ip {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    }
}

/// An address's family and its length in bits.
fn family(ip: IpAddr) -> (u8, u8) {
    if ip.is_ipv4() { (AF_INET, 32) } else { (AF_INET6, 128) }
}

/// A route of the machine.
struct Route {
    to: IpAddr,
    /// Prefix length.
    prefix: u8,
    /// `RT_TABLE_LOCAL` or `RT_TABLE_MAIN`.
    table: u8,
    /// `RT_SCOPE_*` and `RTN_*`.
    scope: u8,
    kind: u8,
    /// Only IPv6 routes have one.
    metric: Option<u32>,
}

const LOCAL: u8 = 255;
const MAIN: u8 = 254;
const SCOPE_UNIVERSE: u8 = 0;
const SCOPE_LINK: u8 = 253;
const SCOPE_HOST: u8 = 254;
const RTN_UNICAST: u8 = 1;
const RTN_LOCAL: u8 = 2;
const RTN_BROADCAST: u8 = 3;

/// The routes that the kernel adds when the interface comes up.
const ROUTES: [Route; 5] = {
    const fn v4(a: [u8; 4], prefix: u8, scope: u8, kind: u8) -> Route {
        let to = IpAddr::V4(Ipv4Addr::new(a[0], a[1], a[2], a[3]));
        Route { to, prefix, table: LOCAL, scope, kind, metric: None }
    }
    const fn v6(table: u8, kind: u8, metric: u32) -> Route {
        let (to, prefix) = (IpAddr::V6(Ipv6Addr::LOCALHOST), 128);
        Route { to, prefix, table, scope: SCOPE_UNIVERSE, kind, metric: Some(metric) }
    }
    [
        v4([127, 0, 0, 0], 8, SCOPE_HOST, RTN_LOCAL),
        v4([127, 0, 0, 1], 32, SCOPE_HOST, RTN_LOCAL),
        v4([127, 255, 255, 255], 32, SCOPE_LINK, RTN_BROADCAST),
        v6(MAIN, RTN_UNICAST, 256),
        v6(LOCAL, RTN_LOCAL, 0),
    ]
};

impl Reply<'_> {
    fn message(&self, fixed: &[u8]) -> Message {
        let multi = if self.request.is_dump() { flag::MULTI } else { 0 };
        // A "get" request is answered by a "new" message.
        Message::new(self.request.kind - 2, multi, self.request, self.port, fixed)
    }

    /// Whether the request asks for this family or for all.
    fn wants_family(&self, family: u8) -> bool {
        matches!(self.request.byte(0), f if f == AF_UNSPEC || f == family)
    }

    fn links(&self, dump: bool) -> Result<Vec<Vec<u8>>> {
        /// Bytes of `struct ifinfomsg`.
        const FIXED: usize = 16;
        const IFLA_IFNAME: u16 = 3;
        const IFLA_ALT_IFNAME: u16 = 53;
        let name = self.request.text(FIXED, IFLA_IFNAME);
        let name = name.or_else(|| self.request.text(FIXED, IFLA_ALT_IFNAME));
        match (dump, self.request.word(4), name) {
            (true, ..) | (_, INDEX, _) | (_, 0, Some(NAME)) => Ok(vec![self.link()]),
            (_, 0, None) => Err(Errno::EINVAL),
            _ => Err(Errno::ENODEV),
        }
    }

    fn link(&self) -> Vec<u8> {
        let mut fixed = vec![AF_UNSPEC, 0];
        fixed.extend(HARDWARE.to_le_bytes());
        fixed.extend([INDEX, FLAGS, 0].iter().flat_map(|w| w.to_le_bytes()));
        let nobody = [0; 6];
        let up = [1];
        self.message(&fixed)
            .with(3, &[NAME, b"\0"].concat())
            .with_word(13, QUEUE)
            // State and mode: unknown, default.
            .with(16, &[0])
            .with(17, &[0])
            .with_word(4, MTU)
            .with_word(50, 0)
            .with_word(51, 0)
            // Group, promiscuity, queues in each direction.
            .with_word(27, 0)
            .with_word(30, 0)
            .with_word(31, 1)
            .with_word(32, 1)
            .with(33, &up)
            .with(6, b"noqueue\0")
            .with_word(35, 0)
            .with(1, &nobody)
            .with(2, &nobody)
            .finish()
    }

    fn addresses(&self) -> Vec<Vec<u8>> {
        const PERMANENT: u32 = 0x80;
        let ips: [(IpAddr, u8); 2] =
            [(Ipv4Addr::LOCALHOST.into(), 8), (Ipv6Addr::LOCALHOST.into(), 128)];
        let wanted = ips.into_iter().filter(|(ip, _)| self.wants_family(family(*ip).0));
        let on_it = self.request.word(4);
        let wanted = wanted.filter(|_| on_it == 0 || on_it == INDEX);
        let message = |(ip, prefix): (IpAddr, u8)| {
            let mut fixed = vec![family(ip).0, prefix, PERMANENT as u8, SCOPE_HOST];
            fixed.extend(INDEX.to_le_bytes());
            let mut message = self.message(&fixed).with(1, &octets(ip));
            if ip.is_ipv4() {
                message = message.with(2, &octets(ip)).with(3, &[NAME, b"\0"].concat());
            }
            // Valid and preferred for ever; created and changed at the start.
            let times = [u32::MAX, u32::MAX, 0, 0];
            let times: Vec<u8> = times.iter().flat_map(|w| w.to_le_bytes()).collect();
            message.with_word(8, PERMANENT).with(6, &times).finish()
        };
        wanted.map(message).collect()
    }

    fn routes(&self) -> Vec<Vec<u8>> {
        let wanted = ROUTES.iter().filter(|r| self.wants_family(family(r.to).0));
        wanted.map(|r| self.route(r, r.prefix, 0).finish()).collect()
    }

    /// A message that describes a route, with prefix length `prefix` and these flags.
    fn route(&self, r: &Route, prefix: u8, flags: u32) -> Message {
        /// `RTPROT_KERNEL`.
        const KERNEL: u8 = 2;
        let family = family(r.to).0;
        let mut fixed = vec![family, prefix, 0, 0, r.table, KERNEL, r.scope, r.kind];
        fixed.extend(flags.to_le_bytes());
        let mut message = self.message(&fixed).with_word(15, r.table.into()).with(1, &octets(r.to));
        if let Some(metric) = r.metric {
            message = message.with_word(6, metric);
        }
        if r.to.is_ipv4() {
            message = message.with(7, &Ipv4Addr::LOCALHOST.octets());
        }
        message = message.with_word(4, INDEX);
        // The router preference of IPv6 routes: medium.
        if r.metric.is_some() { message.with(20, &[0]) } else { message }
    }

    /// The route to one address.
    fn route_to(&self) -> Result<Vec<Vec<u8>>> {
        /// Bytes of `struct rtmsg`.
        const FIXED: usize = 12;
        const RTA_DST: u16 = 1;
        /// `RTM_F_CLONED`, and `RTCF_LOCAL` of IPv4.
        const CLONED: u32 = 0x200;
        const RTCF_LOCAL: u32 = 0x8000_0000;
        let to = self.request.attribute(FIXED, RTA_DST).ok_or(Errno::EINVAL)?;
        let to: IpAddr = match (self.request.byte(0), to) {
            (AF_INET, &[a, b, c, d]) => Ipv4Addr::new(a, b, c, d).into(),
            (AF_INET6, to) => {
                Ipv6Addr::from(<[u8; 16]>::try_from(to).map_err(|_| Errno::EINVAL)?).into()
            }
            _ => return Err(Errno::EINVAL),
        };
        if !to.is_loopback() {
            return Err(Errno::ENETUNREACH);
        }
        let (scope, kind, table) = (SCOPE_UNIVERSE, RTN_LOCAL, LOCAL);
        let metric = to.is_ipv6().then_some(0);
        let flags = if to.is_ipv4() { CLONED | RTCF_LOCAL } else { CLONED };
        let prefix = family(to).1;
        let route = Route { to, prefix, table, scope, kind, metric };
        Ok(vec![self.route(&route, prefix, flags).finish()])
    }

    fn rules(&self) -> Vec<Vec<u8>> {
        /// `FR_ACT_TO_TBL`.
        const TO_TABLE: u8 = 1;
        const DEFAULT: u8 = 253;
        let v4 = [(AF_INET, 0, LOCAL), (AF_INET, 32766, MAIN), (AF_INET, 32767, DEFAULT)];
        let v6 = [(AF_INET6, 0, LOCAL), (AF_INET6, 32766, MAIN)];
        let wanted = v4.into_iter().chain(v6).filter(|(family, ..)| self.wants_family(*family));
        let message = |(family, priority, table)| {
            let fixed = [family, 0, 0, 0, table, 0, 0, TO_TABLE, 0, 0, 0, 0];
            let mut message = self.message(&fixed).with_word(15, u32::from(table));
            message = message.with_word(14, u32::MAX).with(21, &[2]);
            if priority > 0 {
                message = message.with_word(6, priority);
            }
            message.finish()
        };
        wanted.map(message).collect()
    }

    fn queueing(&self) -> Vec<u8> {
        /// `TC_H_ROOT`; the last word counts references.
        const ROOT: u32 = u32::MAX;
        let fixed: Vec<u8> =
            [0, INDEX, 0, ROOT, 2].iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
        self.message(&fixed).with(1, b"noqueue\0").finish()
    }
}
