//! The outcome of a run.

use super::notice::Notice;
use super::status::Status;

/// The outcome of a run, and its resource usage.
#[derive(Clone, Debug)]
pub struct Exit {
    /// How the first process ended.
    pub status: Status,
    /// Retired instructions of all threads.
    pub instret: u64,
    /// Modelled cycles in which a thread ran.
    pub cycles: u64,
    /// Modelled cycles in which all threads waited.
    pub idle_cycles: u64,
    /// Guest time from start to end, in seconds.
    pub seconds: f64,
    /// Peak of memory in use, in bytes.
    pub peak_memory: u64,
    /// The number of programs started: the first one, and one for each `execve`.
    pub programs: u64,
    /// The notices of the run.
    pub notices: Vec<Notice>,
    /// Captured standard output.
    pub stdout: Vec<u8>,
    /// Captured standard error.
    pub stderr: Vec<u8>,
}
