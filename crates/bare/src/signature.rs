//! The signature: a range of memory that an architecture test leaves for comparison.

use crate::error::BareError;
use crate::image::Image;
use capvec_sim::Memory;

/// The range and the format of a signature.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Symbol or address of the first byte.
    pub begin: String,
    /// Symbol or address of the end.
    pub end: String,
    /// Bytes per line, a power of two.
    pub granularity: usize,
}

/// Longest signature, in bytes.
const MAX_LENGTH: u64 = 64 << 20;

/// The signature as text: a line of hexadecimal digits for every `granularity` bytes, the most significant byte
/// first, with zeros after the end (riscv-isa-sim, `+signature`).
///
/// # Errors
/// A symbol is missing, or the range is not in the program's memory.
pub fn signature(image: &Image, mem: &Memory, what: &Signature) -> Result<String, BareError> {
    let (begin, end) = (image.address(&what.begin)?, image.address(&what.end)?);
    let wrong = || BareError::Signature { begin, end };
    let len = end.checked_sub(begin).filter(|n| *n <= MAX_LENGTH).ok_or_else(wrong)?;
    let mut bytes = vec![0; len as usize];
    mem.read(begin, &mut bytes).map_err(|_| wrong())?;
    bytes.resize(bytes.len().next_multiple_of(what.granularity), 0);
    let mut text = String::new();
    for line in bytes.chunks(what.granularity) {
        line.iter().rev().for_each(|b| text.push_str(&format!("{b:02x}")));
        text.push('\n');
    }
    Ok(text)
}
