//! The foundation of all other folders: error numbers, credentials, random numbers, time, charges to the guest's memory.

pub mod charge;
pub mod cred;
pub mod errno;
pub mod random;
pub mod time;
