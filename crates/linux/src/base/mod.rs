//! What everything else builds on: error numbers, users and groups, time, charges to the guest's memory.

pub mod charge;
pub mod cred;
pub mod errno;
pub mod time;
