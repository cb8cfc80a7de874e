//! Faults: signals that a thread raises itself.

use std::fmt;

/// Why a signal was raised in a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The signal.
    pub signal: i32,
    /// The address of the instruction, if an instruction raised it.
    pub pc: Option<u64>,
    /// What is wrong.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pc.map_or(Ok(()), |pc| write!(f, "at pc {pc:#x}: "))?;
        f.write_str(&self.text)
    }
}
