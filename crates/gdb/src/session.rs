//! The loop between gdb and the guest.

use crate::connection::Connection;
use crate::debuggee::{Debuggee, Event};
use crate::signals;
use crate::target::{Guest, gdb_tid};
use capvec_linux::ResumeRequest;
use capvec_sim::debug::{Pause, WatchKind};
use gdbstub::common::Signal;
use gdbstub::stub::state_machine::GdbStubStateMachine as State;
use gdbstub::stub::{DisconnectReason, GdbStub, MultiThreadStopReason};
use gdbstub::target::ext::breakpoints::WatchKind as GdbWatchKind;

/// Bytes of a packet. A register of 65536 bits takes 16384 in hexadecimal.
const PACKET: usize = 1 << 16;
/// Time between checks whether the run has to end while gdb is silent, in milliseconds.
const STEP: u32 = 100;

/// Linux's numbers of the signals that end a guest.
const SIGINT: i32 = 2;
const SIGKILL: i32 = 9;

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The guest has ended.
    Guest,
    /// gdb has detached: the guest runs on without it.
    Detached,
    /// gdb has ended the guest.
    Killed,
    /// The run had to end.
    Stopped,
}

/// Why a session failed.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// gdb has gone.
    #[error("gdb has closed the connection without `detach`; the program was ended")]
    Closed,
    /// The connection is broken.
    #[error("the connection to gdb is broken ({0}); the program was ended")]
    Broken(#[from] std::io::Error),
    /// The other end does not speak the protocol.
    #[error("gdb sent something that is not its protocol ({0}); the program was ended")]
    Protocol(String),
}

type Stop = MultiThreadStopReason<u64>;

/// Lets gdb debug the guest, until either of them ends the session.
///
/// # Errors
/// The connection; the guest has then been ended.
pub fn run(debuggee: &mut impl Debuggee, connection: Connection) -> Result<End, SessionError> {
    let mut guest = Guest::new(debuggee);
    let result = serve(&mut guest, connection);
    match result {
        Ok(End::Guest) => {}
        Ok(End::Detached) => guest.debuggee.detach(),
        Ok(End::Stopped) => guest.debuggee.end(SIGINT),
        Ok(End::Killed) | Err(_) => guest.debuggee.end(SIGKILL),
    }
    result
}

fn serve(guest: &mut Guest<'_, impl Debuggee>, c: Connection) -> Result<End, SessionError> {
    let failed = |e: &dyn std::fmt::Display| SessionError::Protocol(e.to_string());
    let stub = GdbStub::builder(c).packet_buffer_size(PACKET).build().map_err(|e| failed(&e))?;
    let mut state = stub.run_state_machine(guest).map_err(|e| failed(&e))?;
    loop {
        let next = match state {
            State::Idle(mut idle) => {
                // Also while gdb keeps sending.
                if !sent(guest, idle.borrow_conn())? || guest.debuggee.must_stop() {
                    return Ok(End::Stopped);
                }
                while !idle.borrow_conn().has_input(STEP) {
                    if guest.debuggee.must_stop() {
                        return Ok(End::Stopped);
                    }
                }
                let byte = idle.borrow_conn().next_byte()?.ok_or(SessionError::Closed)?;
                idle.incoming_data(guest, byte)
            }
            State::Running(mut running) => match running.borrow_conn().interrupts() {
                true => {
                    let byte = running.borrow_conn().next_byte()?.ok_or(SessionError::Closed)?;
                    running.incoming_data(guest, byte)
                }
                false => match advance(guest, running.borrow_conn()) {
                    Some(stop) => running.report_stop(guest, stop),
                    None => Ok(State::Running(running)),
                },
            },
            State::CtrlCInterrupt(interrupt) => {
                let stop = interrupted(guest);
                interrupt.interrupt_handled(guest, Some(stop))
            }
            State::Disconnected(mut end) => {
                sent(guest, end.borrow_conn())?;
                return Ok(match end.get_reason() {
                    DisconnectReason::TargetExited(_) | DisconnectReason::TargetTerminated(_) => {
                        End::Guest
                    }
                    DisconnectReason::Disconnect => End::Detached,
                    DisconnectReason::Kill => End::Killed,
                });
            }
        };
        state = next.map_err(|e| match e.into_connection_error() {
            Some((e, _)) => SessionError::Broken(e),
            None => SessionError::Protocol("a packet is malformed or not supported".into()),
        })?;
    }
}

/// Sends what gdb has not read yet; returns whether that was possible before the run had to end.
fn sent(guest: &Guest<'_, impl Debuggee>, c: &mut Connection) -> Result<bool, SessionError> {
    while !c.send(STEP)? {
        if guest.debuggee.must_stop() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn interrupted(guest: &Guest<'_, impl Debuggee>) -> Stop {
    match guest.current() {
        Some(tid) => Stop::SignalWithThread { tid: gdb_tid(tid), signal: Signal::SIGINT },
        None => Stop::Signal(Signal::SIGINT),
    }
}

/// Runs the guest until there is a stop to report to gdb; `None` if gdb has interrupted it or has gone.
fn advance(guest: &mut Guest<'_, impl Debuggee>, connection: &mut Connection) -> Option<Stop> {
    loop {
        let event = guest.debuggee.resume(guest.request, &mut || connection.interrupts());
        // A signal is passed once.
        guest.request = ResumeRequest { signal: None, first: None, ..guest.request };
        let stop = match event {
            Event::Interrupted => return None,
            Event::Paused(tid, Pause::Step) if in_range(guest, tid) => {
                if connection.interrupts() {
                    return None;
                }
                continue;
            }
            Event::Paused(tid, pause) => paused(tid, pause),
            Event::Signal(tid, signal) => {
                let signal = signals::to_gdb(signal);
                Stop::SignalWithThread { tid: gdb_tid(tid), signal }
            }
            Event::Exec(tid) => {
                Stop::SignalWithThread { tid: gdb_tid(tid), signal: Signal::SIGTRAP }
            }
            Event::Exited(code) => Stop::Exited(code),
            Event::Killed(signal) => Stop::Terminated(signals::to_gdb(signal)),
        };
        return Some(stop);
    }
}

/// Whether a thread that is stepped through a range is still in it.
fn in_range(guest: &mut Guest<'_, impl Debuggee>, tid: i32) -> bool {
    let Some(range) = guest.range.clone() else { return false };
    let mut inside = false;
    guest.debuggee.with_hart(tid, &mut |h| inside = range.contains(&h.pc));
    inside
}

fn paused(tid: i32, pause: Pause) -> Stop {
    let tid = gdb_tid(tid);
    match pause {
        Pause::Breakpoint => Stop::SwBreak(tid),
        Pause::Step => Stop::SignalWithThread { tid, signal: Signal::SIGTRAP },
        Pause::Watch(addr, kind) => {
            let kind = match kind {
                WatchKind::Write => GdbWatchKind::Write,
                WatchKind::Read => GdbWatchKind::Read,
                WatchKind::Access => GdbWatchKind::ReadWrite,
            };
            Stop::Watch { tid, kind, addr }
        }
    }
}
