//! Internet addresses in the guest's encoding, and the check that they are loopback addresses.

use crate::base::errno::{Errno, Result};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// `AF_INET` and `AF_INET6`.
pub const INET: u16 = 2;
pub const INET6: u16 = 10;
/// Bytes of `struct sockaddr_in` and `struct sockaddr_in6`.
const SIZES: [usize; 2] = [16, 28];

/// Reads a `struct sockaddr`.
///
/// # Errors
/// `EINVAL` when it is too short, `EAFNOSUPPORT` for another family.
pub fn decode(bytes: &[u8]) -> Result<SocketAddr> {
    let family = bytes.first_chunk::<2>().ok_or(Errno::EINVAL)?;
    let port = |b: &[u8]| u16::from_be_bytes([b[2], b[3]]);
    match (u16::from_le_bytes(*family), bytes.len()) {
        (INET, 16..) => {
            let ip = Ipv4Addr::new(bytes[4], bytes[5], bytes[6], bytes[7]);
            Ok(SocketAddr::new(ip.into(), port(bytes)))
        }
        (INET6, 28..) => {
            let ip: [u8; 16] = std::array::from_fn(|i| bytes[8 + i]);
            Ok(SocketAddr::new(Ipv6Addr::from(ip).into(), port(bytes)))
        }
        (INET | INET6, _) => Err(Errno::EINVAL),
        _ => Err(Errno::EAFNOSUPPORT),
    }
}

/// How many bytes of a `struct sockaddr` have a meaning: those of `struct sockaddr_in` without its padding, or all.
pub fn used(bytes: &[u8]) -> u64 {
    const WITHOUT_PADDING: usize = 8;
    let all = if bytes.starts_with(&INET.to_le_bytes()) { WITHOUT_PADDING } else { SIZES[1] };
    bytes.len().min(all) as u64
}

/// Writes a `struct sockaddr`.
pub fn encode(addr: SocketAddr) -> Vec<u8> {
    let port = addr.port().to_be_bytes();
    match addr.ip() {
        IpAddr::V4(ip) => {
            let mut out = [&INET.to_le_bytes()[..], &port, &ip.octets()].concat();
            out.resize(SIZES[0], 0);
            out
        }
        IpAddr::V6(ip) => {
            let mut out = [&INET6.to_le_bytes()[..], &port, &[0; 4], &ip.octets()].concat();
            out.resize(SIZES[1], 0);
            out
        }
    }
}

/// 127.0.0.1 as an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2).
pub const MAPPED: Ipv6Addr = Ipv4Addr::LOCALHOST.to_ipv6_mapped();

/// The IPv4 address in an IPv4-mapped IPv6 address.
pub fn mapped(ip: IpAddr) -> Option<Ipv4Addr> {
    match ip {
        IpAddr::V6(ip) => ip.to_ipv4_mapped(),
        IpAddr::V4(_) => None,
    }
}

/// Whether it is an unspecified address, of IPv6, IPv4 or IPv4-mapped.
pub fn is_any(ip: IpAddr) -> bool {
    ip.is_unspecified() || mapped(ip).is_some_and(|ip| ip.is_unspecified())
}

/// Checks that it is a loopback address; the unspecified address becomes the loopback address.
///
/// # Errors
/// `ENETUNREACH`.
pub fn loopback(addr: SocketAddr) -> Result<SocketAddr> {
    let ip: IpAddr = match (addr.ip(), mapped(addr.ip())) {
        (_, Some(ip)) if ip.is_unspecified() => MAPPED.into(),
        (ip, Some(v4)) if v4.is_loopback() => ip,
        (IpAddr::V4(ip), _) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        (IpAddr::V6(ip), _) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        (ip, _) if ip.is_loopback() => ip,
        _ => return Err(Errno::ENETUNREACH),
    };
    Ok(SocketAddr::new(ip, addr.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_read_back() {
        for text in ["127.0.0.1:80", "1.2.3.4:65535", "[::1]:4433", "[2001:db8::5]:1"] {
            let addr: SocketAddr = text.parse().expect("an address");
            assert_eq!(decode(&encode(addr)), Ok(addr));
            let bytes = encode(addr);
            assert_eq!(decode(&bytes[..bytes.len() - 1]), Err(Errno::EINVAL));
        }
        // include/uapi/linux/in.h: family in the guest's order, port and address in the network's.
        let bytes = [2, 0, 0, 80, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(encode(([127, 0, 0, 1], 80).into()), bytes);
        assert_eq!(decode(&[1, 0]), Err(Errno::EAFNOSUPPORT));
    }
}
