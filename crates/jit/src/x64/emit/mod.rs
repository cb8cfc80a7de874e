//! The means of translation. Each part of the translator asks for no more than it needs:
//!
//! - `Emitter`: the assembler and the allocation of x registers, for instructions on x registers (`scalar`);
//! - `Vectors`: the emitter, and which host registers hold the guest's vector registers, for operations (`vector`);
//! - `Exits`: code placed out of line, edges to other traces, and exits to the run loop (`cycles` and `translate`);
//! - `pages`: the table of page permissions, and the border's functions that look into it;
//! - `spill`: writing the guest's registers back in little code.

mod arrangement;
mod emitter;
mod exits;
pub mod pages;
mod scalar_allocation;
pub mod spill;
mod vector_allocation;
mod vectors;

pub use arrangement::Arrangement;
pub use emitter::Emitter;
pub use exits::{Exits, set_pc, set_pc_from};
pub use scalar_allocation::Regs;
pub use vector_allocation::{VectorRegs, VectorSnapshot};
pub use vectors::Vectors;
