//! `capvec run --gdb`.

use crate::cmd::run::guest;
use crate::cmd::{Usage, say};
use anyhow::Result;
use capvec_bare::{Bare, Outcome};
use capvec_gdb::{Address, BareDebuggee, Connection, Debuggee, ListenError, Listener};
use capvec_linux::{Exit, Machine, Options};
use capvec_sim::Engine;
use capvec_sim::debug::Controls;
use std::process::ExitCode;

/// Exit status of a run that is interrupted before it begins.
const INTERRUPTED: u8 = 130;

/// Flags of the debugger.
#[derive(clap::Args)]
pub struct GdbArgs {
    /// Wait for gdb before the first instruction: on this port of the loopback interface (0: a free one), or on a Unix
    /// socket, whose path has a slash. Connect with: gdb-multiarch -ex 'target remote :PORT' (docs/gdb.md)
    #[arg(long, value_name = "PORT|SOCKET")]
    gdb: Option<Address>,
}

impl GdbArgs {
    /// Whether a debugger was requested.
    pub fn is_some(&self) -> bool {
        self.gdb.is_some()
    }

    /// Starts listening for gdb if it was requested; refuses an engine that cannot be debugged.
    pub fn listen(&self, engine: &mut dyn Engine) -> Result<Option<Listener>> {
        let Some(address) = &self.gdb else { return Ok(None) };
        if !engine.debug(&Controls::default()) {
            let text = "--gdb does not work with --engine both; use interp or jit";
            return Err(Usage(text.into()).into());
        }
        let listener = Listener::bind(address).map_err(|e| {
            Usage(format!(
                "--gdb {e}; name another port, or the path of a socket that does not exist"
            ))
        })?;
        Ok(Some(listener))
    }
}

/// Waits for gdb to connect. On failure, reports why and returns the exit status.
pub fn wait(listener: Listener, stop: &dyn Fn() -> bool) -> Result<Connection, ExitCode> {
    say!("waiting for gdb: target remote {listener}");
    listener.accept(stop).map_err(|e| {
        say!("--gdb: {e}");
        ExitCode::from(if matches!(e, ListenError::Interrupted) { INTERRUPTED } else { 2 })
    })
}

fn serve(debuggee: &mut impl Debuggee, connection: Connection) {
    if let Err(e) = capvec_gdb::run(debuggee, connection) {
        say!("--gdb: {e}");
    }
}

/// Loads the machine, waits for gdb if it was requested, and then confines this thread, which cannot accept a connection
/// afterwards. On failure, reports why and returns the exit status.
pub fn machine(
    options: Options,
    engine: Box<dyn Engine>,
    listener: Option<Listener>,
) -> Result<(Machine, Option<Connection>), ExitCode> {
    let machine = guest::load(options, engine)?;
    let connected = listener.map(|listener| wait(listener, &|| machine.must_stop()));
    let connection = connected.transpose()?;
    guest::confine(&machine);
    Ok((machine, connection))
}

/// Runs the machine: with gdb if it has connected, and without it once it has detached.
pub fn run(machine: &mut Machine, connection: Option<Connection>) -> Exit {
    connection.into_iter().for_each(|connection| serve(machine, connection));
    machine.run()
}

/// The same for a machine without an operating system.
pub fn run_bare(machine: &mut Bare, engine: &mut dyn Engine, connection: Connection) -> Outcome {
    let mut debuggee = BareDebuggee::new(machine, engine);
    serve(&mut debuggee, connection);
    debuggee.finish()
}
