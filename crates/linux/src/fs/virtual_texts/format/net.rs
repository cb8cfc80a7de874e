//! `/proc/net/{dev,snmp,sockstat,sockstat6}` of Linux 6.12: net/core/net-procfs.c, net/ipv4/proc.c, net/ipv6/proc.c.
//!
//! Sockets and connections are counted. Traffic, opened connections and errors are not: those counters are 0, as are sockets that the
//! host still holds after the guest has closed them (`orphan`, `tw`), and pages of buffers (`mem`).

use crate::fs::virtual_texts::queries::SocketCounts;

/// The interface's counters of traffic.
pub(crate) fn dev() -> Vec<u8> {
    let head = "Inter-|   Receive                                                |  Transmit\n \
                face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n";
    let none = 0;
    format!(
        "{head}{:>6}: {none:7} {none:7} {none:4} {none:4} {none:4} {none:5} {none:10} {none:9} {none:8} {none:7} {none:4} {none:4} \
         {none:4} {none:5} {none:7} {none:10}\n",
        "lo"
    )
    .into_bytes()
}

/// Sockets of all kinds, of which `unix` are local ones, then those of IPv4.
pub(crate) fn sockstat(c: &SocketCounts, unix: usize) -> Vec<u8> {
    format!(
        "sockets: used {}\nTCP: inuse {} orphan 0 tw 0 alloc {} mem 0\nUDP: inuse {} mem 0\nUDPLITE: inuse 0\nRAW: inuse 0\n\
         FRAG: inuse 0 memory 0\n",
        c.open + unix,
        c.listed[0],
        c.tcp,
        c.listed[2],
    )
    .into_bytes()
}

/// Those of IPv6.
pub(crate) fn sockstat6(c: &SocketCounts) -> Vec<u8> {
    format!(
        "TCP6: inuse {}\nUDP6: inuse {}\nUDPLITE6: inuse 0\nRAW6: inuse 0\nFRAG6: inuse 0 memory 0\n",
        c.listed[1], c.listed[3],
    )
    .into_bytes()
}

/// Counters of the protocols, by their names in RFC 1213.
const IP: &str = "InReceives InHdrErrors InAddrErrors ForwDatagrams InUnknownProtos InDiscards InDelivers OutRequests OutDiscards \
                  OutNoRoutes ReasmTimeout ReasmReqds ReasmOKs ReasmFails FragOKs FragFails FragCreates OutTransmits";
const ICMP: &str = "InMsgs InErrors InCsumErrors InDestUnreachs InTimeExcds InParmProbs InSrcQuenchs InRedirects InEchos InEchoReps \
                    InTimestamps InTimestampReps InAddrMasks InAddrMaskReps OutMsgs OutErrors OutRateLimitGlobal OutRateLimitHost \
                    OutDestUnreachs OutTimeExcds OutParmProbs OutSrcQuenchs OutRedirects OutEchos OutEchoReps OutTimestamps \
                    OutTimestampReps OutAddrMasks OutAddrMaskReps";
const TCP: &str = "InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors";
const UDP: &str = "InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors";

/// A line of names and one of values: `first`, then `rest` with 0.
fn counters(protocol: &str, first: &[(&str, i64)], rest: &str) -> String {
    let rest = rest.split_whitespace().map(|name| (name, 0));
    let all: Vec<(&str, i64)> = first.iter().copied().chain(rest).collect();
    let names: String = all.iter().map(|(name, _)| format!(" {name}")).collect();
    let values: String = all.iter().map(|(_, value)| format!(" {value}")).collect();
    format!("{protocol}:{names}\n{protocol}:{values}\n")
}

/// Constants of the protocols, open connections, and counters.
pub(crate) fn snmp(c: &SocketCounts) -> Vec<u8> {
    // The machine does not forward, and sends with a time to live of 64.
    let ip = [("Forwarding", 2), ("DefaultTTL", 64)];
    let tcp = [
        ("RtoAlgorithm", 1),
        ("RtoMin", 200),
        ("RtoMax", 120_000),
        ("MaxConn", -1),
        ("ActiveOpens", 0),
        ("PassiveOpens", 0),
        ("AttemptFails", 0),
        ("EstabResets", 0),
        ("CurrEstab", c.established as i64),
    ];
    let lines = [
        counters("Ip", &ip, IP),
        counters("Icmp", &[], ICMP),
        counters("Tcp", &tcp, TCP),
        counters("Udp", &[], UDP),
        counters("UdpLite", &[], UDP),
    ];
    lines.concat().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ss` and `netstat` find figures by the names in the line above.
    #[test]
    fn figures_stand_below_their_names() {
        let counts = SocketCounts { open: 9, tcp: 5, established: 2, listed: [1, 2, 3, 4] };
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("ASCII");
        let all = text(sockstat(&counts, 4));
        assert!(all.starts_with("sockets: used 13\nTCP: inuse 1 orphan 0 tw 0 alloc 5 mem 0\n"));
        assert!(all.contains("\nUDP: inuse 3 "), "{all}");
        assert!(text(sockstat6(&counts)).starts_with("TCP6: inuse 2\nUDP6: inuse 4\n"));
        let all = text(snmp(&counts));
        let lines: Vec<Vec<&str>> = all.lines().map(|l| l.split(' ').collect()).collect();
        for pair in lines.chunks(2) {
            assert_eq!((pair[0][0], pair[0].len()), (pair[1][0], pair[1].len()), "{all}");
        }
        let at = lines[4].iter().position(|name| *name == "CurrEstab").expect("the column");
        assert_eq!((lines[4][0], lines[5][at]), ("Tcp:", "2"));
        let dev = text(dev());
        // ifconfig expects bars, and 16 figures after the name.
        let line = dev.lines().nth(2).expect("the interface");
        let figures = line.strip_prefix("    lo:").expect("its name").split_whitespace();
        assert_eq!((dev.lines().count(), figures.filter(|f| *f == "0").count()), (3, 16));
        let heads = dev.lines().nth(1).expect("names").split('|');
        assert_eq!(heads.map(|h| h.split_whitespace().count()).collect::<Vec<_>>(), [1, 8, 8]);
    }
}
