//! What `capvec sweep plan` refuses: values that `capvec bench` would refuse, each in a combination that is not left out.
//!
//! A sweep may have ten thousand values. So the command line is parsed once with all of them, core models and cases are read once,
//! and what other values do not change is looked at once.

use super::flags::parsed;
use crate::cmd::bench::{prepare, set_vlens, timed};
use crate::cmd::core_choice::{self, SetFlag};
use crate::cmd::{Usage, isa_files};
use anyhow::{Error, Result, anyhow};
use capvec_bench::capset::Wanted;
use capvec_bench::case::{self, Case};
use capvec_bench::processor::Processor;
use capvec_sweep::Axes;
use capvec_targets::CORE;
use capvec_timing::Core;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Refuses values that `bench` would refuse.
pub fn check(axes: &Axes) -> Result<()> {
    let samples = axes.samples();
    let Some(first) = samples.first() else { return Ok(()) };
    parsed(&every_word(axes, &samples))?;
    prepare(&parsed(&axes.flags(first))?)?;
    let mut seen = Seen::default();
    for values in &samples {
        let job = Job::of(axes, values)?;
        seen.check_sets(axes, &job)?;
    }
    seen.check_pairs(axes)
}

/// The words of all values and of every job, each once: any value may be repeated on a command line.
fn every_word(axes: &Axes, samples: &[Vec<&str>]) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut words = axes.common.clone();
    for values in samples {
        for (axis, value) in axes.axes.iter().zip(values) {
            if seen.insert((&axis.name, *value)) {
                words.extend(axis.words(value));
            }
        }
    }
    words
}

/// What is checked of a job's flags.
struct Job {
    cores: Vec<String>,
    cases: Vec<String>,
    caps: Vec<String>,
    sets: Vec<SetFlag>,
    has_vlen: bool,
}

impl Job {
    fn of(axes: &Axes, values: &[&str]) -> Result<Job> {
        let axis = |name: &str| {
            let at = axes.axes.iter().position(|axis| axis.name == name)?;
            values.get(at).copied()
        };
        let common = |name: &str| {
            let flag = format!("--{name}");
            let at = axes.common.iter().step_by(2).position(|word| *word == flag)?;
            axes.common.get(2 * at + 1).map(String::as_str)
        };
        let list = |name: &str| -> Vec<String> {
            let text = axis(name).or_else(|| common(name));
            text.map_or(Vec::new(), |text| text.split(',').map(String::from).collect())
        };
        let parameters = axes.axes.iter().zip(values).filter(|(axis, _)| axis.name.contains('.'));
        let set = |text: String| text.parse().map_err(|e: String| Error::from(Usage(e)));
        let sets = parameters.map(|(axis, value)| set(format!("{}={value}", axis.name)));
        let mut cores = list("core");
        if cores.is_empty() {
            cores.push(CORE.into());
        }
        Ok(Job {
            cores,
            cases: list("cases"),
            caps: list("caps"),
            sets: sets.collect::<Result<_>>()?,
            has_vlen: !list("vlen").is_empty(),
        })
    }

    /// Its cores with their parameters, and whether it has VLENs besides.
    fn on(&self) -> String {
        let sets: Vec<String> = self.sets.iter().map(SetFlag::to_string).collect();
        format!("{:?} {sets:?} {}", self.cores, self.has_vlen)
    }
}

/// What the sets of a job on a core depend on: the ISA, and the names of sets and cases.
type Sets = (String, Vec<String>, Vec<String>);

/// What was looked at.
#[derive(Default)]
struct Seen {
    /// Cores as they were read, by name.
    loaded: HashMap<String, Core>,
    /// The last cores with parameters, and the job's description of them: all of them would take too much memory.
    last: Option<(String, Rc<Vec<Core>>)>,
    /// ISAs of the cores with parameters that were accepted.
    accepted: HashMap<String, Vec<String>>,
    /// Cases by their names.
    cases: HashMap<Vec<String>, Rc<Vec<Case>>>,
    /// Sets by ISA, the names of the sets and of the cases.
    expanded: HashMap<Sets, Rc<Vec<Wanted>>>,
}

