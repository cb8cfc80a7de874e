//! What becomes secret or is reported on later.

use crate::origin::Id;
use std::ops::Range;
use std::rc::Rc;

/// Memory that becomes secret before the next instruction.
pub struct Pending {
    pub space: u64,
    pub addr: u64,
    pub bytes: u64,
    pub text: String,
    /// For variables: the file that they belong to.
    pub file: Option<Rc<[u8]>>,
}

/// A variable that becomes secret when this thread leaves the dynamic linker.
pub struct Loading {
    pub tid: i32,
    pub linker: Range<u64>,
    pub variable: Pending,
}

/// A system call of the hart that is followed, which the system has not reported on yet.
pub struct Called {
    pub pc: u64,
    /// The tainted bits of its arguments, and where they come from.
    pub arguments: [(u64, Id); 6],
}
