//! Memory between guard pages.

use crate::ffi::{self, Context};
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use std::marker::PhantomData;

const PAGE: usize = 4096;
/// Fills the rest of a buffer's pages, which must not change.
const CANARY: u8 = 0xa5;

/// The position of a buffer between the guard pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Right after the first.
    Begin,
    /// Right before the second.
    End,
    /// This many bytes after the first, for any alignment.
    Offset(usize),
}

/// A buffer between guard pages, with canaries where it does not touch them.
pub struct Guarded {
    base: *mut u8,
    mapped: usize,
    at: usize,
    len: usize,
    null: bool,
}

impl Guarded {
    /// A buffer of these bytes.
    pub fn new(bytes: &[u8], place: Place) -> Guarded {
        let slack = if let Place::Offset(n) = place { n } else { 0 };
        let inside = (bytes.len() + slack).div_ceil(PAGE).max(1) * PAGE;
        let mapped = inside + 2 * PAGE;
        // SAFETY: a fresh mapping, which nothing else knows.
        let base = unsafe {
            mmap_anonymous(std::ptr::null_mut(), mapped, ProtFlags::empty(), MapFlags::PRIVATE)
        };
        let base = base.expect("mapping a few pages").cast::<u8>();
        let at = match place {
            Place::Begin => PAGE,
            Place::End => PAGE + inside - bytes.len(),
            Place::Offset(n) => PAGE + n,
        };
        // SAFETY: pages of that mapping; the bytes written lie in them.
        unsafe {
            let first = base.add(PAGE);
            mprotect(first.cast(), inside, MprotectFlags::READ | MprotectFlags::WRITE)
                .expect("making a few pages writable");
            first.write_bytes(CANARY, inside);
            base.add(at).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        let null = bytes.is_empty() && slack > 0;
        Guarded { base, mapped, at, len: bytes.len(), null }
    }

    /// Pointer to its first byte; for an empty buffer, to an unreadable byte, or NULL.
    pub fn ptr(&self) -> *mut u8 {
        if self.null { std::ptr::null_mut() } else { self.base.wrapping_add(self.at) }
    }

    /// Its length.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn slice(&self, at: usize, len: usize) -> &[u8] {
        // SAFETY: callers ask for readable pages of the mapping, and C is not running.
        unsafe { std::slice::from_raw_parts(self.base.add(at), len) }
    }

    /// Its contents, after checking the canaries.
    pub fn bytes(&self) -> &[u8] {
        let intact = |b: &[u8]| b.iter().all(|b| *b == CANARY);
        let end = self.at + self.len;
        assert!(intact(self.slice(PAGE, self.at - PAGE)), "written before a buffer");
        assert!(intact(self.slice(end, self.mapped - PAGE - end)), "written beyond a buffer");
        self.slice(self.at, self.len)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.bytes();
        }
        // SAFETY: the mapping that `new` made; pointers into it are not used after their buffer.
        unsafe { munmap(self.base.cast(), self.mapped) }.expect("unmapping what was mapped");
    }
}

/// A context in C that ends at a guard page.
pub struct Ctx<T> {
    memory: Guarded,
    kind: PhantomData<T>,
}

impl<T: Context> Ctx<T> {
    /// A context with arbitrary contents: C must initialise what it reads.
    #[expect(clippy::new_without_default, reason = "it is not zero")]
    pub fn new() -> Ctx<T> {
        // SAFETY: a constant table.
        let sizes = unsafe { &ffi::cv_test_sizes };
        let memory = Guarded::new(&vec![0x5a; sizes[T::KIND as usize]], Place::End);
        Ctx { memory, kind: PhantomData }
    }

    /// Its address.
    pub fn ptr(&self) -> *mut T {
        self.memory.ptr().cast()
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        self.memory.bytes()
    }

    /// A copy at another address, which the header permits.
    pub fn copy(&self) -> Ctx<T> {
        Ctx { memory: Guarded::new(self.memory.bytes(), Place::End), kind: PhantomData }
    }
}
