//! `capvec explore`: the same cases without and with the added instructions, at several costs and VLENs.

use crate::capset::CapSet;
use crate::case::{Case, has_connections};
use crate::driver_protocol::{Job, Taken};
use crate::functions;
use crate::run::{Configuration, Program, Runner};
use crate::sweep::{Results, groups};
use anyhow::{Context, Result, ensure};
use capvec_isa::custom::{Cost, Per};
use capvec_isa::{ExtSet, Op, isa_string};
use capvec_record::FunctionShare;
use capvec_record::explored::{Added, ClassPoint, Explored, FunctionPoint, Point, Price, VERSION};
use capvec_timing::{Core, Model, Price as OnCore};
use capvec_util::pool;

/// What to explore.
pub struct Request {
    /// The core.
    pub core: Core,
    /// The capability set that extensions are added to.
    pub base: String,
    /// What is added, each alone: extensions joined by `_`.
    pub with: Vec<String>,
    /// Algorithms.
    pub cases: Vec<Case>,
    /// Message sizes in bytes.
    pub bytes: Vec<usize>,
    /// VLENs in bits, in addition to the core's own.
    pub vlens: Vec<u32>,
    /// Cycles that the new instructions might take.
    pub latencies: Vec<u32>,
}

/// A capability set to measure, and the instructions that it adds to the base.
struct Set {
    name: String,
    capset: CapSet,
    ops: Vec<Op>,
}

/// A point before it is measured.
struct Run {
    set: usize,
    vlen: u32,
    price: Price,
    runner: usize,
}

/// What is explored: the sets, and the runs.
pub struct Plan {
    request: Request,
    sets: Vec<Set>,
    runs: Vec<Run>,
    /// The core of each runner.
    cores: Vec<Core>,
}

impl Plan {
    /// The plan of a request.
    ///
    /// # Errors
    /// Names the extension that is unknown, or the two that one hart cannot have.
    pub fn new(request: Request) -> Result<Plan> {
        ensure!(
            request.base != "auto",
            "--base auto: with auto, the library itself detects what it uses; name a set, such as full or scalar"
        );
        let empty = request.with.iter().any(|with| with.is_empty());
        ensure!(!empty, "--with: a name is missing; name extensions, such as zvknhk0p2");
        let isa = &request.core.isa;
        let base =
            CapSet::of(&request.base, isa).with_context(|| format!("--base {}", request.base))?;
        let base_exts = base.exts;
        let mut sets = vec![Set { name: String::new(), capset: base, ops: Vec::new() }];
        for with in &request.with {
            sets.push(added(&request, with, base_exts).with_context(|| format!("--with {with}"))?);
        }
        if let [_, _, ..] = request.with[..] {
            // Extensions that exclude each other are alternatives, and not measured together.
            sets.extend(added(&request, &request.with.join("_"), base_exts).ok());
        }
        let mut plan = Plan { cores: vec![request.core.clone()], request, sets, runs: Vec::new() };
        plan.add_runs();
        Ok(plan)
    }

    fn add_runs(&mut self) {
        let own = self.request.core.vlen;
        let others = self.request.vlens.iter().copied().filter(|v| *v != own);
        let vlens: Vec<u32> = std::iter::once(own).chain(others).collect();
        let priced = matches!(self.request.core.model, Model::InOrder(_));
        for set in 0..self.sets.len() {
            for vlen in &vlens {
                self.runs.push(Run { set, vlen: *vlen, price: Price::Core, runner: 0 });
            }
            let ops = self.sets[set].ops.clone();
            if set == 0 || !priced || ops.is_empty() {
                continue;
            }
            let latencies = self.request.latencies.iter().map(|n| Price::Cycles(*n));
            for price in std::iter::once(Price::Free).chain(latencies) {
                let prices: Vec<_> = ops.iter().map(|op| (*op, on_core(*op, price))).collect();
                let core = self.request.core.priced(&format!("{price:?}"), &prices);
                self.runs.push(Run { set, vlen: own, price, runner: self.cores.len() });
                self.cores.push(core);
            }
        }
    }

