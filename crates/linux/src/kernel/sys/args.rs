//! The arguments of a system call.

use std::cell::Cell;

/// The arguments of a system call, and which of their bits it has looked at.
#[derive(Debug)]
pub struct Args {
    registers: [u64; 6],
    used: Cell<[u64; 6]>,
}

impl Args {
    /// The contents of registers, at which no call has looked yet.
    pub fn new(registers: [u64; 6]) -> Args {
        Args { registers, used: Cell::default() }
    }

    fn bits(&self, i: usize, bits: u64) -> u64 {
        let mut used = self.used.get();
        used[i] |= bits;
        self.used.set(used);
        self.registers[i]
    }

    /// The whole register: pointers and lengths.
    pub fn raw(&self, i: usize) -> u64 {
        self.bits(i, u64::MAX)
    }

    /// An `int`: descriptors and numbers.
    pub fn int(&self, i: usize) -> i32 {
        self.word(i) as i32
    }

    /// An `unsigned int`: flags.
    pub fn word(&self, i: usize) -> u32 {
        self.bits(i, u32::MAX.into()) as u32
    }

    /// The call acts on the first `n` arguments.
    pub fn use_all(&self, n: usize) {
        for i in 0..n {
            self.raw(i);
        }
    }

    /// The bits that the call has looked at since this was called last.
    pub fn take_used(&self) -> [u64; 6] {
        self.used.take()
    }
}

#[cfg(test)]
mod tests {
    use super::Args;

    #[test]
    fn what_is_looked_at_is_noted() {
        let a = Args::new([1, u64::MAX, 3, 4, 5, 6]);
        assert_eq!((a.raw(0), a.int(1), a.word(3)), (1, -1, 4));
        let half = u32::MAX.into();
        assert_eq!(a.take_used(), [u64::MAX, half, 0, half, 0, 0]);
        assert_eq!(a.take_used(), [0; 6]);
    }
}
