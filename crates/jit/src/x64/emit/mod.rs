//! The means of translation. Each part of the translator asks for no more than it needs:
//!
//! - `Emitter`: the assembler and the allocation of x registers, for instructions on x registers (`scalar`);
//! - `Vectors`: the emitter, and which host registers hold the guest's vector registers, for operations (`vector`);
//! - `Exits`: code placed out of line, edges to other traces, and exits to the run loop (`cycles` and `translate`).

mod arrangement;
mod emitter;
mod exits;
mod scalar_allocation;
mod vector_allocation;
mod vectors;

pub use arrangement::Arrangement;
pub use emitter::Emitter;
pub use exits::{Exits, set_pc, set_pc_from};
pub use scalar_allocation::Regs;
pub use vector_allocation::{VectorRegs, VectorSnapshot};
pub use vectors::Vectors;