    /// The drivers that it needs.
    pub fn programs(&self) -> &'static [Program] {
        match has_connections(&self.request.cases) {
            true => &[Program::Measure, Program::MeasureTls],
            false => &[Program::Measure],
        }
    }

    /// The core of each runner that [`run`] needs, in its order.
    pub fn cores(&self) -> &[Core] {
        &self.cores
    }

    /// How many steps there are, for progress.
    pub fn len(&self) -> usize {
        self.runs.len() + self.function_jobs().len()
    }

    /// The figures that are divided by function, each with its set.
    fn function_jobs(&self) -> Vec<(usize, Job<'_>)> {
        let groups = self.request.cases.iter().flat_map(|c| groups(c, &self.request.bytes));
        let measures = |j: &Job<'_>| matches!(j, Job::Measure(..));
        let jobs: Vec<Job<'_>> = groups.flatten().filter(measures).collect();
        (0..self.sets.len()).flat_map(|set| jobs.iter().map(move |j| (set, j.clone()))).collect()
    }

    /// Whether there is nothing to measure.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// What each set adds, as text.
    pub fn additions(&self) -> impl Iterator<Item = (&str, Vec<&'static str>)> {
        self.sets
            .iter()
            .skip(1)
            .map(|s| (s.name.as_str(), s.ops.iter().map(|o| o.name()).collect()))
    }
}

/// The base with extensions.
fn added(request: &Request, with: &str, base: ExtSet) -> Result<Set> {
    let name = match request.base.as_str() {
        "scalar" => with.to_string(),
        base => format!("{base}_{with}"),
    };
    // The error names the word as given, and not the set that it would be part of.
    with.split('_').try_for_each(|word| isa_string::word(word, word).map(drop))?;
    let capset = CapSet::of(&name, &request.core.isa)?;
    let new = capset.exts.minus(base);
    ensure!(
        !new.is_empty(),
        "--base {} has it already; choose a base without it, such as scalar",
        request.base
    );
    let has = |op: &Op| op.row().exts.intersects(new) && !op.row().exts.intersects(base);
    Ok(Set { name: with.into(), ops: Op::all().filter(has).collect(), capset })
}

/// The cost of an instruction. Its latency is that of the first step; element groups do not overlap.
fn on_core(op: Op, price: Price) -> OnCore {
    let class = op.row().class;
    let grouped = class.has_groups() || op.model().is_some_and(|m| m.group.is_some());
    match price {
        Price::Free | Price::Core => OnCore::Free,
        Price::Cycles(n) if !class.is_vector() => {
            OnCore::Cost(Cost::Scalar { latency: n, occupancy: 1 })
        }
        Price::Cycles(n) if grouped => {
            OnCore::Cost(Cost::Vector { per: Per::Group, first: n, next: n })
        }
        Price::Cycles(n) => OnCore::Cost(Cost::Vector { per: Per::Beat, first: n, next: 1 }),
    }
}

/// What the instructions cost on a core, and where that comes from, each cost once.
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
        let configuration = Configuration { vlen: r.vlen, capset: set.capset.clone() };
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
        priced: matches!(core.model, Model::InOrder(_)),
        vlen: core.vlen,
        base: plan.request.base.clone(),
        with: Vec::new(),
        points: Vec::new(),
        functions: Vec::new(),
        classes: Vec::new(),
    };
    for set in &plan.sets[1..] {
        let instructions = set.ops.iter().map(|op| op.name().to_string()).collect();
        let costs = costs(core, &set.ops);
        explored.with.push(Added { name: set.name.clone(), instructions, costs });
    }
    for (run, results) in plan.runs.iter().zip(&results) {
        explored.points.extend(points(plan, run, &cases, results));
    }
    (explored.functions, explored.classes) = divided(plan, runners, progress)?;
    Ok(explored)
}

/// Where the time goes, at the core's own VLEN and costs: by function without and with each addition, by class with each.
fn divided(
    plan: &Plan,
    runners: &[Runner],
    progress: &(dyn Fn() + Sync),
) -> Result<(Vec<FunctionPoint>, Vec<ClassPoint>)> {
    let Some(runner) = runners.first() else { return Ok(Default::default()) };
    let found = pool::each(&plan.function_jobs(), |(set, job)| {
        let capset = plan.sets[*set].capset.clone();
        let c = Configuration { vlen: plan.request.core.vlen, capset };
        // A case that cannot be run has its reason in the points.
        let functions = functions::of(runner, &c, job).unwrap_or_default();
        // They answer what would be next, which makes no sense for the base alone.
        let classes = match set {
            0 => Vec::new(),
            _ => functions::classes(runner, &c, job).unwrap_or_default(),
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
