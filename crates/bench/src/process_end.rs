//! How driver processes end, and what they answered until then.

use crate::driver_protocol::{Job, Outcome};
use anyhow::{Context, Result};
use capvec_targets::backend::Ended;
use capvec_targets::backend::Method;

/// The process that answered a group of jobs, or the whole driver, ended before it was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Died(pub String);

impl Died {
    /// For the driver as a whole.
    pub fn all(ended: &Ended) -> Died {
        let mut detail = ended.notices.clone();
        detail.extend((!ended.stderr.is_empty()).then(|| ended.stderr.clone()));
        let detail =
            if detail.is_empty() { String::new() } else { format!(": {}", detail.join("; ")) };
        Died(format!("the guest ended with status {}{detail}", ended.status))
    }

    /// For the process that the driver names in `text`. The message leaves out the process number, which depends on
    /// what ran before.
    pub fn group(text: &str, causes: &[(String, String)]) -> Died {
        let (process, status) = text.split_once(' ').unwrap_or((text, "unknown"));
        let detail = causes.iter().find(|(pid, _)| pid == process).map(|(_, why)| why.clone());
        Died(detail.unwrap_or_else(|| format!("the driver ended with status {status}")))
    }
}

impl std::fmt::Display for Died {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Died {}

/// Outcomes of a group's jobs, or why there are none.
pub type GroupOutcome = std::result::Result<Vec<Outcome>, Died>;

/// The outcomes of a group, read from the remaining lines.
fn read(
    method: Method,
    jobs: &[Job],
    lines: &mut std::str::Lines,
    causes: &[(String, String)],
) -> Result<GroupOutcome> {
    let mut outcomes = Vec::new();
    for job in jobs {
        let line = lines
            .next()
            .with_context(|| format!("the driver stopped before answering \"{}\"", job.line()))?;
        if let Some(which) = line.strip_prefix("died ") {
            return Ok(Err(Died::group(which, causes)));
        }
        outcomes.push(job.read_for(method, line)?);
    }
    Ok(Ok(outcomes))
}

/// The outcomes of these groups, from what the driver printed.
pub fn outcomes(groups: &[Vec<Job>], ended: &Ended, method: Method) -> Result<Vec<GroupOutcome>> {
    let mut lines = ended.stdout.lines();
    groups.iter().map(|g| read(method, g, &mut lines, &ended.causes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_that_dies_gets_its_own_cause() {
        let causes = [("102".to_string(), "the driver was ended by SIGILL: vghsh.vv".to_string())];
        let mut lines = "version A\ndied 102 132\ndied 103 1\nversion B".lines();
        let mut next = |jobs: &[Job]| read(Method::Counted, jobs, &mut lines, &causes).unwrap();
        let died = next(&[Job::Version, Job::SelfCheck, Job::Version]).unwrap_err();
        assert_eq!(died.0, "the driver was ended by SIGILL: vghsh.vv");
        let died = next(&[Job::Probe]).unwrap_err();
        assert_eq!(died.0, "the driver ended with status 1");
        assert_eq!(next(&[Job::Version]), Ok(vec![Outcome::Version("B".into())]));
        assert!(read(Method::Counted, &[Job::Version], &mut lines, &[]).is_err());
    }
}
