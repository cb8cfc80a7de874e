//! Readiness of open files.

use crate::fs::abi::poll;

/// The readiness of a file: a set of `poll` event bits ([`crate::fs::abi::poll`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events(pub u32);

impl Events {
    /// Readable now.
    pub const IN: Events = Events(poll::IN | poll::RDNORM);
    /// Writable now.
    pub const OUT: Events = Events(poll::OUT | poll::WRNORM);
    /// Never blocks in either direction, like a regular file.
    pub const ALWAYS: Events = Events(Self::IN.0 | Self::OUT.0);

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: u32) -> Events {
        Events(self.0 | other)
    }

    /// The events that `poll` reports to a caller that asked for `wanted`: errors and hang-ups always.
    #[must_use]
    pub const fn wanted(self, wanted: u32) -> u32 {
        self.0 & (wanted | poll::ERR | poll::HUP | poll::NVAL)
    }
}
