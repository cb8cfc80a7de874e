//! Values that only the thread that made them can use, in objects that Python passes to any thread.
//!
//! PyO3's own `unsendable` panics where an object is used on another thread, which is no exception that Python code catches, and
//! prints an error where it is dropped there.

use crate::error::error;
use pyo3::PyResult;
use std::any::Any;
use std::cell::{Ref, RefCell, RefMut};
use std::mem::ManuallyDrop;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

/// A value for the thread that made it.
pub struct OwnThread<T: 'static> {
    thread: ThreadId,
    value: ManuallyDrop<RefCell<T>>,
}

// SAFETY: every function compares the thread before it touches the value, and no two threads ever have the same `ThreadId`.
unsafe impl<T> Send for OwnThread<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for OwnThread<T> {}

/// What other threads dropped, until its own thread makes another value. If the thread has ended, it is never freed.
static LEFT: Mutex<Vec<Left>> = Mutex::new(Vec::new());

struct Left {
    thread: ThreadId,
    _value: Box<dyn Any>,
}

// SAFETY: `OwnThread::new` takes the value out on its own thread only; no other function touches it.
unsafe impl Send for Left {}

impl<T> OwnThread<T> {
    /// A value for this thread. Frees those of this thread that others have dropped.
    pub fn new(value: T) -> OwnThread<T> {
        let thread = thread::current().id();
        let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
        let own: Vec<Left> = left.extract_if(.., |one| one.thread == thread).collect();
        drop(left);
        drop(own);
        OwnThread { thread, value: ManuallyDrop::new(RefCell::new(value)) }
    }

    /// The value. Fails on another thread, and while it is changed, which finalizers can try.
    pub fn get(&self) -> PyResult<Ref<'_, T>> {
        self.on_its_thread()?.try_borrow().map_err(error)
    }

    /// The value, to change it. Fails on another thread, and while the value is used.
    pub fn get_mut(&self) -> PyResult<RefMut<'_, T>> {
        self.on_its_thread()?.try_borrow_mut().map_err(error)
    }

    fn on_its_thread(&self) -> PyResult<&RefCell<T>> {
        match self.thread == thread::current().id() {
            true => Ok(&self.value),
            false => Err(error(
                "another thread made this hart, and only that thread can use it; make a hart in each thread, and pass on what \
                 you read from it",
            )),
        }
    }
}

impl<T> Drop for OwnThread<T> {
    fn drop(&mut self) {
        // SAFETY: the field is not used again.
        let value = unsafe { ManuallyDrop::take(&mut self.value) };
        match self.thread == thread::current().id() {
            true => drop(value),
            false => LEFT
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(Left { thread: self.thread, _value: Box::new(value) }),
        }
    }
}
