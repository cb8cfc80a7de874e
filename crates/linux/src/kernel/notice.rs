//! What the machine tells its user about a run.

use std::fmt;

/// Something worth telling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A system call that is not implemented; it returned `ENOSYS`. Told once for each number.
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
        /// What raised it, if an instruction did.
        cause: Option<String>,
    },
    /// Every thread waits for something that cannot happen.
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
