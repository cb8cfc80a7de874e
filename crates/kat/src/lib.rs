//! Known answers: the vectors of `vectors/`, checked in many forms, on every target and capability set; and the gate,
//! which checks some of them before figures count.

#![warn(missing_docs)]

mod algorithm;
mod format;
mod gate;
mod job;
mod known_failures;
mod preconditions;
mod record;
mod reproduce;
mod rows;
mod run;
mod scalar_comparison;
mod vector_files;
mod vector_source;

pub use algorithm::{Algorithm, Names, algorithms, others};
pub use format::{Expected, Outcome, ParseError, Vector, parse};
pub use gate::VectorGate;
pub use job::{Checked, line, read};
pub use record::record;
pub use run::{Configured, Plan, ReproduceFlags, run};
pub use vector_source::Vectors;
