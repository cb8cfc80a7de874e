//! Why the host's system calls cannot be restricted.

/// Why a thread cannot be confined.
#[derive(Debug, thiserror::Error)]
pub enum ConfineError {
    /// There is no filter for this host's architecture.
    #[error("there is no system call filter for {0}; the guest runs without one")]
    Architecture(&'static str),
    /// The host refuses the filter.
    #[error("the host refuses the system call filter ({0}); the guest runs without it")]
    Refused(String),
}
