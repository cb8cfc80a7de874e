//! Guest memory charged for kernel objects.

use crate::base::errno::Result;
use std::cell::Cell;
use std::rc::Rc;

/// Accounts for the guest's memory.
pub trait Meter {
    /// Charges `bytes`.
    ///
    /// # Errors
    /// `ENOMEM` beyond the limit; nothing is charged then.
    fn charge(&self, bytes: u64) -> Result<()>;

    /// Returns `bytes`.
    fn release(&self, bytes: u64);
}

/// Memory charged for an object; dropping the charge returns it.
pub struct Charge {
    meter: Rc<dyn Meter>,
    bytes: Cell<u64>,
}

impl Charge {
    /// Charges `bytes`.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new(meter: Rc<dyn Meter>, bytes: u64) -> Result<Charge> {
        meter.charge(bytes)?;
        Ok(Charge { meter, bytes: Cell::new(bytes) })
    }

    /// Bytes charged.
    pub fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// Charges the same meter for another object.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn another(&self, bytes: u64) -> Result<Charge> {
        Charge::new(Rc::clone(&self.meter), bytes)
    }

    /// Charges `by` bytes more.
    ///
    /// # Errors
    /// `ENOMEM`; the charge is unchanged then.
    pub fn grow(&self, by: u64) -> Result<()> {
        self.meter.charge(by)?;
        self.bytes.set(self.bytes.get() + by);
        Ok(())
    }

    /// Returns `by` bytes.
    pub fn shrink(&self, by: u64) {
        self.meter.release(by);
        self.bytes.set(self.bytes.get() - by);
    }

    /// Charges more, or returns some.
    ///
    /// # Errors
    /// `ENOMEM`; the charge is unchanged then.
    pub fn resize(&self, bytes: u64) -> Result<()> {
        let old = self.bytes();
        if bytes > old {
            return self.grow(bytes - old);
        }
        self.shrink(old - bytes);
        Ok(())
    }

    /// Takes over `other`, a charge to the same meter.
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
