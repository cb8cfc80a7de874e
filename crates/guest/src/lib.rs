//! The programs that run in the guest: their C sources, the libraries that they measure, how they are compiled, and how
//! a guest is run on a thread of its own.
//!
//! The sources are embedded by `build.rs`, which lists the parts. The protocol between a driver and its caller is
//! described in `driver/measure/main.c`.

#![warn(missing_docs)]

mod companion;
mod compile;
mod confined;
mod library_kind;
mod own_code;
mod own_sources;
mod packaged;
mod packaged_sysroot;
mod part;
mod portable;
mod program;
mod stack_use;
pub mod toolchain;
mod tools;

pub use compile::{Driver, ensure, portable};
pub use confined::{confined, observed, unconfined};
pub use library_kind::LibraryKind;
pub use own_code::{Mode, OwnCode};
pub use own_sources::Sources;
pub use packaged::Packaged;
pub use packaged_sysroot::packaged_sysroot;
pub use part::{MBEDTLS, MBEDTLS_HEADERS, Part, Source, Unit, library};
pub use portable::{Compiler, Portable, is_not_vectorised};
pub use program::{CONFIGURATION, LONGEST, PROGRAM, Program, ProgramSpec};
pub use stack_use::{StackFault, StackWatch};
