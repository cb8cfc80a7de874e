//! The host addresses of memory that generated code refers to.

use std::ops::Range;

/// The host addresses of a slice.
pub fn range<T>(slice: &[T]) -> Range<u64> {
    let all = slice.as_ptr_range();
    all.start as u64..all.end as u64
}
