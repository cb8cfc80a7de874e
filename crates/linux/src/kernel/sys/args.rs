//! The arguments of a system call.

/// The arguments of a system call.
#[derive(Clone, Copy, Debug)]
pub struct Args(pub [u64; 6]);

impl Args {
    /// The whole register: pointers and lengths.
    pub fn raw(&self, i: usize) -> u64 {
        self.0[i]
    }

    /// An `int`: descriptors and numbers.
    pub fn int(&self, i: usize) -> i32 {
        self.0[i] as i32
    }

    /// An `unsigned int`: flags.
    pub fn word(&self, i: usize) -> u32 {
        self.0[i] as u32
    }
}
