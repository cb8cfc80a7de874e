//! The stack on which generated code runs.
//!
//! A call of the guest is a call of the host too, and a return is a return, so the host's processor predicts where returns go.
//! Each call leaves a frame of two words: the guest's stack pointer and, below it, the host's return address, which is that of
//! the call's *landing pad* (`emit::exits`). The pad tests whether the guest returns to the address after the call. If not, or if
//! no frame is left, the border looks the address up in the table of targets: frames are a prediction, and nothing depends on
//! them. They stay when generated code is left, and are dropped when all code is.

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags};
use std::mem::offset_of;
use std::ops::Range;

/// Maximum budget with which generated code is entered. Each call takes at least one instruction of it, so it bounds the number of
/// frames, for which calls do not test.
pub const MAX_BUDGET: i64 = 1 << 21;

/// Bytes of a frame.
const FRAME: usize = 16;

/// When generated code is entered with more bytes of frames, they are dropped.
const MAX_KEPT: usize = 1 << 20;

/// Bytes below the frames, for functions that generated code calls.
const FUNCTIONS: usize = 1 << 20;

/// Bytes below which nothing is accessed.
const GUARD: usize = 64 << 10;

/// Bytes for the frames of calls by which a trace exceeds its budget; it does so by a few hundred instructions at most.
const EXCESS: usize = FRAME << 12;

const SIZE: usize = GUARD + FUNCTIONS + EXCESS + FRAME * MAX_BUDGET as usize + MAX_KEPT + PAGE;
const PAGE: usize = 4096;

/// What lies above the frames, in the layout that generated code reads.
#[repr(C)]
pub struct Cells {
    /// Where a return without a frame goes, in place of a return address.
    no_frame: u64,
    /// For alignment.
    padding: u64,
    /// The stack pointer of the code that entered generated code.
    pub outer: u64,
    /// The stack pointer of generated code while it does not run.
    pub inner: u64,
    /// Host address of the guest's vector registers.
    pub vector: u64,
}

/// The stack.
pub struct Stack {
    memory: *mut u8,
}

impl Stack {
    /// A stack without frames.
    pub fn new() -> rustix::io::Result<Stack> {
        let (rw, flags) =
            (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
        // SAFETY: a new mapping at an address of the kernel's choice touches nothing of ours.
        let memory = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), SIZE, rw, flags)? };
        let stack = Stack { memory: memory.cast() };
        // SAFETY: the first bytes of the mapping, which nothing uses.
        unsafe { rustix::mm::mprotect(memory, GUARD, MprotectFlags::empty())? };
        Ok(stack)
    }

    /// The cells.
    fn cells(&self) -> *mut Cells {
        // SAFETY: the cells take part of the last page of the mapping.
        unsafe { self.memory.add(SIZE - PAGE).cast() }
    }

    /// The address of the cells, which never changes.
    pub fn address(&self) -> u64 {
        self.cells() as u64
    }

    /// The memory that the cells take.
    pub fn region(&self) -> Range<u64> {
        self.address()..self.address() + size_of::<Cells>() as u64
    }

    /// Sets where a return without a frame goes, and drops all frames.
    pub fn set_no_frame(&self, code: u64) {
        // SAFETY: the cells are in the mapping, aligned, and only used here and by generated code, which does not run.
        unsafe { (*self.cells()).no_frame = code };
        self.clear();
    }

    /// Drops all frames.
    pub fn clear(&self) {
        let none = self.address() + offset_of!(Cells, no_frame) as u64;
        // SAFETY: as in `set_no_frame`.
        unsafe { (*self.cells()).inner = none };
    }

    /// Generated code is going to be entered, with vector registers at this address.
    pub fn begin(&self, vector: u64) {
        // SAFETY: as in `set_no_frame`.
        let inner = unsafe {
            (*self.cells()).vector = vector;
            (*self.cells()).inner
        };
        if self.address().wrapping_sub(inner) > MAX_KEPT as u64 {
            self.clear();
        }
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: mapped in `new` with this length; generated code does not run.
        unsafe {
            let _ = rustix::mm::munmap(self.memory.cast(), SIZE);
        }
    }
}
