//! Core models: cycles from retired instructions.
//!
//! A core is a TOML file of `cores/`: what the core is (ISA, VLEN, clock) and the parameters of a first-order model,
//! each with its source. `docs/models.md` explains the model and how well it predicts. All arithmetic
//! is on integers: ticks, which are sixteenths of a cycle.

#![warn(missing_docs)]

mod area;
pub mod batch;
mod cache;
mod change;
mod core;
mod data_side;
mod error;
mod first_order;
mod front_end;
pub mod import;
pub mod inline;
mod misaligned;
mod operands;
mod parameter;
mod params;
mod price;
mod reader;
mod region;
pub mod replay;
mod schedule;
mod second_level;
mod setting;
pub mod static_cost;
#[cfg(test)]
mod testing;
mod vector;

pub use crate::core::{Core, Model};
pub use cache::Tags;
pub use change::{Change, Identity, values};
pub use error::{CoreError, NoVectorUnit};
pub use first_order::FirstOrder;
pub use parameter::Parameter;
pub use params::{Branch, Data, Params};
pub use price::{Price, Prices};
pub use setting::Setting;
