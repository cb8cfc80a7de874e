//! Entries of virtual trees that do not depend on processes.

use crate::fs::stat::makedev;
use crate::fs::virtual_texts::queries::ProcSource;

/// A character device. Numbers: `Documentation/admin-guide/devices.txt` of Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Device {
    Null,
    Zero,
    Full,
    Random,
    Urandom,
    Tty,
}

impl Device {
    pub fn rdev(self) -> u64 {
        match self {
            Device::Null => makedev(1, 3),
            Device::Zero => makedev(1, 5),
            Device::Full => makedev(1, 7),
            Device::Random => makedev(1, 8),
            Device::Urandom => makedev(1, 9),
            Device::Tty => makedev(5, 0),
        }
    }
}

/// An entry of a virtual tree that does not depend on processes.
pub(crate) enum Entry {
    /// A directory.
    Tree(&'static [(&'static str, Entry)]),
    /// A read-only file, generated when it is opened from what the process layer answers.
    File(fn(&dyn ProcSource) -> Vec<u8>),
    /// A read-only file, generated when it is opened from the state of the file system, too.
    FromState(StateFile),
    /// A symbolic link.
    Link(&'static str),
    /// A character device.
    Device(Device),
}

/// A file that shows the state of the file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateFile {
    /// `/proc/sys/kernel/random/uuid`.
    RandomUuid,
    /// `/proc/net/sockstat`.
    SocketCounts,
    /// `/proc/net/unix`.
    UnixSockets,
}

/// A file that holds one line of text.
macro_rules! line {
    ($text:expr) => {
        Entry::File(|_| concat!($text, "\n").as_bytes().to_vec())
    };
}

/// A file generated from the system's figures.
macro_rules! system {
    ($make:expr) => {
        Entry::File(|procs| {
            let make: fn($crate::fs::virtual_texts::queries::SystemInfo) -> Vec<u8> = $make;
            make(procs.system())
        })
    };
}

pub(crate) use {line, system};
