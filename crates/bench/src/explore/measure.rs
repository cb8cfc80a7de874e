//! Runs a plan.

use super::plan::{Plan, Run};
use crate::case::Case;
use crate::driver_protocol::{Job, Taken};
use crate::functions;
use crate::run::{Configuration, Runner};
use crate::sweep::Results;
use anyhow::{Context, Result};
use capvec_isa::Op;
use capvec_record::FunctionShare;
use capvec_record::explored::{Added, ClassPoint, Explored, FunctionPoint, Point, Price, VERSION};
use capvec_timing::{Core, Model};
use capvec_util::pool;

/// What the instructions cost on a core, and where that comes from: a line for each cost, with its instructions.
fn costs(core: &Core, ops: &[Op]) -> Vec<String> {
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
    for (op, cost) in ops.iter().filter_map(|op| Some((op, core.cost_text(*op)?))) {
        match all.iter_mut().find(|(c, _)| *c == cost) {
            Some((_, names)) => names.push(op.name()),
            None => all.push((cost, vec![op.name()])),
        }
    }
    all.into_iter().map(|(cost, names)| format!("{}: {cost}", names.join(", "))).collect()
}

/// Measures the plan on all processors. `runners` are those of [`Plan::cores`]; `progress` is called after each guest.
///
/// # Errors
/// Names the set that could not be run at all. Wrong answers are part of the result.
pub fn run(
    plan: &Plan,
    runners: &[Runner],
    tool: &str,
    progress: &(dyn Fn() + Sync),
) -> Result<Explored> {
    let cases: Vec<&Case> = plan.request.cases.iter().collect();
    let results = pool::each(&plan.runs, |r| {
        let set = &plan.sets[r.set];
        let configuration = Configuration::new(r.vlen, set.capset.clone());
        let runner = runners.get(r.runner).context("there is a runner for each core")?;
        let bytes = &plan.request.bytes;
        let measured = Results::measure(runner, &cases, bytes, &configuration);
        progress();
        measured.with_context(|| format!("capability set {}, VLEN {}", set.capset.name, r.vlen))
    })?;
    let core = &plan.request.core;
    let mut explored = Explored {
        explore: VERSION,
        tool: tool.into(),
        command: capvec_targets::host::command(),
        subject: runners.first().map_or(String::new(), |r| r.subject().into()),
        version: results.first().map_or(String::new(), |r| r.version.clone()),
        core: core.identity.label.clone(),
        core_digest: core.identity.digest.clone(),
        frequency: core.frequency,
        priced: matches!(core.model, Model::FirstOrder(_)),
        vlen: core.vlen,
        base: plan.request.base.clone(),
        with: Vec::new(),
        apart: plan.apart.clone(),
        points: Vec::new(),
        functions: Vec::new(),
        classes: Vec::new(),
    };
    for set in &plan.sets[1..] {
        let instructions = set.ops.iter().map(|op| op.name().to_string()).collect();
        let costs = costs(core, &set.ops);
        let kge = core.gates(&set.name);
        explored.with.push(Added { name: set.name.clone(), instructions, costs, kge });
    }
    for (run, results) in plan.runs.iter().zip(&results) {
        explored.points.extend(points(plan, run, &cases, results));
    }
    (explored.functions, explored.classes) = divided(plan, runners, &explored.points, progress)?;
    Ok(explored)
}

/// Where the time goes, at the core's own VLEN and costs: by function without and with each addition, by class with each.
fn divided(
    plan: &Plan,
    runners: &[Runner],
    points: &[Point],
    progress: &(dyn Fn() + Sync),
) -> Result<(Vec<FunctionPoint>, Vec<ClassPoint>)> {
    let Some(runner) = runners.first() else { return Ok(Default::default()) };
    let found = pool::each(&plan.function_jobs(), |(set, job)| {
        if !has_figure(plan, *set, job, points) {
            progress();
            return Ok(Default::default());
        }
        let capset = plan.sets[*set].capset.clone();
        let c = Configuration::new(plan.request.core.vlen, capset);
        let functions = functions::of(runner, &c, job)?;
        // Classes are for "What would be next" in the report, which needs an addition.
        let classes = match set {
            0 => Vec::new(),
            _ => functions::classes(runner, &c, job)?,
        };
        progress();
        let Job::Measure(case, direction, bytes, _) = job else { return Ok(Default::default()) };
        let (with, case) = (plan.sets[*set].name.clone(), case.id.clone());
        let direction = direction.name().to_string();
        let function = |s: FunctionShare| FunctionPoint {
            with: with.clone(),
            case: case.clone(),
            direction: direction.clone(),
            bytes: *bytes,
            function: s.name,
            insns: s.insns,
            cycles: s.cycles,
        };
        let class = |s: FunctionShare| ClassPoint {
            with: with.clone(),
            case: case.clone(),
            direction: direction.clone(),
            bytes: *bytes,
            class: s.name,
            insns: s.insns,
            cycles: s.cycles,
        };
        let functions = functions.into_iter().map(function).collect::<Vec<_>>();
        Ok((functions, classes.into_iter().map(class).collect::<Vec<_>>()))
    })?;
    let (functions, classes): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    Ok((functions.concat(), classes.concat()))
}

/// Whether there is a figure to divide: a case that cannot be run, or answers wrongly, has its reason in its point.
fn has_figure(plan: &Plan, set: usize, job: &Job<'_>, points: &[Point]) -> bool {
    let Job::Measure(case, direction, bytes, _) = job else { return false };
    let own = |p: &Point| {
        (p.vlen, p.price, p.bytes) == (plan.request.core.vlen, Price::Core, *bytes)
            && p.with == plan.sets[set].name
            && p.case == case.id
            && p.direction == direction.name()
    };
    points.iter().any(|p| own(p) && p.wrong.is_none())
}

fn points(plan: &Plan, run: &Run, cases: &[&Case], results: &Results) -> Vec<Point> {
    let mut points = Vec::new();
    for (case, result) in cases.iter().zip(&results.cases) {
        for m in &result.measures {
            let mut point = Point {
                with: plan.sets[run.set].name.clone(),
                vlen: run.vlen,
                price: run.price,
                case: case.id.clone(),
                direction: m.direction.name().into(),
                bytes: m.bytes,
                wrong: result.answers.first().cloned(),
                ..Point::default()
            };
            match &m.taken {
                _ if point.wrong.is_some() => {}
                Ok(Taken::Counts(c)) => {
                    let each = |n: u64| n as f64 / m.repeats as f64;
                    (point.insns, point.cycles) = (each(c.instret), each(c.cycles));
                }
                Ok(Taken::Samples(_)) => point.wrong = Some("the target does not count".into()),
                Err(why) => point.wrong = Some(why.clone()),
            }
            points.push(point);
        }
    }
    points
}
