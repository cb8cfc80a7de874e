//! Checks an instruction's table, all but its semantics.

mod cost;
mod encoding;
mod names;
mod operands;
mod overlaps;
mod ports;
mod unused;

pub use cost::{class, cost, group, is_memory, widths};
pub use encoding::{encoding, mask_is_bit_25};
pub use names::{extension_name, implied, mnemonic};
pub use operands::{format, operands};
pub use overlaps::overlaps;
pub use ports::{ports, start};
pub use unused::unused;
