//! Constant-time checks: runs a program on the reference interpreter with a shadow of what depends on secrets, and reports
//! where time or memory accesses depend on them. docs/constant-time.md says what is checked.

#![warn(missing_docs)]

mod bare;
mod cases;
mod chains;
mod checker;
mod engine;
mod execute;
mod findings;
mod follow;
mod function_calls;
mod functions;
mod heap;
mod held;
mod instruction_findings;
mod leftovers;
mod loading;
mod mapped;
mod marks;
mod numbers;
mod origin;
mod pending;
mod report;
mod request_sequence;
mod requests;
mod sarif;
mod secret_calls;
mod secret_code;
mod secret_file;
mod source_lines;
mod suppress;
mod symbols;
#[cfg(test)]
mod testing;
mod text;
mod transfers;
mod unchecked;
mod used;
mod verdict;

pub use cases::{Document, Row, Timing, merged};
pub use checker::Checker;
pub use findings::{Finding, Kind, Source, Step};
pub use marks::{Argument, Marks, WrongMark};
pub use report::{Report, Suppressed, json};
pub use sarif::{Run, sarif};
pub use secret_file::SecretFile;
pub use suppress::{InFunction, Suppressions};
pub use text::{findings, text};
pub use verdict::{Gap, joined};
