//! Taint: which bits of a hart depend on secrets.
//!
//! [`Shadow`] follows a hart instruction by instruction. Each instruction has a rule, column `taint` of the table in `isa/`
//! (`capvec_isa::row::Taint`). Every rule is sound: a bit that it leaves clean has the same value whatever values the tainted
//! bits had, as long as control, addresses, vl and vtype are the same. `tests/soundness.rs` tests each against the semantics.
//!
//! Where an address depends on a secret, a load taints its whole destination. A store then taints what it writes in this run,
//! not what it would have written with another secret: such a store is a finding of `capvec ct` in itself.

#![warn(missing_docs)]

mod access;
mod amounts;
mod bits;
mod bytes;
mod carryless;
mod ciphers;
mod dest;
mod groups;
mod lanes;
mod masks;
mod memory;
mod memory_rules;
mod names;
mod plain;
mod ranges;
mod reduce;
mod roles;
mod rules;
mod shadow;
mod shadow_files;
mod shared_pages;
#[cfg(test)]
mod tests;
mod value;
mod words;

pub use access::Registers;
pub use amounts::Shift;
pub use bits::{equality_varies, order_varies};
pub use dest::Dest;
pub use roles::{Roles, Sources};
pub use shadow::{Before, Shadow};
pub use shadow_files::Shares;
pub use value::Value;
