//! The starts of functions by the table that unwinders search, `.eh_frame_hdr` (Linux Standard Base, "Exception Frames").

use super::Elf;
use object::{Object as _, ObjectSection};

/// The header: version 1, an encoded pointer of 4 bytes, a count of 4 bytes, and a table of pairs of 4 bytes relative to the
/// section's start.
const HEADER: [u8; 4] = [1, 0x1b, 0x03, 0x3b];

/// Maximum number of functions that are read.
const MOST: usize = 1 << 20;

/// The start addresses, in order.
pub fn starts(elf: &Elf<'_>) -> Vec<u64> {
    let Some(section) = elf.section_by_name(".eh_frame_hdr") else { return Vec::new() };
    let Ok(data) = section.data() else { return Vec::new() };
    let (Some(header), Some(rows)) = (data.first_chunk(), data.get(12..)) else {
        return Vec::new();
    };
    if *header != HEADER {
        return Vec::new();
    }
    let rows = rows.chunks_exact(8).take(MOST);
    let offset = |row: &[u8]| i64::from(i32::from_le_bytes([row[0], row[1], row[2], row[3]]));
    let mut all: Vec<u64> =
        rows.map(|row| section.address().wrapping_add_signed(offset(row))).collect();
    all.sort_unstable();
    all.dedup();
    all
}
