//! Debugging the guest with gdb: the gdb remote serial protocol over a socket (`capvec run --gdb`).
//!
//! The crate gdbstub implements the protocol itself. This crate connects it to what is debugged: a machine of user-mode Linux or
//! a bare hart, both as a `Debuggee`. A breakpoint changes nothing in the guest's memory; the engines know the addresses
//! (`capvec_sim::debug`, which also explains why counts and cycles do not depend on the debugger). The other end of the
//! socket is a stranger: whatever it sends, it gets the guest's registers and memory, the files that the guest sees,
//! and nothing else.
//!
//! - `listener`: addresses, and waiting for gdb; `connection`: the socket afterwards
//! - `session`: the loop between gdb and the guest
//! - `target/`: what gdb can ask for, one file for each group of requests
//! - `registers`, `description`: registers by gdb's numbers, and the XML that describes them; `signals`: numbers of signals
//! - `debuggee`: the interface of what is debugged; `linux` and `bare` implement it

#![warn(missing_docs)]

mod bare;
mod connection;
mod debuggee;
mod linux;
mod listener;
mod registers;
mod session;
mod signals;
mod target;

pub use bare::BareDebuggee;
pub use connection::Connection;
pub use debuggee::{Debuggee, Event, System};
pub use listener::{Address, ListenError, Listener};
pub use session::{End, SessionError, run};
