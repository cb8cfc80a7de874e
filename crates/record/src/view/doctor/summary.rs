//! What stands at the top of a page about the doctor's findings.

use super::{costs, files, kernel, not_compared, runtimes, verdicts};
use crate::doctor::{Finding, Record, Verdict};
use crate::grid::Section;
use crate::shown::{Summary, Tables};
use anyhow::Result;

impl<Scan> Tables for Record<Scan> {
    fn sections(&self) -> Result<Vec<Section>> {
        let all = [
            verdicts(self.findings()),
            files(&self.files),
            kernel(self.kernel_findings()),
            runtimes(&self.runtimes),
            costs(self.cost.as_deref().unwrap_or_default(), true),
        ];
        Ok(all.into_iter().filter(|s| !s.grid.body.is_empty()).collect())
    }
}

impl<Scan> Summary for Record<Scan> {
    fn facts(&self) -> Vec<(&'static str, String)> {
        if let Some(k) = &self.kernel {
            let all = [
                ("Kernel", format!("Linux {}, {}", k.release, k.architecture)),
                ("Configuration", k.config.clone()),
                ("Command line", k.remarks.join("; ")),
            ];
            return all.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        }
        let Some(diagnosis) = &self.diagnosis else { return Vec::new() };
        let f = &diagnosis.facts;
        let not_compared = not_compared(diagnosis).filter(|_| !diagnosis.findings.is_empty());
        let all = [
            ("Target", f.target.clone()),
            ("Architecture", f.architecture.clone()),
            ("Processor there", f.processor.clone()),
            ("Library", f.file.as_ref().map(|l| l.path.clone()).unwrap_or_default()),
            ("Version", f.version.clone()),
            ("Library configuration", f.configured.clone().unwrap_or_default()),
            ("Not compared", not_compared.unwrap_or_default().into()),
        ];
        all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    fn warnings(&self) -> Vec<String> {
        self.diagnosis.iter().flat_map(|d| d.warnings.iter().cloned()).collect()
    }

    /// The target with its core or architecture; `None` if only files were examined.
    fn place(&self) -> Option<String> {
        let facts = &self.diagnosis.as_ref()?.facts;
        let detail = if facts.is_simulated() { &facts.processor } else { &facts.architecture };
        let target = &facts.target;
        Some(match detail.as_str() {
            "" => target.clone(),
            detail => format!("{target} ({detail})"),
        })
    }

    fn headline(&self, on: &str) -> Vec<(String, String)> {
        let (all, counts) = counts(self);
        let tile = |(n, what)| (format!("{n} of {all}"), format!("{what}{on}"));
        counts.into_iter().map(tile).collect()
    }
}

/// The number of findings, and for the top of the page, how many have which fault. That faster code exists says
/// nothing against the library, and a wrong answer says nothing about its speed.
fn counts<Scan>(d: &Record<Scan>) -> (usize, Vec<(usize, &'static str)>) {
    let findings = d.findings();
    if let Some(k) = &d.kernel {
        let slower = k.findings.iter().filter(|f| f.slower).count();
        return (
            k.findings.len(),
            vec![(slower, "of the kernel's accelerated implementations lost")],
        );
    }
    if !d.runtimes.is_empty() {
        let slower = d.runtimes.iter().filter(|f| f.slower).count();
        return (d.runtimes.len(), vec![(slower, "runtimes that leave extensions unused")]);
    }
    if findings.is_empty() {
        let slower = d.files.iter().filter(|f| f.slower).count();
        let counts = vec![(slower, "files slower than they could be")];
        return (d.files.len(), if d.files.is_empty() { Vec::new() } else { counts });
    }
    let count = |f: fn(&Finding) -> bool| findings.iter().filter(|x| f(x)).count();
    let slower = "operations slower than this library could be";
    let mut counts = vec![
        (count(|f| f.verdict == Verdict::Wrong), "operations with wrong answers"),
        (
            count(|f| f.slower && ![Verdict::Wrong, Verdict::FasterExists].contains(&f.verdict)),
            slower,
        ),
        (count(|f| f.verdict == Verdict::FasterExists), "operations for which faster code exists"),
    ];
    counts.retain(|(n, _)| *n > 0);
    (findings.len(), if counts.is_empty() { vec![(0, slower)] } else { counts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::{Diagnosis, FileFinding};
    use serde::de::IgnoredAny;

    type Doctor = Record<IgnoredAny>;

    fn counts(verdicts: &[&str]) -> (usize, Vec<(usize, &'static str)>) {
        let finding = |v: &&str| {
            let slower = *v != "accelerated";
            serde_json::from_value(serde_json::json!({ "verdict": v, "slower": slower })).unwrap()
        };
        let findings = verdicts.iter().map(finding).collect();
        super::counts(&Doctor::of_target(Diagnosis { findings, ..Diagnosis::default() }, None))
    }

    #[test]
    fn faults_are_counted_separately() {
        let slower = "operations slower than this library could be";
        let faster = "operations for which faster code exists";
        assert_eq!(counts(&["accelerated"]), (1, vec![(0, slower)]));
        assert_eq!(
            counts(&["accelerated", "faster-exists", "faster-exists"]),
            (3, vec![(2, faster)])
        );
        assert_eq!(
            counts(&["hidden-by-kernel", "wrong", "not-built", "faster-exists"]),
            (4, vec![(1, "operations with wrong answers"), (2, slower), (1, faster)])
        );
        assert_eq!(super::counts(&Doctor::default()), (0, vec![]));
        let slow = FileFinding { slower: true, ..FileFinding::default() };
        let files = Doctor::of_files(vec![slow, FileFinding::default()]);
        assert_eq!(super::counts(&files), (2, vec![(1, "files slower than they could be")]));
    }
}
