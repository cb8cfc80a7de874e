//! The texts of the files in `/proc`, as proc(5) gives them.

mod cpuinfo;
mod maps;
mod meminfo;
mod mounts;
mod net;
mod pid;
mod status;
mod system;

pub(crate) use cpuinfo::cpuinfo;
pub(crate) use maps::maps;
pub(crate) use meminfo::meminfo;
pub(crate) use mounts::{mountinfo, mounts};
pub(crate) use net::{dev, snmp, sockstat, sockstat6};
pub(crate) use pid::{comm, limits, stat, statm};
pub(crate) use status::status;
pub(crate) use system::{cpu_range, loadavg, system_stat, uptime, uuid, version};

/// `text` as a line.
pub(crate) fn line(text: &str) -> Vec<u8> {
    format!("{text}\n").into_bytes()
}

/// The list of processors, such as `0-3`.
fn cpu_list(cpus: u32) -> String {
    match cpus {
        0 | 1 => "0".into(),
        n => format!("0-{}", n - 1),
    }
}

fn cpu_mask(cpus: u32) -> u64 {
    match cpus {
        0 => 1,
        n if n >= 64 => u64::MAX,
        n => (1 << n) - 1,
    }
}
