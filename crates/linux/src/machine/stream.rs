//! Standard streams in memory.

use crate::base::errno::{Errno, Result};
use crate::fs::abi::{o, s};
use crate::fs::{FileObject, FileRef, OpenFile, Stat};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Maximum size of a captured stream.
const LIMIT: usize = 64 << 20;

fn pipe_stat() -> Stat {
    Stat { mode: s::IFIFO | 0o600, nlink: 1, ..Stat::default() }
}

/// Captures what is written.
struct Sink(Rc<RefCell<Vec<u8>>>);

impl FileObject for Sink {
    fn stat(&self) -> Result<Stat> {
        Ok(pipe_stat())
    }

    fn label(&self) -> Vec<u8> {
        b"pipe:[capture]".to_vec()
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        let mut kept = self.0.borrow_mut();
        let n = data.len().min(LIMIT - kept.len());
        if n == 0 && !data.is_empty() {
            return Err(Errno::ENOSPC);
        }
        kept.extend(&data[..n]);
        Ok(n)
    }
}

/// Supplies bytes, then end of file.
struct Source {
    bytes: Vec<u8>,
    at: Cell<usize>,
}

impl FileObject for Source {
    fn stat(&self) -> Result<Stat> {
        Ok(pipe_stat())
    }

    fn label(&self) -> Vec<u8> {
        b"pipe:[input]".to_vec()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        let rest = &self.bytes[self.at.get()..];
        let n = rest.len().min(buf.len());
        buf[..n].copy_from_slice(&rest[..n]);
        self.at.set(self.at.get() + n);
        Ok(n)
    }
}

/// A file that captures what is written to it, and the captured bytes.
pub fn sink() -> (FileRef, Rc<RefCell<Vec<u8>>>) {
    let kept = Rc::new(RefCell::new(Vec::new()));
    (OpenFile::new(Box::new(Sink(Rc::clone(&kept))), o::WRONLY), kept)
}

/// A file from which these bytes can be read.
pub fn source(bytes: Vec<u8>) -> FileRef {
    OpenFile::new(Box::new(Source { bytes, at: Cell::new(0) }), o::RDONLY)
}
