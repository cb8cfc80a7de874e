//! What is measured: which sets, at which VLENs and costs.

use super::request::Request;
use super::sets::{self, Set};
use crate::capset::CapSet;
use crate::case::has_connections;
use crate::driver_protocol::Job;
use crate::sweep::groups;
use anyhow::{Context, Result, ensure};
use capvec_guest::Program;
use capvec_isa::Op;
use capvec_isa::custom::{Cost, Per};
use capvec_record::explored::Price;
use capvec_timing::{Core, Model, Price as OnCore};

/// A point before it is measured.
pub struct Run {
    pub set: usize,
    pub vlen: u32,
    pub price: Price,
    pub runner: usize,
}

/// What is explored: the sets, and the runs.
pub struct Plan {
    pub(super) request: Request,
    pub(super) sets: Vec<Set>,
    /// What is not measured together, and why.
    pub(super) apart: Vec<String>,
    pub(super) runs: Vec<Run>,
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
        ensure!(
            request.with.len() <= sets::MOST,
            "--with: {} additions; compare at most {} at once",
            request.with.len(),
            sets::MOST
        );
        let isa = &request.core.isa;
        let base =
            CapSet::of(&request.base, isa).with_context(|| format!("--base {}", request.base))?;
        let (added, apart) = sets::added(&request, base.exts)?;
        let mut sets = vec![Set { name: String::new(), capset: base, ops: Vec::new() }];
        sets.extend(added);
        for set in &sets {
            let flag = match set.name.as_str() {
                "" => format!("--base {}", request.base),
                name => format!("--with {name}"),
            };
            request.core.can_time(set.capset.exts).context(flag)?;
        }
        let cores = vec![request.core.clone()];
        let mut plan = Plan { cores, request, sets, apart, runs: Vec::new() };
        plan.add_runs();
        Ok(plan)
    }

    fn add_runs(&mut self) {
        let own = self.request.core.vlen;
        let others = self.request.vlens.iter().copied().filter(|v| *v != own);
        let vlens: Vec<u32> = std::iter::once(own).chain(others).collect();
        let priced = matches!(self.request.core.model, Model::FirstOrder(_));
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

    /// The core of each runner that [`super::run`] needs, in its order.
    pub fn cores(&self) -> &[Core] {
        &self.cores
    }

    /// How many steps there are, for progress.
    pub fn len(&self) -> usize {
        self.runs.len() + self.function_jobs().len()
    }

    /// The figures that are divided by function, each with its set.
    pub(super) fn function_jobs(&self) -> Vec<(usize, Job<'_>)> {
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
