//! How a run ends.

/// How the run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The first process exited with this code.
    Code(u8),
    /// A signal ended the first process.
    Signal(i32),
    /// The limit on retired instructions was reached.
    InstructionLimit,
    /// The limit on host time was reached.
    TimeLimit,
    /// The host asked the run to end, by this signal.
    Terminated(u8),
    /// All threads waited, and nothing could wake one.
    Deadlock,
}

impl Status {
    /// The exit status in the convention of shells: 128 plus the signal; 124 when a limit was reached, as for timeout(1).
    pub fn code(self) -> u8 {
        match self {
            Status::Code(c) => c,
            Status::Signal(s) => 128 + (s as u8 & 127),
            Status::InstructionLimit | Status::TimeLimit => 124,
            Status::Terminated(s) => 128 + (s & 127),
            Status::Deadlock => 125,
        }
    }
}
