//! Notices: messages of a run for its user.

use std::fmt;

/// An event of a run that its user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A system call that is not implemented; it returned `ENOSYS`. Reported once for each number.
    UnknownCall {
        /// Its number.
        number: u64,
        /// Its name, if Linux has one for it.
        name: Option<&'static str>,
    },
    /// A signal ended a process.
    Killed {
        /// The process.
        pid: i32,
        /// Name of its program.
        program: String,
        /// Name of the signal.
        signal: &'static str,
        /// The fault that raised it, if an instruction did.
        cause: Option<String>,
    },
    /// All threads wait, and nothing can wake one.
    Deadlock {
        /// A line for each thread.
        threads: Vec<String>,
    },
    /// The run was ended because a limit was reached.
    Limit(&'static str),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::UnknownCall { number, name } => {
                let name = name.unwrap_or("unknown to Linux 6.12");
                write!(f, "system call {number} ({name}) is not implemented, returned ENOSYS")
            }
            Notice::Killed { pid, program, signal, cause } => {
                write!(f, "{program} (process {pid}) was ended by {signal}")?;
                cause.as_ref().map_or(Ok(()), |c| write!(f, ": {c}"))
            }
            Notice::Deadlock { threads } => {
                write!(f, "every thread waits and nothing can wake one: {}", threads.join("; "))
            }
            Notice::Limit(what) => write!(f, "ended: {what}"),
        }
    }
}
