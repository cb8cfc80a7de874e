//! Privilege modes.

/// Privilege modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Privilege {
    User = 0,
    Supervisor = 1,
    Machine = 3,
}
