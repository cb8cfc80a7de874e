//! What the file system asks of the machine around it.

use super::time::clock::Clock;
use crate::base::time::SECOND;
use crate::space::Account;
use std::cell::RefCell;
use std::rc::Rc;

/// The machine around the file system: time, random bytes, and the memory account.
pub struct Devices {
    /// The clocks.
    pub clock: Clock,
    account: Rc<Account>,
    rng: RefCell<crate::fs::Xoshiro256>,
}

impl Devices {
    /// Clocks, the memory account, and a random generator with this seed.
    pub fn new(clock: Clock, account: &Rc<Account>, seed: u64) -> Devices {
        let rng = RefCell::new(crate::fs::Xoshiro256::from_seed(seed));
        Devices { clock, account: Rc::clone(account), rng }
    }
}

impl crate::fs::Platform for Devices {
    fn now(&self) -> crate::fs::Timespec {
        let ns = self.clock.realtime();
        crate::fs::Timespec { sec: (ns / SECOND) as i64, nsec: (ns % SECOND) as u32 }
    }

    fn monotonic_ns(&self) -> u64 {
        self.clock.monotonic()
    }

    fn fill_random(&self, buf: &mut [u8]) {
        self.rng.borrow_mut().fill(buf);
    }

    fn ensure_running(&self) -> crate::base::errno::Result<()> {
        self.account.ensure_running()
    }
}

impl crate::base::charge::Meter for Devices {
    fn charge(&self, bytes: u64) -> crate::base::errno::Result<()> {
        self.account.charge(bytes)
    }

    fn release(&self, bytes: u64) {
        self.account.release(bytes);
    }
}
