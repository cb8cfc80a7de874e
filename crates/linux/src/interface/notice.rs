//! Notices: messages of a run for its user.

use super::fault::Fault;
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
        /// What raised it, if the program itself did.
        fault: Option<Fault>,
    },
    /// All threads wait, and nothing can wake one.
    Deadlock {
        /// A line for each thread.
        threads: Vec<String>,
    },
    /// The run was ended because a limit was reached.
    Limit(&'static str),
}

/// Receives notices as they arise.
pub type Notify = Box<dyn FnMut(&Notice)>;

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::UnknownCall { number, name } => {
                let name = name.unwrap_or("unknown to Linux 6.12");
                write!(f, "system call {number} ({name}) is not implemented, returned ENOSYS")
            }
            Notice::Killed { pid, program, signal, fault } => {
                write!(f, "{program} (process {pid}) was ended by {signal}")?;
                fault.as_ref().map_or(Ok(()), |fault| write!(f, ": {fault}"))
            }
            Notice::Deadlock { threads } => {
                write!(f, "every thread waits and nothing can wake one: {}", threads.join("; "))
            }
            Notice::Limit(what) => write!(f, "ended: {what}"),
        }
    }
}
