//! Queries a target, runs the algorithms there in several ways, and judges.

use crate::cause::Paths;
use crate::executed::executed;
use crate::judgement::{Judgement, Measured, Reference};
use crate::ratio::faster;
use crate::remedy;
use crate::rounds;
use crate::shown::{self, Facts};
use crate::verdict::judge;
use anyhow::Result;
use capvec_bench::capset::{CapSet, Dispatch, Override, Wanted, words};
use capvec_bench::case::Case;
use capvec_bench::run::{Configuration, Runner};
use capvec_bench::sweep::{self, Gate, Plan};
use capvec_binscan::Report;
use capvec_guest::LibraryKind;
use capvec_isa::{Ext, ExtSet};
use capvec_record::{Arch, Kind, Row, doctor};
use std::sync::Arc;

/// Names of the measured sets.
const STOCK: &str = "stock";
const SCALAR: &str = "scalar";
const ABLE: &str = "able";

/// What to examine.
pub struct Request {
    /// Algorithms.
    pub cases: Vec<Case>,
    /// Message size in bytes.
    pub bytes: usize,
    /// VLEN in bits, on targets where it can be chosen; else 0.
    pub vlen: u32,
    /// The value of the library's environment variable; `None` lets it detect.
    pub configured: Option<String>,
    /// Vectors for the cases, with buffers at any address: OpenSSL's code must give the right answers everywhere.
    pub gate: Arc<dyn Gate>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// What is reported about the target.
    pub facts: Facts,
    /// The judgement on each algorithm.
    pub judgements: Vec<Judgement>,
    /// What the user should know before believing the figures.
    pub warnings: Vec<String>,
}

/// The configuration that is diagnosed.
fn stock(runner: &Runner, request: &Request) -> Result<Configuration> {
    let auto = CapSet::parse("auto", runner.isa())?;
    let mut capset = auto.configured(STOCK, None);
    capset.capstring.clone_from(&request.configured);
    Ok(Configuration::new(request.vlen, capset))
}

/// The sets to compare with the stock one: nothing, and everything that executes if the library does not use that
/// already.
fn others(facts: &Facts, own: &str, stock: &CapSet, arch: Arch) -> Result<Vec<CapSet>> {
    let lost = facts.names(|c| c.executes == Some(true) && c.detected == Some(false));
    let Some(o) = Override::of(arch)? else {
        let mut sets = vec![stock.configured(SCALAR, Some(ExtSet::EMPTY))];
        if !lost.is_empty() {
            sets.push(stock.configured(ABLE, Some(shown::executing(facts))));
        }
        return Ok(sets);
    };
    // A library without a dispatch has nothing to configure.
    let Some(own) = words(own) else { return Ok(Vec::new()) };
    let scalar = o.expand(&[SCALAR.to_string()], &[], &own)?;
    let mut sets: Vec<CapSet> = scalar.into_iter().map(|w| w.capset).collect();
    if !lost.is_empty() {
        sets.push(o.beyond(ABLE, &lost, &own));
    }
    Ok(sets)
}

/// The sets that the library's dispatch asks for.
fn paths(arch: Arch, case: &Case) -> Result<Paths> {
    if let Some(o) = Override::of(arch)? {
        return Ok(o.asks(case).iter().map(|name| vec![name.clone()]).collect());
    }
    let name = |set: ExtSet| {
        let vector = set.closed().has(Ext::Zve32x) && !set.has(Ext::V);
        let set = if vector { set.with(Ext::V) } else { set };
        set.iter().map(|e| e.name().to_string()).collect::<Vec<_>>()
    };
    Ok(Dispatch::load()?.asked(case).into_iter().map(name).collect())
}

fn measure(runner: &Runner, request: &Request, sets: &[CapSet]) -> Result<sweep::Swept> {
    let all: Vec<usize> = (0..request.cases.len()).collect();
    let wanted = sets.iter().map(|s| Wanted { capset: s.clone(), cases: all.clone() }).collect();
    sweep_of(runner, request, wanted)
}

/// The vectors that this library is checked with. libcapvec is only measured, as what could be used instead.
fn gate(runner: &Runner, request: &Request) -> Option<Arc<dyn Gate>> {
    let own = runner.target().library_kind() == LibraryKind::Capvec;
    (!own).then(|| request.gate.clone())
}

fn sweep_of(runner: &Runner, request: &Request, wanted: Vec<Wanted>) -> Result<sweep::Swept> {
    let plan = Plan {
        cases: request.cases.clone(),
        wanted,
        vlens: vec![request.vlen],
        bytes: vec![request.bytes],
        gate: gate(runner, request),
        ..Plan::default()
    };
    rounds::run(runner, plan)
}

fn row<'a>(rows: &'a [Row], set: &str, like: &Row) -> Option<&'a Row> {
    rows.iter().find(|r| r.capset == set && r.case == like.case && r.direction == like.direction)
}

/// The direction in which an algorithm loses most.
fn worst(judgements: Vec<Judgement>) -> Option<Judgement> {
    let rank = |j: &Judgement| (j.finding.slower, j.finding.lost.unwrap_or(0.0));
    judgements.into_iter().reduce(|a, b| if rank(&b) > rank(&a) { b } else { a })
}

