//! Whether cryptography is accelerated on a target, and if not, where on the way from the processor to the library's
//! fast code it is lost: each step is asked, and what is said of it is shown by running it.

mod cause;
mod cost;
mod examine;
mod facts;
mod files;
mod judge;
mod remedy;
mod rounds;
mod show;
mod trial;

pub use cost::{Cost, cost};
pub use examine::{Diagnosis, Request, examine};
pub use facts::{Capability, Facts};
pub use files::{FileFinding, PROGRAMS, file, files, within};
pub use judge::{Finding, Verdict};
pub use show::Shown;
