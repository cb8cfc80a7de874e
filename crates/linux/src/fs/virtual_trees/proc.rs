//! The tree of the virtual `/proc`. Formats: `Documentation/filesystems/proc.rst` of
//! Linux and proc(5).

use super::entry::{Entry, StateFile, line, system};
use super::node::{PidContent, PidEntry, PidKind, VirtNode};
use crate::fs::abi::limit;
use crate::fs::virtual_texts::format as fmt;
use crate::fs::virtual_texts::queries::{InetTable, SysvKind};

const fn file(name: &'static str, mode: u32, make: PidContent) -> PidEntry {
    PidEntry { name, mode, kind: PidKind::File(make) }
}

const fn special(name: &'static str, mode: u32, kind: PidKind) -> PidEntry {
    PidEntry { name, mode, kind }
}

/// The entries of a process; a thread has all but the last.
static ENTRIES: [PidEntry; 19] = [
    file("auxv", 0o400, |p, pid, _| p.auxv(pid)),
    file("cmdline", 0o444, |p, pid, _| p.cmdline(pid)),
    file("comm", 0o444, fmt::comm),
    special("cwd", 0o777, PidKind::Cwd),
    file("environ", 0o400, |p, pid, _| p.environ(pid)),
    special("exe", 0o777, PidKind::Exe),
    special("fd", 0o500, PidKind::Fds),
    file("limits", 0o444, fmt::limits),
    special("maps", 0o444, PidKind::Maps),
    special("mountinfo", 0o444, PidKind::MountInfo),
    special("mounts", 0o444, PidKind::Mounts),
    file("oom_score", 0o444, |p, pid, tid| p.info(pid, tid).map(|_| b"0\n".into())),
    file("oom_score_adj", 0o444, |p, pid, tid| p.info(pid, tid).map(|_| b"0\n".into())),
    special("root", 0o777, PidKind::Root),
    file("stat", 0o444, fmt::stat),
    file("statm", 0o444, fmt::statm),
    file("status", 0o444, fmt::status),
    file("wchan", 0o444, |p, pid, tid| p.info(pid, tid).map(|_| b"0".into())),
    special("task", 0o555, PidKind::Tasks),
];

/// The entries of a process's or a thread's directory.
pub(crate) fn entries(thread: bool) -> &'static [PidEntry] {
    if thread { &ENTRIES[..ENTRIES.len() - 1] } else { &ENTRIES }
}

/// `/proc/self` and `/proc/thread-self`.
pub(crate) fn self_link(name: &[u8]) -> Option<VirtNode> {
    match name {
        b"self" => Some(VirtNode::SelfLink { thread: false }),
        b"thread-self" => Some(VirtNode::SelfLink { thread: true }),
        _ => None,
    }
}

/// The entries of `/proc` other than processes.
pub(crate) static TOP: &[(&str, Entry)] = &[
    ("cmdline", line!("root=/dev/root ro")),
    ("cpuinfo", system!(fmt::cpuinfo)),
    ("filesystems", Entry::File(|_| b"nodev\tproc\nnodev\ttmpfs\nnodev\tsysfs\n\text4\n".to_vec())),
    ("loadavg", Entry::File(|procs| fmt::loadavg(procs))),
    ("meminfo", system!(fmt::meminfo)),
    ("mounts", Entry::Link("self/mounts")),
    ("net", NETWORK),
    ("stat", Entry::File(|procs| fmt::system_stat(procs))),
    ("sys", SYSCTL),
    (
        "sysvipc",
        Entry::Tree(&[
            ("msg", Entry::File(|procs| procs.sysvipc(SysvKind::Messages))),
            ("sem", Entry::File(|procs| procs.sysvipc(SysvKind::Semaphores))),
            ("shm", Entry::File(|procs| procs.sysvipc(SysvKind::Segments))),
        ]),
    ),
    ("uptime", system!(fmt::uptime)),
    ("version", system!(fmt::version)),
];

