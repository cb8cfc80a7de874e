//! The tree of the virtual `/sys`: the hart, for C libraries and lscpu, and the loopback interface.
//! Formats: `Documentation/ABI/testing/sysfs-devices-system-cpu` and `sysfs-class-net` of Linux.
//!
//! Properties that a modelled core does not define, such as caches and clock frequencies, have no files.

use super::entry::{Entry, line, system};
use crate::fs::virtual_texts::format as fmt;

/// The root.
pub(crate) static ROOT: Entry = Entry::Tree(&[
    ("class", Entry::Tree(&[("net", Entry::Tree(&[("lo", LOOPBACK)]))])),
    ("devices", Entry::Tree(&[("system", Entry::Tree(&[("cpu", PROCESSORS)]))])),
]);

const PROCESSORS: Entry = Entry::Tree(&[
    ("cpu0", Entry::Tree(&[("topology", TOPOLOGY)])),
    ("isolated", NONE),
    ("kernel_max", line!("63")),
    ("offline", NONE),
    ("online", system!(fmt::cpu_range)),
    ("possible", system!(fmt::cpu_range)),
    ("present", system!(fmt::cpu_range)),
    ("smt", Entry::Tree(&[("active", line!("0")), ("control", line!("notimplemented"))])),
]);

/// The only hart is the only core of the only package.
const TOPOLOGY: Entry = Entry::Tree(&[
    ("cluster_cpus", MASK),
    ("cluster_cpus_list", LIST),
    ("cluster_id", line!("-1")),
    ("core_cpus", MASK),
    ("core_cpus_list", LIST),
    ("core_id", line!("0")),
    ("core_siblings", MASK),
    ("core_siblings_list", LIST),
    ("package_cpus", MASK),
    ("package_cpus_list", LIST),
    ("physical_package_id", line!("0")),
    ("thread_siblings", MASK),
    ("thread_siblings_list", LIST),
]);

/// An empty list of processors, and the hart as a mask and as a list.
const NONE: Entry = line!("");
const MASK: Entry = line!("1");
const LIST: Entry = line!("0");

const LOOPBACK: Entry = Entry::Tree(&[
    ("addr_len", line!("6")),
    ("address", line!("00:00:00:00:00:00")),
    ("broadcast", line!("00:00:00:00:00:00")),
    ("carrier", line!("1")),
    ("dev_id", line!("0x0")),
    ("flags", line!("0x9")),
    ("ifindex", line!("1")),
    ("iflink", line!("1")),
    ("mtu", line!("65536")),
    ("operstate", line!("unknown")),
    ("tx_queue_len", line!("1000")),
    ("type", line!("772")),
]);
