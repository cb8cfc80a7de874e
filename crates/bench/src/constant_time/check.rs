//! Runs each case in every configuration with its secrets marked.

use super::rules::Rules;
use crate::capset::{CapSet, Wanted};
use crate::case::{Case, Kind, Operation, Pattern};
use crate::driver_protocol::{Job, Question};
use crate::run::{Configuration, Runner};
use anyhow::{Context, Result};
use capvec_ct::Report;
use capvec_guest::Program;
use capvec_isa::Ext;
use capvec_sim::hart::Agnostic;
use capvec_targets::backend::{Count, Work};
use capvec_util::pool;
use std::sync::Arc;

/// Bytes of a message: some blocks, and a part of one. Modes without partial blocks take the second.
const BYTES: [usize; 2] = [333, 336];

/// Why a case without secrets is not checked.
pub(super) const NO_RULE: &str = "no rule of cases/secrets.toml says what is secret in it";

/// Why a case is not checked if the driver answers this.
pub(super) fn refused(answer: &str) -> String {
    format!("the driver answers \"{answer}\"")
}

/// What to check.
pub struct Plan {
    /// The cases.
    pub cases: Vec<Case>,
    /// Capability sets, each with its cases.
    pub wanted: Vec<Wanted>,
    /// VLENs in bits.
    pub vlens: Vec<u32>,
    /// What agnostic elements become.
    pub agnostic: Vec<Agnostic>,
}

/// A case in a configuration.
#[derive(Clone)]
pub struct Checked {
    /// The case's number in the plan.
    pub case: usize,
    /// The set.
    pub capset: CapSet,
    /// VLEN in bits and policy; `None` without vector instructions.
    pub vector: Option<(u32, Agnostic)>,
    /// What was found, or why nothing was checked.
    pub outcome: Result<Report, String>,
}

impl Plan {
    /// Everything to check. Without vector instructions, VLEN and policy mean nothing.
    pub(super) fn all(&self) -> Vec<Checked> {
        let mut all = Vec::new();
        for w in &self.wanted {
            let vlens =
                self.vlens.iter().flat_map(|v| self.agnostic.iter().map(|a| Some((*v, *a))));
            let vectors: Vec<_> = match w.capset.exts.has(Ext::Zve32x) {
                true => vlens.collect(),
                false => vec![None],
            };
            for vector in vectors {
                all.extend(w.cases.iter().map(|case| Checked {
                    case: *case,
                    capset: w.capset.clone(),
                    vector,
                    outcome: Err("not run".into()),
                }));
            }
        }
        all
    }

    /// Number of checks.
    pub fn len(&self) -> usize {
        self.all().len()
    }

    /// Whether there is nothing to check.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Checks everything on all processors, and calls `progress` after each check.
///
/// # Errors
/// A guest could not be run at all.
pub fn run(runner: &Runner, plan: &Plan, progress: &(dyn Fn() + Sync)) -> Result<Vec<Checked>> {
    let rules = Rules::load()?;
    pool::each(&plan.all(), |todo| {
        let case = plan.cases.get(todo.case).context("no such case")?;
        let outcome = one(runner, &rules, case, todo)?;
        progress();
        Ok(Checked { outcome, ..todo.clone() })
    })
}

fn one(
    runner: &Runner,
    rules: &Rules,
    case: &Case,
    todo: &Checked,
) -> Result<Result<Report, String>> {
    let lines: Vec<String> = case.operations.iter().filter_map(|o| line(rules, case, *o)).collect();
    if lines.is_empty() {
        return Ok(Err(NO_RULE.into()));
    }
    let (vlen, agnostic) = todo.vector.unwrap_or((runner.vlen(), Agnostic::default()));
    let marks = rules.marks(case, runner.subject());
    let work = Work {
        agnostic,
        count: Count::Secrets(Arc::new(marks)),
        ..Work::driver(Program::Secrets, lines.join("\n") + "\n")
    };
    let configuration = Configuration::new(vlen, todo.capset.clone());
    let ended = runner.run(&configuration, work)?;
    let answers: Vec<&str> = ended.stdout.lines().collect();
    let failed = |a: &&&str| a.strip_prefix("secret ").is_none_or(|n| n.parse::<u64>().is_err());
    if let Some(answer) = answers.iter().find(failed) {
        return Ok(Err(refused(answer)));
    }
    let mut report = ended.secrets.context("secrets were not followed")?;
    if let Some(name) = report.unresolved.first() {
        return Ok(Err(format!("cases/secrets.toml names {name}, which the program lacks")));
    }
    if answers.len() != lines.len() || report.incomplete {
        return Ok(Err("the driver ended early".into()));
    }
    if !report.marked {
        return Ok(Err("the driver marked nothing".into()));
    }
    report.suppress(&rules.suppressions(case, runner.subject()));
    Ok(Ok(report))
}

/// The driver's job for an operation with its secrets marked, if it has secrets and inputs.
fn line(rules: &Rules, case: &Case, operation: Operation) -> Option<String> {
    let job = job(case, operation)?;
    let parts = parts_of(rules, case, operation)?;
    Some(format!("secret {} {parts}", job.strip_prefix("answer ")?))
}

/// The inputs of an operation: for public-key algorithms those of a known answer, otherwise the pattern message.
pub(super) fn question<T>(
    case: &Case,
    operation: Operation,
    with: impl FnOnce(Question<'_>) -> T,
) -> Option<T> {
    // Key set-up cases use whole blocks, since `takes` does not check whether their modes need them.
    let whole = case.kind == Kind::Setup;
    let bytes = BYTES.into_iter().find(|b| case.takes(*b).is_ok() && !(whole && b % 16 != 0))?;
    let message = Pattern { operation, bytes, sha256: String::new() };
    let published = case.answer.iter().find(|a| a.operation == operation).map(Question::Published);
    let pattern = case.pattern.iter().find(|p| p.operation == operation).map(Question::Pattern);
    Some(with(match case.kind {
        Kind::Pkey => published.or(pattern)?,
        _ => Question::Pattern(&message),
    }))
}

pub(super) fn job(case: &Case, operation: Operation) -> Option<String> {
    question(case, operation, |q| Job::Answer(case, q).line())
}

pub(super) fn parts_of(rules: &Rules, case: &Case, operation: Operation) -> Option<String> {
    let key = question(case, operation, |q| match q {
        Question::Published(a) if !a.key.is_empty() => a.key.len() / 2,
        _ => case.key.len() / 2,
    })?;
    rules.parts(case, operation, key)
}
