//! Counting cycles in generated code, exactly as the core model does. Without a model, nothing here emits any code.
//!
//! All ticks are added to one cell, so that only their sum matters. A block's static cost is counted when the block is
//! entered (`entry`), the redirection to the next block at its end (`edge`), and what depends on data at the
//! instruction: scalar accesses (`access`) and vector instructions (`vector`). `lines` has the modelled caches.
//!
//! `Cycles` is the state of this accounting along a trace. Its functions take the other parts of the translator that
//! they need.

pub mod access;
mod deferred;
mod deferred_vector;
pub mod edge;
mod entry;
mod front_end_state;
mod icache;
pub mod lines;
mod state;
pub mod tage;
mod ticks;
mod uncounted;
mod vector;

pub use deferred::Deferred;
pub use state::Cycles;
pub use ticks::correction;
pub use uncounted::Uncounted;
pub use vector::VectorInsn;
