//! Resource limits (getrlimit(2)).

use crate::base::errno::{Errno, Result};
use crate::fs::FdTable;
use crate::space::STACK_LIMIT;

/// No limit.
pub const INFINITY: u64 = u64::MAX;
const STACK: usize = 3;
const CORE: usize = 4;
/// `RLIMIT_NOFILE`.
pub const NOFILE: usize = 7;
const NPROC: usize = 6;
const SIGPENDING: usize = 11;
const MSGQUEUE: usize = 12;
const NICE: usize = 13;
const RTPRIO: usize = 14;
const COUNT: usize = 16;

/// Soft and hard limit of each resource.
#[derive(Clone)]
pub struct Limits([(u64, u64); COUNT]);

impl Default for Limits {
    fn default() -> Self {
        let mut l = [(INFINITY, INFINITY); COUNT];
        l[STACK].0 = STACK_LIMIT;
        l[CORE].0 = 0;
        l[NPROC] = (4096, 4096);
        l[NOFILE] = (FdTable::DEFAULT_LIMIT as u64, FdTable::HARD_LIMIT as u64);
        l[SIGPENDING] = (1024, 1024);
        l[MSGQUEUE] = (819_200, 819_200);
        l[NICE] = (0, 0);
        l[RTPRIO] = (0, 0);
        Limits(l)
    }
}

impl Limits {
    /// Soft and hard limit.
    ///
    /// # Errors
    /// `EINVAL` for an unknown resource.
    pub fn get(&self, resource: u32) -> Result<(u64, u64)> {
        self.0.get(resource as usize).copied().ok_or(Errno::EINVAL)
    }

    /// Soft and hard limit of every resource.
    pub fn all(&self) -> [(u64, u64); COUNT] {
        self.0
    }

    /// Sets both. Only the limit of descriptors has an effect.
    ///
    /// # Errors
    /// `EINVAL` for an unknown resource or a soft limit above the hard one, `EPERM` above the
    /// maximum number of descriptors.
    pub fn set(&mut self, resource: u32, soft: u64, hard: u64) -> Result<()> {
        let slot = self.0.get_mut(resource as usize).ok_or(Errno::EINVAL)?;
        if soft > hard {
            return Err(Errno::EINVAL);
        }
        if resource as usize == NOFILE && hard > FdTable::MAX_LIMIT as u64 {
            return Err(Errno::EPERM);
        }
        *slot = (soft, hard);
        Ok(())
    }
}