/// The measurement of a library that does not start.
fn dead(case: &Case, why: &str) -> Measured {
    let direction = case.operations.first().map_or("", |o| o.name()).into();
    let (case, algorithm, answers) = (case.id.clone(), case.title.clone(), why.into());
    Measured {
        stock: Row { case, algorithm, direction, answers, ..Row::default() },
        ..Measured::default()
    }
}

/// Examines a target.
///
/// # Errors
/// The target cannot be queried, or does not run what it is given.
pub fn examine(runner: &Runner, request: &Request) -> Result<Diagnosis> {
    let stock = stock(runner, request)?;
    let (facts, own) = shown::ask(runner, &stock)?;
    let arch = runner.target().arch();
    if let Some(why) = &facts.dies {
        let judge = |c| judge(&facts, &Paths::new(), dead(c, why));
        let judgements = request.cases.iter().map(judge).collect();
        return Ok(Diagnosis { judgements, warnings: Vec::new(), facts });
    }
    let mut sets = vec![stock.capset.clone()];
    sets.extend(others(&facts, &own, &stock.capset, arch)?);
    let swept = measure(runner, request, &sets)?;
    let mut judgements = Vec::new();
    for case in &request.cases {
        let paths = paths(arch, case)?;
        let mut directions = Vec::new();
        for own in swept.rows.iter().filter(|r| r.capset == STOCK && r.case == case.id) {
            let operation = case.operations.iter().find(|o| o.name() == own.direction);
            let executed = match operation {
                Some(o) if runner.target().kind() == Kind::Modelled && own.passed() => {
                    Some(executed(runner, &stock, case, *o, own.bytes, &paths)?)
                }
                _ => None,
            };
            let measured = Measured {
                stock: own.clone(),
                scalar: row(&swept.rows, SCALAR, own).cloned(),
                able: row(&swept.rows, ABLE, own).cloned(),
                reference: None,
                executed,
            };
            directions.push(judge(&facts, &paths, measured));
        }
        judgements.extend(worst(directions));
    }
    remedy::share(&facts, &mut judgements);
    Ok(Diagnosis { facts, judgements, warnings: swept.target.warnings })
}

impl Diagnosis {
    /// What is found, without what it is based on.
    pub fn found(self) -> doctor::Diagnosis<Report> {
        let findings = self.judgements.into_iter().map(|j| j.finding).collect();
        doctor::Diagnosis { facts: self.facts, findings, warnings: self.warnings }
    }

    /// Judges again, compared with another library on the same target, the algorithms that are not known to use what the
    /// processor has; with `much`, also the accelerated ones.
    ///
    /// # Errors
    /// As [`examine`].
    pub fn compared_with(
        self,
        runner: &Runner,
        request: &Request,
        name: &str,
        much: bool,
    ) -> Result<Diagnosis> {
        let arch = runner.target().arch();
        let of = |c: &Case| self.judgements.iter().find(|j| j.finding.case == c.id);
        let lacks = |c: &Case| of(c).is_some_and(Judgement::wants_reference);
        let kind = runner.target().library_kind();
        let own = kind == LibraryKind::Capvec;
        let has = |c: &Case| c.is_in(kind);
        let more = |c: &Case| much && of(c).is_some_and(Judgement::is_accelerated);
        let wants = |c: &Case| has(c) && (lacks(c) || more(c));
        let indices = |of: &dyn Fn(&Case) -> bool| -> Vec<usize> {
            let all = request.cases.iter().enumerate();
            all.filter(|(_, c)| wants(c) && of(c)).map(|(i, _)| i).collect()
        };
        let cases = indices(&|_| true);
        if cases.is_empty() {
            return Ok(self);
        }
        let capset = CapSet::parse("auto", runner.isa())?.configured(STOCK, None);
        let scalar = match Override::of(arch)? {
            None => vec![capset.configured(SCALAR, Some(ExtSet::EMPTY))],
            Some(_) => Vec::new(),
        };
        // The portable code of the other library is needed only to compare portable code.
        let lacking = indices(&lacks);
        let mut wanted = vec![Wanted { capset, cases }];
        if !lacking.is_empty() {
            wanted.extend(scalar.into_iter().map(|s| Wanted { capset: s, cases: lacking.clone() }));
        }
        let swept = sweep_of(runner, request, wanted)?;
        let mut judgements = Vec::new();
        for j in self.judgements {
            let case = request.cases.iter().find(|c| c.id == j.finding.case);
            let [fast, portable] = [STOCK, SCALAR].map(|s| row(&swept.rows, s, &j.measured.stock));
            judgements.push(match (case, fast) {
                (Some(case), Some(r)) => {
                    // Portable code that was compiled better is not a path that this library lacks.
                    let by_extensions = portable.is_none_or(|p| faster(r, p).is_some());
                    let (name, row) = (name.to_string(), r.clone());
                    let other = Reference { name, same_library: !own, row, by_extensions };
                    j.compared_with(&self.facts, &paths(arch, case)?, other)
                }
                _ => j,
            });
        }
        Ok(Diagnosis { judgements, ..self })
    }
}
