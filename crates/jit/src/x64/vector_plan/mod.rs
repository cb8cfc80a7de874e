//! Decides what a block's vector instructions become. `vector` and `translate` then generate the code.
//!
//! Code is specialised for one vtype and vl, with vstart 0: those expected at the block's entry, or those that a vset of
//! the block sets. If possible, they are tested at the block's entry, which switches to the code for another state if they
//! differ. Otherwise, as after a CSR write, a guard before the first instruction that depends on them tests them, and leaves
//! to the interpreter if they differ. After a fault-only-first load, handlers execute all vector instructions up to the next
//! vset, because vl may have changed.
//!
//! Only common cases are translated: mostly, operations on whole words. Handlers do the rest, and also decide what is legal
//! (`interface::judge`). `select` chooses the host instructions; `plan` puts everything together.

mod avx2;
mod element;
pub mod keccak;
pub mod kind;
mod operation;
mod plan;
mod select;

pub use operation::Operation;
pub use plan::{Action, Plan};
