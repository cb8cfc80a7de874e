//! The tree of the virtual `/dev`.

use super::entry::{Device, Entry};

/// The tree of `/dev`; `/dev/shm` is a scratch mount.
pub(crate) static ROOT: Entry = Entry::Tree(&[
    ("fd", Entry::Link("/proc/self/fd")),
    ("full", Entry::Device(Device::Full)),
    // There are no POSIX message queues; programs that list them, such as `ipcrm --all`, look for their directory.
    ("mqueue", Entry::Tree(&[])),
    ("null", Entry::Device(Device::Null)),
    ("random", Entry::Device(Device::Random)),
    ("stderr", Entry::Link("/proc/self/fd/2")),
    ("stdin", Entry::Link("/proc/self/fd/0")),
    ("stdout", Entry::Link("/proc/self/fd/1")),
    ("tty", Entry::Device(Device::Tty)),
    ("urandom", Entry::Device(Device::Urandom)),
    ("zero", Entry::Device(Device::Zero)),
]);
