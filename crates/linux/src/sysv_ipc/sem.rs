//! Semaphore sets (`ipc/sem.c` of Linux).

use super::abi::{SEM, flag};
use super::objects::{Object, Perm};
use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The number that identifies the adjustments to make when a process ends (`SEM_UNDO`). The semaphore sets hold the
/// adjustments, under this number; processes cloned with `CLONE_SYSVSEM` share it.
#[derive(Debug, Default)]
pub struct UndoList(Cell<u64>);

impl UndoList {
    /// The number; 0 while it has none.
    pub fn number(&self) -> u64 {
        self.0.get()
    }

    /// Sets the number.
    pub fn set_number(&self, number: u64) {
        self.0.set(number);
    }
}

/// An operation on a semaphore (`struct sembuf`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemOp {
    /// The semaphore's number in its set.
    pub number: u16,
    /// The value to add, or 0 to wait for zero.
    pub change: i16,
    /// `IPC_NOWAIT`, `SEM_UNDO`.
    pub flags: u16,
}

impl SemOp {
    fn has(self, flag: u32) -> bool {
        u32::from(self.flags) & flag != 0
    }

    /// Whether the value is to be restored when the process ends.
    pub fn undoes(self) -> bool {
        self.has(flag::SEM_UNDO) && self.change != 0
    }
}

/// The condition that operations wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The semaphore's number.
    pub number: u16,
    /// Whether they wait for zero, not for a greater value.
    pub zero: bool,
}

/// One semaphore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Semaphore {
    /// Its value.
    pub value: i32,
    /// The process that changed it last.
    pub pid: i32,
}

struct Undo {
    adjust: Vec<i32>,
    _charge: Charge,
}

/// A set.
pub struct Set {
    /// The semaphores.
    pub all: Vec<Semaphore>,
    undo: BTreeMap<u64, Undo>,
    /// When operations were last performed, in seconds; 0 for never.
    pub used: i64,
    /// When it was created or last changed.
    pub changed: i64,
}

impl Set {
    /// A set of zero semaphores, created at `now`.
    pub fn new(count: usize, now: i64) -> Set {
        Set { all: vec![Semaphore::default(); count], undo: BTreeMap::new(), used: 0, changed: now }
    }

    /// Creates the adjustments with the number `list`, if they do not exist.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn ensure_undo(&mut self, list: u64, charge: &Charge) -> Result<()> {
        /// Bytes charged for a record in addition to its numbers.
        const UNDO: u64 = 128;
        if !self.undo.contains_key(&list) {
            let _charge = charge.another(UNDO + 4 * self.all.len() as u64)?;
            self.undo.insert(list, Undo { adjust: vec![0; self.all.len()], _charge });
        }
        Ok(())
    }

    /// Performs all operations or none; returns the condition to wait for if they cannot be performed. The semaphores
    /// must exist.
    ///
    /// # Errors
    /// `ERANGE`; `EAGAIN` with `IPC_NOWAIT`.
    pub fn operate(
        &mut self,
        ops: &[SemOp],
        list: u64,
        pid: i32,
        now: i64,
    ) -> Result<Option<Blocked>> {
        let mut values: BTreeMap<u16, i32> = BTreeMap::new();
        let mut adjust: BTreeMap<u16, i32> = BTreeMap::new();
        for op in ops {
            let value = values.entry(op.number).or_insert(self.all[usize::from(op.number)].value);
            let new = *value + i32::from(op.change);
            if (op.change == 0 && *value != 0) || new < 0 {
                if op.has(flag::NOWAIT) {
                    return Err(Errno::EAGAIN);
                }
                return Ok(Some(Blocked { number: op.number, zero: op.change == 0 }));
            }
            if new > SEM.value {
                return Err(Errno::ERANGE);
            }
            *value = new;
            if op.undoes() {
                let before = self.undo.get(&list).map_or(0, |u| u.adjust[usize::from(op.number)]);
                let sum = adjust.entry(op.number).or_insert(before);
                *sum -= i32::from(op.change);
                // The greatest adjustment, SEMAEM, is SEMVMX.
                if sum.abs() > SEM.value {
                    return Err(Errno::ERANGE);
                }
            }
        }
        for (number, value) in values {
            self.all[usize::from(number)] = Semaphore { value, pid };
        }
        if let Some(undo) = self.undo.get_mut(&list) {
            adjust.into_iter().for_each(|(number, sum)| undo.adjust[usize::from(number)] = sum);
        }
        self.used = now;
        Ok(None)
    }

    /// Sets values from number `first` on, and clears their adjustments.
    ///
    /// # Errors
    /// `ERANGE`; nothing has changed then.
    pub fn set(&mut self, first: usize, values: &[i32], pid: i32, now: i64) -> Result<()> {
        if values.iter().any(|v| !(0..=SEM.value).contains(v)) {
            return Err(Errno::ERANGE);
        }
        for (number, &value) in (first..).zip(values) {
            self.all[number] = Semaphore { value, pid };
        }
        for undo in self.undo.values_mut() {
            undo.adjust[first..first + values.len()].fill(0);
        }
        self.changed = now;
        Ok(())
    }

    /// Applies the adjustments of a process that ends; returns whether there were any.
    pub fn apply_undo(&mut self, list: u64, pid: i32, now: i64) -> bool {
        let Some(undo) = self.undo.remove(&list) else { return false };
        for (semaphore, by) in self.all.iter_mut().zip(undo.adjust) {
            if by != 0 {
                let value = (semaphore.value + by).clamp(0, SEM.value);
                *semaphore = Semaphore { value, pid };
            }
        }
        self.used = now;
        true
    }
}

impl Object for Set {
    fn stat(&self, perm: &Perm) -> Vec<u8> {
        let mut bytes = perm.encode();
        let words = [self.used, self.changed, self.all.len() as i64, 0, 0];
        words.iter().for_each(|w| bytes.extend(w.to_le_bytes()));
        bytes
    }

    fn set_changed(&mut self, now: i64) {
        self.changed = now;
    }
}
