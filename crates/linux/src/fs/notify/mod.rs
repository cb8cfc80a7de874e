//! File events, and the inotify descriptors that deliver them.

pub(super) mod inotify;
pub(super) mod watch;
