//! The guest's memory that things take which are kept for it.

use crate::errno::Result;
use std::cell::Cell;
use std::rc::Rc;

/// What counts the guest's memory.
pub trait Meter {
    /// Takes `bytes`.
    ///
    /// # Errors
    /// `ENOMEM` when there is not as much; nothing is taken then.
    fn charge(&self, bytes: u64) -> Result<()>;

    /// Gives `bytes` back.
    fn release(&self, bytes: u64);
}

/// Memory that somebody has taken; dropping it gives it back.
pub struct Charge {
    meter: Rc<dyn Meter>,
    bytes: Cell<u64>,
}

impl Charge {
    /// Takes `bytes`.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new(meter: Rc<dyn Meter>, bytes: u64) -> Result<Charge> {
        meter.charge(bytes)?;
        Ok(Charge { meter, bytes: Cell::new(bytes) })
    }

    /// Bytes taken.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// Takes `bytes` of the same memory, for something else.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn another(&self, bytes: u64) -> Result<Charge> {
        Charge::new(Rc::clone(&self.meter), bytes)
    }

    /// Takes more, or gives some back.
    ///
    /// # Errors
    /// `ENOMEM`; it is as before then.
    pub fn resize(&self, bytes: u64) -> Result<()> {
        let old = self.bytes.get();
        if bytes > old {
            self.meter.charge(bytes - old)?;
        } else {
            self.meter.release(old - bytes);
        }
        self.bytes.set(bytes);
        Ok(())
    }

    /// Adds what `other` has taken of the same memory.
    pub fn merge(&self, other: Charge) {
        self.bytes.set(self.bytes.get() + other.bytes.replace(0));
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.meter.release(self.bytes.get());
    }
}

impl std::fmt::Debug for Charge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Charge({:#x})", self.bytes.get())
    }
}
