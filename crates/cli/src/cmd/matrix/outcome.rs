//! How a run ended, and how that compares with the reference.

use capvec_linux::{Exit, Notice, Status};
use serde::Serialize;

/// What a run on one hart gave.
pub struct Run {
    pub status: Status,
    pub insns: u64,
    pub cycles: u64,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Descriptions of the signals that ended processes.
    pub killed: Vec<String>,
    /// The addresses of the faults that ended processes.
    pub faults: Vec<u64>,
}

impl Run {
    pub fn new(exit: Exit) -> Run {
        let killed: Vec<_> =
            exit.notices.into_iter().filter(|n| matches!(n, Notice::Killed { .. })).collect();
        let pc = |n: &Notice| match n {
            Notice::Killed { fault, .. } => fault.as_ref()?.pc,
            _ => None,
        };
        Run {
            status: exit.status,
            insns: exit.instret,
            cycles: exit.cycles + exit.idle_cycles,
            stdout: exit.stdout,
            stderr: exit.stderr,
            faults: killed.iter().filter_map(pc).collect(),
            killed: killed.iter().map(ToString::to_string).collect(),
        }
    }

    /// Whether the program ended by itself: no signal ended a process, and no limit was reached.
    pub fn is_complete(&self) -> bool {
        matches!(self.status, Status::Code(_)) && self.killed.is_empty()
    }
}

/// What is compared of two runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// Exit status, standard output and standard error.
    Output,
    /// The exit status.
    Status,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It did what the reference did.
    Same,
    /// It ended by itself, with a different result.
    Differs,
    /// A signal ended one of its processes.
    Killed,
    /// It did not come to its end: a limit, or a deadlock.
    Unfinished,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Differs => "differs",
            Verdict::Killed => "killed",
            Verdict::Unfinished => "unfinished",
        }
    }
}

/// Compares a run with the reference, which is there if any run ended by itself. The text says what is wrong; it is empty if nothing is.
pub fn judge(run: &Run, reference: Option<&Run>, compared: Compared) -> (Verdict, String) {
    match run.status {
        _ if !run.killed.is_empty() => return (Verdict::Killed, run.killed.join("; ")),
        Status::Code(_) => {}
        Status::Signal(n) => return (Verdict::Killed, format!("ended by signal {n}")),
        Status::Terminated(n) => {
            return (Verdict::Unfinished, format!("interrupted by signal {n}"));
        }
        Status::InstructionLimit => return (Verdict::Unfinished, "--max-insns was reached".into()),
        Status::TimeLimit => return (Verdict::Unfinished, "--timeout was reached".into()),
        Status::Deadlock => {
            return (Verdict::Unfinished, "all threads wait for each other".into());
        }
    }
    let reference = reference.unwrap_or(run);
    let mut wrong = Vec::new();
    let (status, expected) = (run.status.code(), reference.status.code());
    if status != expected {
        wrong.push(format!("exit status {status} instead of {expected}"));
    }
    if compared == Compared::Output {
        wrong.extend(difference("standard output", &run.stdout, &reference.stdout));
        wrong.extend(difference("standard error", &run.stderr, &reference.stderr));
    }
    let verdict = if wrong.is_empty() { Verdict::Same } else { Verdict::Differs };
    (verdict, wrong.join("; "))
}

/// The first byte at which two outputs differ, counted from 0, with the bytes there.
fn difference(what: &str, got: &[u8], expected: &[u8]) -> Option<String> {
    if got == expected {
        return None;
    }
    let at = got.iter().zip(expected).position(|(g, e)| g != e);
    let at = at.unwrap_or(got.len().min(expected.len()));
    let byte = |bytes: &[u8]| bytes.get(at).map_or("the end".into(), |b| format!("{b:#04x}"));
    Some(format!("{what} differs at byte {at}: {} instead of {}", byte(got), byte(expected)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(status: Status, stdout: &[u8]) -> Run {
        Run {
            status,
            insns: 1,
            cycles: 1,
            stdout: stdout.into(),
            stderr: vec![],
            killed: vec![],
            faults: vec![],
        }
    }

    #[test]
    fn the_first_difference_is_named() {
        let reference = run(Status::Code(0), b"abc");
        let judged = |r: Run, compared| judge(&r, Some(&reference), compared);
        let same = (Verdict::Same, String::new());
        assert_eq!(judged(run(Status::Code(0), b"abc"), Compared::Output), same);
        assert_eq!(judged(run(Status::Code(0), b"xyz"), Compared::Status), same);
        for (status, out, text) in [
            (0, &b"aXc"[..], "standard output differs at byte 1: 0x58 instead of 0x62"),
            (0, b"ab", "standard output differs at byte 2: the end instead of 0x63"),
            (0, b"abcd", "standard output differs at byte 3: 0x64 instead of the end"),
            (1, b"abc", "exit status 1 instead of 0"),
        ] {
            let (verdict, why) = judged(run(Status::Code(status), out), Compared::Output);
            assert_eq!((verdict, why.as_str()), (Verdict::Differs, text));
        }
    }

    #[test]
    fn a_process_that_a_signal_ended_counts_even_if_its_parent_copes() {
        let reference = run(Status::Code(0), b"");
        let mut coped = run(Status::Code(0), b"");
        coped.killed.push("child (process 101) was ended by SIGILL".into());
        assert!(!coped.is_complete());
        let (verdict, why) = judge(&coped, Some(&reference), Compared::Output);
        assert_eq!(
            (verdict, why.as_str()),
            (Verdict::Killed, "child (process 101) was ended by SIGILL")
        );
        let (verdict, _) = judge(&run(Status::TimeLimit, b""), Some(&reference), Compared::Output);
        assert_eq!(verdict, Verdict::Unfinished);
    }
}
