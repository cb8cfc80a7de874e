//! What the main program of the user's code prints: crates/guest/own/measure.c.

use capvec_linux::{Exit, Notice, Status};
use capvec_record::checked::Fault;
use std::collections::{BTreeSet, VecDeque};

/// What a run printed.
#[derive(Debug, Default, PartialEq)]
pub struct Printed {
    /// Titles of all measurements, whether or not they were made.
    pub titles: Vec<String>,
    /// Known answers and calls that went wrong, or have no result. Known answers have no size.
    pub faults: Vec<Fault>,
    /// Titles of known answers that are right.
    pub right: BTreeSet<String>,
    /// Calls that were counted.
    pub measured: Vec<Measured>,
    /// Calls that were checked, as faults without a text.
    pub calls: Vec<Fault>,
    /// Number of known answers that were computed, each time in another state of the vector unit or with other buffers.
    pub answers: usize,
    /// Number of buffers that the program takes from capvec_buffer.
    pub buffers: usize,
    /// Why the run stopped early, if it did. If that was in an answer or a call, it has a fault with this text.
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
    /// Cycles in each of several layouts of memory.
    pub cycles_by_layout: Vec<f64>,
    /// Least and most retired instructions of a call, if calls differ.
    pub varies: Option<(usize, usize)>,
}

/// The text of the fault for a wrong known answer.
const WRONG: &str = "the known answer is wrong";
/// The text of the fault for an answer or a call that began, and of which nothing more was heard.
const LOST: &str =
    "there is no result: the code ends the process, or closes descriptors that are not its own";

/// Reads what a run printed.
pub fn read(exit: &Exit) -> Printed {
    let mut reader = Reader {
        causes: exit.notices.iter().filter_map(cause).collect(),
        printed: Printed { ended: Some(why(exit)), ..Printed::default() },
        last: Fault::default(),
        awaited: false,
    };
    for line in String::from_utf8_lossy(&exit.stdout).lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        reader.announcement(&fields);
        reader.result(&fields);
    }
    if let Some(why) = reader.printed.ended.clone() {
        reader.end_part(&why);
    }
    reader.printed
}

/// Reads lines in order.
struct Reader<'e> {
    printed: Printed,
    /// The causes of signals that ended processes: they come in the order of the lines that tell it.
    causes: VecDeque<Option<&'e str>>,
    /// The answer or call that was announced last, as a fault without a text.
    last: Fault,
    /// Whether nothing is known yet of the part that began last.
    awaited: bool,
}

impl Reader<'_> {
    /// A line that says what comes next.
    fn announcement(&mut self, fields: &[&str]) {
        match *fields {
            ["capvec-title", title] => self.printed.titles.push(title.into()),
            ["capvec-begin", title, bytes] => {
                self.end_part(LOST);
                self.last = fault([title, bytes, "", ""], "");
                self.awaited = true;
            }
            ["capvec-answer", title, place, entered] => {
                self.last = fault([title, "", place, entered], "");
                self.printed.answers += 1;
            }
            ["capvec-call", title, bytes, place, entered] => {
                self.last = fault([title, bytes, place, entered], "");
                self.printed.calls.push(self.last.clone());
            }
            ["capvec-end", buffers] => {
                (self.printed.buffers, self.printed.ended) = (number(buffers), None);
                self.end_part(LOST);
            }
            _ => {}
        }
    }

    /// A line with a result.
    fn result(&mut self, fields: &[&str]) {
        match *fields {
            ["capvec-check", title, "pass"] => _ = self.printed.right.insert(title.into()),
            ["capvec-check", title, "fail"] => self.wrong(title),
            ["capvec-checked", _, _] => {}
            ["capvec-fault", title, bytes, place, entered, what] => {
                self.printed.faults.push(fault([title, bytes, place, entered], what));
            }
            ["capvec-died", _, _, signal] => {
                let cause = self.causes.pop_front().flatten();
                let what = by_signal(number(signal) as i32, cause);
                self.printed.faults.push(Fault { what, ..self.last.clone() });
            }
            ["capvec-measure", title, bytes, calls, insns, cycles] => {
                let each = |text: &str| number(text) as f64 / number(calls).max(1) as f64;
                self.printed.measured.push(Measured {
                    title: title.into(),
                    bytes: number(bytes),
                    insns: each(insns),
                    cycles: each(cycles),
                    cycles_by_layout: Vec::new(),
                    varies: None,
                });
            }
            // Follows the line of the same call.
            ["capvec-varies", _, _, least, most] => {
                if let Some(measured) = self.printed.measured.last_mut() {
                    measured.varies = Some((number(least), number(most)));
                }
            }
            _ => return,
        }
        self.awaited = false;
    }

    /// A known answer is wrong. One that is wrong in every state is one fault.
    fn wrong(&mut self, title: &str) {
        if !self.printed.faults.iter().any(|f| f.what == WRONG && f.title == title) {
            self.printed.faults.push(Fault { what: WRONG.into(), ..self.last.clone() });
        }
    }

    /// The part that began last has ended: silence is not success.
    fn end_part(&mut self, why: &str) {
        if std::mem::take(&mut self.awaited) {
            self.printed.faults.push(Fault { what: why.into(), ..self.last.clone() });
        }
    }
}

impl Printed {
    /// Why a call was not made.
    pub fn why_not_made(&self) -> String {
        let Some(ended) = &self.ended else { return "not measured".into() };
        match self.faults.iter().find(|f| f.what == *ended) {
            Some(fault) => format!("not measured, because of {}: {ended}", fault.call()),
            None => format!("not measured: {ended}"),
        }
    }
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or_default()
}

fn fault([title, bytes, place, entered]: [&str; 4], what: &str) -> Fault {
    Fault {
        title: title.into(),
        bytes: number(bytes),
        place: place.into(),
        entered: entered.into(),
        what: what.into(),
    }
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
