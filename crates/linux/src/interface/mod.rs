//! What a machine is asked for, and what it answers: types that hosts other than Linux have, too.

mod confine_error;
mod debugging;
mod elf_error;
mod exit;
mod fault;
mod load_error;
mod notice;
mod options;
mod setting;
mod setup_error;
mod status;

pub use confine_error::ConfineError;
pub use debugging::{Event, ResumeRequest};
pub use elf_error::{ElfError, Unopened};
pub use exit::Exit;
pub use fault::Fault;
pub use load_error::{LoadError, check_host};
pub use notice::{Notice, Notify};
pub use options::{Input, Options, Output};
pub use setting::{Bind, ClockMode, Concealed, Net};
pub use setup_error::SetupError;
pub use status::Status;
