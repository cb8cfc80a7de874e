//! What the main program of the user's code prints: crates/guest/own/measure.c.

use capvec_linux::{Exit, Notice, Status};
use capvec_record::checked::Fault;

/// What a run printed.
#[derive(Debug, Default, PartialEq)]
pub struct Printed {
    /// Known answers and calls that went wrong. Known answers have no size.
    pub faults: Vec<Fault>,
    /// Calls that were counted.
    pub measured: Vec<Measured>,
    /// Calls that were checked, as faults without a text.
    pub calls: Vec<Fault>,
    /// Number of buffers that the program takes from capvec_buffer.
    pub buffers: usize,
    /// Why the run stopped early, if it did.
    pub ended: Option<String>,
}

/// The cost of a call.
#[derive(Debug, PartialEq)]
pub struct Measured {
    /// The title.
    pub title: String,
    /// Message size in bytes.
    pub bytes: usize,
    /// Retired instructions.
    pub insns: f64,
    /// Cycles.
    pub cycles: f64,
    /// Least and most retired instructions of a call, if calls differ.
    pub varies: Option<(usize, usize)>,
}

/// The text of the fault for a wrong known answer.
const WRONG: &str = "the known answer is wrong";

/// Reads what a run printed. Lines that are not of the protocol are of the user's code.
pub fn read(exit: &Exit) -> Printed {
    let text = String::from_utf8_lossy(&exit.stdout);
    let mut printed = Printed { ended: Some(why(exit)), ..Printed::default() };
    let mut call = Fault::default();
    // Notices of processes that a signal ended come in the order of the lines that tell it.
    let mut causes = exit.notices.iter().filter_map(cause);
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |text: &str| text.parse::<usize>().unwrap_or_default();
        let fault = |[title, bytes, place, entered]: [&str; 4], what: &str| Fault {
            title: title.into(),
            bytes: number(bytes),
            place: place.into(),
            entered: entered.into(),
            what: what.into(),
        };
        // While code is measured, no line announces a call or an answer.
        let announced = |title: &str, bytes: &str| {
            let last = call.title == title && call.bytes == number(bytes);
            if last { call.clone() } else { fault([title, bytes, "", ""], "") }
        };
        match fields[..] {
            ["capvec-answer", title, entered] => call = fault([title, "", "", entered], ""),
            ["capvec-check", title, "fail"] => {
                let known = announced(title, "");
                // One that is wrong in every state is one fault.
                if !printed.faults.iter().any(|f| f.what == WRONG && f.title == title) {
                    printed.faults.push(Fault { what: WRONG.into(), ..known });
                }
            }
            ["capvec-call", title, bytes, place, entered] => {
                call = fault([title, bytes, place, entered], "");
                printed.calls.push(call.clone());
            }
            ["capvec-fault", title, bytes, place, entered, what] => {
                printed.faults.push(fault([title, bytes, place, entered], what));
            }
            ["capvec-died", title, bytes, signal] => {
                let died = announced(title, bytes);
                let cause = causes.next().flatten();
                let what = by_signal(number(signal) as i32, cause);
                printed.faults.push(Fault { what, ..died });
            }
            ["capvec-measure", title, bytes, calls, insns, cycles] => {
                let each = |text: &str| number(text) as f64 / number(calls).max(1) as f64;
                printed.measured.push(Measured {
                    title: title.into(),
                    bytes: number(bytes),
                    insns: each(insns),
                    cycles: each(cycles),
                    varies: None,
                });
            }
            // Follows the line of the same call.
            ["capvec-varies", _, _, least, most] => {
                if let Some(measured) = printed.measured.last_mut() {
                    measured.varies = Some((number(least), number(most)));
                }
            }
            ["capvec-end", buffers] => {
                (printed.buffers, printed.ended) = (number(buffers), None);
            }
            _ => {}
        }
    }
    printed
}

/// Why a run stopped early.
fn why(exit: &Exit) -> String {
    let said = String::from_utf8_lossy(&exit.stderr);
    let how = match exit.status {
        Status::Code(0) => "the code ends the process".into(),
        Status::Code(code) => format!("ended with status {code}"),
        Status::Signal(n) => {
            by_signal(n, exit.notices.iter().filter_map(cause).next_back().flatten())
        }
        Status::TimeLimit => "not done within --timeout".into(),
        other => format!("ended with status {}", other.code()),
    };
    match said.trim() {
        "" => how,
        said => format!("{how}: {said}"),
    }
}

/// What ended a call by this signal; `cause` is what raised it, if the code did.
fn by_signal(signal: i32, cause: Option<&str>) -> String {
    let what = match signal {
        // The cause names the instruction, and the extension that it lacks.
        4 => return cause.unwrap_or("illegal instruction").into(),
        7 => "a misaligned access, which traps on this core".into(),
        11 => "accesses memory outside its buffers".into(),
        n => format!("ended by signal {n}"),
    };
    cause.map_or(what.clone(), |cause| format!("{what}: {cause}"))
}

/// What raised the signal that ended a process, if a signal did: `None` inside if its own code did not.
fn cause(notice: &Notice) -> Option<Option<&str>> {
    match notice {
        Notice::Killed { fault, .. } => Some(fault.as_ref().map(|fault| fault.text.as_str())),
        _ => None,
    }
}
