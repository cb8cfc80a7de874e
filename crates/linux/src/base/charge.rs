//! The guest's memory that things take which are kept for it.

use crate::base::errno::Result;
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

    /// Takes `by` bytes more.
    ///
    /// # Errors
    /// `ENOMEM`; it is as before then.
    pub fn grow(&self, by: u64) -> Result<()> {
        self.meter.charge(by)?;
        self.bytes.set(self.bytes.get() + by);
        Ok(())
    }

    /// Gives `by` bytes back.
    pub fn shrink(&self, by: u64) {
        self.meter.release(by);
        self.bytes.set(self.bytes.get() - by);
    }

    /// Takes more, or gives some back.
    ///
    /// # Errors
    /// `ENOMEM`; it is as before then.
    pub fn resize(&self, bytes: u64) -> Result<()> {
        let old = self.bytes();
        if bytes > old {
            return self.grow(bytes - old);
        }
        self.shrink(old - bytes);
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
