//! Whether a report without findings means that nothing depends on a secret.

use crate::report::Report;
use std::fmt;

/// Why it does not: something was not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// No program or library that ran has these symbols.
    Unresolved(Vec<String>),
    /// Nothing was secret; the flags that should have made something secret, each with the reason.
    NoSecret(Vec<String>),
    /// The host had no memory to follow everything.
    Memory,
    /// The program ended with this status.
    Ended(u8),
    /// These flags had no effect.
    WithoutEffect(Vec<String>),
}

impl Gap {
    /// Whether a part was checked.
    pub fn is_partial(&self) -> bool {
        matches!(self, Gap::Memory | Gap::Ended(_) | Gap::WithoutEffect(_))
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::Unresolved(names) => {
                let s = if names.len() == 1 { "" } else { "s" };
                write!(f, "no program or library that ran has the symbol{s} {}", names.join(", "))
            }
            Gap::Memory => f.write_str("the host had no memory to follow all of the guest's"),
            Gap::Ended(status) => write!(f, "the program ended with status {status}"),
            Gap::NoSecret(flags) if flags.is_empty() => {
                f.write_str("nothing was secret in this run")
            }
            Gap::NoSecret(flags) => {
                write!(f, "nothing was secret in this run ({})", flags.join("; "))
            }
            Gap::WithoutEffect(flags) => f.write_str(&flags.join("; ")),
        }
    }
}

/// All of them, in one line.
pub fn joined(gaps: &[Gap]) -> String {
    gaps.iter().map(Gap::to_string).collect::<Vec<_>>().join("; ")
}

impl Report {
    /// The gaps in the check; first those because of which nothing was checked.
    pub fn gaps(&self) -> Vec<Gap> {
        let flags = || self.without_effect.clone();
        let unresolved =
            (!self.unresolved.is_empty()).then(|| Gap::Unresolved(self.unresolved.clone()));
        let unmarked = (!self.marked && unresolved.is_none()).then(|| Gap::NoSecret(flags()));
        let memory = self.incomplete.then_some(Gap::Memory);
        let ended = (self.status != 0).then_some(Gap::Ended(self.status));
        let useless = unmarked.is_none() && !self.without_effect.is_empty();
        let useless = useless.then(|| Gap::WithoutEffect(flags()));
        [unresolved, unmarked, memory, ended, useless].into_iter().flatten().collect()
    }

    /// What was found, in one line; `gaps`: what was not checked.
    pub(crate) fn verdict(&self, gaps: &[Gap]) -> String {
        let suppressed = match self.suppressed.len() {
            0 => String::new(),
            n => format!(", {n} suppressed"),
        };
        let found = match (self.findings.len(), self.suppressed.len(), gaps) {
            (0, 0, [gap, ..]) if !gap.is_partial() => {
                return format!("not checked: {}", joined(gaps));
            }
            (0, 0, [_, ..]) => "no finding".into(),
            (0, 0, []) => "no finding: nothing that was checked depends on a secret".into(),
            (1, ..) => "1 finding".into(),
            (n, ..) => format!("{n} findings"),
        };
        let gaps = match gaps {
            [] => String::new(),
            gaps => format!("; not everything was checked: {}", joined(gaps)),
        };
        found + &suppressed + &gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Suppressed;
    use crate::testing::finding;

    #[test]
    fn only_a_complete_check_without_findings_is_clean() {
        let clean = Report { marked: true, ..Report::new(Vec::new()) };
        let said = |report: &Report, status| {
            let report = Report { status, ..report.clone() };
            report.verdict(&report.gaps())
        };
        assert_eq!(said(&clean, 0), "no finding: nothing that was checked depends on a secret");
        let unresolved = Report { unresolved: vec!["nosuch".into()], ..clean.clone() };
        assert_eq!(
            said(&unresolved, 0),
            "not checked: no program or library that ran has the symbol nosuch"
        );
        let unmarked = Report { marked: false, ..clean.clone() };
        assert_eq!(said(&unmarked, 0), "not checked: nothing was secret in this run");
        let flags = vec!["--secret-random: no random bytes were read".to_owned()];
        let useless = Report { without_effect: flags, ..clean.clone() };
        assert_eq!(
            said(&useless, 0),
            "no finding; not everything was checked: --secret-random: no random bytes were read"
        );
        assert_eq!(
            said(&Report { marked: false, ..useless }, 0),
            "not checked: nothing was secret in this run (--secret-random: no random bytes were read)"
        );
        let ended = "no finding; not everything was checked: the program ended with status 3";
        assert_eq!(said(&clean, 3), ended);
        let both = "not checked: nothing was secret in this run; the program ended with status 3";
        assert_eq!(said(&unmarked, 3), both);
        let two = Report { unresolved: vec!["f".into(), "g".into()], ..unmarked };
        let symbols = "not checked: no program or library that ran has the symbols f, g";
        assert_eq!(said(&two, 3), format!("{symbols}; the program ended with status 3"));
        let memory = Report { incomplete: true, ..clean.clone() };
        assert!(said(&memory, 0).starts_with("no finding; not everything was checked: the host"));
    }

    #[test]
    fn findings_and_suppressions_are_counted() {
        let one = Report { marked: true, ..Report::new(vec![finding()]) };
        let said = |report: &Report, status| {
            let report = Report { status, ..report.clone() };
            report.verdict(&report.gaps())
        };
        assert_eq!(said(&one, 0), "1 finding");
        assert_eq!(
            said(&one, 1),
            "1 finding; not everything was checked: the program ended with status 1"
        );
        let suppressed = Suppressed { reason: "public".into(), finding: finding() };
        let none = Report { suppressed: vec![suppressed], findings: Vec::new(), ..one };
        assert_eq!(said(&none, 0), "0 findings, 1 suppressed");
    }
}
