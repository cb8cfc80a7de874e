//! The files of `/proc` that describe the whole system.

use std::fmt::Write;

use super::{cpu_list, line};
use crate::fs::virtual_texts::queries::{ProcSource, SystemInfo};

const CLOCK_TICKS: u64 = 100;
const NS_PER_TICK: u64 = 1_000_000_000 / CLOCK_TICKS;

/// `/proc/uptime`. The idle time is not recorded and reads 0.
pub(crate) fn uptime(s: SystemInfo) -> Vec<u8> {
    let hundredths = s.uptime_ns / NS_PER_TICK;
    line(&format!("{}.{:02} 0.00", hundredths / 100, hundredths % 100))
}

/// `/proc/version`.
pub(crate) fn version(s: SystemInfo) -> Vec<u8> {
    line(&format!("Linux version {} (capvec) {}", s.release, s.version))
}

/// `/proc/loadavg`.
pub(crate) fn loadavg(procs: &dyn ProcSource) -> Vec<u8> {
    let pids = procs.pids();
    let last = pids.last().copied().unwrap_or(0);
    line(&format!("0.00 0.00 0.00 1/{} {last}", pids.len()))
}

/// `/proc/stat`. Only the total time of all processes is known; it is attributed to processor 0.
pub(crate) fn system_stat(procs: &dyn ProcSource) -> Vec<u8> {
    let s = procs.system();
    let pids = procs.pids();
    let infos = pids.iter().filter_map(|&pid| procs.info(pid, pid));
    let (user, system) = infos.fold((0, 0), |(u, s), i| (u + i.utime, s + i.stime));
    let mut out = format!("cpu  {user} 0 {system} 0 0 0 0 0 0 0\n");
    for cpu in 0..s.cpus {
        let (u, k) = if cpu == 0 { (user, system) } else { (0, 0) };
        let _ = writeln!(out, "cpu{cpu} {u} 0 {k} 0 0 0 0 0 0 0");
    }
    let _ = write!(
        out,
        "intr 0\nctxt 0\nbtime {}\nprocesses {}\nprocs_running 1\nprocs_blocked 0\n",
        s.boot_time,
        pids.len()
    );
    out.into_bytes()
}

/// The list of processors, such as `0-3`, as a line.
pub(crate) fn cpu_range(s: SystemInfo) -> Vec<u8> {
    line(&cpu_list(s.cpus))
}

/// A version 4 UUID of `bytes` (RFC 9562, section 5.4), as a line.
pub(crate) fn uuid(mut bytes: [u8; 16]) -> Vec<u8> {
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let mut out = String::new();
    for (i, byte) in bytes.iter().enumerate() {
        if matches!(i, 4 | 6 | 8 | 10) {
            out.push('-');
        }
        let _ = write!(out, "{byte:02x}");
    }
    line(&out)
}