impl Seen {
    /// Refuses cores, parameters, cases and capability sets that do not exist.
    fn check_sets(&mut self, axes: &Axes, job: &Job) -> Result<()> {
        self.cases(job)?;
        let on = job.on();
        if let Some(isas) = self.accepted.get(&on)
            && isas.iter().all(|isa| self.expanded.contains_key(&key(isa, job)))
        {
            return Ok(());
        }
        let cores = self.cores(job).map_err(|e| Seen::with_remedy(axes, job, e))?;
        for core in cores.iter() {
            set_vlens(core, &job.sets, job.has_vlen)?;
            self.expand(core, job)?;
        }
        self.accepted.insert(on, cores.iter().map(|core| core.isa.to_string()).collect());
        Ok(())
    }

    /// Refuses sets whose cycles a core cannot count. Each pair of a core and a set is tried, since samples need not have it.
    fn check_pairs(&mut self, axes: &Axes) -> Result<()> {
        let place = |name: &str| axes.axes.iter().position(|axis| axis.name == name);
        let pair = [place("core"), place("caps")];
        let mut seen = HashSet::new();
        for values in axes.walk() {
            if !seen.insert(pair.map(|at| at.map(|at| values[at]))) {
                continue;
            }
            let job = Job::of(axes, &values)?;
            for core in self.cores(&job)?.iter() {
                let sets = self.expand(core, &job)?;
                timed(core, sets.to_vec())
                    .map_err(|e| anyhow!("{e:#}; or leave out this pair by [[exclude]]"))?;
            }
        }
        Ok(())
    }

    /// The cores of a job, with its parameters.
    fn cores(&mut self, job: &Job) -> Result<Rc<Vec<Core>>> {
        let on = job.on();
        if let Some((_, cores)) = self.last.as_ref().filter(|(last, _)| *last == on) {
            return Ok(Rc::clone(cores));
        }
        let loaded = &mut self.loaded;
        let mut load = |name: &str| match loaded.get(name) {
            Some(core) => Ok(core.clone()),
            None => {
                let core = isa_files::core(name)?;
                loaded.insert(name.into(), core.clone());
                Ok(core)
            }
        };
        let cores = Rc::new(core_choice::all_of(&mut load, &job.cores, &job.sets)?);
        self.last = Some((on, Rc::clone(&cores)));
        Ok(cores)
    }

    fn cases(&mut self, job: &Job) -> Result<Rc<Vec<Case>>> {
        if let Some(cases) = self.cases.get(&job.cases) {
            return Ok(Rc::clone(cases));
        }
        let cases = Rc::new(case::select(&job.cases)?);
        self.cases.insert(job.cases.clone(), Rc::clone(&cases));
        Ok(cases)
    }

    fn expand(&mut self, core: &Core, job: &Job) -> Result<Rc<Vec<Wanted>>> {
        let key = key(&core.isa.to_string(), job);
        if let Some(sets) = self.expanded.get(&key) {
            return Ok(Rc::clone(sets));
        }
        let cases = self.cases(job)?;
        let sets = Rc::new(Processor::Any(core.isa).expand(&job.caps, &cases)?.wanted);
        self.expanded.insert(key, Rc::clone(&sets));
        Ok(sets)
    }

    /// The error of a core; if another core of the sweep has these parameters, with how to leave out this one.
    fn with_remedy(axes: &Axes, job: &Job, error: Error) -> Error {
        let mut cores = axes.axes.iter().filter(|a| a.name == "core").flat_map(|a| &a.values);
        let possible =
            cores.any(|core| core_choice::all(std::slice::from_ref(core), &job.sets).is_ok());
        // A core that does not exist is to be corrected, not left out.
        match possible && core_choice::all(&job.cores, &[]).is_ok() {
            true => {
                anyhow!("{error:#}; or leave out this core with these parameters by [[exclude]]")
            }
            false => error,
        }
    }
}

/// What the sets of a job on a core with this ISA depend on.
fn key(isa: &str, job: &Job) -> Sets {
    (isa.into(), job.caps.clone(), job.cases.clone())
}
