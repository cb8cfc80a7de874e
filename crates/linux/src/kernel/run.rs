//! The run as a whole: its limits, how it ends, and messages for its user.

use crate::interface::{Notice, Notify, Status};
use std::collections::BTreeSet;

/// Maximum number of notices of killed processes and unknown calls.
const MAX_NOTICES: usize = 1000;

/// Maximum number of unknown system calls that are reported: a guest can invent any number of them.
const MAX_REPORTED: usize = 1000;

/// The run as a whole.
pub struct Run {
    /// Retired instructions after which it ends.
    pub max_insns: u64,
    /// How it ended, once it has.
    pub outcome: Option<Status>,
    /// Number of programs started.
    pub programs: u64,
    /// Notices so far.
    pub notices: Vec<Notice>,
    /// Receives notices as they arise.
    pub notify: Option<Notify>,
    /// Numbers of unknown system calls that have been reported.
    pub reported: BTreeSet<u64>,
}

impl Run {
    /// A run that has not begun, without a limit of instructions if `max_insns` is `None`.
    pub fn new(max_insns: Option<u64>, notify: Option<Notify>) -> Run {
        Run {
            max_insns: max_insns.unwrap_or(u64::MAX),
            outcome: None,
            programs: 0,
            notices: Vec::new(),
            notify,
            reported: BTreeSet::new(),
        }
    }

    /// Passes a notice to the user.
    pub fn report(&mut self, notice: Notice) {
        // A guest can cause any number of these.
        let counted = matches!(notice, Notice::UnknownCall { .. } | Notice::Killed { .. });
        if counted && self.notices.len() >= MAX_NOTICES {
            return;
        }
        if let Some(notify) = &mut self.notify {
            notify(&notice);
        }
        self.notices.push(notice);
    }

    /// Ends the run because of a limit.
    pub fn stop(&mut self, status: Status, why: &'static str) {
        if self.outcome.is_none() {
            self.outcome = Some(status);
            self.report(Notice::Limit(why));
        }
    }

    /// Passes a notice of an unknown system call to the user, once for each number.
    pub fn report_unknown_call(&mut self, number: u64, name: Option<&'static str>) {
        if self.reported.len() < MAX_REPORTED && self.reported.insert(number) {
            self.report(Notice::UnknownCall { number, name });
        }
    }
}