/// `/proc/net`.
const NETWORK: Entry = Entry::Tree(&[
    // The loopback interface has no neighbours, and no route in the main table: net/ipv4/arp.c, net/ipv4/fib_trie.c.
    (
        "arp",
        line!("IP address       HW type     Flags       HW address            Mask     Device"),
    ),
    ("dev", Entry::File(|_| fmt::dev())),
    // ::1/128 on interface 1, host scope, permanent (net/ipv6/addrconf.c, `if6_seq_show`).
    ("if_inet6", line!("00000000000000000000000000000001 01 80 10 80       lo")),
    // The guest can make no sockets of these kinds: net/packet/af_packet.c, net/ipv4/raw.c, net/ipv6/raw.c of Linux 6.12.
    ("packet", line!("sk               RefCnt Type Proto  Iface R Rmem   User   Inode")),
    (
        "raw",
        line!(
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops"
        ),
    ),
    (
        "raw6",
        line!(
            "  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops"
        ),
    ),
    (
        "route",
        Entry::File(|_| {
            let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT";
            fmt::line(&format!("{head:<127}"))
        }),
    ),
    ("snmp", Entry::File(|procs| fmt::snmp(&procs.socket_counts()))),
    ("sockstat", Entry::FromState(StateFile::SocketCounts)),
    ("sockstat6", Entry::File(|procs| fmt::sockstat6(&procs.socket_counts()))),
    ("tcp", Entry::File(|procs| procs.inet_sockets(InetTable::Tcp))),
    ("tcp6", Entry::File(|procs| procs.inet_sockets(InetTable::Tcp6))),
    ("udp", Entry::File(|procs| procs.inet_sockets(InetTable::Udp))),
    ("udp6", Entry::File(|procs| procs.inet_sockets(InetTable::Udp6))),
    ("unix", Entry::FromState(StateFile::UnixSockets)),
]);

/// `/proc/sys`.
const SYSCTL: Entry = Entry::Tree(&[
    (
        "kernel",
        Entry::Tree(&[
            ("cap_last_cap", line!("40")),
            ("hostname", system!(|s| fmt::line(&s.hostname))),
            // Limits of System V IPC: see `sysv_ipc/abi.rs`.
            ("msgmax", line!("8192")),
            ("msgmnb", line!("16384")),
            ("msgmni", line!("32000")),
            ("ngroups_max", line!("65536")),
            ("osrelease", system!(|s| fmt::line(&s.release))),
            ("ostype", line!("Linux")),
            ("overflowgid", line!("65534")),
            ("overflowuid", line!("65534")),
            ("pid_max", line!("32768")),
            (
                "random",
                Entry::Tree(&[
                    // Must stay the same during a run, and may be the same in all runs: fixed.
                    ("boot_id", line!("63617076-6563-4000-8000-000000000001")),
                    ("entropy_avail", line!("256")),
                    ("poolsize", line!("256")),
                    ("uuid", Entry::FromState(StateFile::RandomUuid)),
                ]),
            ),
            ("sem", line!("32000\t1024000000\t500\t32000")),
            ("shm_rmid_forced", line!("0")),
            ("shmall", line!("18446744073692774399")),
            ("shmmax", line!("18446744073692774399")),
            ("shmmni", line!("4096")),
            ("threads-max", line!("32768")),
            ("version", system!(|s| fmt::line(&s.version))),
        ]),
    ),
    (
        "vm",
        Entry::Tree(&[
            ("max_map_count", line!("65530")),
            ("mmap_min_addr", line!("4096")),
            ("overcommit_memory", line!("0")),
            ("swappiness", line!("60")),
        ]),
    ),
    (
        "fs",
        Entry::Tree(&[
            ("file-max", line!("1048576")),
            (
                "inotify",
                // See `inotify.rs`.
                Entry::Tree(&[
                    ("max_queued_events", line!("16384")),
                    ("max_user_instances", line!("128")),
                    ("max_user_watches", line!("65536")),
                ]),
            ),
            ("nr_open", Entry::File(|_| fmt::line(&limit::NR_OPEN.to_string()))),
            ("pipe-max-size", line!("1048576")),
        ]),
    ),
]);
