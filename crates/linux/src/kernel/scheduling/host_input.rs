//! Input and interrupts from the host.

use crate::fs::{FileRef, OpenFile};
use crate::net::InetSocket;
use rustix::event::{PollFd, PollFlags, Timespec};
use std::rc::Weak;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Maximum duration of one wait for the host while host sockets are open.
pub const SOCKET_STEP: Duration = Duration::from_millis(1);

/// Input and interrupts from the host.
pub struct HostInput {
    /// Open files whose input comes from the host.
    pub files: Vec<Weak<OpenFile>>,
    /// `hart.instret` when input from the host was last checked.
    pub seen: u64,
    /// Since when all threads have been waiting for the host, if they are.
    pub waiting_since: Option<Instant>,
    /// Set when the host's user interrupts.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl HostInput {
    /// Those of `files` that are still open.
    pub fn open_files(&self) -> Vec<FileRef> {
        self.files.iter().filter_map(Weak::upgrade).collect()
    }

    /// Whether input from the host arrives within `step`. With sockets the wait is short, since a thread may wait for
    /// one to become writable.
    pub fn poll(&mut self, step: Duration) -> bool {
        self.files.retain(|f| f.strong_count() > 0);
        let files = self.open_files();
        let sockets = files.iter().any(|file| InetSocket::of(file).is_some());
        let step = if sockets { step.min(SOCKET_STEP) } else { step };
        let hosts = files.iter().filter_map(|f| f.object().pollable().host_wait());
        let mut fds: Vec<PollFd<'_>> =
            hosts.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
        let limit = Timespec { tv_sec: 0, tv_nsec: i64::from(step.subsec_nanos()) };
        rustix::event::poll(&mut fds, Some(&limit)).unwrap_or(0) > 0
    }
}
