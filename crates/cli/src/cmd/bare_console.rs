//! Standard output of a program without an operating system.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{Error, ErrorKind, Result, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Interval of polling a reader that accepts nothing.
const STEP: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
/// A pipe or a terminal that is writable accepts this many bytes without blocking (POSIX, `PIPE_BUF`).
const PIECE: usize = 512;

/// Standard output. A run waits for its reader only as long as the run itself may take.
pub struct Console {
    /// When the run must end.
    pub until: Option<Instant>,
    /// Whether the run was interrupted.
    pub interrupt: Arc<AtomicBool>,
}

impl Console {
    fn is_over(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) || self.until.is_some_and(|at| Instant::now() >= at)
    }

    fn is_writable(&self) -> Result<bool> {
        let stdout = std::io::stdout();
        let mut fds = [PollFd::new(&stdout, PollFlags::OUT)];
        match poll(&mut fds, Some(&STEP)) {
            Ok(n) => Ok(n > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(e) => Err(e.into()),
        }
    }
}

impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        while !self.is_writable()? {
            if self.is_over() {
                return Err(Error::from(ErrorKind::TimedOut));
            }
        }
        Ok(rustix::io::write(std::io::stdout(), &bytes[..bytes.len().min(PIECE)])?)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
