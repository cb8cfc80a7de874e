//! Values that generated code refers to, at addresses below 2 GiB: an instruction for x86-64 holds such an address in four bytes, as part
//! of an operand, while any other takes ten bytes and an instruction of its own.

use std::mem::size_of_val;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Values that can be moved to low addresses, where the host has them.
pub struct Low<T> {
    first: NonNull<T>,
    len: usize,
    /// Bytes of the mapping that holds them; 0 if they are on the heap.
    mapped: usize,
}

// SAFETY: it owns the values, like a box.
unsafe impl<T: Send> Send for Low<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Low<T> {}

impl<T> From<Vec<T>> for Low<T> {
    /// The values, on the heap.
    fn from(values: Vec<T>) -> Low<T> {
        let values = Box::leak(values.into_boxed_slice());
        Low { len: values.len(), first: NonNull::from(values).cast(), mapped: 0 }
    }
}

impl<T> Low<T> {
    /// Moves the values to low addresses. Where the host has none, they stay where they are.
    pub fn lower(&mut self) {
        let bytes = size_of_val(&**self);
        if self.mapped > 0 || bytes == 0 {
            return;
        }
        let Some(to) = map(bytes) else { return };
        // SAFETY: the mapping is new, large enough, and aligned to a page. From here on the values are there, and what is freed holds none.
        unsafe {
            let to = to.cast::<T>();
            to.copy_from_nonoverlapping(self.first, self.len);
            drop(Vec::from_raw_parts(self.first.as_ptr(), 0, self.len));
            (self.first, self.mapped) = (to, bytes);
        }
    }
}

impl<T> Deref for Low<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: it owns this many values.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Low<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len) }
    }
}

impl<T: Clone> Clone for Low<T> {
    /// The same values, on the heap.
    fn clone(&self) -> Low<T> {
        self.to_vec().into()
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Low<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl<T> Drop for Low<T> {
    fn drop(&mut self) {
        // SAFETY: nobody uses the values any more; they are in a mapping of this size, or in a box.
        unsafe {
            match self.mapped {
                0 => drop(Box::from_raw(&raw mut **self)),
                bytes => {
                    (&raw mut **self).drop_in_place();
                    unmap(self.first.cast(), bytes);
                }
            }
        }
    }
}

/// Memory of this many bytes at a low address.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn map(bytes: usize) -> Option<NonNull<u8>> {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
    /// `MAP_32BIT` of mmap(2): in the first 2 GiB.
    const LOW: MapFlags = MapFlags::from_bits_retain(0x40);
    let (flags, prot) = (MapFlags::PRIVATE | LOW, ProtFlags::READ | ProtFlags::WRITE);
    // SAFETY: a new mapping at an address of the kernel's choice touches nothing of ours.
    let at = unsafe { mmap_anonymous(std::ptr::null_mut(), bytes, prot, flags) };
    NonNull::new(at.ok()?.cast())
}

/// Elsewhere, instructions do not hold addresses.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn map(_: usize) -> Option<NonNull<u8>> {
    None
}

/// Gives the memory back.
///
/// # Safety
/// `map` has returned it for this many bytes, and nobody uses it.
unsafe fn unmap(at: NonNull<u8>, bytes: usize) {
    // SAFETY: as above. If the host refuses, the memory stays.
    let _ = unsafe { rustix::mm::munmap(at.as_ptr().cast(), bytes) };
}

#[cfg(test)]
mod tests {
    use super::Low;
    use std::rc::Rc;

    #[test]
    #[cfg_attr(miri, ignore = "needs mmap(2)")]
    fn values_move_once_and_are_dropped_once() {
        let value = Rc::new(7);
        for lowered in [false, true] {
            let mut low = Low::from(vec![Rc::clone(&value), Rc::clone(&value)]);
            for _ in 0..if lowered { 2 } else { 0 } {
                low.lower();
            }
            assert_eq!(low.iter().map(|v| **v).collect::<Vec<i32>>(), [7, 7]);
            let is_low = u32::try_from(low.as_ptr() as u64).is_ok_and(|at| at < 1 << 31);
            assert!(!(lowered && cfg!(all(target_os = "linux", target_arch = "x86_64"))) || is_low);
            low[1] = Rc::new(8);
            let copy = low.clone();
            assert_eq!((*copy[1], Rc::strong_count(&value)), (8, 3));
            drop((low, copy));
            assert_eq!(Rc::strong_count(&value), 1);
        }
    }

    #[test]
    fn nothing_needs_no_memory() {
        let mut low = Low::<u64>::from(Vec::new());
        low.lower();
        assert!(low.is_empty());
    }
}
