//! One record of all results.

use crate::error::SweepError;
use crate::plan::{Job, Plan};
use crate::results::Results;
use capvec_record::{Host, Kind, Record};
use std::collections::HashMap;

/// The record of the jobs that are done, and those that are not.
pub struct Merged {
    /// `None` if no job is done.
    pub record: Option<Record>,
    /// Jobs without a result.
    pub missing: Vec<Job>,
}

/// What all results of one subject must have in common, and the job of the first of them.
struct Common {
    job: String,
    facts: [(&'static str, String); 4],
}

impl Common {
    fn of(job: &Job, record: &Record) -> Common {
        let facts = [
            ("the version of capvec", record.tool.clone()),
            ("the library", record.target.sha256.clone().unwrap_or_default()),
            ("the packages of the sysroot", record.packages.join(", ")),
            ("the number of vectors", record.vectors.to_string()),
        ];
        Common { job: job.flags.join(" "), facts }
    }
}

/// Joins the results of a plan, in the plan's order: the record does not depend on where, when or in which order they were measured.
///
/// # Errors
/// Two results of a subject were measured with different versions, libraries, packages or vectors.
pub fn merge(plan: &Plan, results: &Results) -> Result<Merged, SweepError> {
    let mut seen: HashMap<String, Common> = HashMap::new();
    let (mut all, mut missing): (Option<Record>, Vec<Job>) = (None, Vec::new());
    for job in &plan.jobs {
        let Some(mut record) = results.get(job) else {
            missing.push(job.clone());
            continue;
        };
        let subject = record.rows.first().map(|row| row.subject.clone()).unwrap_or_default();
        let common = Common::of(job, &record);
        let first = seen.entry(subject).or_insert_with(|| Common::of(job, &record));
        if let Some((a, _)) = first.facts.iter().zip(&common.facts).find(|(a, b)| a != b) {
            let (one, other) = (first.job.clone(), common.job);
            return Err(SweepError::Mixed { one, other, what: a.0.into() });
        }
        record.command = vec!["sweep".into(), "merge".into()];
        // Modelled figures do not depend on the machine, and jobs run on several.
        if record.target.kind == Kind::Modelled {
            record.machine = Host::default();
        }
        match &mut all {
            Some(all) => all.join(record),
            None => all = Some(record),
        }
    }
    Ok(Merged { record: all, missing })
}
