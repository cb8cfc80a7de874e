//! Decides what a block's vector instructions become. `vector` and `translate` then generate the code.
//!
//! Code is specialised for one vtype and vl: those found at the block's first translation, or those that a vset of
//! the block sets. A guard before the first instruction that depends on them leaves to the interpreter if they
//! differ. Within the block only a vset can change them, and vstart stays 0.
//!
//! Only common cases are translated: mostly, operations on whole lanes. Handlers do the rest, and also decide what is legal
//! (`judge`). `select` chooses the host instructions; `plan` puts everything together.

mod avx2;
mod element;
mod judge;
pub mod keccak;
pub mod kind;
mod operation;
mod plan;
mod select;
mod state;
mod vset;

pub use judge::Judge;
pub use operation::Operation;
pub use plan::{Action, Plan};
pub use state::{State, Unit};
pub use vset::{Avl, Set};
